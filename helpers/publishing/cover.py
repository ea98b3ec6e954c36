"""Store README's picture: the dials of notebook 01, as the notebook shows them."""

from base64 import b64decode

import nbformat

from helpers.publishing.lesson import NOTEBOOKS

COVER = NOTEBOOKS / "cover.png"


def dials():
    """The bytes of the picture that the notebook's cell has stored."""
    notebook = nbformat.read(NOTEBOOKS / "01_formula.ipynb", as_version=4)
    (cell,) = [
        c for c in notebook.cells if c.source == "pictures.dials(speeds, range(10))"
    ]
    return b64decode(cell.outputs[0].data["image/png"])


def store_cover():
    """Write it to the file that README shows."""
    COVER.write_bytes(dials())
