"""A model in which the tests plant faults on the CPU: custom ops that can be made to lie, weights
that can be poisoned, an index that can leave its table, two unrelated loops in one kernel.

The tests set `fault`, which each op looks up in its own table of what it does then.
"""
import torch

fault = None


def fail(message):
    raise ValueError(message)


def half_the_storage(y):
    y.untyped_storage().resize_(y.untyped_storage().nbytes() // 2)
    return y


def with_value(y, row, column, value):
    y = y.clone()
    y[row, column] = value
    return y


scale_faults = {
    "scale raises": lambda x, y: fail("the table of scales is empty"),
    "scale returns None": lambda x, y: None,
    "scale returns its input": lambda x, y: x,
    "scale returns half the rows": lambda x, y: y[:3].clone(),
    "scale returns more rows": lambda x, y: torch.cat([y, y]),
    "scale returns fewer columns": lambda x, y: y[:, :4].clone(),
    "scale returns a vector": lambda x, y: y.reshape(-1),
    "scale returns another rank": lambda x, y: y[None],
    "scale returns float64": lambda x, y: y.double(),
    "scale returns int32": lambda x, y: y.int(),
    "scale returns float16": lambda x, y: y.half(),
    "scale returns transposed strides": lambda x, y: y.t().contiguous().t(),
    "scale returns a slice": lambda x, y: torch.cat([y, y], 1)[:, :16],
    "scale returns an expanded row": lambda x, y: y[:1].expand(6, 16),
    "scale returns a meta tensor": lambda x, y: y.to("meta"),
    "scale returns half the storage": lambda x, y: half_the_storage(y),
    "scale returns an empty tensor": lambda x, y: y[:0].clone(),
    "scale returns quint8": lambda x, y: torch.quantize_per_tensor(y, 0.1, 0, torch.quint8),
    "scale returns qint32": lambda x, y: torch.quantize_per_tensor(y, 0.1, 0, torch.qint32),
    "scale returns bits": lambda x, y: torch.zeros(6, 64, dtype=torch.uint8).view(torch.bits8),
    "scale returns a sparse tensor": lambda x, y: y.to_sparse(),
    "scale returns sparse rows": lambda x, y: y.to_sparse_csr(),
    "scale returns an mkldnn tensor": lambda x, y: y.to_mkldnn(),
    "scale returns NaN": lambda x, y: with_value(y, 2, 5, float("nan")),
    "scale returns Inf": lambda x, y: with_value(y, 4, 1, float("inf")),
    "scale returns -Inf": lambda x, y: with_value(y, 0, 7, float("-inf")),
}
pair_faults = {
    "pair raises": lambda a, b: fail("no pair"),
    "pair returns one": lambda a, b: (a,),
    "pair returns no second": lambda a, b: (a, None),
    "pair returns three": lambda a, b: (a, b, a.clone()),
    "pair returns a short second": lambda a, b: (a, b[:2].clone()),
    "pair returns a float64 first": lambda a, b: (a.double(), b),
    "pair returns a sparse second": lambda a, b: (a, b.to_sparse()),
    "pair returns a quint8 first": lambda a, b: (
        torch.quantize_per_tensor(a, 0.1, 0, torch.quint8), b),
    "pair returns NaN in the second": lambda a, b: (a, with_value(b, 1, 2, float("nan"))),
}


@torch.library.custom_op("planted::scale", mutates_args=())
def scale(x: torch.Tensor, by: float) -> torch.Tensor:
    y = x * by
    return scale_faults[fault](x, y) if fault in scale_faults else y


@scale.register_fake
def _(x, by):
    return torch.empty_like(x)


@torch.library.custom_op("planted::pair", mutates_args=())
def pair(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    a, b = x + 1, x - 1
    return pair_faults[fault](a, b) if fault in pair_faults else (a, b)


@pair.register_fake
def _(x):
    return torch.empty_like(x), torch.empty_like(x)


@torch.library.custom_op("planted::add_into", mutates_args={"x"})
def add_into(x: torch.Tensor, y: torch.Tensor) -> None:
    if fault == "add_into raises":
        fail("nothing to add into")
    x.add_(y)
    if fault == "add_into writes NaN":
        x[3, 3] = float("nan")


@add_into.register_fake
def _(x, y):
    return None


class Planted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(16, 16)
        self.table = torch.nn.Embedding(10, 16)
        self.last = torch.nn.Linear(16, 16)
        self.register_buffer("gain", torch.linspace(0.5, 1.5, 16))

    def forward(self, x, ids, other):
        hidden = torch.relu(self.first(x)) * self.gain
        unrelated = torch.exp(other)
        logged = torch.log(hidden + 1)
        scaled = scale(hidden, 2.0)
        waves = torch.sin(scaled) + 1
        left, right = pair(waves)
        looked_up = self.table(ids) + left * right
        total = looked_up.clone()
        add_into(total, left)
        return self.last(total) * 3, unrelated, logged


def model():
    return Planted()


def inputs():
    return [(torch.randn(6, 16), torch.tensor([0, 3, 9, 1, 2, 5]), torch.randn(6, 16))]


def shapes():
    return None
