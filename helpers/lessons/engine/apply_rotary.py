import torch


def _case(batch, heads, key_heads, length, d_head, last, seed=0, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    theta = 10_000.0 ** (-torch.arange(0, d_head, 2) / d_head)
    angles = torch.arange(last + 1)[:, None] * theta
    q = torch.randn(batch, length, heads, d_head, generator=generator, dtype=dtype)
    k = torch.randn(batch, length, key_heads, d_head, generator=generator, dtype=dtype)
    ids = torch.randint(0, last + 1, (batch, length), generator=generator)
    tables = angles.cos().to(dtype), angles.sin().to(dtype)
    # Views, as after the projections.
    return q.transpose(1, 2), k.transpose(1, 2), *tables, ids


CASES = [_case(2, 3, 3, 4, 6, 9), _case(3, 4, 2, 5, 8, 40), _case(2, 2, 1, 1, 4, 7)]


def draw(rng):
    """Any sizes, fewer heads for the keys, ids in any order."""
    key_heads = int(rng.choice([1, 2, 3]))
    heads = key_heads * int(rng.choice([1, 2, 4]))
    batch, length, pairs = (int(n) for n in rng.integers(1, 6, 3))
    last, seed = int(rng.choice([5, 40, 300])), int(rng.integers(1000))
    dtype = rng.choice([torch.float32, torch.float64])
    return _case(batch, heads, key_heads, length, 2 * pairs, last, seed, dtype)


def run(answer, q, k, cos, sin, position_ids):
    given = q.clone(), k.clone(), cos, sin, position_ids
    result = answer(*given)
    if not isinstance(result, tuple) or len(result) != 2:
        return result
    kept = torch.equal(given[0], q) and torch.equal(given[1], k)
    return {
        "the queries": result[0],
        "the keys": result[1],
        "whether `q` and `k` keep their values": str(kept),
    }


def words(q, k, cos, sin, position_ids):
    return (
        f"`q` of shape {tuple(q.shape)}, `k` of shape {tuple(k.shape)} and "
        f"`position_ids = {position_ids.tolist()}`"
    )


def apply_rotary(q, k, cos, sin, position_ids):
    """Queries and keys, each (batch, heads, length, d_head), rotated in halves."""
    cos = cos[position_ids][:, None]  # (batch, 1, length, d_head / 2)
    sin = sin[position_ids][:, None]

    def rotated(x):
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    return rotated(q), rotated(k)
