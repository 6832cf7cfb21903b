"""Triton kernels of a user that get their tensors by descriptors, which the host makes and which
the kernel makes: for CUDA alone. Nothing is reported until a test puts a NaN into an input.

There is one program of the kernel that makes descriptors: packages of torch 2.11 have scratch
memory for one, and a second would write behind it."""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

strict = True  # an export that is not strict loses the descriptors
BLOCK = [32, 32]  # 128 bytes a row: torch 2.11 cannot describe a longer one to the driver
WHOLE = [32, 64]


@triton.jit
def host_made(x, out, y, M, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r, c = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    rows, columns = r + tl.arange(0, ROWS), c + tl.arange(0, COLUMNS)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    added = tl.load(y + rows[:, None] * N + columns[None, :], mask=mask, other=0.0)
    out.store([r, c], x.load([r, c]) * 2 + added)


@triton.jit
def host_made_input(x, out, M, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r, c = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    rows, columns = r + tl.arange(0, ROWS), c + tl.arange(0, COLUMNS)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(out + rows[:, None] * N + columns[None, :], x.load([r, c]) + 1, mask=mask)


@triton.jit
def kernel_made(x, out, M, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r, c = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    source = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[ROWS, COLUMNS])
    to = tl.make_tensor_descriptor(out, shape=[M, N], strides=[N, 1], block_shape=[ROWS, COLUMNS])
    to.store([r, c], source.load([r, c]) * 3)


def launch(kernel, block, shape, *arguments):
    grid = (triton.cdiv(shape[0], block[0]), triton.cdiv(shape[1], block[1]))
    torch.library.wrap_triton(kernel)[grid](
        *arguments, *shape, ROWS=block[0], COLUMNS=block[1])


class Descriptors(torch.nn.Module):
    def forward(self, x, y, w, z):
        doubled = x * 2
        both, one, inside = torch.empty_like(x), torch.empty_like(w), torch.empty_like(z)
        launch(host_made, BLOCK, x.shape, TensorDescriptor.from_tensor(doubled, BLOCK),
            TensorDescriptor.from_tensor(both, BLOCK), y)
        launch(host_made_input, BLOCK, w.shape, TensorDescriptor.from_tensor(w, BLOCK), one)
        launch(kernel_made, WHOLE, z.shape, z, inside)
        return both + 1, one + 1, inside + 1


def model():
    return Descriptors()


def inputs():
    torch.manual_seed(1)
    return [(*(torch.randn(100, 128) for _ in range(3)), torch.randn(30, 60))]


def shapes():
    return None
