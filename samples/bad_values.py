"""NaN and Inf by operations of many kinds, one for each of the inputs: element 3 * k + 1 of the
k-th. What the line `how` of a report shows of each."""
import torch

# Each entry: what it computes from x and y, their ordinary values, and their bad ones. Lengths
# differ, so that no two entries share a kernel.
MAKES = [
    (lambda x, y: torch.sqrt(x) * y, (4.0, 1.0), (-1.0, 1.0)),
    (lambda x, y: torch.rsqrt(x) + y, (4.0, 1.0), (0.0, 1.0)),
    (lambda x, y: torch.log(x) + y, (4.0, 1.0), (0.0, 1.0)),
    (lambda x, y: torch.log1p(x) + y, (4.0, 1.0), (-2.0, 1.0)),
    (lambda x, y: torch.reciprocal(x) - y, (4.0, 1.0), (0.0, 1.0)),
    (lambda x, y: torch.exp(x) * y, (1.0, 1.0), (100.0, 0.0)),
    (lambda x, y: torch.fmod(x, y), (5.0, 3.0), (5.0, 0.0)),
    (lambda x, y: torch.exp(x) + y, (1.0, 1.0), (89.0, 1.0)),
    (lambda x, y: torch.expm1(x) + y, (1.0, 1.0), (100.0, 1.0)),
    (lambda x, y: torch.pow(x, y), (8.0, 0.5), (-8.0, 0.5)),
    (lambda x, y: torch.acos(x) + y, (0.5, 1.0), (2.0, 1.0)),
    (lambda x, y: torch.atanh(x) + y, (0.5, 1.0), (1.0, 1.0)),
    (lambda x, y: torch.sinh(x) / y, (0.5, 1.0), (95.0, 1.0)),
    (lambda x, y: torch.log(1.0 - torch.sigmoid(x)) * y, (0.5, 1.0), (40.0, 0.0)),
    (lambda x, y: (x * y).to(torch.float16) + 1.0, (2.0, 2.0), (300.0, 300.0)),
    (lambda x, y: (x.to(torch.bfloat16) * 2.0) - y, (2.0, 1.0), (3e38, 1.0)),
    (lambda x, y: (x.double() * 1e300) * y.double(), (1.0, 1.0), (1e10, 1e10)),
    (lambda x, y: 1.0 / (x.int() // 2 - 1) + y, (8.0, 1.0), (2.0, 1.0)),
]
LENGTHS = [64 + 3 * k for k in range(len(MAKES))]


class BadValues(torch.nn.Module):
    """After what is above, in rows: the mean under an empty mask, the norm of a row of zeros, a
    deviation that overflows, a batch norm with a negative variance, log-softmax of a masked row,
    the sum of Inf and -Inf, and variances of rows and of columns that overflow."""

    def forward(self, rows, counted, zeros, single, variance, masked, opposite, wide, tall, *pairs):
        made = [make(*pairs[2 * k : 2 * k + 2]) for k, (make, _, _) in enumerate(MAKES)]
        mean = (rows * counted).sum(dim=1) / counted.sum(dim=1)
        unit = zeros / zeros.norm(dim=1, keepdim=True)
        deviation = torch.std(single, dim=1)
        norm = torch.nn.functional.batch_norm(rows.t(), torch.zeros_like(variance), variance)
        loss = torch.log_softmax(masked, dim=1)
        total = opposite.sum(dim=1)
        across = torch.var(wide, dim=1)
        down = torch.var(tall, dim=0)
        return *made, mean, unit, deviation, norm, loss, total, across, down


def model():
    return BadValues()


def ordinary():
    rows = [torch.ones(9, 11), torch.ones(9, 11), torch.ones(10, 12), torch.ones(14, 2)]
    rows += [torch.ones(9), torch.zeros(12, 13), torch.zeros(13, 14)]
    rows += [torch.ones(15, 43), torch.ones(45, 19)]
    for length, (_, values, _) in zip(LENGTHS, MAKES):
        rows += [torch.full((length,), v) for v in values]
    rows[3][:, 0] = 0.0
    return rows


def with_bad_pair(k):
    args = ordinary()
    for tensor, v in zip(args[9 + 2 * k :], MAKES[k][2]):
        tensor[3 * k + 1] = v
    return tuple(args)


def with_bad_row(at, *values):
    """values: each an index and what is stored there."""
    args = ordinary()
    for index, v in values:
        args[at][index] = v
    return tuple(args)


def inputs():
    """The k-th is bad in the k-th of what the model makes, and nowhere else."""
    inf = float("inf")
    return [with_bad_pair(k) for k in range(len(MAKES))] + [
        with_bad_row(1, (5, 0.0)),
        with_bad_row(2, (6, 0.0)),
        with_bad_row(3, ((4, 0), 3e38), ((4, 1), -3e38)),
        with_bad_row(4, (7, -1.0)),
        with_bad_row(5, (8, -inf)),
        with_bad_row(6, ((9, 2), inf), ((9, 11), -inf)),
        with_bad_row(7, ((10, 20), 3e38)),
        with_bad_row(8, ((21, 11), 3e38)),
    ]


def shapes():
    return None
