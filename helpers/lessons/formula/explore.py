"""Explorables of notebook 01: digits that become waves, the waves of a table."""

from helpers.draw.digits import bits as bits
from helpers.draw.waves import sinusoids as sinusoids
