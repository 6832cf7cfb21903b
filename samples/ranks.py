"""An all-reduce between the ranks of a group, which is complete behind a wait. It is compiled in a
group whose other rank is not there; t/481-collectives.t runs it in groups of two and four. There is
no second collective: where one follows within microseconds, gloo of torch 2.11 waits for ever in
one run of ten or so, with the plain package."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as collectives
from torch.testing._internal.distributed.fake_pg import FakeStore

unsafe = True  # its outputs need the other ranks


class Ranks(torch.nn.Module):
    def forward(self, x):
        total = collectives.all_reduce(x * 2, "sum", dist.group.WORLD)
        return (torch.relu(total) + 1,)


def model():
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
    return Ranks()


def inputs():
    return [(torch.ones(4, 4),)]


def shapes():
    return ({},)
