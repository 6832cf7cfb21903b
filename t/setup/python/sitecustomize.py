"""sitecustomize.py - what build/torch/python runs at its start.

To learn what compiler and processor can do, torch builds and loads a program for each instruction
set: in each process that compiles a model or loads a package, and each in a new Python that imports
torch. On a processor with AMX those are six times 2 s, some of them also where
TORCHINDUCTOR_VEC_ISA_OK=1 is set. Here the answers are kept in build/cache.
"""
import os
import sys
from importlib.machinery import PathFinder

NAME = "torch._inductor.cpu_vec_isa"
CACHE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/cache")


def remember(module):
    """Has VecISA.check_build() ask once for each torch, processor, set of flags and program."""
    check = getattr(module.VecISA, "check_build", None)
    if not check:
        return

    def remembered(self, code):
        import hashlib, torch

        with open("/proc/cpuinfo") as file:
            flags = next((line for line in file if line.startswith(("flags", "Features"))), "")
        asked = f"{torch.__version__} {flags} {self._arch_flags} {code}"
        path = os.path.join(CACHE, "vec_isa-" + hashlib.sha256(asked.encode()).hexdigest())
        if not os.path.exists(path):
            with open(f"{path}.{os.getpid()}", "w") as file:
                file.write(str(check(self, code)))
            os.replace(f"{path}.{os.getpid()}", path)
        with open(path) as file:
            return file.read() == "True"

    module.VecISA.check_build = remembered


class Finder:
    """Finds that module as Python does, and changes it when it has been run."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != NAME:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and spec.loader:
            run = spec.loader.exec_module

            def run_and_remember(module):
                run(module)
                remember(module)

            spec.loader.exec_module = run_and_remember
        return spec


sys.meta_path.insert(0, Finder)
