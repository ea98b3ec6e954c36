"""Exercise 5.3: the scale of a value that survives."""

CASES = [(0.2,), (0.5,), (0.75,), (0.0,)]


def draw(rng):
    return (rng.choice([rng.random(), 0.01 * rng.random(), 0.999]),)


def dropout_scale(p):
    return 1 / (1 - p)
