"""A model with what torch records in ways of its own: modules within modules, operators and
fallbacks, a branch whose nodes have the names of nodes outside of it, and its condition, which the
host reads."""
import torch


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, width)

    def forward(self, x):
        y = self.up(self.norm(x))
        return x + torch.nn.functional.gelu(y)


class Lines(torch.nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer(width) for _ in range(2))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        y = torch.sort(x, dim=-1)[0]
        z = torch.cumsum(y * 2, 0)

        def hot(t):
            u = t * 3
            return torch.sin(u + 1) @ t

        def cold(t):
            return torch.cos(t * 5)
        w = torch.cond(z.sum() > 0, hot, cold, (z,))
        return torch.softmax(w + 2, -1), torch.log(z)


def model():
    return Lines()


def inputs():
    return [(torch.ones(8, 8),)]


def shapes():
    return None
