"""A sound model of odd parts: what it computes holds Inf on purpose, unset elements, no elements,
integers of each width, complex numbers, views and transposed inputs. No check may say anything.
"""
import torch


class Odd(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(4, 4, 3, padding=1)
        self.drop = torch.nn.Dropout(0.5)
        mask = torch.full((6, 6), float("-inf")).triu(1)
        self.register_buffer("mask", mask)

    def forward(self, x, transposed, ids, flags, bytes_, empty):
        scores = torch.softmax(x @ x.transpose(1, 2) + self.mask, dim=-1)
        masked = x.masked_fill(flags[:, None, None], float("-inf"))
        highest = masked.amax(dim=-1)
        padded = torch.nn.functional.pad(x, (1, 1), value=float("-inf"))
        pooled = torch.nn.functional.max_pool1d(padded, 3, stride=1)
        top, where = torch.topk(x, 2, dim=-1)
        ordered, order = torch.sort(x, dim=1, descending=True)
        waves = torch.fft.rfft(x, dim=-1)
        unset = x.new_empty(x.shape[0], 6, 4)
        unset[:, :, 0] = x[:, :, 0]
        chosen = unset[:, :, 0] + 1
        none = empty + 1
        counts = (bytes_ + 3).to(torch.int16) * 2
        table = torch.nn.functional.one_hot(ids % 5, 5)
        found = torch.searchsorted(torch.arange(8, device=ids.device), ids)
        safe = torch.where(x > 0, torch.log(x), torch.zeros_like(x))
        divided = torch.nan_to_num(x / (x * 0))
        convolved = self.drop(self.conv(x.transpose(1, 2)))
        sums = torch.cumsum(x, dim=1)
        lowest = torch.sort(torch.where(x > 0, x, float("inf")), dim=1)[0].isinf()
        ranked = torch.topk(masked, 2, dim=1)[0].isinf()
        matrix = transposed @ torch.ones(3, 2, device=x.device)
        return (scores, highest.isinf(), pooled, top, where, ordered, order, waves.abs(), chosen,
            none.sum(), counts, table, found, safe, divided, convolved, sums, matrix,
            lowest, ranked,
            flags.logical_not(), x.double().mean())


def model():
    return Odd()


def inputs():
    def make(batch):
        return (torch.randn(batch, 6, 4), torch.randn(5, 3), torch.randint(0, 8, (batch, 7)),
            torch.arange(batch) % 2 == 0, torch.randint(-100, 100, (batch, 3), dtype=torch.int8),
            torch.randn(0, 4))

    return [make(3), make(2), make(7)]


def shapes():
    batch = torch.export.Dim("batch", min=2, max=64)
    return ({0: batch}, None, {0: batch}, {0: batch}, {0: batch}, None)
