"""What pictures (Matplotlib) and explorables (Altair) of all lessons share.

`style` has axes, sizes and the text alternative of pictures, `renderer` shows charts
offline, `controls` makes sliders and boxes, `look` holds the colours of both, and
`frontend` tells where they are seen.
"""
