"""run.py SO|PT2 OUTDIR [OPTION]... - runs a compiled sample and compares its outputs with those of
the plain model, bit for bit.

OUTDIR is what emit.py filled. Options:
  --and=FILE      another SO or PT2 to run after it; may be given again. The name of each is printed
                  before it runs, on stdout and on stderr
  --model=NAME    import this sample first (custom ops must be known before they are called)
  --device=DEV    cpu (default) or cuda
  --poke=PYTHON   statements to run before, with `inputs` (a list of lists of tensors), `runner`,
                  `torch` and `nan`
  --only=N        only the Nth of the inputs, from 0
  --save=FILE     where to torch.save what came out
  --repeat=N      run everything N times; --time prints the median of a run in milliseconds

Ends with 0 where all is the same, 1 where something differs, 3 where a run failed.
"""
import importlib
import os
import statistics
import sys
import time

import torch


def load(so, device, cubin_dir):
    so = os.path.abspath(so)
    if so.endswith(".pt2"):
        from torch._inductor import aoti_load_package

        # A call of the loaded model hands its flattened inputs to this.
        return aoti_load_package(so).loader
    if device == "cpu":
        return torch._C._aoti.AOTIModelContainerRunnerCpu(so, 1)
    return torch._C._aoti.AOTIModelContainerRunnerCuda(so, 1, device, os.path.abspath(cubin_dir))


def run_all(runner, inputs):
    """Inputs are cloned: a model may write into them. They live to the end: what is explained
    after a run is read from them."""
    clones = [[x.clone() for x in args if isinstance(x, torch.Tensor)] for args in inputs]
    return [runner.run(args) for args in clones]


def same(a, b):
    """Bit for bit: a NaN equals only the same NaN, and 0.0 is not -0.0. The storage too, which a
    host may look at."""
    if a.dtype != b.dtype or a.shape != b.shape or a.stride() != b.stride():
        return False
    if a.storage_offset() != b.storage_offset():
        return False
    if a.untyped_storage().nbytes() != b.untyped_storage().nbytes():
        return False
    a, b = (x.detach().cpu().contiguous().reshape(-1).view(torch.uint8) for x in (a, b))
    return torch.equal(a, b)


def options(arguments):
    given = {"and": None, "model": None, "device": "cpu", "poke": None, "only": None, "save": None,
        "repeat": "1", "time": None}
    rest = []
    for argument in arguments:
        if not argument.startswith("--"):
            rest.append(argument)
            continue
        name, _, value = argument[2:].partition("=")
        if name not in given:
            sys.exit(__doc__)
        given[name] = [*(given[name] or []), value] if name == "and" else value
    if len(rest) != 2:
        sys.exit(__doc__)
    return rest[0], rest[1], given


def main():
    so, outdir, given = options(sys.argv[1:])
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if given["model"]:
        importlib.import_module(given["model"])
    inputs = [list(x) for x in torch.load(os.path.join(outdir, "inputs.pt"))]
    expected = torch.load(os.path.join(outdir, "outputs.pt")) if os.path.exists(
        os.path.join(outdir, "outputs.pt")) else None
    if given["only"] is not None:
        inputs = [inputs[int(given["only"])]]
        expected = expected and [expected[int(given["only"])]]
    for file in [so, *(given["and"] or [])]:
        if given["and"]:
            for stream in (1, 2):
                os.write(stream, f"run.py: {os.path.basename(file)}\n".encode())
        status = run_one(file, outdir, given, inputs, expected)
        if status:
            return status
    return 0


def run_one(so, outdir, given, inputs, expected):
    try:
        runner = load(so, given["device"], outdir)
        if given["poke"]:
            exec(given["poke"],
                {"inputs": inputs, "runner": runner, "torch": torch, "nan": float("nan")})
        times = []
        for _ in range(int(given["repeat"])):
            start = time.perf_counter()
            outputs = run_all(runner, inputs)
            times.append(time.perf_counter() - start)
        if given["device"] == "cuda":
            torch.cuda.synchronize()  # as a program that uses the outputs does
    except RuntimeError as error:
        print(f"run.py: the run failed: {error}", file=sys.stderr)
        return 3
    if given["time"] is not None:
        print(f"{statistics.median(times) * 1000:.4f}")
    if given["save"]:
        torch.save(outputs, given["save"])
    if given["poke"] or expected is None:
        return 0
    if [len(run) for run in outputs] != [len(run) for run in expected]:
        print("run.py: not as many outputs as the plain model's", file=sys.stderr)
        return 1
    for n, (run, wanted) in enumerate(zip(outputs, expected)):
        for k, (a, b) in enumerate(zip(run, wanted)):
            if not same(a, b):
                print(f"run.py: output {k} for inputs {n} is not the plain model's",
                    file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
