"""cuda.py - `make bench-cuda`: makes the measurements of samples/bench.md on a GPU. Run by
build/torch/python.

Each figure is the median of 30 runs, divided by the median of 60 runs of the plain package. Both
are measured in the same process: five runs between ten plain ones, six times. A run is timed from
an idle device to an idle device. -p1 saves each argument of each launch: it has 12 runs beside 24,
in a process of its own. Its files stay, as a user's do: those of a later run are links to them. Six
of its runs follow each other, so that each waits for the files of the last.
Prints two tables, of runs and of single launches. --write replaces the tables in samples/bench.md;
text below its other headings stays, to be revised by hand.
  cuda.py [--write] [--only=PART,...]     parts: models, cheap, bounds, guard, outside, stats
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import report

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.environ.get("AOTIGEN_BUILD") or os.path.join(ROOT, "build")
WORK = os.path.join(ROOT, "build", "bench", "cuda")
AOTIGEN = os.path.join(BUILD, "aotigen")
RUNS, ROUNDS, WARM = 30, 6, 5
HEAD, LAUNCHES = "# Runs on a GPU, measured", "## One launch of a batch"
# What users type, all else at its default: options of `aotigen build`
TYPED = {"default": [], "p1": ["-p1"], "p2": ["-p2"], "p3": ["-p3"], "all": ["--nan-asserts=all"]}
# and single parts: options, the environment of a run
VARIANTS = {
    **{name: (options, {}) for name, options in TYPED.items()},
    "names": (["-p3", "--check-inputs=off", "--nan-asserts=off"], {}),
    "outputs": (["--check-inputs=off", "--nan-asserts=all"], {}),
    "values": (["-p2", "--check-inputs=off", "--nan-asserts=off"], {}),
    "filtered": (["-p2", "--nan-asserts=all"], {"AOTIGEN_KERNELS": "no_such_kernel"}),
    "guards": (["--nan-asserts=off"], {}),
    "unbounded": (["--nan-asserts=off"], {}),
    "canary": (["--guard=canary"], {}),
    "poison": (["--guard=poison"], {}),
    "both": (["--guard=canary,poison"], {}),
    "page": (["--guard=page:buf3"], {}),
    "ops": (["--guard=ops"], {}),
    "given": (["--guard=canary,inputs,weights"], {}),
    "nvtx": ([], {"AOTIGEN_NVTX": "1"}),
    "names8": (["-p3", "--check-inputs=off", "--nan-asserts=off"], {"AOTIGEN_MARKS": "8"}),
    "default8": ([], {"AOTIGEN_MARKS": "8"}),
    "every": ([], {"AOTIGEN_EVERY": "20"}),
}
# What is left on: in one process, with a watch package and a program that looks at its outputs.
CHEAP = {
    "default": ("no option", "1.12x"),
    "default8": ("AOTIGEN_MARKS=8", "-"),
    "every": ("AOTIGEN_EVERY=20, mean", "1.03x"),
    "names": ("names alone", "1.05x"),
    "names8": ("names alone, AOTIGEN_MARKS=8", "1.05x"),
    "watch": ("watched", "1.01x"),
    "isfinite": ("torch.isfinite() of its outputs", "-"),
}
GUARDED = {
    "canary": "1.5x",
    "poison": "1.5x",
    "both": "-",
    "page": "1.3x",
    "ops": "1.05x",
    "given": "-",
    "nvtx": "-",
}
ALONE = {"p1": 12}  # variants that disturb others, and how many runs they have
MODELS = {
    "gpt2_sdpa": "GPT-2 1x128",
    "bert": "BERT-base 2x64",
    "resnet50_8": "ResNet-50 8x3x224x224",
    "llama": "Llama 2x64, 6 layers of bfloat16",
}
PARTS = {"gpt2_sdpa": ["names", "outputs", "values", "filtered"]}
SAID = {
    "default": "no option",
    **{name: " ".join(options) for name, options in TYPED.items() if options},
}
# (model, variant): (cost of PyTorch's own way, goal)
KNOWN = {
    ("gpt2_sdpa", "default"): ("cannot run", "1.12x"),
    ("gpt2_sdpa", "p1"): ("-", "20x"),
    ("gpt2_sdpa", "p2"): ("26x", "3.00x"),
    ("gpt2_sdpa", "p3"): ("1.24x, and lost", "-"),
    ("bert", "default"): ("13.1x", "1.25x"),
    ("resnet50_8", "default"): ("12.8x", "1.25x"),
    ("llama", "default"): ("-", "1.25x"),
}
# model, variant, what the row is called, cost of PyTorch's own way, goal
ROWS = [
    *(
        (model, variant, f"{title}, {SAID[variant]}", *KNOWN.get((model, variant), ("-", "-")))
        for model, title in MODELS.items()
        for variant in TYPED
    ),
    ("gpt2_sdpa", "names", "GPT-2, kernel names alone, into a file", "1.24x, and lost", "1.05x"),
    ("gpt2_sdpa", "outputs", "GPT-2, NaN and Inf asserts on every output alone", "cannot run",
        "1.25x"),
    ("gpt2_sdpa", "values", "GPT-2, values of every argument alone, into a file", "26x", "3.00x"),
    ("gpt2_sdpa", "filtered", "GPT-2, everything compiled in, filtered out at run time", "-",
        "1.00x"),
]
BATCH = """
`batch_NxB`: N tensors of B bytes each, for NaN and Inf; `batch_sum`: with everything and six
elements copied; `in_graph`: without the host's part. `empty`: a kernel that does nothing.
"""
rows, launches = [], []


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(command, **how):
    child = subprocess.run(command, capture_output=True, text=True, **how)
    if child.returncode:
        sys.exit(f"cuda.py: {' '.join(command)}: status {child.returncode}\n"
            f"{child.stdout[-1000:]}{child.stderr[-3000:]}")
    return child.stdout


# ---- making the models


def emit(name):
    to = os.path.join(WORK, name)
    if not os.path.exists(f"{to}/complete"):
        run([sys.executable, "-W", "ignore", f"{ROOT}/samples/emit.py", name, "cuda", to])
        open(f"{to}/complete", "w").close()
    return to


def build(name, variant, source="dbg.cpp"):
    at, out = os.path.join(WORK, name), os.path.join(WORK, name, f"{variant}.so")
    kernels = [f"{at}/kernel.cpp"] if os.path.exists(f"{at}/kernel.cpp") else []
    run([AOTIGEN, "build", f"--torch={torch_dir()}", f"--weights={at}/model.so",
        *VARIANTS[variant][0], f"{at}/{source}", *kernels, "-o", out])


def torch_dir():
    import torch

    return os.path.dirname(torch.__file__)


def rewrite(name):
    at = os.path.join(WORK, name)
    run([AOTIGEN, f"--torch={torch_dir()}", f"{at}/wrapper.cpp", "-o", f"{at}/dbg.cpp"])


def make():
    with ThreadPoolExecutor(8) as pool:
        for name, _ in zip(MODELS, pool.map(emit, MODELS)):
            say(f"emitted {name}")
            rewrite(name)
        list(
            pool.map(
                lambda x: build(*x), [(name, v) for name in MODELS for v in variants_of(name)]
            )
        )


def variants_of(name):
    return [*TYPED, *PARTS.get(name, ())]


# ---- timing, in a process of its own


def settle(directory):
    """Waits until what -p1 has handed to its thread is written."""
    before = None
    while os.path.isdir(directory):
        now = sorted((file.name, file.stat().st_size) for file in os.scandir(directory))
        if now == before:
            return
        before = now
        time.sleep(0.2)


def memory_of(runner, inputs):
    """Bytes that a run takes of torch's allocator at most, and that it leaves taken of the device:
    pages of their own are not torch's."""
    import torch

    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    before, free = torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0]
    torch.cuda.reset_peak_memory_stats()
    del runner.run(inputs)[:]
    torch.cuda.synchronize()
    peak = torch.cuda.max_memory_allocated() - before
    torch.cuda.empty_cache()
    return peak, free - torch.cuda.mem_get_info()[0]


def file_of(variant):
    """Of a model's directory: the library that the variant runs."""
    if variant in ("plain", "isfinite"):
        return "model.so"
    return "watch/model.so" if variant == "watch" else f"{variant}.so"


def time_run(runner, inputs, looks):
    """Milliseconds from an idle device to an idle one. looks: the program looks at the outputs."""
    import torch

    torch.cuda.synchronize()
    start = time.perf_counter()
    outputs = runner.run(inputs)
    if looks:
        [torch.isfinite(x).all().item() for x in outputs if x.is_floating_point()]
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1000


def child(name, variants, out):
    """Medians in milliseconds as JSON; stdout, which printers write to, goes to a file."""
    import torch

    at, saved = os.path.join(WORK, name), os.path.join(os.getcwd(), "saved")
    os.environ["AOTIGEN_OUTPUT_DIR"] = saved
    inputs = [x.clone() for x in torch.load(f"{at}/inputs.pt")[0]]

    def load(so, env):
        for name in {name for _, set_by in VARIANTS.values() for name in set_by}:
            os.environ.pop(name, None)
        os.environ.update(env)
        runner = torch._C._aoti.AOTIModelContainerRunnerCuda(so, 1, "cuda", at)
        runner.run(inputs)  # reads the environment
        return runner

    def once(runner, looks=False):
        return time_run(runner, inputs, looks)

    plain = load(f"{at}/model.so", {})
    runners = {v: load(f"{at}/{file_of(v)}", VARIANTS.get(v, ([], {}))[1]) for v in variants}
    mine, around = {v: [] for v in variants}, {v: [] for v in variants}
    expected = plain.run(inputs)
    for variant, debug in runners.items():
        if not all(torch.equal(a.view(torch.uint8), b.view(torch.uint8))
            for a, b in zip(expected, debug.run(inputs), strict=True)):
            sys.exit(f"{name}, {variant}: the outputs are not the plain model's")
    runs = min([ALONE.get(v, RUNS) for v in variants]) * (2 if "every" in variants else 1)
    rounds, warm = ROUNDS if runs >= RUNS else 2, WARM
    # A neighbour's load on the host lasts longer than 30 runs: each variant
    # has some of its runs in each of several rounds.
    for _ in range(rounds):
        for variant, debug in runners.items():
            for _ in range(warm):
                once(plain), once(debug, variant == "isfinite")
            settle(saved)
            around[variant] += [once(plain) for _ in range(runs // rounds)]
            looks = variant == "isfinite"
            mine[variant] += [once(debug, looks) for _ in range(runs // rounds)]
            settle(saved)
            around[variant] += [once(plain) for _ in range(runs // rounds)]
    # One of 20 runs is checked: a median would be one of the others.
    middle = {v: statistics.mean if v == "every" else statistics.median for v in variants}
    result = {v: (middle[v](mine[v]), middle[v](around[v])) for v in variants}
    measured = {"plain": plain, **runners}
    result["memory"] = {v: memory_of(runner, inputs) for v, runner in measured.items()}
    with open(out, "w") as file:
        json.dump(result, file)
    sys.stdout.flush()


def timed(name, variants, env=None, before=()):
    with tempfile.TemporaryDirectory(dir=WORK) as scratch:
        out = f"{scratch}/result.json"
        with open(f"{scratch}/stdout", "wb") as stdout, open(f"{scratch}/stderr", "wb") as stderr:
            code = subprocess.run(
                [*before, sys.executable, "-W", "ignore", os.path.abspath(__file__),
                    f"--child={name}:{','.join(variants)}:{out}"],
                stdout=stdout,
                stderr=stderr,
                env={**os.environ, **(env or {})},
                cwd=scratch,
                timeout=400,
            ).returncode
        if not os.path.exists(out):
            sys.exit(f"cuda.py: {name} {variants}: status {code}\n"
                f"{open(f'{scratch}/stderr').read()[-3000:]}")
        said = open(f"{scratch}/stderr").read()
        if said and not before:
            say(said[-2000:])
        return json.load(open(out))


def row(what, pytorch, goal, found):
    rows.append((what, pytorch, goal, found))
    say(f"  {what}: {found} (goal: {goal})")


def models():
    make()
    for name in MODELS:
        result = timed(name, [v for v in variants_of(name) if v not in ALONE])
        for variant in ALONE:
            result |= timed(name, [variant])
        for model, variant, what, pytorch, goal in ROWS:
            if model == name:
                mine, plain = result[variant]
                row(what, pytorch, goal, f"{mine / plain:.2f}x ({mine:.2f} ms / {plain:.2f} ms)")


def watch_library(name):
    """What `aotigen watch` puts into a package, for the library alone."""
    at = emit(name)
    os.makedirs(f"{at}/watch", exist_ok=True)
    shutil.copy(f"{at}/model.so", f"{at}/watch/torch_model.original")
    shutil.copy(f"{BUILD}/libaotigen-watch.so", f"{at}/watch/model.so")


def cheap():
    with ThreadPoolExecutor(8) as pool:
        for name, _ in zip(MODELS, pool.map(emit, MODELS)):
            rewrite(name)
            watch_library(name)
        compiled = [v for v in CHEAP if v in VARIANTS]
        list(pool.map(lambda x: build(*x), [(m, v) for m in MODELS for v in compiled]))
    for name, title in MODELS.items():
        result = timed(name, list(CHEAP))
        for variant, (what, goal) in CHEAP.items():
            mine, plain = result[variant]
            row(f"{title}, {what}", "-", goal,
                f"{mine / plain:.3f}x ({mine:.3f} ms / {plain:.3f} ms)")


def bounds():
    """What each launch does for its kernel's accesses: their bounds, and copies of the tensors that
    decide its asserts. The other model has the same guards, and tables without either."""
    name = "gpt2_sdpa"
    at = emit(name)
    rewrite(name)
    with open(f"{at}/dbg.cpp") as file:
        text = file.read()
    text, tables = re.subn(r"\baotigen_bounds_\w+, \d+, \d+}", "nullptr, 0, 0}", text)
    text, asserts = re.subn(r"(aotigen_graph_\w+ = {.*, )0x[1-9a-f]\w*};", r"\g<1>0x0};", text)
    if not tables or not asserts:
        sys.exit(f"cuda.py: {at}/dbg.cpp: no bounds, or no kernel that asserts")
    with open(f"{at}/unbounded.cpp", "w") as file:
        file.write(text)
    build(name, "guards")
    build(name, "unbounded", "unbounded.cpp")
    for _ in range(3):
        result = timed(name, ["guards", "unbounded"])
        (mine, plain), (without, _) = result["guards"], result["unbounded"]
        row(
            "GPT-2, guards / guards without bounds and copies of indices",
            "-",
            "1.01x",
            f"{mine / without:.3f}x ({mine:.3f} ms / {without:.3f} ms; plain {plain:.3f} ms)",
        )


def guard():
    """Guarded memory, with all checks that are on by default. That outputs are the plain model's is
    checked where each variant is timed; what a debug model says stands on stderr."""
    with ThreadPoolExecutor(8) as pool:
        for name, _ in zip(MODELS, pool.map(emit, MODELS)):
            rewrite(name)
        list(pool.map(lambda x: build(*x), [(m, v) for m in MODELS for v in ("default", *GUARDED)]))
    for name, title in MODELS.items():
        result = timed(name, ["default", *GUARDED])
        for variant, (peak, kept) in result["memory"].items():
            say(f"  {title}, {variant}: {peak / 2**20:.1f} MiB at most, {kept / 2**20:.1f} kept")
        for variant, goal in GUARDED.items():
            mine, plain = result[variant]
            usual, beside = result["default"]
            row(
                f"{title}, {(VARIANTS[variant][0] or ['AOTIGEN_NVTX=1'])[0]}",
                "-",
                goal if name == "gpt2_sdpa" else "-",
                f"{mine / plain:.2f}x ({mine:.2f} ms / {plain:.2f} ms); the default checks "
                f"alone {usual / beside:.2f}x",
            )


def outside():
    """What others cost, on the same package."""
    sanitizer = next(
        (p for p in ("/usr/local/cuda/bin/compute-sanitizer",) if os.path.exists(p)),
        "compute-sanitizer",
    )
    plain = timed("gpt2_sdpa", ["plain"])["plain"][0]
    for what, seen, env, before in (
        ("GPT-2 under CUDA_LAUNCH_BLOCKING=1", "1.74x", {"CUDA_LAUNCH_BLOCKING": "1"}, ()),
        (
            "GPT-2 under that and PYTORCH_NO_CUDA_MEMORY_CACHING=1 (the recipe)",
            "2.13x",
            {"CUDA_LAUNCH_BLOCKING": "1", "PYTORCH_NO_CUDA_MEMORY_CACHING": "1"},
            (),
        ),
        (
            "GPT-2 with the driver's core dump on",
            "1.02x",
            {
                "CUDA_ENABLE_COREDUMP_ON_EXCEPTION": "1",
                "CUDA_COREDUMP_GENERATION_FLAGS": "skip_global_memory",
            },
            (),
        ),
        ("GPT-2 under compute-sanitizer memcheck", "58x", {}, (sanitizer, "--tool", "memcheck")),
    ):
        mine = timed("gpt2_sdpa", ["plain"], env, before)["plain"][0]
        row(what, seen, "-", f"{mine / plain:.2f}x ({mine:.2f} ms / {plain:.2f} ms)")


def stats():
    program = [os.path.join(BUILD, *x)
        for x in (("bench", "stats"), ("bench", "read.fatbin"), ("kernels", "stats.fatbin"))]
    if not all(map(os.path.exists, program)):
        say(f"no {' '.join(program)}: left out")
        return
    found = {}
    for line in run(program).splitlines():
        words = line.split()
        if len(words) == 3 and not line.startswith("#"):
            found[words[0]] = float(words[1]), float(words[2])
    if "read" not in found:
        sys.exit(f"cuda.py: {program} printed no plain read")
    read, size = found["read"]
    for name, (seconds, of) in found.items():
        if name.startswith(("summary", "bad")):
            row(
                f"stats of 4 GiB: {name}",
                "8.8 passes" if name.startswith("summary") else "-",
                "97 %" if name.startswith("summary") else "-",
                f"{read / size * of / seconds:.1%} of a plain read "
                f"({of / seconds / 1e12:.2f} TB/s)",
            )
        elif name != "read":
            launches.append((name, f"{seconds * 1e6:.1f} us"))


def table(head, lines):
    return f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n" + "".join(
        f"| {' | '.join(x)} |\n" for x in lines
    )


def main():
    options = dict(x.lstrip("-").partition("=")[::2] for x in sys.argv[1:])
    if "write" in options and "only" in options:
        sys.exit("cuda.py: --write with --only: the table of the other parts would be lost")
    if "child" in options:
        name, variants, out = options["child"].split(":")
        child(name, variants.split(","), out)
        return
    import torch

    os.makedirs(WORK, exist_ok=True)
    parts = {"models": models, "cheap": cheap, "bounds": bounds, "guard": guard,
        "outside": outside, "stats": stats}
    for part in options.get("only", ",".join(parts)).split(","):
        say(part)
        parts[part]()
    text = "By `make bench-cuda` (on a machine without libclang: `build/torch/python "
    text += "samples/bench/cuda.py` of the bundle):\n"
    text += f"{torch.cuda.get_device_name()}, {os.cpu_count()} cores, torch {torch.__version__}, "
    text += f"CUDA {torch.version.cuda}, {time.strftime('%Y-%m-%d')}; medians of {RUNS} runs "
    text += f"beside {2 * RUNS} of the plain package in the same process. GPT-2 is\n"
    text += "`samples/gpt2_sdpa.py`.\n\n" + table(("what", "PyTorch 2.11", "goal", "found"), rows)
    sections = [(HEAD, text)]
    if launches:
        sections.append((LAUNCHES, table(("what", "found"), launches) + BATCH))
    for heading, section in sections:
        print(f"{heading}\n\n{section}")
        if "write" in options:
            report.replace(heading, section)


if __name__ == "__main__":
    main()
