"""200 launches, in turn of a custom operator and of a kernel that Inductor compiles.

The n-th call of the operator stores at element `at[n]` of its tensor without looking at the bounds:
far outside, the access is an illegal one.
"""
import torch

from faults import put  # its operator

CALLS = 100


class Many(torch.nn.Module):
    def forward(self, x, at):
        for n in range(CALLS):
            x = torch.relu(x) + 1
            torch.ops.faults.put(x, at[n : n + 1], 1.5)
        return x


def model():
    return Many()


def inputs():
    return [(torch.randn(16, 32), torch.zeros(CALLS, dtype=torch.int64))]


def shapes():
    return None
