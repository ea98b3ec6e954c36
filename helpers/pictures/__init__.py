"""Matplotlib pictures: functions that take arrays and return a `Picture`.

One module a notebook; `style` holds what they share. Neither torch nor pyplot is
imported.
"""
