import numpy as np

CASES = [
    (np.linspace(0, 1, 5), 8, 200.0, 2.0),
    (np.array([0.25, 0.5]), 4, 10.0, 0.1),
    (np.array([0.1, 0.7]), 6, 10, 1),  # whole numbers make no array of whole numbers
    (np.array([0.0, 1.0, 2.5]), 6, 5.0, 5.0),
    (np.array([-0.5, 0.3]), 10, 64.0, 1.0),
]
TOLERANCE = (1e-4, 3e-4)  # float32 passes


def draw(rng):
    """Coordinates of any sign and order; ranges from none to a factor of thousands."""
    count = rng.choice([1, 2, 3, 60])
    width = 2 * rng.choice([2, 3, 5, 32])
    x = rng.uniform(-1, 2, 2 * count).round(3)[::2]
    if rng.integers(5) == 0:
        x = rng.integers(-3, 4, count)
    fastest = rng.uniform(1, 300)
    factor = rng.choice([1, 3.5, 100, 4000])
    return x, width, fastest, fastest / factor


def fourier_features(x, d_model, fastest, slowest):
    """Sine and cosine of x times speeds from fastest to slowest, (len(x), d_model)."""
    angles = np.asarray(x)[:, None] * np.geomspace(fastest, slowest, d_model // 2)
    features = np.empty((len(angles), d_model))
    features[:, 0::2] = np.sin(angles)
    features[:, 1::2] = np.cos(angles)
    return features
