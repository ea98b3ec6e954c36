"""What the notebooks are checked and drawn with; the ideas are in the notebooks.

`encoding` is the paper in NumPy; `module` and `rotary` are the finished modules in
torch; `corners` and `training` serve the experiments.
`lessons` has a folder for each notebook, `checks` judges answers, `draw` has what
pictures and charts share; `publish` makes editions and the site, `marks` marks a class.
Importing it costs nothing: torch, Altair and Matplotlib load on first use.
"""

import warnings
from importlib import import_module

__version__ = "3.0.0"  # the edition: every verdict names it

# On arm64 the libraries behind `@` raise floating-point flags where the product is
# right, and NumPy warns of an overflow or a division that never happened.
warnings.filterwarnings("ignore", r".* encountered in matmul", RuntimeWarning)

_EXPORTS = {
    "PositionalEncoding": "helpers.module",
    "sinusoidal_table": "helpers.module",
    "RotaryEncoding": "helpers.rotary",
    "to_halves": "helpers.rotary",
    "to_interleaved": "helpers.rotary",
}


def __getattr__(name):
    if name in _EXPORTS:
        return getattr(import_module(_EXPORTS[name]), name)
    raise AttributeError(f"module 'helpers' has no attribute {name!r}")


def __dir__():
    return [*globals(), *_EXPORTS]
