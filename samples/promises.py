"""Custom operators that break what their schema promises: they return memory that is not theirs,
give an argument another shape or the memory of another, or return a type that only the next
operator relies on.

The tests set `fault`: an operator's name and Python statements that change what it returns.
"""
import torch

fault = None
library = torch.library.Library("promises", "DEF")


def define(schema, real, fake):
    name = schema.partition("(")[0]
    library.define(schema)
    library.impl(name, real, "CPU")
    torch.library.register_fake(f"promises::{name}", fake)


def broken(op, **names):
    """The names, as the fault's statements leave them."""
    if fault and fault.startswith(op + " "):
        exec(fault[len(op) + 1:], {"torch": torch}, names)
    return names


def pair(x):
    names = broken("pair", x=x, a=x + 1, b=x - 1)
    return names["a"], names["b"]


def double_(x):
    x.mul_(2)
    broken("double_", x=x)


def add_(x, y):
    x.add_(y)
    broken("add_", x=x, y=y)


def same(name, real):
    return lambda x: broken(name, x=x, r=real(x))["r"]


define("pair(Tensor x) -> (Tensor, Tensor)", pair,
    lambda x: (torch.empty_like(x), torch.empty_like(x)))
define("double_(Tensor(a!) x) -> ()", double_, lambda x: None)
define("add_(Tensor(a!) x, Tensor y) -> ()", add_, lambda x, y: None)
define("shift(Tensor x) -> Tensor", same("shift", lambda x: x + 1), torch.empty_like)
define("first(Tensor x) -> Tensor", same("first", lambda x: x.abs()), torch.empty_like)
define("third(Tensor x) -> Tensor", same("third", lambda x: x.sin()), torch.empty_like)
define("join(Tensor x, Tensor y) -> Tensor", lambda x, y: x + y, lambda x, y: torch.empty_like(x))
define("second(Tensor x) -> Tensor", same("second", lambda x: x @ torch.ones(16, 4)),
    lambda x: x.new_empty(x.shape[0], 4))
define("complex(Tensor x) -> Tensor", same("complex", lambda x: torch.complex(x, x)),
    lambda x: torch.empty_like(x, dtype=torch.complex64))
O = torch.ops.promises


class Promises(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4, 16))
        self.register_buffer("scale", torch.ones(4, 16))

    def forward(self, x, state):
        # buffers that a kernel writes in place, each on its own
        left, right = O.pair(x.sin())
        left, right = left * 2, right * 3
        O.double_(left)
        # the input of `shift` is not needed after it, and its memory is reused
        shifted = O.shift(left * right).exp() + 1
        rows = O.second(O.first(shifted))
        real = torch.view_as_real(O.complex(rows)).sum(-1)
        O.double_(state)
        last = O.shift(state)
        # their sizes differ from all others, so that they reuse no memory
        total, addend = last[:4] + 1, last[:4] * 2
        O.add_(total, addend)
        # takes over the memory of `addend` while `total` is needed
        base = O.third(total)
        source, other = base * 3, base.cos()
        O.add_(source, other)
        # and `after` that of `source` while `twice` is
        twice = O.first(O.first(source))
        joined = O.join(source, twice)
        after = joined.cos()
        O.add_(joined, after)
        self.total.add_(joined * self.scale)
        return real, rows * 2, left + right, last, twice + total, self.total.sin()


def model():
    return Promises()


def inputs():
    return [(torch.rand(8, 16), torch.rand(8, 16))]


def shapes():
    return None
