"""Store README's picture: the dials of notebook 01, as the notebook shows them."""

from base64 import b64decode

from stored import ROOT, code_cells

COVER = ROOT / "notebooks" / "cover.png"


def dials():
    """The bytes of the picture that the notebook's cell has stored."""
    cells = code_cells(ROOT / "notebooks" / "01_formula.ipynb")
    (cell,) = [c for c in cells if c.source == "pictures.dials(speeds, range(10))"]
    return b64decode(cell.outputs[0].data["image/png"])


def store_cover():
    """Write it to the file that README shows."""
    COVER.write_bytes(dials())
