"""Bad values in kernels that go over long rows in a loop, and in a user's Triton kernel: what the
line `how` of a report shows on a GPU."""
import torch
import triton
import triton.language as tl


@triton.jit
def row_softmax_kernel(x_ptr, out_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    mask = column < n
    x = tl.load(x_ptr + row * stride + column, mask=mask, other=-float("inf"))
    z = x - tl.max(x, axis=0)
    e = tl.exp(z)
    tl.store(out_ptr + row * stride + column, e / tl.sum(e, axis=0), mask=mask)


@torch.library.triton_op("explained::row_softmax", mutates_args=())
def row_softmax(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    kernel = torch.library.wrap_triton(row_softmax_kernel)
    kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], BLOCK=128)
    return out


class ExplainedRows(torch.nn.Module):
    def forward(self, x, half, masked, few):
        variance = torch.var(torch.log(x), dim=1)
        running = torch.cumsum(torch.log(x[0] - 0.5), 0)
        squares = (half * half).sum(dim=1)
        softmax = torch.softmax(masked, dim=1)
        users = row_softmax(few) * 2.0
        return variance, running, squares, softmax, users


def model():
    return ExplainedRows()


def inputs():
    x = torch.ones(64, 3000)
    x[3, 77] = -1.0
    x[3, 2000] = -1.0
    x[0, 9] = 0.25
    half = torch.full((64, 3000), 2.0, dtype=torch.float16)
    half[5] = 20.0
    masked = torch.zeros(64, 3000)
    masked[2] = float("-inf")
    few = torch.zeros(32, 100)
    few[4] = float("-inf")
    return [(x, half, masked, few)]


def shapes():
    return None
