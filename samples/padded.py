"""Circular padding: torch allocates the padded tensor, and the kernel loads all of it, although
only its middle is written by then. It selects what nothing wrote away; between the two it stores
NaN on purpose."""
import torch
import torch.nn.functional as F


class Padded(torch.nn.Module):
    def forward(self, x):
        return F.pad(torch.sin(x), (2, 1, 1, 2), mode="circular") * 2


def model():
    return Padded()


def inputs():
    return [(torch.randn(2, 4, 8, 8),)]


def shapes():
    return None
