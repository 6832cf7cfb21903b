"""compare.py REQUEST - runs a debug package whose tensors are saved, and names the launches that do
not compute what the exported program does: `aotigen compare`. REQUEST is a file with JSON, which
gen/compare/compare.c writes.

compare.py PACKAGE MODEL DEVICE INPUTS - runs the package once more, for what AOTIGEN_EXPLAIN asks.

Exit status: 0 they agree, 1 they differ, 2 they could not be compared, which standard error tells.
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
import matching
import reference
from hosting import Refused, first_line, index_of, load_library, load_model

NAME_MOST = 100    # bytes of a kernel's name in a file's
EXPLAINED = 3      # launches of which an element's computation is told, at most
EXPLAINED_S = 120  # seconds that this may take
EXPLANATION = re.compile(r"\w+: explained as asked in run 1, launch (\d+)")
NAME = re.compile(r"run0*1_launch(\d+)_\d_(before|after)_(.+)\.pt$")


# ---- what the launches read and wrote


class Saved:
    def __init__(self, path, argument, device):
        self.path, self.argument, self.device, self.known = path, argument, device, None

    def load(self):
        return torch.load(self.path, weights_only=True, map_location=self.device)

    def digest(self):
        self.known = self.known or matching.digest(self.load())
        return self.known


class Launch:
    def __init__(self, number, kernel):
        self.number, self.kernel, self.reads, self.writes = number, kernel, [], []
        self.reads_unknown = False  # it reads what is neither a node's nor a launch's


def as_in_file_name(name):
    """As runtime/output/save_file.c writes a name."""
    return re.sub(rb"[^A-Za-z0-9_.-]", b"_", name.encode())[:NAME_MOST].decode()


def read_saved(directory, kernels, device):
    launches, full = {}, {as_in_file_name(k): k for k in kernels}
    for name in sorted(os.listdir(directory)):
        match = NAME.match(name)
        if not match:
            continue
        number = int(match[1])
        alike = [k for k in full if match[3].startswith(k + "_")]
        kernel = max(alike, key=len, default=match[3])
        launch = launches.setdefault(number, Launch(number, full.get(kernel, kernel)))
        saved = Saved(os.path.join(directory, name), match[3][len(kernel) + 1:], device)
        (launch.reads if match[2] == "before" else launch.writes).append(saved)
    return [launches[n] for n in sorted(launches)]


# ---- the package, as `aotigen list` tells of it


class Listed:
    def __init__(self, request):
        command = [request["aotigen"], "list", "--json"]
        made = subprocess.run(command + request["given"] + [request["package"]], text=True,
                              stdout=subprocess.PIPE, check=False)
        if made.returncode != 0:
            raise Refused("'aotigen list' cannot read '%s'" % request["package"])
        lines = [json.loads(line) for line in made.stdout.splitlines()]
        models = [x for x in lines if x["type"] == "model"]
        if len(models) != 1:
            raise Refused("'%s' has %d models: name one with --model" % (request["package"],
                                                                     len(models)))
        self.model = models[0]["model"]
        self.device = models[0]["device"] or next(
            (x["device"] for x in models[0]["inputs"] if x["device"]), "cpu")
        self.kernels = {x["kernel"] for x in models[0]["kernels"]}
        self.names = {x["name"]: x["python_name"] for x in models[0]["weights"]}
        self.inputs = len(models[0]["inputs"])


# ---- inputs


def flatten(value):
    flat, _ = torch.utils._pytree.tree_flatten(value)
    return [x for x in flat if isinstance(x, torch.Tensor)]


def order_by_name(held, path, program):
    """The tensors of a dictionary, in the order of the model's inputs."""
    names = [node.name for node in program.tensor_inputs()]
    if sorted(held) != sorted(names):
        raise Refused("'%s' has the tensors %s, and the model's inputs are %s" % (
            path, ", ".join(map(str, held)), ", ".join(names)))
    return [held[name] for name in names]


def check_input(node, value, number, source):
    """Of the type and the sizes that the program was exported for."""
    wanted = node.meta.get("val")
    if not isinstance(wanted, torch.Tensor):
        return
    sizes = [x if isinstance(x, int) else None for x in wanted.shape]
    if (value.dtype != wanted.dtype or len(sizes) != value.dim()
            or any(a not in (None, b) for a, b in zip(sizes, value.shape))):
        raise Refused("input %d (%s) of %s is %s %s, and the program wants %s [%s]" % (
            number, node.name, source, str(value.dtype)[6:], list(value.shape),
            str(wanted.dtype)[6:], ", ".join("any" if x is None else str(x) for x in sizes)))


def load_inputs(request, exported, program, device, count):
    path = request["inputs"]
    if path is None and exported.example_inputs is None:
        raise Refused("'%s' has no sample inputs: give some with --inputs=FILE, which "
                      "torch.save() wrote" % request["exported"])
    try:
        held = exported.example_inputs if path is None else torch.load(path, weights_only=True)
    except Exception as error:
        raise Refused("torch.load() cannot read '%s': %s" % (path, first_line(error)))
    if isinstance(held, dict) and "inputs" in held and "outputs" in held:  # a capsule
        held = held["inputs"]
    if isinstance(held, dict):
        held = order_by_name(held, path, program)
    flat = flatten(held)
    if len(flat) != count and isinstance(held, (list, tuple)) and held and isinstance(
            held[0], (list, tuple)):
        flat = flatten(held[0])  # several calls: the first
    source = "'%s'" % path if path else "the program's sample"
    if len(flat) != count:
        raise Refused("%s has %d tensors, and the model wants %d" % (source, len(flat), count))
    for number, (node, value) in enumerate(zip(program.tensor_inputs(), flat)):
        check_input(node, value, number, source)
    return [x.detach().to(device) for x in flat]


# ---- the report


def show(x):
    return "%.9g" % x if isinstance(x, float) else str(x)


def describe_fault(fault, program, how):
    x, launch, line = fault.comparison, fault.launch, program.find_line(fault.node)
    at, shape = x.worst(), x.shape
    return {
        "launch": launch.number, "kernel": launch.kernel, "tensor": fault.tensor.argument,
        "node": fault.node.name, "operator": str(fault.node.target), "count": x.count,
        "numel": x.numel, "element": index_of(at, shape), "ours": x.ours[at].item(),
        "eager": x.eager[at].item(), "float64": x.float64[at].item(), "error": float(x.error[at]),
        "eager_error": float(x.eager_error[at]), "limit": float(x.tolerance[at]),
        "model_lines": [line] if line else [],
        "launches": [n.number for n in fault.launches], "how": how.get(launch.number, []),
    }


# ---- how an element was computed


def requests_of(faults):
    """{launch number: what AOTIGEN_EXPLAIN is to show of it} of the first faults: an element of the
    tensor that the launch wrote, as it lies there."""
    asked = {}
    for fault in faults:
        x, number = fault.comparison, fault.launch.number
        if len(asked) < EXPLAINED and number not in asked and x.shape == fault.tensor.load().shape:
            index = ",".join(map(str, index_of(x.worst(), x.shape)))
            asked[number] = "%d:%s[%s]" % (number, fault.tensor.argument, index)
    return asked


def read_explained(text, asked):
    """{launch number: lines} of the reports on standard error."""
    found, lines = {}, None
    for line in text.splitlines():
        head = EXPLANATION.match(line)
        if head:
            lines = found.setdefault(int(head[1]), []) if int(head[1]) in asked else None
        elif not line.startswith(" "):
            lines = None
        elif lines is not None and (lines or line.startswith("  how ")):
            lines.append(line[16:])
    return found


def explain(faults, request, listed, inputs, device):
    """{launch number: lines}. A run of its own: a process reads AOTIGEN_EXPLAIN once."""
    asked = requests_of(faults)
    again = os.path.join(request["saved"], "again")
    held = os.path.join(again, "inputs.pt")
    if not asked:
        return {}
    os.mkdir(again, 0o700)
    torch.save(inputs, held)
    environment = {**os.environ, "AOTIGEN_OUTPUT_DIR": again,
                   "AOTIGEN_EXPLAIN": ",".join(asked.values()),
                   "AOTIGEN_LAUNCHES": ",".join(map(str, sorted(asked)))}
    command = [sys.executable, "-W", "ignore", __file__, request["package"], listed.model,
               device.type, held, *request["libraries"]]
    try:
        made = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=EXPLAINED_S, check=False)
    except subprocess.TimeoutExpired:
        return {}
    return read_explained(made.stderr.decode(errors="replace"), asked)


def run_explained(package, model, device, inputs, *libraries):
    for name in libraries:
        load_library(name)
    run_package({"package": package}, model, torch.load(inputs), torch.device(device))
    return 0


def describe_weight(name, ours, theirs):
    other = (ours != theirs).reshape(-1) & ~(ours.isnan() & theirs.isnan()).reshape(-1)
    at = int(other.nonzero()[0]) if other.any() else 0
    return {"name": name, "count": int(other.sum()), "numel": other.numel(),
            "element": index_of(at, ours.shape), "ours": ours.reshape(-1)[at].item(),
            "program": theirs.reshape(-1)[at].item()}


def describe_output(i, ours, eager):
    """How far the model's output lies from eager's, of its largest element; infinitely far where
    one of the two is not finite."""
    if not isinstance(ours, torch.Tensor) or not isinstance(eager, torch.Tensor):
        return None
    x, y = (comparison.as_real(t).double().reshape(-1) for t in (ours, eager))
    if x.numel() != y.numel() or not x.numel():
        return {"output": i, "distance": None, "differ": None}
    same = (x == y) | x.isnan() & y.isnan()
    size = y.abs().nan_to_num(0, 0, 0).max()
    error = torch.where(same, 0, (x - y).abs().nan_to_num(torch.inf)).max()
    return {"output": i, "distance": float(error / (size + 1e-300)),
            "differ": int((~same).sum()), "exact": ours.dtype not in comparison.FRACTIONS}


def describe_undecided(name, cause):
    return {"output": name, "launches": [x.number for x in cause.launches] if cause else []}


def as_json(told):
    """Valid JSON, which has no number that is not finite: "nan", "inf", "-inf"."""
    finite = torch.utils._pytree.tree_map(
        lambda x: str(x) if isinstance(x, float) and not math.isfinite(x) else x, told)
    return json.dumps(finite, allow_nan=False)


def print_row(label, text):
    print("  %-13s %s" % (label, text))


def print_fault(x):
    print("launch %d: %s computes something else than the exported program" % (x["launch"],
                                                                              x["kernel"]))
    print_row("output", "%s, which is %s (%s): %d of %d elements are beyond what rounding explains"
              % (x["tensor"], x["node"], x["operator"], x["count"], x["numel"]))
    print_row("element", "%s: %s; from the same inputs eager has %s, float64 %s"
              % (x["element"], show(x["ours"]), show(x["eager"]), show(x["float64"])))
    print_row("error", "%.3g, of eager %.3g; rounding explains up to %.3g"
              % (x["error"], x["eager_error"], x["limit"]))
    for line in x["model_lines"]:
        print_row("model line", line)
    for i, line in enumerate(x["how"]):
        print_row("" if i else "how", line)
    if len(x["launches"]) > 1:
        others = [str(n) for n in x["launches"] if n != x["launch"]]
        print_row("or", "%s, of which what it reads or writes may be wrong in its stead" % (
            "launch " + others[0] if len(others) == 1 else "one of launches " + ", ".join(others)))


def print_output(x):
    if x["exact"]:
        print("output %d: %d elements differ from eager's" % (x["output"], x["differ"]))
    elif math.isfinite(x["distance"]):
        print("output %d: differs from eager's by at most %.3g of its largest element"
              % (x["output"], x["distance"]))
    else:
        print("output %d: differs from eager's, and one of the two is not finite" % x["output"])


def print_report(told):
    for x in told["weights"]:
        print("weight %s is not the program's: %d of %d elements, the first at %s: %s, where the "
              "program has %s" % (x["name"], x["count"], x["numel"], x["element"], show(x["ours"]),
                                  show(x["program"])))
    for x in told["faults"]:
        print_fault(x)
    for x in told["undecided"]:
        print("%s is not the program's, and which launch is at fault is not decided: %s"
              % (x["output"], "launches %s" % ", ".join(map(str, x["launches"]))
                 if x["launches"] else "no launch wrote it that could be matched"))
    for name in told["skipped"]:
        print("%s is not compared: it depends on a branch, a loop, random numbers, or an operator "
              "that torch cannot run here" % name)
    if not told["faults"] and not told["undecided"] and not told["skipped"]:
        print("each of %d launches computes what the exported program does, but for rounding"
              % told["launches"])
    print("%d tensors of %d launches: %d are nodes of the program, %d are internal" % (
        told["tensors"], told["launches"], told["tensors"] - told["internal"], told["internal"]))
    for x in told["outputs"]:
        if x["distance"] is not None:
            print_output(x)


# ---- the whole


def load_program(request, device):
    try:
        exported = torch.export.load(request["exported"])
        return exported, reference.Program(exported, device)
    except Exception as error:
        raise Refused("torch %s cannot load '%s', as torch.export.save() writes one: %s" % (
            torch.__version__, request["exported"], first_line(error)))


def run_package(request, model, inputs, device):
    if device.type == "cuda":
        device = torch.device("cuda", torch.cuda.current_device())
    try:
        return load_model(request["package"], model, device).run(inputs)
    except Exception as error:
        raise Refused("the package did not run: %s" % first_line(error))


def list_results(program, made, passed, launches, names):
    """(name, node, value) of what the model returns, and of what it writes to."""
    found = [("output %d" % i, node, value)
             for i, (node, value) in enumerate(zip(program.outputs, made))]
    inputs = dict(zip((node.name for node in program.tensor_inputs()), passed))
    buffers = {names.get(x.argument): x for launch in launches for x in launch.writes}
    for node, name, is_input in program.mutated:
        value = inputs.get(name) if is_input else (
            buffers[name].load() if name in buffers else None)
        found.append(("%s %s, which the model changes," % (
            "input" if is_input else "buffer", name), node, value))
    return found


def compare(request):
    for name in request["libraries"]:
        load_library(name)
    listed = Listed(request)
    device = torch.device(listed.device)
    exported, program = load_program(request, device)
    inputs = load_inputs(request, exported, program, device, listed.inputs)
    eager = program.run([x.clone() for x in inputs])
    passed = [x.clone() for x in inputs]
    made = run_package(request, listed.model, passed, device)
    found = matching.Matching(program, listed.names)
    found.begin(inputs)
    launches = read_saved(request["saved"], listed.kernels, device)
    if not launches:
        raise Refused("no launch saved what it wrote: does the program load another package?")
    for launch in launches:
        found.step(launch)
    results = list_results(program, made, passed, launches, listed.names)
    found.finish(results)
    faults = sorted(found.faults, key=lambda x: x.launch.number)
    how = explain(faults, request, listed, inputs, device)
    return {
        "faults": [describe_fault(x, program, how) for x in faults],
        "weights": [describe_weight(name, *x) for name, x in found.changed.items()],
        "skipped": found.skipped, "results": len(results),
        "undecided": [describe_undecided(*x) for x in found.undecided],
        "outputs": [x for x in map(describe_output, range(len(made)), made, eager) if x],
        "launches": len(launches), "tensors": found.tensors,
        "internal": len(found.unmatched),
    }


def main():
    if len(sys.argv) > 2:
        return run_explained(*sys.argv[1:])
    with open(sys.argv[1]) as f:
        request = json.load(f)
    try:
        with torch.no_grad():
            told = compare(request)
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
        print_report(told)
    if told["faults"] or told["weights"] or told["undecided"]:
        return 1
    return 2 if told["results"] and len(told["skipped"]) == told["results"] else 0


if __name__ == "__main__":
    sys.exit(main())
