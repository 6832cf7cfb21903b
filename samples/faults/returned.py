"""Custom operators that do not do what they promised torch when the model was compiled: what they
return has fewer rows, another dtype, other strides, an odd address or memory of something else, or
is not there; and they change or release what they are given, or keep what they return.

`fault` says which, a name from `rows_faults` or `pair_faults`, "released" or "schema"; the
environment variable FAULT sets it too, which "schema" needs, for the operators are registered as
this module is imported.
"""
import ctypes
import os

import torch

try:
    import triton
    import triton.language as tl

    @triton.jit
    def load_kernel(to, address):
        tl.store(to, tl.load(address.to(tl.pointer_type(tl.float32))))
except ImportError:
    triton = None

fault = os.environ.get("FAULT")
addresses = {}
kept = []  # what the operator returned, with "is kept"


def at_odd_address(y):
    """Half an element behind where one may begin; on a GPU, one element behind."""
    if y.is_cuda:
        return y.new_empty(y.numel() + 1)[1:].view(y.shape).copy_(y)
    memory = bytearray(4 * y.numel() + 2)
    return torch.frombuffer(memory, dtype=y.dtype, offset=2).view(y.shape).copy_(y)


rows_faults = {
    "fewer rows": lambda x, y: y[: len(y) // 2].clone(),
    "dtype": lambda x, y: y.double(),
    "padded rows": lambda x, y: y.new_zeros(len(y), 48)[:, :40].copy_(y),
    "transposed": lambda x, y: y.t().contiguous().t(),
    "its input": lambda x, y: x.copy_(y),
    "a view of its input": lambda x, y: x.copy_(y).view(-1).view(y.shape),
    "writes": lambda x, y: x.view(-1)[45:47].add_(1) is None or y,
    "writes NaN": lambda x, y: x.view(-1)[45:47].fill_(float("nan")) is None or y,
    "sets": lambda x, y: x.set_(x + 1) is None or y,
    "negated": lambda x, y: torch._neg_view(-y),
    "none": lambda x, y: None,
    "odd address": lambda x, y: at_odd_address(y),
    "is kept": lambda x, y: kept.append(y) or y,
    "releases": lambda x, y: x.untyped_storage().resize_(0) is None or y,
}
pair_faults = {
    "one output": lambda p, q: (p,),
    "second is none": lambda p, q: (p, None),
    "second has fewer rows": lambda p, q: (p, q[: len(q) // 2].clone()),
    "second is first": lambda p, q: (p, p),
}


def rows(x):
    addresses["of rows"] = x.data_ptr()
    return rows_faults.get(fault, lambda x, y: y)(x, x * 2 + 1)


def pair(x):
    return pair_faults.get(fault, lambda p, q: (p, q))(x.cos(), x.sin())


def load(x):
    y = x + 1
    if fault != "released":
        return y
    if x.is_cuda:
        load_kernel[(1,)](y, addresses["of rows"])
    else:
        y[0, 0] = ctypes.c_float.from_address(addresses["of rows"]).value
    return y


library = torch.library.Library("faults_returned", "DEF")


def define(schema, real, fake):
    name = schema.partition("(")[0]
    library.define(schema)
    library.impl(name, real, "CPU")
    library.impl(name, real, "CUDA")
    torch.library.register_fake(f"faults_returned::{name}", fake)


define("rows(Tensor x, float by) -> Tensor" if fault == "schema" else "rows(Tensor x) -> Tensor",
    rows, torch.empty_like)
define("pair(Tensor x) -> (Tensor, Tensor)", pair,
    lambda x: (torch.empty_like(x), torch.empty_like(x)))
define("load(Tensor x) -> Tensor", load, torch.empty_like)


class Returned(torch.nn.Module):
    def forward(self, x, w):
        ops = torch.ops.faults_returned
        a = torch.sin(x) * 2
        r = torch.relu(ops.rows(a)) + 1
        p, q = ops.pair(r * a)
        loaded = ops.load(torch.exp(p - q))
        return torch.mm(loaded * r, w)


def model():
    return Returned()


def inputs():
    return [(torch.randn(24, 40), torch.randn(40, 16))]


def shapes():
    return None
