"""A branch on the data: torch.cond, whose two bodies stand in the wrapper as nested blocks."""
import torch


class Branch(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.positive = torch.nn.Linear(16, 16)
        self.negative = torch.nn.Linear(16, 16)

    def forward(self, x):
        def on_positive(x):
            return torch.relu(self.positive(x))

        def on_negative(x):
            return torch.tanh(self.negative(x)) * 2

        return torch.cond(x.sum() > 0, on_positive, on_negative, (x,)) + 1


def model():
    return Branch()


def inputs():
    x = torch.rand(4, 16)
    return [(x,), (-x,)]


def shapes():
    return None
