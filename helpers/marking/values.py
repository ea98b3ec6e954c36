"""Values as JSON, to and from a process that is not trusted. Nothing is unpickled.

Only data passes: numbers, strings, lists, tuples, dicts with plain keys, NumPy
arrays, torch tensors, and a dropout module (an exercise hands one over). What comes
back is rebuilt from its bytes, so an object that claims to equal everything, or an
array that overrides its comparison, arrives as what it holds.
"""

import base64
import math
import sys

import numpy as np

LARGEST = 16_000_000  # bytes of one value, encoded
DEEPEST = 20  # lists in lists
_KINDS = "biufc"  # of arrays: booleans, integers, floats, complex numbers
_TORCH = {
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
}


class Unsendable(Exception):
    """A value that is no data, or too much of it."""


class Other:
    """What came back is an object that is no data; its class has the same name."""


def encode(value, depth=0):
    """What `json` can write for a value; Unsendable where there is nothing to write."""
    if depth > DEEPEST:
        raise Unsendable("lists within lists without end")
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if kind is int:
        return {"int": str(value)} if abs(value) < 10**1000 else {"other": "int"}
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if kind is complex:
        return {"complex": [repr(value.real), repr(value.imag)]}
    if value is ...:
        return {"ellipsis": True}
    if kind in (list, tuple):
        return {kind.__name__: [encode(item, depth + 1) for item in value]}
    if kind is slice:
        parts = (value.start, value.stop, value.step)
        return {"slice": [encode(part, depth + 1) for part in parts]}
    if isinstance(value, dict):
        pairs = [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]
        return {"dict": pairs}
    if isinstance(value, (np.ndarray, np.generic)):
        return _array(value)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _tensor(torch, value)
    if torch is not None and kind is torch.nn.Dropout:
        return {"dropout": [value.p, value.training]}
    if hasattr(value, "__array__"):
        return _array(np.asarray(value))
    return {"other": kind.__name__[:80]}


def decode(coded):
    """The value; ValueError where it was not written by `encode`."""
    if coded is None or isinstance(coded, (bool, str, float)):
        return coded
    if not isinstance(coded, dict) or len(coded) != 1:
        raise ValueError("not a value")
    ((kind, content),) = coded.items()
    if kind not in _DECODERS:
        raise ValueError(f"not a kind of value: {kind[:20]!r}")
    try:
        return _DECODERS[kind](content)
    except (TypeError, OverflowError, KeyError, IndexError) as error:
        raise ValueError(f"not a value of kind {kind}") from error


def _bytes(array):
    if array.nbytes > LARGEST:
        raise Unsendable(f"an array of {array.nbytes:,} bytes")
    return base64.b64encode(array.tobytes()).decode()


def _array(value):
    array = np.array(value, subok=False, copy=True)
    if array.dtype.kind in "US":
        return {"texts": [str(text) for text in array.ravel()[:100]]}
    if array.dtype.kind not in _KINDS:
        return {"objects": encode([repr(item)[:80] for item in array.ravel()[:10]])}
    name = "number" if isinstance(value, np.generic) else "array"
    return {name: [array.dtype.str, list(array.shape), _bytes(array)]}


def _tensor(torch, value):
    name = str(value.dtype).removeprefix("torch.")
    if name not in _TORCH:
        return {"other": "Tensor"}
    plain = value.detach().cpu().as_subclass(torch.Tensor).resolve_conj().contiguous()
    shape = list(plain.shape)
    if plain.numel() * plain.element_size() > LARGEST:
        raise Unsendable(f"a tensor of {plain.numel():,} numbers")
    flat = plain.reshape(-1)
    array = flat.view(torch.uint8).numpy() if flat.numel() else np.empty(0, np.uint8)
    return {"tensor": [name, shape, _bytes(array)]}


def _shape(shape):
    if len(shape) > 32 or not all(type(n) is int and 0 <= n < 2**40 for n in shape):
        raise ValueError("not a shape")
    return tuple(shape)


def _make_array(content):
    name, shape, data = content
    dtype = np.dtype(str(name))
    if dtype.kind not in _KINDS:
        raise ValueError("not numbers")
    raw = base64.b64decode(data, validate=True)
    return np.frombuffer(raw, dtype).reshape(_shape(shape)).copy()


def _make_number(content):
    array = _make_array(content)
    if array.shape != ():
        raise ValueError("not one number")
    return array[()]


def _make_tensor(content):
    import torch

    name, shape, data = content
    if name not in _TORCH:
        raise ValueError("not a tensor's type")
    raw = np.frombuffer(base64.b64decode(data, validate=True), np.uint8).copy()
    dtype = getattr(torch, name)
    if not len(raw):
        return torch.empty(_shape(shape), dtype=dtype)
    try:
        return torch.from_numpy(raw).view(dtype).reshape(_shape(shape))
    except RuntimeError as error:
        raise ValueError("not a tensor") from error


def _make_dropout(content):
    from torch import nn

    p, training = content
    return nn.Dropout(float(p)).train(bool(training))


def _make_other(name):
    safe = name if isinstance(name, str) and name.isidentifier() else "object"
    return type(safe, (Other,), {})()


def _make_objects(content):
    array = np.empty(len(decode(content)), dtype=object)
    array[:] = decode(content)
    return array


_DECODERS = {
    "int": lambda digits: int(digits) if len(digits) < 1010 else _make_other("int"),
    "float": float,
    "complex": lambda parts: complex(float(parts[0]), float(parts[1])),
    "ellipsis": lambda _: ...,
    "list": lambda items: [decode(item) for item in items],
    "tuple": lambda items: tuple(decode(item) for item in items),
    "slice": lambda items: slice(*(decode(item) for item in items)),
    "dict": lambda pairs: {decode(key): decode(value) for key, value in pairs},
    "array": _make_array,
    "number": _make_number,
    "texts": lambda items: np.array([str(item) for item in items]),
    "objects": _make_objects,
    "tensor": _make_tensor,
    "dropout": _make_dropout,
    "other": _make_other,
}
