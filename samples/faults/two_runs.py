"""A model that counts its runs in a buffer of its own, and adds to an input in place: two runs at
once race for both. A custom operator calls `meet`, where the tests let the runs wait for one
another."""
import torch

meet = None

library = torch.library.Library("faults_two_runs", "DEF")
library.define("wait(Tensor x) -> Tensor")


def wait(x):
    if meet:
        meet()
    return x.clone()


library.impl("wait", wait, "CPU")
library.impl("wait", wait, "CUDA")
torch.library.register_fake("faults_two_runs::wait", torch.empty_like)


class Counts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("runs", torch.zeros(64))

    def forward(self, x, cache):
        y = torch.ops.faults_two_runs.wait(x * 2)
        self.runs.add_(1)
        cache.add_(y)
        return torch.relu(y) + cache.sum()


def model():
    return Counts()


def inputs():
    return [(torch.randn(8, 64), torch.randn(8, 64))]


def shapes():
    return None
