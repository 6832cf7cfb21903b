"""torchvision's ResNet-50 with random weights, one image: many convolutions, whose kernels ATen brings, and batch norms that
fold into what Inductor generates."""
import torch
import torchvision


def model():
    return torchvision.models.resnet50(weights=None)


def inputs():
    return [(torch.randn(1, 3, 224, 224),)]


def shapes():
    return None
