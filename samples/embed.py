"""An embedding: rows of a table, looked up by index.

On a GPU an index out of range fails an assertion on the device. The process loses its CUDA context
some time after the launch.
"""
import torch


class Lookup(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(100, 32)
        self.out = torch.nn.Linear(32, 8)

    def forward(self, ids):
        return self.out(torch.relu(self.table(ids)))


def model():
    return Lookup()


def inputs():
    return [(torch.tensor([1, 5, 99, 0]),)]


def shapes():
    return None
