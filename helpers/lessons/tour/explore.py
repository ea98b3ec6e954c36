"""Explorables of the tour, which other notebooks have too."""

from helpers.draw.arcs import look_back
from helpers.draw.digits import bits
from helpers.draw.hands import hands_write_the_table

__all__ = ["bits", "hands_write_the_table", "look_back"]
