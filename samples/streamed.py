"""A matrix product and a look-up, which t/548-cuda-streams.t puts on a stream beside the caller's.
Nothing is reported until that test plants a fault in the inputs."""
import torch


class Streamed(torch.nn.Module):
    def forward(self, x, weight, table, index):
        product = torch.mm(x * 2, weight)
        looked_up = table[index].sum(1, keepdim=True)
        return torch.log(product) + looked_up


def model():
    return Streamed()


def inputs():
    generator = torch.Generator().manual_seed(0)
    x, weight = (torch.rand(64, 64, generator=generator) + 1 for _ in range(2))
    table = torch.rand(100, 32, generator=generator)
    return [(x, weight, table, torch.arange(64))]


def shapes():
    return None
