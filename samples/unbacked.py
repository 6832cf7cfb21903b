"""Operators whose results have as many rows as the data tell: the wrapper asks for the size behind
the call, and the kernels that follow rely on it.

The tests set `fault`.
"""
import torch

fault = None
lies = {
    "pick returns fewer columns": lambda y: y[:, :3].clone(),
    "pick returns a vector": lambda y: y.reshape(-1),
    "pick returns float64": lambda y: y.double(),
    "twice returns half the rows": lambda y: y[: y.shape[0] // 2].clone(),
    "twice returns fewer columns": lambda y: y[:, :4].clone(),
    "find returns fewer places": lambda y: (y[0], y[1][:2].clone()),
    "grow returns half the rows": lambda y: y[: y.shape[0] // 2].clone(),
}


def honest(name, y):
    return lies[fault](y) if fault and fault.split()[0] == name else y


@torch.library.custom_op("unbacked::pick", mutates_args=())
def pick(x: torch.Tensor) -> torch.Tensor:
    return honest("pick", x[x[:, 0] > 0.5].clone())


@pick.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size(), x.shape[1])


@torch.library.custom_op("unbacked::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return honest("twice", x * 2)


@twice.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("unbacked::find", mutates_args=())
def find(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    places = x[:, 0].nonzero()[:, 0]
    return honest("find", (x[places].clone(), places))


@find.register_fake
def _(x):
    n = torch.library.get_ctx().new_dynamic_size()
    return x.new_empty(n, x.shape[1]), x.new_empty(n, dtype=torch.int64)


@torch.library.custom_op("unbacked::grow", mutates_args=())
def grow(x: torch.Tensor) -> torch.Tensor:
    return honest("grow", x + 1)


@grow.register_fake
def _(x):
    return torch.empty_like(x)


class Unbacked(torch.nn.Module):
    def forward(self, x, dynamic):
        waves = torch.sin(pick(x + 1)) * 2
        both = torch.cos(twice(waves)) + waves
        above = torch.nonzero(x > 0.3).float() * 2
        values, places = find(both)
        sums = torch.exp(values) + places[:, None]
        return both.sum(0), above.sum(), sums.sum(0), torch.sin(grow(dynamic)) + dynamic


def model():
    return Unbacked()


def inputs():
    return [(torch.rand(16, 8), torch.rand(12, 8)), (torch.rand(16, 8) - 2, torch.rand(2, 8))]


def shapes():
    return (None, {0: torch.export.Dim("rows", min=2, max=100)})
