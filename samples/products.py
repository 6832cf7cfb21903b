"""Matrix products of torch's own, each bad in one element: the report names its row, its column and
the first bad term. Also an embedding bag, in which the tests plant an index that is too large; in
kernels a row that is divided by its norm of 0, and a softmax of a row that is masked."""
import torch


class Products(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(20, 7)
        self.bag = torch.nn.EmbeddingBag(10, 3, mode="sum")

    def forward(self, x, y, big, batch, other, half, rows, mask, ids, offsets):
        plain = x @ y
        sums = big @ big.t()
        batched = torch.bmm(batch, other)
        low = half @ half.t()
        bags = self.bag(ids, offsets)
        unit = rows / rows.norm(dim=1, keepdim=True)
        weights = torch.softmax(rows.masked_fill(mask, float("-inf")), dim=1)
        return plain, sums, batched, low, self.linear(x), bags, unit, weights


def model():
    return Products()


def inputs():
    x = torch.ones(6, 20)
    y = torch.ones(20, 5)
    x[2, 11] = float("inf")
    y[11, 3] = 0.0
    big = torch.ones(4, 30)
    big[1, 7:] = 1e19
    batch = torch.ones(3, 4, 6)
    batch[1, 2, 5] = 3e38
    other = torch.ones(3, 6, 5)
    other[1, 5, 4] = 100.0
    half = torch.ones(8, 300, dtype=torch.float16)
    half[5] = 20.0
    rows = torch.ones(5, 18)
    rows[3] = 0.0
    mask = torch.zeros(5, 18, dtype=torch.bool)
    mask[4] = True
    ids = torch.tensor([0, 5, 9])
    return [(x, y, big, batch, other, half, rows, mask, ids, torch.tensor([0, 2]))]


def shapes():
    return None
