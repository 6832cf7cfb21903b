"""A quotient that is padded. Torch's kernel divides whole vectors, also where the mask of the
padding is not set: there the divisor is 0. With torch 2.11 the sound model ends by SIGFPE, and the
report says which element is masked off."""
import torch

unsafe = True


class DividedMasked(torch.nn.Module):
    def forward(self, rows, widths, counts):
        quotients = torch.floor_divide(rows[:, :6], widths[:, 3:9])
        return torch.nn.functional.pad(quotients, (3, 3), value=0) + counts


def model():
    return DividedMasked()


def inputs():
    rows = torch.arange(72).reshape(6, 12)
    return [(rows, rows % 5 + 1, rows + 2)]


def shapes():
    return None
