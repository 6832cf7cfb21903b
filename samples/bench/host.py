"""host.py - what a launch of an async run costs the host between its markers: instructions, and
lines of the first-level caches, which are empty before each marker (host.c). By itself:

    python3 samples/bench/host.py [-v]     for names alone and for the default checks

Counted are the library, torch's shim as the tests have it, and libc; not the driver. -v lists the
functions. Needs cc, valgrind, libcmocka and
build/libaotigen.a.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("AOTIGEN_BUILD") or os.path.join(ROOT, "build")
WORK = os.path.join(BUILD, "bench", "host")
CC = [os.environ.get("CC") or "cc", "-std=c11", "-D_GNU_SOURCE=", "-O2", "-g"]
INCLUDE = [f"-I{ROOT}{d}" for d in ("", "/runtime", "/kernels", "/t")]
LAUNCHES, FEW, MANY = 120, 4, 8
# Counting begins and ends with the markers, and rests within the driver.
TOGGLES = ["aotigen_before", "aotigen_after", "cuLaunchKernelEx", "cuStreamWriteValue32_v2",
    "cuStreamIsCapturing", "cuCtxGetCurrent", "cuPointerGetAttribute"]


def run(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def build():
    os.makedirs(WORK, exist_ok=True)
    program, fake = f"{WORK}/host", f"{WORK}/libcuda.so.1"
    run([*CC, *INCLUDE, "-o", program, f"{ROOT}/samples/bench/host.c", f"{ROOT}/t/lib/shim.c",
        f"{BUILD}/libaotigen.a", "-rdynamic", "-lcmocka", "-lm", "-ldl", "-lpthread"])
    run([*CC, *INCLUDE, "-fPIC", "-shared", "-Wl,-soname,libcuda.so.1", "-o", fake,
        f"{ROOT}/t/5xx/fake_cuda.c", f"{ROOT}/t/5xx/fake_stream.c", "-lpthread"])
    return program, fake


def counted(program, fake, level, runs):
    """For each function: instructions, lines of code, lines read, lines written."""
    out = f"{WORK}/{level}.out"
    run(["valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", "--I1=32768,8,64",
        "--D1=32768,8,64", "--collect-atstart=no", *[f"--toggle-collect={f}" for f in TOGGLES],
        f"--callgrind-out-file={out}", program, level, str(runs)],
        env={**os.environ, "FAKE_CUDA": fake, "FAKE_DEVICE": "cuda"}, stderr=subprocess.DEVNULL)
    found = {}
    table = run(["callgrind_annotate", "--threshold=100", "--auto=no", out])
    for line in table.splitlines():
        match = re.match(r"\s*([\d,.() %]+?)\s+(\S+:\S+) \[(.*)\]$", line)
        # The fake driver looks its counters up by name.
        if not match or "libcuda" in match[3] or "strcmp" in match[2]:
            continue
        numbers = re.sub(r"\([^)]*\)", "", match[1]).replace(",", "").split()
        found[match[2]] = [0 if n == "." else int(n) for n in (numbers + ["."] * 9)[:9]]
    return {name: (n[0], *n[3:6]) for name, n in found.items()}


def main():
    program, fake = build()
    for level in ("names", "default"):
        # What the first runs do is taken off.
        few, many = (counted(program, fake, level, runs) for runs in (FEW, MANY))
        each = {name: [(n - b) / LAUNCHES / (MANY - FEW)
            for n, b in zip(all_, few.get(name, (0, 0, 0, 0)))] for name, all_ in many.items()}
        total = [sum(column) for column in zip(*each.values())]
        print(f"{level}: {total[0]:.0f} instructions, {sum(total[1:]):.0f} lines: "
            f"{total[1]:.0f} of code, {total[2]:.0f} read, {total[3]:.0f} written")
        for name, n in sorted(each.items(), key=lambda x: -sum(x[1][1:])):
            if "-v" in sys.argv and sum(n[1:]) >= 1:
                print(f"  {n[0]:6.0f} {n[1]:5.1f} {n[2]:5.1f} {n[3]:5.1f}  "
                    + name.replace(f"{ROOT}/", ""))


if __name__ == "__main__":
    main()
