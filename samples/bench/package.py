"""package.py [cpu|cuda] - times making debug packages of a small model's package and of GPT-2's,
and lowering GPT-2 again with PyTorch's printer on.

Prints the rows of a table. Part of `make bench`; alone it is for a machine with a GPU.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.environ.get("AOTIGEN_BUILD") or os.path.join(ROOT, "build")
AOTIGEN = os.path.join(BUILD, "aotigen")
TORCH = os.path.dirname(torch.__file__)


def peak_of(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def timed(command, env=None, attempts=1):
    """Median wall seconds, and the peak MiB of the process itself (its compilers aside)."""
    seconds, peak = [], 0
    for _ in range(attempts):
        start = time.perf_counter()
        said = tempfile.TemporaryFile()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said,
            env={**os.environ, **(env or {})})
        while child.poll() is None:
            peak = max(peak, peak_of(child.pid))
            time.sleep(0.01)
        seconds.append(time.perf_counter() - start)
        if child.returncode:
            said.seek(0)
            sys.exit(f"package.py: {' '.join(command)}: {said.read().decode()[-2000:]}")
    return statistics.median(seconds), peak / 1024


RELOWER = """
import sys
sys.path.insert(0, sys.argv[1])
import torch, gpt2
from torch._inductor import aoti_compile_and_package
torch.manual_seed(0)
model = gpt2.model().eval().to(sys.argv[2])
args = tuple(x.to(sys.argv[2]) for x in gpt2.inputs()[0])
with torch.no_grad():
    aoti_compile_and_package(torch.export.export(model, args), package_path=sys.argv[3])
"""


def relower(device, work):
    """Export and compile in a fresh process with fresh caches, as for a flag set the first time."""
    with tempfile.TemporaryDirectory(dir=work) as caches:
        env = {"AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER": "2",
            "TORCHINDUCTOR_CACHE_DIR": caches, "TRITON_CACHE_DIR": f"{caches}/triton"}
        return timed([sys.executable, "-W", "ignore", "-c", RELOWER, f"{ROOT}/samples", device,
            f"{caches}/again.pt2"], env)[0]


def sample(name, device, work):
    """The directory with the sample's package, emitted where it is not there."""
    place = os.path.join(work, f"{name}-{device}")
    if not os.path.exists(f"{place}/outputs.pt"):
        subprocess.run([sys.executable,
    "-W",
    "ignore",
    f"{ROOT}/samples/emit.py",
    name,
    device,
    place],
     check=True)
    return place


def repackaged(package, work, attempts):
    """Median wall seconds with an empty cache and with one that the same package filled, and the
    peak MiB."""
    out = os.path.join(work, "package_dbg.pt2")
    command = [AOTIGEN, "-q", f"--torch={TORCH}", "-p2", package, "-o", out]
    cold, peaks = [], []
    for _ in range(attempts):
        with tempfile.TemporaryDirectory(dir=work) as cache:
            seconds, peak = timed(command, {"XDG_CACHE_HOME": cache})
            cold.append(seconds)
            peaks.append(peak)
    with tempfile.TemporaryDirectory(dir=work) as cache:
        timed(command, {"XDG_CACHE_HOME": cache})
        warm, peak = timed(command, {"XDG_CACHE_HOME": cache}, attempts)
    os.unlink(out)
    return statistics.median(cold), warm, max(*peaks, peak)


def measure(device, package, work):
    """Rows of (what, goal, found, how)."""
    small_cold, small_warm, _ = repackaged(f"{sample('mlp_dyn', device, work)}/model.pt2", work, 5)
    cold, warm, peak = repackaged(package, work, 3)
    again = relower(device, work)
    size = os.path.getsize(package) / 1e6
    return [
    (
        f"a package of a model with three launches ({device}) to a debug package, cold",
        "12 s",
        f"{small_cold:.1f} s",
        "`aotigen -p2 model.pt2` of mlp_dyn, nothing in the cache, median of 5"),
        ("the same, warm",
        "4 s",
        f"{small_warm:.1f} s",
        "precompiled headers and the container there, median of 5"),
        (f"GPT-2's package ({device}, {size:.0f} MB) to a debug package, cold",
        "8 s",
        f"{cold:.1f} s",
        "`aotigen -p2 model.pt2`, nothing in the cache, median of 3; "
         "bounded by g++, which makes code of the wrapper on one core, and by the linker copying "
         "the weights (on a terminal each step shows its time)"),
        ("the same, warm",
        "6 s",
        f"{warm:.1f} s",
        "precompiled headers and the container there, median of 3"),
        ("lowering it again with the printer on / cold",
        "8",
        f"{again / cold:.1f} ({again:.0f} s / {cold:.1f} s)",
        "a fresh process, fresh caches: export and `aoti_compile_and_package` with "
         "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER=2, once"),
        ("lowering it again with the printer on / warm",
        "8",
        f"{again / warm:.1f} ({again:.0f} s / {warm:.1f} s)",
        "the same"),
        ("peak memory of aotigen itself meanwhile",
        "300 MiB",
        f"{peak:.0f} MiB",
        "VmHWM of the process, its compilers aside"),
         ]


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    work = os.path.join(ROOT, "build", "bench")
    for row in measure(device, f"{sample('gpt2', device, work)}/model.pt2", work):
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
