"""Memory that is allocated for an operator or a kernel, which need not write all of it: a custom op
that changes its argument, a scatter, and an ATen op that reads what nothing wrote.

The tests set `fault`.
"""
import torch

fault = None


@torch.library.custom_op("unwritten::copy_into", mutates_args={"to"})
def copy_into(x: torch.Tensor, to: torch.Tensor) -> None:
    if fault == "half is not written":
        to[:32].copy_(x[:32])
    else:
        to.copy_(x)
    if fault == "NaN is written":
        to[5, 6] = float("nan")


@copy_into.register_fake
def _(x, to):
    return None


class Unwritten(torch.nn.Module):
    def forward(self, x, rows, keep):
        scattered = torch.empty(64, 64)
        scattered[rows] = torch.sin(x)
        copied = torch.empty(64, 64)
        copy_into(torch.exp(x), copied)
        chosen = torch.empty(64, 64).masked_scatter_(keep, copied)
        # onto what another launch wrote
        summed = (x @ x).index_add_(0, rows, torch.cos(copied))
        return copied * 2, scattered, chosen + 1, summed


def model():
    return Unwritten()


def inputs():
    return [(torch.rand(64, 64), torch.randperm(64), torch.ones(64, 64, dtype=torch.bool))]


def shapes():
    return None
