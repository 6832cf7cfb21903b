"""A custom operator that stores where its index tensor says, without looking at the bounds.

`at` decides at run time which elements of a buffer are stored: behind its end, before its begin, or
in it. On the CPU the operator stores through the tensor's address; on CUDA it is a Triton kernel.
"""
import ctypes

import torch

try:
    import triton
    import triton.language as tl

    @triton.jit
    def put_kernel(x, at, value, n: tl.constexpr):
        for i in tl.static_range(n):
            tl.store(x + tl.load(at + i), value)
except ImportError:
    triton = None

library = torch.library.Library("faults", "DEF")
library.define("put(Tensor(a!) x, Tensor at, float value) -> ()")


kept = None  # a list: the operator keeps its tensors there, as one with a cache does
copied = None  # a list: it keeps copies of them


def keep(x):
    if kept is not None:
        kept.append(x)
    if copied is not None:
        copied.append(x.clone())


def put(x, at, value):
    keep(x)
    for i in at.tolist():
        ctypes.c_float.from_address(x.data_ptr() + 4 * i).value = value


def put_cuda(x, at, value):
    keep(x)
    put_kernel[(1,)](x, at, value, at.numel())


library.impl("put", put, "CPU")
library.impl("put", put_cuda, "CUDA")
torch.library.register_fake("faults::put", lambda x, at, value: None)


class Put(torch.nn.Module):
    def forward(self, x, w, at):
        a = torch.sin(x) * 2
        b = torch.cos(x) + 1
        torch.ops.faults.put(a, at, 9.5)
        c = torch.mm(a, w) + 1
        d = torch.mm(b, w) * 3
        return torch.relu(torch.mm(c, d.t()))[1:]  # a part of a buffer is handed over


def model():
    return Put()


def inputs():
    return [(torch.randn(24, 40), torch.randn(40, 16), torch.tensor([0, 3, 959]))]


def shapes():
    return None
