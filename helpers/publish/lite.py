"""Contents for JupyterLite, whose kernel is Python in the reader's browser: experimental.

``python -m helpers.publish.lite`` writes build/lite: the notebooks that need no torch,
as students get them, and the folder `helpers`, which the kernel finds beside them.
`jupyter lite build` makes a page of it. What such a page runs, Pyodide and its packages,
the reader's browser fetches from a CDN; the first cell says so.
"""

import shutil

import nbformat

from helpers.mine import for_students
from helpers.publish.lesson import ROOT, notebook_paths

OUTPUT = ROOT / "build" / "lite"
WITHOUT_TORCH = ("00", "01", "03", "04")
_FIRST = """\
# Python runs in your browser here. Its packages are fetched from the web, once.
%pip install -q altair matplotlib pandas"""


def build(output=OUTPUT):
    """Write the notebooks and the package into a folder; returns it."""
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    for path in notebook_paths(*WITHOUT_TORCH):
        notebook = for_students(nbformat.read(path, as_version=4))
        notebook.cells.insert(1, nbformat.v4.new_code_cell(_FIRST, id="packages"))
        nbformat.write(notebook, output / path.name)
    # Bytecode, themes of pages and the like stay out.
    shutil.copytree(
        ROOT / "helpers",
        output / "helpers",
        ignore=shutil.ignore_patterns("__pycache__", "publish", "marks"),
    )
    return output


if __name__ == "__main__":
    print(build())
