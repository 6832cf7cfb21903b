"""A model of which a sound run holds Inf: a mask of -inf, and the logarithm of a 0, which it drops.

Its inputs are sound; have the product overflow, of which the norm makes a NaN; have a logarithm of
a negative number, at an element beside the one of the 0; hold an Inf, of which the norm makes a
NaN; and have the keys of an attention overflow, which is an operator that nobody explains.
"""
import torch


class Infinite(torch.nn.Module):
    def __init__(self):
        super().__init__()
        weight = torch.linspace(-1, 1, 64).reshape(8, 8).clone()
        weight[3, 5] = 3e38
        self.weight = torch.nn.Parameter(weight)
        self.same = torch.nn.Parameter(torch.eye(8))
        mask = torch.zeros(4, 4).masked_fill(torch.ones(4, 4).triu(1) > 0, -torch.inf)
        self.register_buffer("mask", mask)

    def forward(self, x, y, z, k):
        norm = torch.nn.functional.layer_norm(x @ self.weight, (8,))
        logarithm = torch.log(y)
        order = torch.sort(logarithm, dim=1).indices
        kept = torch.where(y > 0, logarithm, 0.0)
        scores = torch.softmax(z @ z.t() / 8 + self.mask, dim=-1)
        attention = torch.nn.functional.scaled_dot_product_attention(
            z[None, None], (k @ self.weight)[None, None], z[None, None])
        entropy = torch.log(z @ self.same + 2) + kept
        return (norm, order, scores @ entropy, torch.nn.functional.layer_norm(z, (8,)),
            attention)


def model():
    return Infinite()


def inputs():
    x = torch.linspace(-1, 1, 32).reshape(4, 8)
    y = torch.linspace(0, 1, 32).reshape(4, 8)
    z = torch.linspace(-1, 1, 32).reshape(4, 8)
    k = x.clone()  # export takes one tensor in two places for one input
    over, negative, infinite = x.clone(), z.clone(), z.clone()
    over[2, 3] = 10
    negative[1, 2] = -3
    infinite[2, 4] = torch.inf
    return [(x, y, z, k), (over, y, z, k), (x, y, negative, k), (x, y, infinite, k),
        (x, y, z, over)]


def shapes():
    return None
