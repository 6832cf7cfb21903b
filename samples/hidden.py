"""NaN and Inf that a kernel makes and hides, by where, clamp and nan_to_num. Nothing is reported;
with AOTIGEN_EXPLAIN='1:buf2[2,3]', say, the report of an element shows them."""
import torch


class Hidden(torch.nn.Module):
    def forward(self, x, y, w):
        chosen = torch.where(x > 0, torch.log(x), x * 2.0) + 1.0
        clamped = torch.maximum((x / (x - 3.0)).clamp(max=5.0), y)
        total = torch.nan_to_num(torch.sqrt(y)).sum(dim=1)
        return chosen, clamped, total, (chosen @ w).relu()


def model():
    return Hidden()


def inputs():
    torch.manual_seed(2)
    x = torch.rand(6, 37) + 0.5
    x[2, 3] = -4.0
    x[1, 5] = 3.0
    y = torch.rand(6, 37)
    y[4, 20] = -1.0
    return [(x, y, torch.randn(37, 5))]


def shapes():
    return None
