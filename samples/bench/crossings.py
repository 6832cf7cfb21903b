"""crossings.py - how often a launch of an async run crosses the border of a file of runtime/, on
the way from a marker to cuLaunchKernelEx. A crossing is a call of a function of another file, of
one in a header too, in a build in which nothing is inlined. Part of `make bench`; by itself:

    python3 samples/bench/crossings.py [-v]     counts for each marker; -v lists the crossings

Scenarios (crossings.c): before a launch whose input an earlier launch wrote (nothing is scanned, so
the whole marker counts), before one whose input was never scanned, and after a launch. Needs cc,
addr2line and libcmocka; nothing that make built.
"""
import collections
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(os.environ.get("AOTIGEN_BUILD") or os.path.join(ROOT, "build"), "bench",
    "crossings")
CC = [os.environ.get("CC") or "cc", "-std=c11", "-D_GNU_SOURCE=", "-O0",
    "-gdwarf-4"]  # in DWARF 5 addr2line takes functions of headers for those of the file
INCLUDE = [f"-I{ROOT}/{d}" for d in ("runtime", "kernels", "t")]
HERE = ["samples/bench/crossings.c", "t/lib/shim.c"]
FAKE = ["t/5xx/fake_cuda.c", "t/5xx/fake_stream.c"]


def in_root(files):
    return [os.path.join(ROOT, f) for f in files]


def run(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def build():
    """Paths of the program and of the fake driver."""
    os.makedirs(WORK, exist_ok=True)
    program, fake = os.path.join(WORK, "crossings"), os.path.join(WORK, "libcuda.so.1")
    runtime = sorted(glob.glob(os.path.join(ROOT, "runtime", "*", "*.c")))
    run([*CC, *INCLUDE, "-finstrument-functions", "-c", *runtime], cwd=WORK)
    objects = [os.path.basename(f)[:-1] + "o" for f in runtime]
    run([*CC, *INCLUDE, "-no-pie", "-rdynamic", "-o", program, *in_root(HERE), *objects, "-lcmocka",
        "-lm", "-ldl", "-lpthread"], cwd=WORK)
    run([*CC, *INCLUDE, "-fPIC", "-shared", "-Wl,-soname,libcuda.so.1", "-o", fake, *in_root(FAKE),
        "-lpthread"])
    return program, fake


def places(program, addresses):
    """Each address's function and file."""
    lines = run(["addr2line", "-f", "-e", program, *addresses]).splitlines()
    files = [line.rsplit(":", 1)[0] for line in lines[1::2]]
    return {a: (function, os.path.relpath(f, os.path.join(ROOT, "runtime")))
        for a, function, f in zip(addresses, lines[::2], files)}


def crossings():
    """For each scenario, its crossings: pairs of (function, file)."""
    program, fake = build()
    out = run([program], env={**os.environ, "FAKE_CUDA": fake, "FAKE_DEVICE": "cuda"})
    calls = [line.split() for line in out.splitlines()]
    place = places(program, sorted({a for c in calls for a in c[1:]}))
    found = collections.defaultdict(list)
    for scenario, caller, callee in calls:
        if place[caller][1] != place[callee][1]:
            found[scenario].append((place[caller], place[callee]))
    return found


if __name__ == "__main__":
    for scenario, pairs in crossings().items():
        for caller, callee in pairs if "-v" in sys.argv else []:
            print(f"  {caller[0]} ({caller[1]}) -> {callee[0]} ({callee[1]})")
        print(f"{scenario}: {len(pairs)} crossings, {len({f for p in pairs for _, f in p})} files")
