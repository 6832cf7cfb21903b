"""Integers that are divided by elements of other tensors, each in a kernel of its own. Nothing is
reported until the tests make a divisor 0: the processor raises SIGFPE then, and from torch 2.13 on
a kernel may throw instead."""
import torch


class Divided(torch.nn.Module):
    def forward(self, rows, widths, counts, sizes, ticks, periods):
        columns = torch.floor_divide(rows + 1, widths * 2 - 6)
        rests = torch.remainder(counts, sizes & 7)
        phases = torch.div(ticks, periods, rounding_mode="trunc") + torch.fmod(ticks, periods)
        return columns, rests, phases


def model():
    return Divided()


def inputs():
    rows = torch.arange(84).reshape(7, 12)
    counts = torch.arange(40, dtype=torch.int32).reshape(8, 5)
    ticks = torch.arange(30)
    return [(rows, rows % 5 + 4, counts, counts % 3 + 1, ticks, ticks + 1)]


def shapes():
    return None
