"""Bad values of sums and maxima that several threads compute in parts, each in a kernel of its own;
of a kernel that overwrites what it reads, of one that stores where loaded indices say, and of a
running sum: what the line `how` of a report shows."""
import torch


class ExplainedThreads(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.identity = torch.nn.Parameter(torch.eye(6))

    def forward(self, logarithms, roots, columns, large, sixteen, y, rows, column):
        total = torch.log(logarithms).sum()
        greatest = torch.sqrt(roots).amax()
        each = torch.exp(columns).sum(dim=0)
        overflow = (large * 1e36).sum()
        halves = (sixteen * 2).sum()
        # Inductor computes this in the memory of the product.
        in_place = torch.log(y @ self.identity + 1.0)
        put = torch.zeros(10, 10).index_put((rows, column), torch.log(y[0] - y[2] + 1.0))
        running = torch.cumsum(large[:70] * 1e38, dim=0)
        return total, greatest, each, overflow, halves, in_place, put, running


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
    y = torch.zeros(6, 6)
    y[2, 3] = 100.0
    y[4, 1] = -3.0
    rows, column = torch.tensor([7, 1, 4, 2, 9, 0]), torch.tensor([0, 5, 3, 8, 1, 2])
    return [(logarithms, roots, columns, large, sixteen, y, rows, column)]


def shapes():
    return None
