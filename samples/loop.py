"""A while_loop that divides until its counter is spent.

The tests start it with a counter of 0, and with one that reaches a division by zero.
"""
import torch
from torch._higher_order_ops.while_loop import while_loop


class Loop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.eye(4))

    def forward(self, count, x, divisor):
        def more(count, x, divisor):
            return count > 0

        def body(count, x, divisor):
            return count - 1, (x @ self.weight) / divisor, divisor - 1

        return while_loop(more, body, (count, x, divisor))[1] + 1


def model():
    return Loop()


def inputs():
    return [(torch.tensor(3), torch.rand(3, 4) + 1, torch.tensor(9.0)),
        (torch.tensor(0), torch.rand(3, 4), torch.tensor(2.0))]


def shapes():
    return None
