"""BERT-base by its dimensions, with random weights, two sequences of 64 tokens: for measuring."""
import torch


class Layer(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (
            torch.nn.Linear(width, width) for _ in range(4)
        )
        self.attention_norm = torch.nn.LayerNorm(width, eps=1e-12)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-12)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x):
        query, key, value = (self.split(f(x)) for f in (self.query, self.key, self.value))
        seen = torch.nn.functional.scaled_dot_product_attention(query, key, value)
        x = self.attention_norm(x + self.out(seen.transpose(1, 2).reshape(x.shape)))
        return self.norm(x + self.down(torch.nn.functional.gelu(self.up(x))))


class Bert(torch.nn.Module):
    def __init__(self, width=768, heads=12, layers=12, words=30522, length=512):
        super().__init__()
        self.words = torch.nn.Embedding(words, width)
        self.positions = torch.nn.Embedding(length, width)
        self.kinds = torch.nn.Embedding(2, width)
        self.norm = torch.nn.LayerNorm(width, eps=1e-12)
        self.layers = torch.nn.ModuleList([Layer(width, heads) for _ in range(layers)])
        self.pool = torch.nn.Linear(width, width)

    def forward(self, ids):
        positions = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(
            self.words(ids) + self.positions(positions) + self.kinds(torch.zeros_like(ids))
        )
        for layer in self.layers:
            x = layer(x)
        return x, torch.tanh(self.pool(x[:, 0]))


def model():
    return Bert()


def inputs():
    return [(torch.randint(0, 30522, (2, 64)),)]


def shapes():
    return None
