"""samples/gpt2.py at a size that compiles in seconds: the same graph, two blocks of width 64."""
import torch

import gpt2


def model():
    return gpt2.GPT2(width=64, heads=4, layers=2, words=512, length=64)


def inputs():
    return [(torch.randint(0, 512, (1, 32)),)]


def shapes():
    return None
