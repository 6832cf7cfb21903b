"""Two linear layers with a GELU between them and a softmax behind; a dynamic batch of 2 to 1024."""
import torch


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.widen = torch.nn.Linear(64, 256)
        self.narrow = torch.nn.Linear(256, 10)

    def forward(self, x):
        hidden = torch.nn.functional.gelu(self.widen(x))
        return torch.softmax(self.narrow(hidden), dim=-1)


def model():
    return Classifier()


def inputs():
    return [(torch.randn(8, 64),), (torch.randn(2, 64),), (torch.randn(133, 64),)]


def shapes():
    return ({0: torch.export.Dim("batch", min=2, max=1024)},)
