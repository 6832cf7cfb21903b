"""Two independent chains of kernels, each of which fills eight multiprocessors for some 60 us, and
their sum. streams.py runs the second chain on a stream beside the caller's."""
import torch
import triton
import triton.language as tl

STEPS = 12


@triton.jit
def long_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    for _ in range(n):
        value = value * 0.999 + 0.001
    tl.store(y + at, value)


@torch.library.triton_op("bench::long", mutates_args={})
def long(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    torch.library.wrap_triton(long_kernel)[(8,)](x, y, 16384, BLOCK=128)
    return y


class TwoChains(torch.nn.Module):
    def chain(self, x, factor):
        for _ in range(STEPS):
            x = torch.relu(long(x)) * factor
        return x

    def forward(self, x, y):
        return self.chain(x, 0.5) + self.chain(y, 0.25)


def model():
    return TwoChains()


def inputs():
    generator = torch.Generator().manual_seed(0)
    return [tuple(torch.rand(1024, generator=generator) for _ in range(2))]


def shapes():
    return None
