"""Kernels in which a bad value has more than one cause: they add to what has a value already, and
compute outputs that share some of their inputs."""
import torch


class Origins(torch.nn.Module):
    def forward(self, rows, base, spread, x, a, b, c):
        kept, put = base.clone(), base + 1
        product = (base > 1.5).float() @ spread
        kept.index_add_(0, rows, product[:2])
        put.index_put_((rows,), product[2:])
        zeros = torch.zeros_like(base)
        zeros.index_add_(0, rows, x)

        grown = torch.exp(a)
        mixed = torch.softmax(b, dim=1) * grown
        chosen = torch.where(b > 100, float("nan"), torch.sqrt(c - 1))
        return kept, put, zeros, mixed, grown, torch.sqrt(b), chosen, a - b, torch.log(c)


def model():
    return Origins()


def inputs():
    def make(*sizes):
        return torch.rand(sizes) + 1.1

    return [(torch.tensor([0, 2]), make(4, 4), make(4, 4), make(2, 4), make(8, 16), make(8, 16),
        make(8, 16))]


def shapes():
    return None
