"""Tensors that several launches put together, each a part: torch.cat and torch.stack.

The last part is stored by the kernel that also reads the whole. `poison` leaves NaN in what torch's
allocator hands out next.
"""
import torch

kept = []


def poison():
    for count in (1, 2, 4, 5, 8, 16, 30, 32, 48, 60, 64, 80, 90, 96, 120, 128, 144, 192, 256, 512):
        blocks = [torch.full((count,), float("nan")) for _ in range(300)]
        kept.extend(blocks[::2])
        del blocks[1::2]


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
