"""Causal self-attention with one projection for query, key and value; dynamic batch and length."""
import torch


class Attention(torch.nn.Module):
    def __init__(self, width=64, heads=4):
        super().__init__()
        self.heads = heads
        self.project = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.project(x).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


def model():
    return Attention()


def inputs():
    return [(torch.randn(2, 16, 64),), (torch.randn(3, 7, 64),)]


def shapes():
    return (
        {
            0: torch.export.Dim("batch", min=2, max=64),
            1: torch.export.Dim("length", min=2, max=512),
        },
    )
