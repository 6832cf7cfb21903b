"""Kernels that read a part of what they are given, store to a part of it, or keep the least value
of all runs: what is bad in the rest does not count."""
import torch


class Partly(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('cache', torch.zeros(4, 8))
        self.register_buffer('lowest', torch.full((8,), float('inf')))
        self.register_buffer('weight', torch.eye(8) + 0.1)

    def forward(self, x, wide, table, rows):
        self.cache[:2] = torch.sqrt(x[:2])
        cached = self.cache @ self.weight
        self.lowest.copy_(torch.minimum(self.lowest, x.amin(0)))
        logs = torch.log(x)
        return cached, wide[:, 4:] + logs[:, 4:], table[rows] * 2 + logs, self.lowest * 1


def model():
    return Partly()


def inputs():
    return [(torch.rand(4, 8) + 0.2, torch.rand(4, 8) + 0.2, torch.rand(6, 8) + 0.2,
        torch.tensor([0, 1, 3, 1]))]


def shapes():
    return None
