"""GPT-2 as in gpt2.py, but with ATen's scaled_dot_product_attention, which is passed the mask of
-inf: the usual way to write it."""
import torch
from gpt2 import GPT2, Block, inputs, shapes  # noqa: F401


class Fused(Block):
    def forward(self, x, mask):
        batch, length, width = x.shape
        parts = self.attn(self.ln_1(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        seen = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = x + self.proj(seen.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(torch.nn.functional.gelu(self.up(self.ln_2(x)), approximate="tanh"))


def model():
    it = GPT2()
    for block in it.h:
        block.__class__ = Fused
    return it
