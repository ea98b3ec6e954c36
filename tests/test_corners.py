"""The walks round the square: their corners, their noise, their seeds."""

import numpy as np

from helpers.corners import square_sequences


def test_points_are_noisy_corners_in_the_direction_that_is_given():
    points, directions = square_sequences(400, noise=0.1, seed=3)
    assert points.shape == (400, 4, 2)
    for path, clockwise in zip(np.sign(points), directions, strict=True):
        for (x, y), following in zip(path, path[1:], strict=False):
            assert tuple(following) == ((y, -x) if clockwise else (-y, x))
    off = np.abs(points) - 1
    assert abs(off.mean()) < 0.01
    assert abs(off.std() - 0.1) < 0.005


def test_without_noise_they_are_the_corners_of_their_seed():
    points, again, other = (
        square_sequences(20, length=9, noise=0.0, seed=s)[0] for s in (0, 0, 1)
    )
    assert set(np.abs(points).ravel()) == {1.0}
    assert np.array_equal(points[:, :5], points[:, 4:])
    assert np.array_equal(points, again) and not np.array_equal(points, other)
