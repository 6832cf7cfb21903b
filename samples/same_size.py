"""Two inputs that must have one and the same length: a symbol that stands in both."""
import torch


class SameSize(torch.nn.Module):
    def forward(self, x, y):
        return torch.exp(x) + y.abs().sqrt()


def model():
    return SameSize()


def inputs():
    return [(torch.randn(10), torch.randn(10)), (torch.randn(500), torch.randn(500))]


def shapes():
    n = torch.export.Dim("n", min=2, max=1000)
    return ({0: n}, {0: n})
