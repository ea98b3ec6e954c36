"""What does your code do? Facts about a positional encoding, and no verdict.

    from helpers import examine

    examine(PositionalEncoding)                  # a class, an instance, a function
    examine(make=lambda length, width: …)        # where its arguments have other names
    examine(make=…, call=lambda module, x: …)    # where it takes more than x
    examine(table=array)                         # a bare table (positions, columns)
    examine.rotary(rotate)                       # a function of (q, k), or of x, positions

A class is made anew for each question, by the names of its arguments, and called with
zeros in the usual ways: x of (batch, length, width), x of (length, batch, width), ids,
positions, a length. The first way that gives a table at three widths counts; where none
does, the table that it holds is read. The report says which way it was, and "not
sure" where it could not tell.
Whatever the code prints is dropped, and nothing that it raises ends the report. A try
has three seconds and a report ten. On Windows, outside of the main thread, and where a
loop catches every exception, a call that never ends must be interrupted by hand; no other
one is begun after ten seconds.

Needs torch, unless a bare table is examined. Raises TypeError where nothing is given.
"""

import sys
import types

from helpers.examine.encoding_report import report_on
from helpers.examine.report import Report as Report
from helpers.examine.rotary_report import rotary as rotary


class _Callable(types.ModuleType):
    """So that `examine(thing)` and `examine.rotary(rotate)` are one name."""

    def __call__(self, thing=None, *, make=None, call=None, table=None):
        return report_on(thing, make=make, call=call, table=table)


sys.modules[__name__].__class__ = _Callable
