"""A model with state: each run adds one to a buffer, and a statistic of all runs follows the
inputs. The root of what is left of the buffer's room is NaN from run 50 on."""
import torch


class Stateful(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.fc = torch.nn.Linear(8, 8)
        self.register_buffer("count", torch.arange(8.0))
        self.register_buffer("mean", torch.linspace(-1, 1, 8))
        self.register_buffer("table", torch.arange(8.0) * 3)

    def forward(self, x):
        self.count.add_(1)
        y = self.fc(x)
        self.mean.mul_(0.9).add_(y.mean(0), alpha=0.1)
        return torch.sqrt(56.5 - self.count) * self.table + self.mean, y


def model():
    return Stateful()


def inputs():
    return [(torch.randn(4, 8),)]


def shapes():
    return None
