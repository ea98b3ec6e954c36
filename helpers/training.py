"""One small training loop: seeded, with a progress bar, and it can be stopped.

It is made for the models of notebook 06. Their tensors are so small that a second
thread costs more than it brings, and that fetching samples one by one would take
longer than learning from them.
"""

import sys
from contextlib import contextmanager

import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset
from torch.utils.data import SequentialSampler as InOrder
from tqdm import tqdm


def batches(*tensors, size=64, shuffle=True):
    """A DataLoader over tensors of one length that cuts whole batches at once.

    Its order is drawn from torch's global generator, which `Training` seeds, so the
    same run sees the same batches however often a cell is run again.
    Raises ValueError when there is nothing to cut, or the lengths differ.
    """
    if not tensors or len({len(t) for t in tensors}) > 1 or not len(tensors[0]):
        shapes = [tuple(t.shape) for t in tensors]
        raise ValueError(f"batches need tensors of one length above 0; got {shapes}")
    data = TensorDataset(*tensors)
    # The sampler gives lists of indices, each cut out of the tensors in one step:
    # about ten times as fast as single samples put together again.
    return DataLoader(
        data,
        sampler=BatchSampler(
            RandomSampler(data) if shuffle else InOrder(data), size, drop_last=False
        ),
        batch_size=None,
    )


class Training:
    """A model on its way: run some epochs, stop, run more; the history grows.

    model      any ``nn.Module``
    loss       ``loss(model, *batch)`` gives the scalar to lower
    train      an iterable of batches (tuples of tensors), e.g. from `batches`
    valid      the same, of held-out data; measured after every epoch, never learned
    measures   name -> ``measure(model, *batch)``, a number for each held-out batch
    lr         the learning rate of Adam, with the paper's betas (its section 5.3)
    seed       with the number of the epoch it fixes the order of the batches and the
               dropout: 10 epochs and 20 more are the same as 30 in one go

    ``history`` is a dict of lists, one number an epoch: ``train``, and where there is
    held-out data ``valid`` and one for each measure. torch's global generator and its
    number of threads are left as they were.
    """

    def __init__(
        self, model, loss, train, valid=None, *, measures=None, lr=1e-2, seed=0
    ):
        self.model, self.loss, self.train, self.valid = model, loss, train, valid
        self.measures = {"valid": loss, **(measures or {})}
        # Fused: one call updates all parameters; here each has only a few numbers.
        self.optimiser = torch.optim.Adam(
            model.parameters(), lr=lr, betas=(0.9, 0.98), fused=True
        )
        self.seed = seed
        names = ["train", *(self.measures if valid is not None else ())]
        self.history = {name: [] for name in names}
        self.interrupted = False

    def __repr__(self):
        return f"<Training of {type(self.model).__name__} after {self.epochs} epochs>"

    @property
    def epochs(self):
        """How many epochs are complete."""
        return len(self.history["train"])

    def run(self, epochs, *, label="Training", bar=True):
        """Train for so many epochs more; returns itself.

        Interrupting it (Ctrl-C, or the square button) ends it after the last
        complete epoch: ``interrupted`` is True, the history is kept, and ``run``
        goes on from there.
        """
        run_all([self], epochs, label=label, bar=bar)
        return self

    def epoch(self):
        """One epoch: learn from every batch, then measure; adds to the history."""
        with _one_thread(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(1_000_003 * self.seed + self.epochs)
            row = {"train": self._learn()}
            if self.valid is not None:
                row |= evaluate(self.model, self.valid, self.measures)
        # All at once, at the end: an interruption cannot leave columns uneven.
        for name, value in row.items():
            self.history[name].append(value)

    def _learn(self):
        self.model.train()
        total = count = 0
        for batch in self.train:
            self.optimiser.zero_grad()
            loss = self.loss(self.model, *batch)
            loss.backward()
            self.optimiser.step()
            total += loss.item() * len(batch[0])
            count += len(batch[0])
        return total / count


def run_all(trainings, epochs, *, label="Training", bar=True):
    """Train several models one after the other under one progress bar.

    ``trainings`` is a list of `Training`, or a dict with such values. Interrupting it
    stops them all, each with its history. Returns what it was given.
    """
    chosen = list(trainings.values() if isinstance(trainings, dict) else trainings)
    for training in chosen:
        training.interrupted = False
    with progress(epochs * len(chosen), label, bar) as step:
        try:
            for training in chosen:
                for _ in range(epochs):
                    training.epoch()
                    step(training.history["train"][-1])
        except KeyboardInterrupt:
            training.interrupted = True
            step(None)
    return trainings


def evaluate(model, loader, measures):
    """The mean of every measure over a loader's samples, without learning.

    ``measures`` maps names to ``measure(model, *batch)``; returns name -> float. The
    model is left in the mode (training or not) that it was in.
    """
    was_training = model.training
    model.eval()
    totals = dict.fromkeys(measures, 0.0)
    count = 0
    with torch.no_grad():
        for batch in loader:
            count += len(batch[0])
            for name, measure in measures.items():
                totals[name] += float(measure(model, *batch)) * len(batch[0])
    model.train(was_training)
    return {name: total / count for name, total in totals.items()}


@contextmanager
def progress(total, label="Training", bar=True, *, unit="epoch"):
    """A tqdm bar; gives ``step(loss)`` to call after every epoch, or other ``unit``.

    It redraws in place and ends with the line it began with, so that a finished cell
    stores the same text whatever the computer's speed. ``step(None)`` says that the run
    was interrupted. Without ``bar``, and outside of notebooks, nothing is shown.
    """
    if not (bar and _in_notebook()):
        yield lambda loss: None
        return
    shown = _Bar(total, label, unit)
    try:
        yield shown.step
    finally:
        shown.close()


class _Bar:
    """tqdm keeps the time and writes the line to this file, which displays it."""

    def __init__(self, total, label, unit):
        from IPython.display import display

        self.label = label
        self.last_line = f"{label}: {total} {unit}s"
        self.handle = display({"text/plain": self.last_line}, raw=True, display_id=True)
        self.bar = tqdm(
            total=total,
            leave=False,
            file=self,
            desc=label,
            unit=unit,
            ncols=88,
            ascii=False,
        )

    def step(self, loss):
        if loss is None:
            done = f"{self.bar.n} of {self.bar.total} {self.bar.unit}s"
            after = f"interrupted after {done}; run() goes on from here"
            self.last_line = f"{self.label}: {after}"
            return
        self.bar.set_postfix(loss=f"{loss:.3g}", refresh=False)
        self.bar.update()

    def write(self, text):
        if text.strip():
            self.handle.update({"text/plain": text.strip()}, raw=True)

    def flush(self):
        pass

    def close(self):
        self.bar.close()
        self.write(self.last_line)


def _in_notebook():
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


@contextmanager
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
