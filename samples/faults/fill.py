"""A custom operator that is to fill a tensor, and fills as many of its rows as `rows` says: a
buffer of floats, one of integers, and an output of the model. On the CPU it stores a 7 behind the
tensor whose number is `past`."""
import ctypes

import torch

library = torch.library.Library("faults_fill", "DEF")
library.define("fill(Tensor(a!) x, Tensor rows, int which) -> ()")


past = None


def fill(x, rows, which):
    n = int(rows[which])
    if which == past:
        end = x.data_ptr() + x.numel() * x.element_size()
        ctypes.memset(end, 7, 1)
    x[:n] = torch.arange(x[:n].numel(), device=x.device).reshape(x[:n].shape).to(x.dtype)


library.impl("fill", fill, "CPU")
library.impl("fill", fill, "CUDA")
torch.library.register_fake("faults_fill::fill", lambda x, rows, which: None)


class Fill(torch.nn.Module):
    def forward(self, x, rows):
        floats = torch.empty(8, 6, device=x.device)
        torch.ops.faults_fill.fill(floats, rows, 0)
        numbers = torch.empty(8, 6, device=x.device, dtype=torch.int64)
        torch.ops.faults_fill.fill(numbers, rows, 1)
        given = torch.empty(8, 6, device=x.device)
        torch.ops.faults_fill.fill(given, rows, 2)
        return torch.relu(x + floats), numbers * 3 + 1, given


def model():
    return Fill()


def inputs():
    return [(torch.randn(8, 6), torch.tensor([8, 8, 8]))]


def shapes():
    return None
