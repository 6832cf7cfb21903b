"""A custom operator between two operators that Inductor compiles.

It returns what its fake implementation promised to the compiler. The tests set `fault` to make it
return something else at run time.
"""
import torch

fault = None
broken = {
    "nan": lambda y: torch.where(torch.arange(y.shape[1], device=y.device) == 3, float("nan"), y),
    "dtype": lambda y: y.double(),
    "device": lambda y: y.to("meta" if y.device.type == "cpu" else "cpu"),
    "storage": lambda y: (y.untyped_storage().resize_(y.untyped_storage().nbytes() // 2), y)[1],
}


@torch.library.custom_op("samples::clip_rows", mutates_args=())
def clip_rows(x: torch.Tensor, limit: float) -> torch.Tensor:
    norm = x.norm(dim=1, keepdim=True)
    y = x * torch.clamp(limit / norm, max=1.0)
    return broken[fault](y) if fault else y


@clip_rows.register_fake
def _(x, limit):
    return torch.empty_like(x)


class Clipped(torch.nn.Module):
    def forward(self, x):
        return torch.sin(clip_rows(x * 2, 3.0)) + 1


def model():
    return Clipped()


def inputs():
    return [(torch.randn(64, 128),)]


def shapes():
    return None
