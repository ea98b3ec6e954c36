"""The explorable of notebook 05: what the module adds to zeros, as waves."""

from helpers.draw.waves import sinusoids as sinusoids
