"""torchvision's ResNet-50 with random weights, one image.

Many convolutions, which are ATen's kernels, and batch norms, which Inductor fuses into its own.
"""
import torch
import torchvision


def model():
    return torchvision.models.resnet50(weights=None)


def inputs():
    return [(torch.randn(1, 3, 224, 224),)]


def shapes():
    return None
