"""Bad values of sums and maxima that several threads compute in parts, each in a kernel of its own:
what the line `how` of a report shows."""
import torch


class ExplainedThreads(torch.nn.Module):
    def forward(self, logarithms, roots, columns, large, sixteen):
        total = torch.log(logarithms).sum()
        greatest = torch.sqrt(roots).amax()
        each = torch.exp(columns).sum(dim=0)
        overflow = (large * 1e36).sum()
        halves = (sixteen * 2).sum()
        return total, greatest, each, overflow, halves


def model():
    return ExplainedThreads()


def inputs():
    logarithms = torch.ones(6007)
    logarithms[4321] = -1.0
    roots = torch.ones(60, 101)
    roots[33, 44] = -4.0
    columns = torch.ones(1000, 19)
    columns[299, 18] = 100.0
    large = torch.ones(6001)
    sixteen = torch.ones(50, 121, dtype=torch.float16)
    sixteen[17, 3] = 60000.0
    return [(logarithms, roots, columns, large, sixteen)]


def shapes():
    return None
