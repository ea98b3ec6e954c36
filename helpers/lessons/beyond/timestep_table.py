import numpy as np

CASES = [
    ([0, 1, 2, 3], 8),
    (np.array([0.5, 250.25, 999.0]), 4),
    ([-1.5, 1000], 6),
    ([1.0, 2.0], 5),
]
TOLERANCE = (1e-4, 3e-4)  # float32 passes


def draw(rng):
    """Real or whole times in any order, lists and arrays; now and then an odd width."""
    count = rng.choice([1, 2, 3, 40])
    width = 2 * rng.choice([1, 2, 5, 64])
    times = rng.uniform(-20, rng.choice([2, 1000]), 2 * count).round(3)[::2]
    if rng.integers(3) == 0:
        times = np.floor(times).astype(int)
    times = times.tolist() if rng.integers(2) else times
    return times, width - (rng.integers(6) == 0)


def interpolated(times, d_model):
    """Straight lines between the rows of whole times."""
    times = np.asarray(times, dtype=float)
    before, part = np.floor(times), (times % 1)[:, None]
    rows = [timestep_table(whole, d_model) for whole in (before, before + 1)]
    return (1 - part) * rows[0] + part * rows[1]


def timestep_table(times, d_model):
    """The sinusoidal table at any real times, shape (len(times), d_model)."""
    if d_model % 2:
        raise ValueError("columns come in pairs")
    theta = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.asarray(times, dtype=float)[:, None] * theta
    table = np.empty((len(angles), d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
