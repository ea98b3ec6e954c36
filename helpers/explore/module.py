"""The explorable of notebook 05: what the module adds to zeros, as waves.

It is the one of notebook 01, fed with the output of a module instead of a formula.
"""

from helpers.explore.formula import sinusoids

__all__ = ["sinusoids"]
