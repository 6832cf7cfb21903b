"""Values that a kernel selects away or makes finite, beside such as it computes with or only
moves."""
import torch


class Selected(torch.nn.Module):
    def forward(self, mask, a, b, c, d, e, f, g, h):
        chosen = torch.log(torch.where(mask, a, b))
        filled = torch.sqrt(torch.nan_to_num(c, nan=0.5))
        limited = torch.clamp(d, max=10.0) * e
        moved = torch.where(mask, f, g)
        return chosen, filled, limited, moved, torch.relu(h) + 1


def model():
    return Selected()


def inputs():
    def make():
        return torch.rand(8, 16) + 0.1

    return [(torch.ones(8, 16, dtype=torch.bool), *[make() for _ in range(8)])]


def shapes():
    return None
