"""Three collectives between the ranks of a group, each complete behind a wait: an all-reduce, an
all-gather and a reduce-scatter. It is compiled in a group whose other rank is not there;
t/546-cuda-ranks.t runs it in a group of two GPUs."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as collectives
from torch.testing._internal.distributed.fake_pg import FakeStore

unsafe = True  # its outputs need the other ranks


class Gathered(torch.nn.Module):
    def forward(self, x, y, z):
        group = dist.group.WORLD
        total = collectives.all_reduce(x * 2, "sum", group)
        joined = collectives.all_gather_tensor(y + 1, 0, group)
        part = collectives.reduce_scatter_tensor(z - 1, "sum", 0, group)
        return torch.relu(total) + 1, joined * 3, part + 2


def model():
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
    return Gathered()


def inputs():
    return [tuple(torch.ones(4, 4) for _ in range(3))]


def shapes():
    return None
