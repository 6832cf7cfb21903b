"""A custom operator that lies: it promises as many rows as it gets and returns half of them. What comes after it reads past
the end of the tensor that it was given; nothing in PyTorch says so."""
import torch

unsafe = True  # not to be run unguarded: it writes past the end of a tensor


@torch.library.custom_op("samples::half", mutates_args=())
def half(x: torch.Tensor) -> torch.Tensor:
    return x[: x.shape[0] // 2].clone()


@half.register_fake
def _(x):
    return torch.empty_like(x)


class Short(torch.nn.Module):
    def forward(self, x):
        return torch.sin(half(x * 2)) + 1


def model():
    return Short()


def inputs():
    return [(torch.randn(64, 128),)]


def shapes():
    return None
