"""Integers that are divided by elements of other tensors. Nothing is reported until the tests make
a divisor 0: the processor raises SIGFPE then, and from torch 2.13 on a kernel may throw instead."""
import torch
from torch.nn.functional import pad


class Divided(torch.nn.Module):
    def forward(self, rows, widths, counts, sizes, ticks, periods, small, picks, table, spans):
        columns = torch.floor_divide(rows + 1, widths * 2 - 6) + rows % spans
        rests = torch.remainder(counts, sizes & 7)
        phases = torch.div(ticks, periods, rounding_mode="trunc") + torch.fmod(ticks, periods)
        padded = rows[:, :7] % pad(widths[:, 2:7], (1, 1), value=1)
        gathered = counts % torch.gather(table, 1, picks)
        return columns, rests, phases, padded, counts.to(torch.int8) // small, gathered


def model():
    return Divided()


def inputs():
    rows = torch.arange(84).reshape(7, 12)
    counts = torch.arange(40, dtype=torch.int32).reshape(8, 5)
    ticks = torch.arange(30)
    small = (counts % 7 + 1).to(torch.int8)
    table, picks = counts % 5 + 2, counts.to(torch.int64) % 4
    return [(rows, rows % 5 + 4, counts, counts % 3 + 1, ticks, ticks + 1, small, picks, table,
             rows % 9 + 1)]


def shapes():
    return None
