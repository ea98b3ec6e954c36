"""Altair charts that answer to the pointer, offline and with no kernel running.

Call ``charts.use();`` once in a notebook. One module a notebook; `renderer` draws.
"""

from helpers.explore.renderer import use

__all__ = ["use"]
