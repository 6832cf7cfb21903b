"""Bad values of many makes, each in a kernel of its own: what the line `how` of a report shows."""
import torch


class Explained(torch.nn.Module):
    def forward(self, x, y, half, masked, flat, divisor, big):
        logarithm = torch.log(x - y)
        root = torch.sqrt(flat[1:] - 3.0) * 2.0
        quotient = divisor / divisor.abs()
        difference = torch.exp(big) - torch.exp(big + 1.0)
        total = (big.abs() * 1e37).sum(dim=1)
        overflow = half * half
        softmax = torch.softmax(masked, dim=-1)
        # 32 divides without a remainder: a GPU, too, finds the variance to be 0.
        norm = torch.nn.functional.layer_norm(flat[:32].expand(4, 32) * 1.0, (32,), eps=0.0)
        chosen = torch.where(y[:5] > 50.0, torch.log(-y[:5]), x[:5])
        return logarithm, root, quotient, difference, total, overflow, softmax, norm, chosen


def model():
    return Explained()


def inputs():
    x = torch.arange(36, dtype=torch.float32).reshape(6, 6) + 1.0
    y = torch.zeros(6, 6)
    y[2, 3] = 100.0
    half = torch.ones(7, 9, dtype=torch.float16)
    half[3, 4] = 300.0
    masked = torch.zeros(3, 20)
    masked[1] = float("-inf")
    flat = torch.full((40,), 5.0)
    divisor = torch.ones(50)
    divisor[17] = 0.0
    big = torch.ones(4, 70)
    big[2, 33] = 100.0
    return [(x, y, half, masked, flat, divisor, big)]


def shapes():
    return None
