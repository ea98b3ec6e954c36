"""Explorables of the tour, which other notebooks have too."""

from helpers.draw.arcs import look_back as look_back
from helpers.draw.digits import bits as bits
from helpers.draw.hands import hands_write_the_table as hands_write_the_table
