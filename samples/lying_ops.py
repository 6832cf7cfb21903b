"""Custom operators between operators that Inductor compiles, in each form in which a wrapper calls
one.

The tests set `faults`, an operator's name and what it does wrong, to break its promise at run time.
"""
import torch

faults = {}
lies = {
    "raise": lambda x, y: (_ for _ in ()).throw(ValueError("the disk is full")),
    "none": lambda x, y: None,
    "itself": lambda x, y: x,
    "half": lambda x, y: y[: y.shape[0] // 2].clone(),
    "dtype": lambda x, y: y.double(),
    "writes": lambda x, y: x.view(-1)[5:7].add_(1) is None or y,
    "writes NaN": lambda x, y: x[1, 3:5].fill_(float("nan")) is None or y,
    "transposed": lambda x, y: y.t().contiguous().t(),
    "rank": lambda x, y: y[None].clone(),
    "device": lambda x, y: y.to("meta"),
    "many": lambda x, y: [*y, x + 1],
    "few": lambda x, y: y[:1],
    "second": lambda x, y: (y[0], None),
    "second half": lambda x, y: (y[0], y[1][: y[1].shape[0] // 2].clone()),
    "second is first": lambda x, y: (y[0], y[0]),
}


def honest(name, x, y):
    return lies[faults[name]](x, y) if name in faults else y


library = torch.library.Library("lying", "DEF")


def define(schema, real, fake):
    name = schema.partition("(")[0]
    library.define(schema)
    library.impl(name, lambda x, *rest: honest(name, x, real(x, *rest)), "CPU")
    library.impl(name, lambda x, *rest: honest(name, x, real(x, *rest)), "CUDA")
    torch.library.register_fake(f"lying::{name}", fake)


define("scale(Tensor x, float by) -> Tensor", lambda x, by: x * by,
    lambda x, by: torch.empty_like(x))
define("pair(Tensor x) -> (Tensor, Tensor)", lambda x: (x + 1, x - 1),
    lambda x: (torch.empty_like(x), torch.empty_like(x)))
define("choose(Tensor x, Tensor? y, Tensor[] z) -> Tensor",
    lambda x, y, z: x + sum(z) + (0 if y is None else y), lambda x, y, z: torch.empty_like(x))
define("rows(Tensor x) -> Tensor", lambda x: x.abs(), lambda x: torch.empty_like(x))
define("parts(Tensor x) -> Tensor[]", lambda x: [x.clone(), x * 2],
    lambda x: [torch.empty_like(x), torch.empty_like(x)])
define("fill(Tensor(a!) x, float by) -> ()", lambda x, by: None if x.fill_(by) is x else x,
    lambda x, by: None)
define("last(Tensor x) -> Tensor", lambda x: x + 3, lambda x: torch.empty_like(x))


class Lying(torch.nn.Module):
    def forward(self, x, w):
        ops = torch.ops.lying
        a = torch.sin(ops.scale(x * 2, 3.0)) + 1
        p, q = ops.pair(a)
        filled = a * 1.5
        ops.fill(filled, 2.0)
        c = ops.choose(p * q + a * filled, None, [p, q])
        d = torch.mm(ops.rows(c).t(), w)
        s, t = ops.parts(d)
        values, at = torch.topk(s + t, 3)
        return ops.last(values * 2), at + 1


def model():
    return Lying()


def inputs():
    return [(torch.randn(32, 16), torch.randn(32, 16))]


def shapes():
    return None
