"""model_lines.py DIR SEED... [--aotigen=FILE]: does each screen name the right line?

For each seed: makes a random model, an operation in each line; exports, compiles and rewrites it,
all kept below DIR. Plants bad values in copies of its inputs and weights, one in each run, and
compares what is said of a run with the exported program, run node by node in eager mode: the truth
is a node whose result is bad while what it reads is not, or, where it computes element by element,
at an element where what it reads is not; or the planted element itself.
Prints a line for each fault, "SEED FAULT VERDICT ...", and how many there are of each verdict:

  right       one line is shown, and it is that of the node
  candidate   several are, called candidates, and that of the node is one
  wrong       the node's is not among those that are shown, or it is among several that are not
              called candidates
  none        no line is shown
  element     the name and element of an input or a weight are right
  misnamed    they are not
  silent      nothing was found: no value of a launch shows it
"""
import argparse
import collections
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import unittest.mock

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FAULTS, ARRIVED = 8, 2
VALUES = [float("nan"), float("inf"), -float("inf"), 0.0, -3.0, 3e38, -3e38, 1e20, -1e20]

# ---- a random model


class Writer:
    """Writes lines of forward(), and runs each, so that the sound model has no bad value."""

    def __init__(self, rng):
        self.rng = rng
        self.rows, self.columns = rng.choice([(6, 8), (5, 16), (12, 7), (4, 33)])
        self.values = {}
        self.layers = {}
        self.lines = []
        self.inputs = []
        for name in ["x", "y", "z"][: rng.choice([1, 2, 3])]:
            self.inputs.append(name)
            self.values[name] = torch.rand(self.rows, self.columns) * 2 + 0.5

    def pick(self, like=None):
        names = list(self.values)
        weights = [1 + 3 * i for i in range(len(names))]
        while True:
            name = self.rng.choices(names, weights)[0]
            if like is None or self.values[name].shape == self.values[like].shape:
                return name

    def texts(self):
        a = self.pick()
        b = self.pick(like=a)
        n = self.values[a].shape[-1]
        c = self.rng.choice(["0.5", "2.0", "3.0", "1.5"])
        unary = ["log", "sqrt", "rsqrt", "exp", "sin", "tanh", "abs", "sigmoid", "reciprocal",
                 "relu", "log1p"]
        yield from (f"torch.{op}({a})" for op in unary)
        yield from (f"{a} {op} {b}" for op in ["+", "-", "*", "/", "/", "/"])
        yield from (f"{a} {op} {c}" for op in ["+", "-", "*", "/", "/"])
        yield f"{c} / {a}"
        yield f"torch.maximum({a}, {b})"
        yield f"torch.where({a} > {c}, {a}, {b})"
        yield f"torch.clamp({a}, min=-{c})"
        yield f"torch.pow({a}, 2)"
        yield f"torch.softmax({a}, -1)"
        yield f"torch.log_softmax({a}, -1)"
        yield f"torch.nn.functional.gelu({a})"
        yield f"torch.nn.functional.silu({a})"
        yield f"torch.nn.functional.softplus({a})"
        yield f"torch.nn.functional.layer_norm({a}, ({n},))"
        for op in ["sum", "mean", "amax", "logsumexp"]:
            yield f"{a} - {a}.{op}(-1, keepdim=True)"
            yield f"{a} / {a}.{op}(-1, keepdim=True)"
        yield f"torch.cumsum({a}, -1)"
        yield f"{a} @ {b}.t()" if self.values[a].dim() == 2 else f"{a} + 1.0"
        if self.values[a].dim() == 2:
            yield f"{a}.t()"
            yield f"torch.cat([{a}, {b}], 1)"
            yield f"{a}[:, {n // 2}:]" if n > 3 else f"{a} * 0.5"
            yield f"{a}.reshape(-1, {self.values[a].shape[0]})"
        out = self.rng.choice([4, n])
        self.layer = (f"l{len(self.layers)}", n, out)
        yield f"self.{self.layer[0]}({a})"
        yield f"self.{self.layer[0]}({a})"
        self.layer = (f"w{len(self.layers)}", n, None)
        yield f"{a} * self.{self.layer[0]}"

    def add(self):
        text = self.rng.choice(list(self.texts()))
        layer = re.search(r"self\.([lw]\d+)", text)
        model = torch.nn.Module()
        for name, value in self.layers.items():
            setattr(model, name, value)
        if layer:
            name = layer.group(1)
            n = next(self.values[v].shape[-1] for v in self.values if re.search(rf"\b{v}\b", text))
            value = (torch.nn.Linear(n, self.rng.choice([4, n])) if name[0] == "l"
                     else torch.nn.Parameter(torch.rand(n) + 0.5))
            setattr(model, name, value)
        try:
            value = eval(text, {"torch": torch, "self": model, **self.values}).detach()
        except (RuntimeError, IndexError):
            return False
        span = value.abs().max() if value.numel() else 0
        if not torch.isfinite(value).all() or span > 1e3 or span < 1e-3 or value.numel() > 4000:
            return False
        if layer:
            self.layers[name] = getattr(model, name)
        to = f"v{len(self.lines)}"
        self.values[to] = value
        self.lines.append(f"{to} = {text}")
        return True


def write_model(folder, seed):
    rng = random.Random(seed)
    torch.manual_seed(seed)
    w = Writer(rng)
    wanted = rng.randint(6, 16)
    for _ in range(2000):
        if len(w.lines) < wanted:
            w.add()
    used = " ".join(w.lines)
    out = [x for x in w.values if x not in w.inputs and len(re.findall(rf"\b{x}\b", used)) == 1]
    text = ["import torch", "", "", "class Model(torch.nn.Module):", "    def __init__(self):",
            "        super().__init__()"]
    for name, layer in w.layers.items():
        text.append(f"        self.{name} = torch.nn." + (
            f"Linear({layer.in_features}, {layer.out_features})" if name[0] == "l"
            else f"Parameter(torch.ones({len(layer)}))"))
    text += ["", f"    def forward(self, {', '.join(w.inputs)}):"]
    text += [f"        {x}" for x in w.lines]
    text += [f"        return {', '.join(out)},", ""]
    file = os.path.join(folder, f"m{seed}.py")
    with open(file, "w") as to:
        to.write("\n".join(text))
    module = torch.nn.Module()
    for name, layer in w.layers.items():
        setattr(module, name, layer)
    torch.save((module.state_dict(), [w.values[x] for x in w.inputs]),
               os.path.join(folder, "values.pt"))


# ---- what a model is made into


def without_wrapper():
    """Torch compiles nothing in the place of a wrapper, which takes half of its time: no plain
    model is run here, and a debug package takes the weights alone from its '.so'."""
    from torch._inductor.cpp_builder import CppBuilder

    build = CppBuilder.build

    def build_others(self):
        to = self.get_target_file_path()
        if not to.endswith(".wrapper.o"):
            return build(self)
        subprocess.run(["g++", "-x", "c++", "-c", "-o", to, os.devnull], check=True)

    return unittest.mock.patch.object(CppBuilder, "build", build_others)


def make(folder, seed):
    write_model(folder, seed)
    spec = importlib.util.spec_from_file_location("m", os.path.join(folder, f"m{seed}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = module.Model().eval()
    state, inputs = torch.load(os.path.join(folder, "values.pt"))
    model.load_state_dict(state)
    with torch.no_grad(), without_wrapper():
        program = torch.export.export(model, tuple(inputs))
        torch.export.save(program, os.path.join(folder, "model_ep.pt2"))
        torch._inductor.aoti_compile_and_package(
            program, package_path=os.path.join(folder, "model.pt2"),
            inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0"})


def is_stale(folder, aotigen):
    made = os.path.join(folder, "debug.pt2")
    beside = os.path.dirname(os.path.abspath(aotigen))
    from_ = [aotigen, os.path.join(beside, "libaotigen.a"), os.path.join(folder, "model.pt2")]
    newest = max(os.path.getmtime(x) for x in from_ if os.path.exists(x))
    return not os.path.exists(made) or os.path.getmtime(made) < newest


def rewrite(folder, aotigen):
    command = [aotigen, "--torch=" + os.path.dirname(torch.__file__),
               "--exported=" + os.path.join(folder, "model_ep.pt2"),
               os.path.join(folder, "model.pt2"), "-o", os.path.join(folder, "debug.pt2")]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.stderr)


# ---- faults, and the truth of each


def is_bad(value, kinds):
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return False
    return bool(value.isnan().any() if kinds == "nan" else value.isinf().any())


def has_own(node, value, operands):
    """A node that computes element by element has a NaN where none of its operands has one."""
    if torch.Tag.pointwise not in getattr(node.target, "tags", ()) or not is_bad(value, "nan"):
        return False
    own = value.isnan()
    for x in operands:
        if isinstance(x, torch.Tensor) and x.is_floating_point():
            own = own & ~x.isnan()
    return bool(own.any())


class Truth(torch.fx.Interpreter):
    """Runs node by node; notes each node where a NaN is born."""

    def __init__(self, module):
        super().__init__(module)
        self.born, self.infinite, self.known = [], [], {}
        self.differs = False  # a compiled gelu of Inf is Inf

    def run_node(self, node):
        value = super().run_node(node)
        for kinds, born in ("nan", self.born), ("inf", self.infinite):
            values = value if isinstance(value, (tuple, list)) else [value]
            bad = any(is_bad(x, kinds) for x in values)
            self.known[node, kinds] = bad
            read = any(self.known.get((x, kinds)) for x in node.all_input_nodes)
            if kinds == "nan" and read:
                read = not has_own(node, value, [self.env[x] for x in node.all_input_nodes])
            if bad and not read and node.op == "call_function":
                born.append(node)
                self.differs |= kinds == "nan" and "gelu" in str(node.target)
        return value


def line_of(node, file):
    found = re.findall(r'File "([^"]+)", line (\d+)', node.meta.get("stack_trace") or "")
    own = [int(line) for name, line in found if os.path.basename(name) == os.path.basename(file)]
    return own[-1] if own else None


def run_truth(program, state, inputs):
    module = program.module()
    with torch.no_grad():
        module.load_state_dict(state)
        truth = Truth(module)
        truth.run(*[x.clone() for x in inputs])
    return truth


def find_read(program):
    """The numbers of the inputs that an operation takes."""
    of = {x.name: x for x in program.graph.nodes}
    return [i for i, name in enumerate(program.graph_signature.user_inputs) if of[name].users]


def plant(rng, state, inputs, values, read):
    state = {k: v.clone() for k, v in state.items()}
    inputs = [v.clone() for v in inputs]
    places = [("args", i) for i in read] * 2 + [("weight", k) for k in state]
    kind, at = rng.choice(places)
    tensor = inputs[at] if kind == "args" else state[at]
    index = tuple(rng.randrange(n) for n in tensor.shape)
    value = rng.choice(values)
    with torch.no_grad():
        tensor[index] = value
    return (kind, at, index, value), state, inputs


def find_faults(program, state, inputs, seed):
    rng = random.Random(seed)
    seen, faults, read = set(), [], find_read(program)
    # A compiled variance overflows where that of eager mode does not.
    whole = any("layer_norm" in str(node.target) for node in program.graph.nodes)
    values = [x for x in VALUES if not (whole and 1e10 < abs(x) < 1e39)]
    for _ in range(300):
        if len(faults) == FAULTS:
            break
        fault, bad_state, bad_inputs = plant(rng, state, inputs, values, read)
        truth = run_truth(program, bad_state, bad_inputs)
        arrived = fault[3] != fault[3]
        key = fault[:2] if arrived else tuple(x.name for x in truth.born)
        if not key or key in seen or truth.differs or sum(x[4] for x in faults) + arrived > ARRIVED:
            continue
        seen.add(key)
        faults.append((fault, bad_state, bad_inputs, truth.born, arrived))
    return faults


# ---- one run, in a process of its own, and its screen


def run_faulty(folder, fault, to):
    kind, at, index, value = fault[0]
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1] == 0
    os.environ["AOTIGEN_LOG"] = to + ".log"
    err = os.open(to + ".err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(err, 2)
    torch.set_num_threads(1)
    model = torch._inductor.aoti_load_package(os.path.join(folder, "debug.pt2"))
    if kind == "weight":
        try:
            model.load_constants(dict(fault[1]), check_full_update=False, user_managed=False)
        except RuntimeError:  # the compiler has folded it away
            os._exit(3)
    model(*fault[2])
    os._exit(0)


def show(aotigen, log):
    command = [aotigen, "run", "--", "sh", "-c", 'cat "$1" >>"$AOTIGEN_LOG"', "sh", log]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True).stderr


def read_lines(text, file):
    """The lines shown under "model line", and whether they are called candidates."""
    base = re.escape(os.path.basename(file))
    part = re.search(r"^  model line    (.*(?:\n {16}.*)*)((?:\n  model line .*)*)", text, re.M)
    if not part:
        return [], False
    lines = [int(x) for x in re.findall(base + r":(\d+)", part.group(0))]
    return lines, "candidate" in part.group(0)


def judge_line(lines, called, born, file):
    truth = [line_of(x, file) for x in born]
    if not lines:
        return "none"
    if len(lines) == 1:
        return "right" if lines[0] in truth else "wrong"
    return "candidate" if called and set(lines) & set(truth) and lines == sorted(lines) else "wrong"


def judge_element(text, fault):
    kind, at, index, value = fault
    name = f"args[{at}]" if kind == "args" else at
    named = re.search(r"^  (?:element|argument) +(.*)$", text, re.M)
    shown = "[" + ", ".join(map(str, index)) + "]"
    said = named.group(1) if named else ""
    right = name in said and shown in re.sub(r",(?! )", ", ", said)
    return "element" if right else "misnamed"


def judge(screen, fault, file):
    planted, _, _, born, arrived = fault
    if re.search(r"^  what +nothing was found", screen, re.M):
        return ["silent"]
    if arrived:
        return [judge_element(screen, planted)]
    return [judge_line(*read_lines(screen, file), born, file)]


def study(folder, seed, aotigen):
    file = os.path.join(folder, f"m{seed}.py")
    program = torch.export.load(os.path.join(folder, "model_ep.pt2"))
    state, inputs = torch.load(os.path.join(folder, "values.pt"))
    verdicts = []
    for i, fault in enumerate(find_faults(program, state, inputs, seed)):
        to = os.path.join(folder, f"fault{i}")
        if os.path.exists(to + ".log"):
            os.remove(to + ".log")
        if not run_faulty(folder, fault, to):
            continue
        screen = show(aotigen, to + ".log")
        with open(to + ".screen", "w") as f:
            f.write(screen)
        verdict = judge(screen, fault, file)
        truth = ["%s %s:%s" % (x.name, os.path.basename(file), line_of(x, file)) for x in fault[3]]
        lines, called = read_lines(screen, file)
        print(seed, i, *verdict, "planted", *fault[0], "truth", truth[:2], "shown", lines,
              flush=True)
        verdicts += verdict
    return verdicts


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("dir")
    parser.add_argument("seeds", type=int, nargs="+")
    parser.add_argument("--aotigen", default=os.path.join(ROOT, "build", "aotigen"))
    o = parser.parse_args()
    counts = collections.Counter()
    for seed in o.seeds:
        folder = os.path.join(os.path.abspath(o.dir), str(seed))
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "model.pt2")):
            make(folder, seed)
        if is_stale(folder, o.aotigen):
            rewrite(folder, o.aotigen)
        counts.update(study(folder, seed, o.aotigen))
    print("all", json.dumps(counts))


if __name__ == "__main__":
    main()
