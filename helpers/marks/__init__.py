"""A folder of notebooks that were handed in becomes marks and a page about the class.

Each check left its verdict in the notebook. Here the verdicts are read, and no
student's code is run: `submissions` finds who handed in what, `reading` takes the
verdicts from a notebook, `table` and `page` write. README.md is the instructor's page.
"""
