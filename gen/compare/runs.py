"""runs.py - packages that are run, and what their launches read and wrote: what compare.py and
bisection.py have in common.

runs.py PACKAGE MODEL DEVICE FD [LIBRARY...] - loads a package, and runs it once for each line of
standard input, {"inputs": FILE, "outputs": FILE}; to FD goes {} or {"error": TEXT}. Behind the
outputs are the inputs, as the run left them.
"""

import json
import math
import os
import re
import subprocess
import sys
import traceback

import torch

import comparison
from hosting import Refused, first_line, index_of, load_library, load_model

NAME_MOST = 100  # bytes of a kernel's name in a file's
NAME = re.compile(r"run0*(\d+)_launch(\d+)_\d_(before|after)_(.+)\.pt$")


# ---- what the launches read and wrote


class Saved:
    def __init__(self, path, argument, device):
        self.path, self.argument, self.device, self.known = path, argument, device, None

    def load(self):
        return torch.load(self.path, weights_only=True, map_location=self.device)

    def digest(self):
        self.known = self.known or comparison.digest(self.load())
        return self.known


class Launch:
    def __init__(self, number, kernel):
        self.number, self.kernel, self.reads, self.writes = number, kernel, [], []
        self.reads_unknown = False  # it reads what is neither a node's nor a launch's


def as_in_file_name(name):
    """As runtime/output/save_file.c writes a name."""
    return re.sub(rb"[^A-Za-z0-9_.-]", b"_", name.encode())[:NAME_MOST].decode()


def read_saved(directory, kernels, device, run=1):
    launches, full = {}, {as_in_file_name(k): k for k in kernels}
    for name in sorted(os.listdir(directory)):
        match = NAME.match(name)
        if not match or int(match[1]) != run:
            continue
        number = int(match[2])
        alike = [k for k in full if match[4].startswith(k + "_")]
        kernel = max(alike, key=len, default=match[4])
        launch = launches.setdefault(number, Launch(number, full.get(kernel, kernel)))
        saved = Saved(os.path.join(directory, name), match[4][len(kernel) + 1:], device)
        (launch.reads if match[3] == "before" else launch.writes).append(saved)
    return [launches[n] for n in sorted(launches)]


def stem_of(argument):
    """The name of one that is an argument twice."""
    return re.sub(r"_\d+$", "", argument)


# ---- the package, as `aotigen list` tells of it


def run_list(request, package, *options):
    command = [request["aotigen"], "list", "--json", *request["given"], *options, package]
    made = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.DEVNULL if options else None)
    return made.stdout if made.returncode == 0 else None


class Listed:
    """`exported`: a program that may have the lines of the model, or None."""

    def __init__(self, request, package, exported=None):
        text = run_list(request, package, "--exported=" + exported) if exported else None
        text = run_list(request, package) if text is None else text
        if text is None:
            raise Refused("'aotigen list' cannot read '%s'" % package)
        lines = [json.loads(line) for line in text.splitlines()]
        models = [x for x in lines if x["type"] == "model"]
        if len(models) != 1:
            raise Refused("'%s' has %d models: name one with --model" % (package, len(models)))
        self.package, self.model = package, models[0]["model"]
        self.device = models[0]["device"] or next(
            (x["device"] for x in models[0]["inputs"] if x["device"]), "cpu")
        self.kernels = {x["kernel"] for x in models[0]["kernels"]}
        self.names = {x["name"]: x["python_name"] for x in models[0]["weights"]}
        self.inputs, self.outputs = models[0]["inputs"], models[0]["outputs"]
        self.sites = [x for x in lines if x["type"] == "site" and not x.get("skipped")]


# ---- inputs


class Wanted:
    """An input: its name, its type and its sizes, None of each that is any."""

    def __init__(self, name, dtype, sizes):
        self.name, self.dtype, self.sizes = name, dtype, sizes

    def describe(self):
        return "%s [%s]" % (self.dtype or "of any type", ", ".join(
            "any" if x is None else str(x) for x in self.sizes))

    def is_met(self, value):
        return (self.dtype in (None, str(value.dtype)[6:]) and len(self.sizes) == value.dim()
                and all(a in (None, b) for a, b in zip(self.sizes, value.shape)))


def flatten(value):
    flat, _ = torch.utils._pytree.tree_flatten(value)
    return [x for x in flat if isinstance(x, torch.Tensor)]


def order_by_name(held, path, names):
    """The tensors of a dictionary, in the order of the model's inputs."""
    if sorted(held) != sorted(names):
        raise Refused("'%s' has the tensors %s, and the model's inputs are %s" % (
            path, ", ".join(map(str, held)), ", ".join(names)))
    return [held[name] for name in names]


def load_held(path):
    try:
        return torch.load(path, weights_only=True)
    except Exception as error:
        raise Refused("torch.load() cannot read '%s': %s" % (path, first_line(error)))


def load_inputs(path, samples, wanted, wants):
    """A list of tensors, of a file or of a program's samples. `wanted`: a Wanted or None of each;
    `wants`: who wants them."""
    held = samples if path is None else load_held(path)
    if isinstance(held, dict) and "inputs" in held and "outputs" in held:  # a capsule
        held = held["inputs"]
    if isinstance(held, dict):
        held = order_by_name(held, path, [x.name for x in wanted])
    flat, count = flatten(held), len(wanted)
    if len(flat) != count and isinstance(held, (list, tuple)) and held and isinstance(
            held[0], (list, tuple)):
        flat = flatten(held[0])  # several calls: the first
    source = "'%s'" % path if path else "the program's sample"
    if len(flat) != count:
        raise Refused("%s has %d tensors, and the model wants %d" % (source, len(flat), count))
    for i, (x, value) in enumerate(zip(wanted, flat)):
        if x.sizes is not None and not x.is_met(value):
            raise Refused("input %d (%s) of %s is %s %s, and %s wants %s" % (
                i, x.name, source, str(value.dtype)[6:], list(value.shape), wants, x.describe()))
    return [x.detach() for x in flat]


def find_device(name):
    device = torch.device(name)
    return torch.device("cuda", torch.cuda.current_device()) if device.type == "cuda" else device


def run_package(package, model, inputs, device):
    try:
        return load_model(package, model, device).run(inputs)
    except Exception as error:
        raise Refused("the package did not run: %s" % first_line(error))


# ---- what is told


def show(x):
    return "%.9g" % x if isinstance(x, float) else str(x)


def print_row(label, text):
    print("  %-13s %s" % (label, text))


def print_elsewhere(launches, own):
    others = [str(n) for n in launches if n != own]
    if others:
        print_row("or", "%s, of which what it reads or writes may be wrong in its stead" % (
            "launch " + others[0] if len(others) == 1 else "one of launches " + ", ".join(others)))


def describe_weight(name, ours, theirs, whose):
    """`whose`: the key of the other's element."""
    other = (ours != theirs).reshape(-1) & ~(ours.isnan() & theirs.isnan()).reshape(-1)
    at = int(other.nonzero()[0]) if other.any() else 0
    return {"name": name, "count": int(other.sum()), "numel": other.numel(),
            "element": index_of(at, ours.shape), "ours": ours.reshape(-1)[at].item(),
            whose: theirs.reshape(-1)[at].item()}


def describe_output(name, ours, theirs):
    """How far what the model returns lies from another one, of its largest element; infinitely far
    where one of the two is not finite."""
    if not isinstance(ours, torch.Tensor) or not isinstance(theirs, torch.Tensor):
        return None
    x, y = (comparison.as_real(t).double().reshape(-1) for t in (ours, theirs))
    if x.numel() != y.numel() or not x.numel():
        return {"output": name, "distance": None, "differ": None, "exact": True}
    same = (x == y) | x.isnan() & y.isnan()
    size = y.abs().nan_to_num(0, 0, 0).max()
    error = torch.where(same, 0, (x - y).abs().nan_to_num(torch.inf)).max()
    return {"output": name, "distance": float(error / (size + 1e-300)),
            "differ": int((~same).sum()), "exact": ours.dtype not in comparison.FRACTIONS}


def print_output(x, whose):
    name = "output %d" % x["output"] if isinstance(x["output"], int) else x["output"]
    if x["distance"] is None:
        return
    if x["exact"]:
        print("%s: %d elements differ from %s's" % (name, x["differ"], whose))
    elif math.isfinite(x["distance"]):
        print("%s: differs from %s's by at most %.3g of its largest element"
              % (name, whose, x["distance"]))
    else:
        print("%s: differs from %s's, and one of the two is not finite" % (name, whose))


def as_json(told):
    """Valid JSON, which has no number that is not finite: "nan", "inf", "-inf"."""
    finite = torch.utils._pytree.tree_map(
        lambda x: str(x) if isinstance(x, float) and not math.isfinite(x) else x, told)
    return json.dumps(finite, allow_nan=False)


def tell(path, compute, show_all, status):
    """The whole of a script whose request is in this file. Returns the exit status."""
    with open(path) as f:
        request = json.load(f)
    try:
        with torch.no_grad():
            told = compute(request)
    except Refused as error:
        print("aotigen: error: %s" % error, file=sys.stderr)
        return 2
    except Exception:
        if request["verbose"]:
            traceback.print_exc()
        kind, error, _ = sys.exc_info()
        print("aotigen: error: %s: %s" % (kind.__name__, first_line(error)), file=sys.stderr)
        return 2
    if request["json"]:
        print(as_json(told))
    else:
        show_all(told)
    return status(told)


# ---- one run after another, in a process of its own


def serve(package, model, device, reply, *libraries):
    def answer(what):
        os.write(int(reply), (json.dumps(what) + "\n").encode())
    try:
        for name in libraries:
            load_library(name)
        device = find_device(device)
        runner = load_model(package, model, device)
        for line in sys.stdin:
            asked = json.loads(line)
            given = [x.to(device) for x in torch.load(asked["inputs"], weights_only=True)]
            torch.manual_seed(0)  # the same random numbers in each run
            made = [*runner.run(given), *given]
            torch.save([x.detach().cpu() if isinstance(x, torch.Tensor) else None for x in made],
                       asked["outputs"])
            answer({})
    except Exception as error:
        answer({"error": first_line(error)})
    return 0


if __name__ == "__main__":
    with torch.no_grad():
        sys.exit(serve(*sys.argv[1:]))
