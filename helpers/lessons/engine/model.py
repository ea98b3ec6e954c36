"""The language model of notebook 08, fed as an engine feeds it: ids, masks, caches."""

import math
from functools import partial
from pydoc_data.topics import topics

import torch
from torch import nn

from helpers import RotaryEncoding
from helpers.training import progress

WIDTH, HEADS, TRAINED = 64, 4, 64
STEPS, BATCH, RATE = 400, 16, 6e-3


def text():
    """(what is learned from, what is unseen, the characters), the text of notebook 08."""
    written = "\n".join(topics.values())
    characters = sorted(set(written))
    number = {character: n for n, character in enumerate(characters)}
    ids = torch.tensor([number[character] for character in written])
    return *ids.tensor_split([len(ids) * 9 // 10]), characters


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        maps = [nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4)]
        self.query, self.key, self.value, self.output = maps
        wide = nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)
        self.network = nn.Sequential(nn.LayerNorm(WIDTH), *wide)
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, x, rotary, positions, mask, cache):
        x = x + self.attention(self.norm(x), rotary, positions, mask, cache)
        return x + self.network(x)

    def attention(self, x, rotary, positions, mask, cache):
        q, k, v = (_split(made(x)) for made in (self.query, self.key, self.value))
        if cache is None:
            q = rotary(q, positions=positions)
            k = rotary(k, positions=positions)
        else:
            q, k, v = cache.extend(q, k, v, rotary, positions)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2))


def _split(x):
    return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)


class LanguageModel(nn.Module):
    """Two layers as in notebook 08, with `RotaryEncoding` in place of its rotation.

    ``forward(ids, positions=None, mask=None, caches=None)`` gives scores for the next
    character, ``(batch, length, characters)``. ``positions`` are 0, 1, 2, … by default;
    ``mask`` is True where a query may look, ``(…, length, keys)``, causal by default;
    ``caches`` has a `Cache` for each layer, and then one token comes at a time.
    ``rotary`` are arguments of `RotaryEncoding`.
    """

    def __init__(self, characters, **rotary):
        super().__init__()
        self.embed = nn.Embedding(characters, WIDTH)
        nn.init.normal_(self.embed.weight, std=0.3)
        self.layers = nn.ModuleList([Layer(), Layer()])
        self.rotary = nn.ModuleList(
            RotaryEncoding(WIDTH // HEADS, 1024, **rotary) for _ in self.layers
        )
        self.norm = nn.LayerNorm(WIDTH)
        self.to_scores = nn.Linear(WIDTH, characters)

    def forward(self, ids, positions=None, mask=None, caches=None):
        if positions is None:
            positions = torch.arange(ids.shape[1])
        if mask is None:
            mask = causal(ids.shape[1])
        mask = mask.unsqueeze(-3)  # the same for all heads
        x = self.embed(ids)
        caches = caches or [None] * len(self.layers)
        for layer, rotary, cache in zip(self.layers, self.rotary, caches, strict=True):
            x = layer(x, rotary, positions, mask, cache)
        return self.to_scores(self.norm(x))

    def set_speeds(self, speeds):
        """Give the hands of all layers other speeds; returns the old ones."""
        before = self.rotary[0].speeds
        for rotary in self.rotary:
            rotary.speeds = torch.as_tensor(speeds, dtype=torch.float64)
            rotary.reset_parameters()
        return before


def causal(length):
    """True where a query (row) may look: at itself and before."""
    return torch.ones(length, length, dtype=torch.bool).tril()


def trained(learn, characters, seed=0, label="Training", **rotary):
    """A model trained like those of notebook 08, under a progress bar.

    ``rotary`` are arguments of `LanguageModel`.
    """
    torch.manual_seed(seed)
    model = LanguageModel(characters, **rotary)
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(model.parameters(), RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, STEPS)
    with progress(STEPS, label, unit="step") as show:
        for _ in range(STEPS):
            starts = torch.randint(len(learn) - TRAINED, (BATCH,), generator=generator)
            windows = learn[starts[:, None] + torch.arange(TRAINED + 1)]
            loss = losses(model, windows).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            show(loss.item())
    return model.eval().requires_grad_(False)


def losses(model, windows, **more):
    """The loss of every next character, ``(rows, length)`` for ``(rows, length + 1)``."""
    scores = model(windows[:, :-1], **more)
    return nn.functional.cross_entropy(scores.mT, windows[:, 1:], reduction="none")


def windows(ids, length, most=200):
    """Windows of ``length + 1``, evenly spread over a text, ``(rows, length + 1)``."""
    starts = torch.linspace(0, len(ids) - length - 1, most).long()
    return ids[starts[:, None] + torch.arange(length + 1)]


def losses_with(model, speeds, *windows, last=0):
    """The mean loss on each of some windows, with these speeds in place of the own.

    The mean is over the ``last`` characters of each row, or all.
    """
    kept = model.set_speeds(speeds)
    found = [losses(model, some)[:, -last:].mean().item() for some in windows]
    model.set_speeds(kept)
    return found


class Cache:
    """Rotated keys, and values, of a layer: of ``window`` tokens, or of all."""

    def __init__(self, window=None):
        self.window = window
        self.keys = self.values = None

    def __len__(self):
        return 0 if self.keys is None else self.keys.shape[2]

    def extend(self, q, k, v, rotary, positions):
        """The query rotated, and all keys and values that it may look at."""
        k = rotary(k, positions=positions)
        if self.keys is not None:
            k = torch.cat([self.keys, k], 2)
            v = torch.cat([self.values, v], 2)
        first = max(k.shape[2] - self.window, 0) if self.window else 0
        self.keys = k[:, :, first:]
        self.values = v[:, :, first:]
        return rotary(q, positions=positions), self.keys, self.values


def decode(model, ids, position="seen", window=None):
    """Scores as `LanguageModel` gives them, one token after the other through a cache.

    ``position`` is what a new token gets: the number of tokens ``"seen"``, or that of the
    keys ``"kept"``, of which there are ``window`` at most.
    """
    caches = [Cache(window) for _ in model.layers]
    found = []
    for step, column in enumerate(ids.T):
        place = step if position == "seen" else len(caches[0])
        found.append(model(column[:, None], torch.tensor([place]), caches=caches))
    return torch.cat(found, 1)


def decoded_losses(model, windows, **how):
    """`losses`, with the scores from `decode`, ``(rows, length)``."""
    return losses(partial(decode, model), windows, **how)


def copied(model, unseen, speeds, distance, rows=150):
    """Loss on a passage that was there ``distance`` before, and where another was.

    A passage has 32 characters, and between the two there is other text; the first five
    characters do not count.
    """
    now, other = windows(unseen, 31, most=2 * rows).split(rows)
    filler = windows(unseen, distance - 33, most=rows).flip(0)
    both = [torch.cat([before, filler, now], dim=1) for before in (now, other)]
    seen, not_seen = losses_with(model, speeds, *both, last=27)
    return {"seen before": seen, "not seen": not_seen}


def ramp_over_numbers(speeds, length, factor, low, high):
    """YaRN's speeds as Transformers 5.24 computes them (`modeling_rope_utils`).

    The ramp runs over the numbers of the hands, from that which makes ``high`` turns in
    ``length`` to that which makes ``low``, both made whole and kept above 0. The base of
    the speeds is 10 000.
    """
    pairs = len(speeds)
    first, last = (
        pairs * math.log(length / (2 * math.pi * turns), 10_000)
        for turns in (high, low)
    )
    first = max(math.floor(first), 0)
    last = min(math.ceil(last), 2 * pairs - 1)
    slow = ((torch.arange(pairs) - first) / (last - first)).clamp(0, 1)
    return speeds * (1 - slow + slow / factor)
