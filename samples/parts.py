"""Tensors that several launches put together, each a part: torch.cat and torch.stack.

The last part is stored by the kernel that also reads the whole.
"""
import torch


class Parts(torch.nn.Module):
    def forward(self, x, w, y, r):
        h, steps = x, []
        for _ in range(3):
            h = torch.tanh(h @ w)
            steps.append(h)
        joined = torch.cat([torch.mm(y, y).sin(), r], 1).sum(1)
        return torch.stack(steps).flip(0) * 2 + 1, torch.cat(steps, 1).softmax(-1), joined


def model():
    return Parts()


def inputs():
    return [(torch.randn(4, 8), torch.randn(8, 8), torch.randn(8, 8), torch.randn(8, 16))]


def shapes():
    return None
