"""A small Llama in bfloat16 with random weights: two sequences of 64 tokens.

Made of the parts of a Llama: RMS norms, rotary positions, grouped queries, gated layers.
"""
import torch


def rotate(x, cos, sin):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


class Norm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.float()
        return self.weight * \
            (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


class Layer(torch.nn.Module):
    def __init__(self, width, heads, groups):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.query = torch.nn.Linear(width, heads * self.size, bias=False)
        self.key, self.value = (
    torch.nn.Linear(
        width, groups * self.size, bias=False) for _ in range(2))
        self.out = torch.nn.Linear(width, width, bias=False)
        self.gate, self.up = (torch.nn.Linear(width, 8 * width // 3 //
                              64 * 64, bias=False) for _ in range(2))
        self.down = torch.nn.Linear(self.up.out_features, width, bias=False)
        self.attention_norm, self.norm = Norm(width), Norm(width)

    def split(self, x, heads):
        return x.view(x.shape[0], x.shape[1], heads, self.size).transpose(1, 2)

    def forward(self, x, cos, sin):
        seen = self.attention_norm(x)
        query = rotate(self.split(self.query(seen), self.heads), cos, sin)
        key = rotate(self.split(self.key(seen), self.groups), cos, sin)
        key, value = (y.repeat_interleave(self.heads // self.groups, dim=1)
                      for y in (key, self.split(self.value(seen), self.groups)))
        seen = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(x.shape))
        seen = self.norm(x)
        return x + self.down(torch.nn.functional.silu(self.gate(seen)) * self.up(seen))


class Llama(torch.nn.Module):
    def __init__(self, width=768, heads=12, groups=4, layers=6, words=32000, length=256):
        super().__init__()
        self.words = torch.nn.Embedding(words, width)
        self.layers = torch.nn.ModuleList([Layer(width, heads, groups) for _ in range(layers)])
        self.norm = Norm(width)
        self.head = torch.nn.Linear(width, words, bias=False)
        size = width // heads
        turns = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, size, 2) / size))
        self.register_buffer("cos", turns.cos())
        self.register_buffer("sin", turns.sin())

    def forward(self, ids):
        x = self.words(ids)
        cos, sin = self.cos[: ids.shape[1]], self.sin[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.head(self.norm(x))


def model():
    return Llama().bfloat16()


def inputs():
    return [(torch.randint(0, 32000, (2, 64)),)]


def shapes():
    return None
