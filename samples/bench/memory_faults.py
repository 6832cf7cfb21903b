"""memory_faults.py - what each tool says of a memory fault on a GPU: the table in samples/bench.md,
"Memory faults on a GPU, by tool". Run by build/torch/python on a machine with a GPU.

Each fault is planted in a sample, as in `samples/faults/README.md`, and run in a process of its own
under each tool. A cell has what the tool's output names, the exit status of the program, and the
seconds that the process took.
The processes run twelve at a time: their seconds are to be compared with those of `plain` alone.
  memory_faults.py
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.environ.get("AOTIGEN_BUILD") or os.path.join(ROOT, "build")
WORK = os.path.join(ROOT, "build", "bench", "memory_faults")
TORCH = os.path.join(BUILD, "torch", "python")
TORCH_DIR = open(os.path.join(BUILD, "torch", "dir")).read().strip()


def put(*elements):
    return f"inputs[0][2] = torch.tensor({list(elements)}, device='cuda')"


def returned(fault):
    return f"import faults.returned as model; model.fault = {fault!r}"


FAULTS = [
    ("8 elements behind the buffer", "faults.put", put(960, 963, 967)),
    ("800 KB behind it", "faults.put", put(200959, 0, 1)),
    ("1 element before it", "faults.put", put(-1, 0, 1)),
    ("half the rows that the meta promises", "custom_op",
        "import custom_op; custom_op.fault = 'storage'"),
    ("embedding index out of range", "embed", "inputs[0][0][3] = 1000000"),
    ("illegal access in launch 116 of 200", "faults.many", "inputs[0][1][57] = 1 << 34"),
    ("an operator writes to its input", "lying_ops",
        "import lying_ops; lying_ops.faults['rows'] = 'writes'"),
    ("rows are padded, the meta's are not", "faults.returned", returned("padded rows")),
    ("a view that is not aligned", "faults.returned", returned("odd address")),
    ("rows that nothing wrote are read", "faults.fill",
        "inputs[0][1] = torch.tensor([5, 8, 8], device='cuda')"),
]
RECIPE = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1", "CUDA_LAUNCH_BLOCKING": "1"}
CORE = {"CUDA_ENABLE_COREDUMP_ON_EXCEPTION": "1", "CUDA_COREDUMP_GENERATION_FLAGS":
    "skip_global_memory,skip_shared_memory,skip_local_memory"}
SANITIZER = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
ALL = "canary,poison,ops"
MODES = {"default": [], ALL: [f"--guard={ALL}"], "page": ["--guard=page:buf0"]}
TOOLS = ["plain", "the recipe", "memcheck", "memcheck, no recipe", "memcheck, AOTIGEN_NVTX",
    "core dump", *MODES]
# From this row on the addresses are sound, or nearly so: some of the tools are enough.
SOME_TOOLS, SOUND_FROM = ["plain", "memcheck", "default", ALL], 6
PACKAGES = {"memcheck, AOTIGEN_NVTX": "default.pt2", **{mode: f"{mode}.pt2" for mode in MODES}}


def prepare(sample):
    """The sample's package, and one for each mode."""
    out = os.path.join(WORK, sample)
    subprocess.run([TORCH, "-W", "ignore", os.path.join(ROOT, "samples", "emit.py"), sample, "cuda",
        out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for mode, options in MODES.items():
        subprocess.run([os.path.join(BUILD, "aotigen"), "-q", f"--torch={TORCH_DIR}", *options,
            os.path.join(out, "model.pt2"), "-o", os.path.join(out, f"{mode}.pt2")], check=True)
    return out


def describe_memcheck(text):
    """With the argument that the report of a debug package has at the address of memcheck's."""
    errors = re.search(r"ERROR SUMMARY: (\d+) error", text)
    kernel = re.search(r"=========     at (\w+)", text)
    near = re.search(r"the nearest allocation at (0x[0-9a-f]+)", text)
    name = near and re.search(rf"^  argument +(\w+):.* at {near[1]} to ", text, re.M)
    head = re.search(r"^aotigen: (.*)$", text, re.M)
    if not errors or errors[1] == "0":
        return head[1][:90] if head else "silent"
    return ", ".join(["found", *(x[1] for x in (kernel, name, head) if x)])


def describe(tool, text, status, cores):
    """What the tool's output names."""
    if tool.startswith("memcheck"):
        return describe_memcheck(text)
    if tool == "core dump":
        return f"{len(cores)} file" if cores else "silent"
    if tool in MODES:
        heads = re.findall(r"^aotigen: (.*)$", text, re.M)
        first = re.search(r"(?:the first at |where )(?:element )?(-?\d+|\[[\d, ]*\])", text)
        index = re.search(r"^  how +(\S+\[.*?) makes? the index", text, re.M)
        buffer = re.search(r"^  (?:buffer|input|output) +(\w+):", text, re.M)
        if not heads:
            return "silent"
        return "; ".join(filter(None, [heads[0][:90], buffer and buffer[1],
            first and f"element {first[1]}", index and index[1]]))
    error = re.search(r"(illegal memory access|device-side assert\w*|misaligned address)", text)
    return error[1] if error else "silent" if not status else "fails"


def run(job):
    (_, sample, poke), tool = job
    out = os.path.join(WORK, sample)
    package = os.path.join(out, PACKAGES.get(tool, "model.pt2"))
    with tempfile.TemporaryDirectory() as place:
        core = {**CORE, "CUDA_COREDUMP_FILE": os.path.join(place, "core.%p")}
        more = {"the recipe": RECIPE, "memcheck": RECIPE, "core dump": core,
            "memcheck, AOTIGEN_NVTX": {"AOTIGEN_NVTX": "1"}}.get(tool, {})
        env = dict(os.environ, **more)
        command = [TORCH, "-W", "ignore", os.path.join(ROOT, "samples", "run.py"), package, out,
            f"--model={sample}", "--device=cuda", f"--poke={poke}"]
        if tool.startswith("memcheck"):
            command = [SANITIZER, "--tool=memcheck", "--target-processes=all", *command]
        begin = time.monotonic()
        r = subprocess.run(command, env=env, cwd=place, capture_output=True, text=True,
            errors="replace", timeout=240)
        seconds = time.monotonic() - begin
        said = describe(tool, r.stdout + r.stderr, r.returncode, glob.glob(f"{place}/core.*"))
    return f"{said} ({r.returncode}, {seconds:.0f} s)"


def tools_of(row):
    return TOOLS if row < SOUND_FROM else SOME_TOOLS


def main():
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(prepare, sorted({sample for _, sample, _ in FAULTS})))
        jobs = [(fault, tool) for i, fault in enumerate(FAULTS) for tool in tools_of(i)]
        cells = dict(zip(((fault[0], tool) for fault, tool in jobs), pool.map(run, jobs)))
    print("| fault | " + " | ".join(TOOLS) + " |")
    print("|---" * (len(TOOLS) + 1) + "|")
    for name, _, _ in FAULTS:
        row = [cells.get((name, tool), "") for tool in TOOLS]
        print(f"| {name} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
