"""compare.py REQUEST - runs a debug package whose tensors are saved, and names the launches that do
not compute what the exported program does: `aotigen compare`. REQUEST is a file with JSON, which
gen/compare/compare.c writes.

compare.py PACKAGE MODEL DEVICE INPUTS - runs the package once more, for what AOTIGEN_EXPLAIN asks.

Exit status: 0 they agree, 1 they differ, 2 they could not be compared, which standard error tells.
"""

import os
import re
import subprocess
import sys

import torch

import matching
import reference
import runs
from hosting import Refused, first_line, index_of, load_library
from runs import Launch, as_json, read_saved

EXPLAINED = 3      # launches of which an element's computation is told, at most
EXPLAINED_S = 120  # seconds that this may take
EXPLANATION = re.compile(r"\w+: explained as asked in run 1, launch (\d+)")


def load_inputs(request, exported, program, device):
    if request["inputs"] is None and exported.example_inputs is None:
        raise Refused("'%s' has no sample inputs: give some with --inputs=FILE, which "
                      "torch.save() wrote" % request["exported"])
    wanted = []
    for node in program.tensor_inputs():
        value = node.meta.get("val")
        known = isinstance(value, torch.Tensor)
        wanted.append(runs.Wanted(
            node.name, str(value.dtype)[6:] if known else None,
            [x if isinstance(x, int) else None for x in value.shape] if known else None))
    flat = runs.load_inputs(request["inputs"], exported.example_inputs, wanted, "the program")
    return [x.to(device) for x in flat]


# ---- the report


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
    runs.run_package(package, model, torch.load(inputs), runs.find_device(device))
    return 0


def describe_undecided(name, cause):
    return {"output": name, "launches": [x.number for x in cause.launches] if cause else []}


def print_fault(x):
    print("launch %d: %s computes something else than the exported program" % (x["launch"],
                                                                              x["kernel"]))
    runs.print_row("output", "%s, which is %s (%s)" % (x["tensor"], x["node"], x["operator"]))
    runs.print_row("wrong", "%d of %d elements are beyond what rounding explains" % (
        x["count"], x["numel"]))
    runs.print_row("element", "%s: %s" % (x["element"], runs.show(x["ours"])))
    runs.print_row("expected", "%s as in eager, %s in float64, from the same inputs" % (
        runs.show(x["eager"]), runs.show(x["float64"])))
    runs.print_row("error", "%.3g, of eager %.3g; rounding explains up to %.3g" % (
        x["error"], x["eager_error"], x["limit"]))
    for line in x["model_lines"]:
        runs.print_row("model line", line)
    for i, line in enumerate(x["how"]):
        runs.print_row("" if i else "how", line)
    runs.print_elsewhere(x["launches"], x["launch"])


def print_report(told):
    for x in told["weights"]:
        print("weight %s is not the program's: %d of %d elements, the first at %s: %s, where the "
              "program has %s" % (x["name"], x["count"], x["numel"], x["element"],
                                  runs.show(x["ours"]), runs.show(x["program"])))
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
        runs.print_output(x, "eager")


# ---- the whole


def load_program(request, device):
    try:
        exported = torch.export.load(request["exported"])
        return exported, reference.Program(exported, device)
    except Exception as error:
        raise Refused("torch %s cannot load '%s', as torch.export.save() writes one: %s" % (
            torch.__version__, request["exported"], first_line(error)))


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
    listed = runs.Listed(request, request["package"])
    device = torch.device(listed.device)
    exported, program = load_program(request, device)
    inputs = load_inputs(request, exported, program, device)
    eager = program.run([x.clone() for x in inputs])
    passed = [x.clone() for x in inputs]
    made = runs.run_package(request["package"], listed.model, passed,
                            runs.find_device(listed.device))
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
        "weights": [runs.describe_weight(name, *x, "program") for name, x in found.changed.items()],
        "skipped": found.skipped, "results": len(results),
        "undecided": [describe_undecided(*x) for x in found.undecided],
        "outputs": [x for x in map(runs.describe_output, range(len(made)), made, eager) if x],
        "launches": len(launches), "tensors": found.tensors,
        "internal": len(found.unmatched),
    }


def status_of(told):
    if told["faults"] or told["weights"] or told["undecided"]:
        return 1
    return 2 if told["results"] and len(told["skipped"]) == told["results"] else 0


if __name__ == "__main__":
    sys.exit(run_explained(*sys.argv[1:]) if len(sys.argv) > 2
             else runs.tell(sys.argv[1], compare, print_report, status_of))
