"""hosting.py - what the scripts have in common that a Python with torch runs for `aotigen replay`
and `aotigen compare`."""

import importlib.util
import os
import sys

import torch


class Refused(Exception):
    """The run cannot be made, for what is said."""


def first_line(error):
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:300]


def index_of(flat, sizes):
    index = []
    for n in reversed(sizes):
        index.insert(0, flat % n)
        flat //= n
    return index


# ---- what a program loads


def load_model(package, name, device, single_threaded=False):
    """Versions differ in how many arguments the loader takes."""
    most = (package, name, single_threaded, 1, device.index if device.type == "cuda" else -1)
    error = None
    for n in (5, 4, 3, 2):
        try:
            return torch._C._aoti.AOTIModelPackageLoader(*most[:n])
        except TypeError as another:
            error = another
    raise error


def run_module(path):
    """Under a name of our own: the file's may be that of a module which torch imports."""
    sys.path.append(os.path.dirname(path))
    name = "aotigen_library_%d" % len(sys.modules)
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


def load_library(name):
    """What registers operators of the model's own."""
    try:
        if name.endswith(".py"):
            run_module(os.path.abspath(name))
        else:
            torch.ops.load_library(name)
    except Exception as error:
        raise Refused("'%s' of --library cannot be loaded: %s" % (name, first_line(error)))
