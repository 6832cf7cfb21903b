"""Elements looked up by the elements of other tensors, each in a kernel of its own. Nothing is
reported until the tests change an index: the kernel's assert throws then."""
import torch


class LookedUp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(100, 32)

    def forward(self, ids, rows, columns, batch, picks, values, offsets, places, scores, targets):
        embedded = torch.relu(self.table(ids))
        gathered = torch.gather(rows, 1, columns) * 2.0
        picked = batch[picks] + 1.0
        selected = torch.index_select(rows, 0, places).exp()
        lengths = offsets[1:] - offsets[:-1]
        firsts = values[offsets[:-1]] / lengths
        put = rows.new_zeros(9, 5).index_put((places,), rows[:3] + 1.0)
        best = torch.sort(scores)[1] // 3  # of another launch
        chosen = values[best + offsets[:4]] * 3.0
        ones = torch.ones(4, 3, device=rows.device)
        multiplied = ones.scatter_reduce(0, targets, rows[:2, :3], "prod")  # a call of ATen's
        return embedded, gathered, picked, selected, firsts, put, chosen, multiplied


def model():
    return LookedUp()


def inputs():
    torch.manual_seed(1)
    ids = torch.tensor([[1, 5, 99, 0], [7, 8, 9, 10]])
    rows = torch.randn(6, 5)
    columns = torch.tensor([[0, 1], [2, 3], [4, 0], [1, 1], [2, 2], [3, 3]])
    batch = torch.randn(7, 3)
    picks = torch.tensor([0, 6, 3, 2])
    values = torch.randn(20)
    offsets = torch.tensor([0, 4, 9, 15, 20])
    places = torch.tensor([0, 5, 2])
    scores = torch.tensor([3.0, 1.0, 2.0, 0.0])
    targets = torch.tensor([[0, 3, 1], [2, 0, 1]])
    return [(ids, rows, columns, batch, picks, values, offsets, places, scores, targets)]


def shapes():
    batch = torch.export.Dim("batch", min=0, max=1000)
    return (None, None, None, {0: batch}, None, None, None, None, None, None)
