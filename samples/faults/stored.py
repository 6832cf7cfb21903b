"""A Triton kernel of the model's own that stores where its index tensor says, without looking at
the bounds. Nothing is wrong while the indices are those of elements. CUDA alone."""
import torch
import triton
import triton.language as tl


@triton.jit
def store_kernel(to, at, value, n: tl.constexpr):
    for i in tl.static_range(n):
        tl.store(to + tl.load(at + i), value)


@torch.library.triton_op("faults_stored::store", mutates_args={"to"})
def store(to: torch.Tensor, at: torch.Tensor, value: float) -> None:
    torch.library.wrap_triton(store_kernel)[(1,)](to, at, value, n=at.numel())


class Stored(torch.nn.Module):
    def forward(self, x, w, at):
        a = torch.sin(x) * 2
        store(a, at, 9.5)
        c = torch.mm(a, w) + 1
        for _ in range(20):
            c = torch.mm(torch.cos(c), w)
        return c


def model():
    return Stored()


def inputs():
    return [(torch.randn(24, 16), torch.randn(16, 16), torch.tensor([0, 3, 383]))]


def shapes():
    return None
