"""GPT-2 small by its dimensions, with random weights, one sequence of 128 tokens.

The large sample, for measuring. Its causal mask contains -inf on purpose.
"""
import math

import torch


class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1 = torch.nn.LayerNorm(width)
        self.attn = torch.nn.Linear(width, 3 * width)
        self.proj = torch.nn.Linear(width, width)
        self.ln_2 = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x, mask):
        batch, length, width = x.shape
        parts = self.attn(self.ln_1(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = query @ key.transpose(-1, -2) / math.sqrt(width // self.heads)
        weights = torch.softmax(scores + mask, dim=-1)
        x = x + self.proj((weights @ value).transpose(1, 2).reshape(batch, length, width))
        return x + self.down(torch.nn.functional.gelu(self.up(self.ln_2(x)), approximate="tanh"))


class GPT2(torch.nn.Module):
    def __init__(self, width=768, heads=12, layers=12, words=50257, length=1024):
        super().__init__()
        self.wte = torch.nn.Embedding(words, width)
        self.wpe = torch.nn.Embedding(length, width)
        self.h = torch.nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.ln_f = torch.nn.LayerNorm(width)

    def forward(self, ids):
        length = ids.shape[1]
        x = self.wte(ids) + self.wpe(torch.arange(length, device=ids.device))
        mask = torch.full((length, length), -math.inf, device=ids.device).triu(1)
        for block in self.h:
            x = block(x, mask)
        return self.ln_f(x) @ self.wte.weight.t()


def model():
    return GPT2()


def inputs():
    return [(torch.randint(0, 50257, (1, 128)),)]


def shapes():
    return None
