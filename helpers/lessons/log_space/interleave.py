"""Exercise 2.3: sine, cosine, sine, cosine, … from two tensors."""

import torch


def _sines_and_cosines(n, pairs):
    angles = torch.arange(n).unsqueeze(1) + 2 + torch.arange(pairs) / 10
    return torch.sin(angles), torch.cos(angles)


CASES = [_sines_and_cosines(*size) for size in ((3, 4), (5, 2), (1, 3), (4, 1), (2, 9))]
TOLERANCE = (0, 0)  # numbers are moved, none is computed


def interleave(sines, cosines):
    return torch.stack([sines, cosines], dim=2).flatten(1)


def another_dtype(answer):
    """What becomes of small floats, where they do not stay as small."""
    result = answer(*torch.ones(2, 1, 1, dtype=torch.float16))
    dtype = str(getattr(result, "dtype", "float16")).removeprefix("torch.")
    return None if dtype == "float16" else dtype


def draw(rng):
    """Any two tensors of one shape and dtype; some are slices of a larger one."""
    n, pairs = rng.integers(1, 8, size=2)
    dtype = [torch.float64, torch.float32, torch.float16][rng.integers(3)]
    both = torch.tensor(rng.normal(size=(2, n, 2 * pairs))).to(dtype)
    if rng.random() < 0.5:
        return both[0, :, ::2], both[1, :, ::2]
    return both[0, :, :pairs].contiguous(), both[1, :, :pairs].contiguous()
