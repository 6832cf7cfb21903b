"""bench.py - `make bench`: makes the measurements of samples/bench.md and writes them there. Run by
build/torch/python. Names of parts, as `bench.py rewriting guarding`, make these alone: then only
`guarding`, which has a section of its own, is written. The other parts take the wrapper that
`rewriting` leaves.

Every figure is a ratio, or stands beside its goal, within one run; other work on the machine widens
the spread.
"""
import os
import re
import statistics
import subprocess
import sys
import time

import torch

import crossings
import package
import report

ROOT, BUILD, AOTIGEN, TORCH = package.ROOT, package.BUILD, package.AOTIGEN, package.TORCH
WORK = os.path.join(ROOT, "build", "bench")
LLVM = os.environ.get("LLVM") or "/usr/lib/llvm-19"
GPT2 = os.path.join(WORK, "gpt2")
OFF = ["-DAOTIGEN_PRINTER=0", "-DAOTIGEN_CHECK_INPUTS=0", "-DAOTIGEN_NAN_ASSERTS=0",
    "-DAOTIGEN_SYNC=0"]
rows = []


def say(text):
    print(text, flush=True)


def measure(command, env=None):
    """Wall seconds of a child."""
    start = time.perf_counter()
    child = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, **(env or {})})
    if child.returncode:
        sys.exit(f"bench: {' '.join(command)}: {child.stderr.decode()[-2000:]}")
    return time.perf_counter() - start


def peak(command):
    """Peak MiB of a child. A small Python starts it: a child begins with the peak of its parent."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out = subprocess.run([sys.executable, "-S", "-c", code, *command], check=True,
        capture_output=True, text=True).stdout
    return int(out) / 1024


def median(command, times=5, env=None):
    return statistics.median(measure(command, env) for _ in range(times))


def in_turns(a, b, times=5):
    """Medians of two commands, run in turns."""
    both = [(measure(a), measure(b)) for _ in range(times)]
    return statistics.median(x for x, _ in both), statistics.median(y for _, y in both)


def row(what, goal, found, method):
    rows.append((what, goal, found, method))
    say(f"  {what}: {found} (goal: {goal})")


def recorded_flags(wrapper):
    """The flags of the recorded compile command, without the files it names."""
    words = re.search(r"// Compile cmd\n// (.*)", open(wrapper).read()).group(1).split()
    flags, words = [], words[1:]
    while words:
        word = words.pop(0)
        if word in ("-D", "-U"):
            flags += [word, words.pop(0)]
        elif word in ("-include", "-o"):
            words.pop(0)
        elif re.match(r"-(D|U|I|O|std|m|f|W|pedantic)", word):
            flags.append(word)
    return flags


def rewriting():
    wrapper = os.path.join(GPT2, "wrapper.cpp")
    text = open(wrapper).read()
    # The other flags of g++ mean nothing to a parser.
    parsing = r"-(D|U|I|std|m|fopenmp)"
    flags = [f for f in recorded_flags(wrapper) if re.match(parsing, f) or f[0] != "-"]
    headers = os.path.join(WORK, "headers.cpp")
    with open(headers, "w") as file:
        file.write("".join(line + "\n" for line in text.splitlines()
            if re.match(r"\s*#\s*include\b", line)))
    clang = [f"{LLVM}/bin/clang++", "-fsyntax-only", "-w", *flags, headers]
    out = os.path.join(WORK, "gpt2_dbg.cpp")
    rewrite = [AOTIGEN, f"--torch={TORCH}", "-q", wrapper, "-o", out]
    parse, cold = in_turns(clang, [*rewrite, "--no-cache"])
    measure(rewrite)
    warm = median(rewrite)
    memory = max(peak([*rewrite, "--no-cache"]), peak(rewrite))
    row("rewrite GPT-2's wrapper, cold / parse of the headers", "1.10",
        f"{cold / parse:.2f} ({cold:.2f} s / {parse:.2f} s)",
        "`aotigen --no-cache` beside `clang++ -fsyntax-only` of the wrapper's `#include` lines, in "
        "turns, medians of 5")
    row("the same with a cached precompiled header", "0.4 s", f"{warm:.2f} s",
        "the same command again, median of 5")
    row("peak memory of a rewrite", "300 MiB", f"{memory:.0f} MiB",
        "`ru_maxrss` of it, cold and cached, the larger")
    ten_times(text, rewrite)


def ten_times(text, rewrite):
    """run_impl with no body, with its own, and with its own ten times over, each in a block."""
    begin = text.index("{", text.index(") {\n", text.index("void AOTInductorModel::run_impl(")))
    end = text.index("\n}", begin)
    body = text[begin + 1 : end]
    times = []
    for n in (0, 1, 10):
        longer = os.path.join(WORK, f"gpt2_{n}.cpp")
        with open(longer, "w") as file:
            file.write(
                text[: begin + 1] + "".join("{" + body + "\n}\n" for _ in range(n)) + text[end:])
        command = [*rewrite[:-3], longer, "-o", os.path.join(WORK, "gpt2_longer_dbg.cpp")]
        measure(command)
        times.append(median(command, 9))
    none, one, ten = times
    row("time beyond the headers with run_impl 10 times as long", "10",
        f"{(ten - none) / (one - none):.1f} ({ten - none:.2f} s / {one - none:.2f} s)",
        "its body repeated in 10 blocks; what the wrapper takes with an empty one taken off both; "
        "cached header, medians of 9")


def compiling():
    wrapper = os.path.join(GPT2, "wrapper.cpp")
    flags = recorded_flags(wrapper)
    plain = ["g++", *flags, "-c", wrapper, "-o", f"{WORK}/plain.o"]
    debug = ["g++", *flags, f"-I{ROOT}/runtime", "-c", f"{WORK}/gpt2_dbg.cpp", "-o",
        f"{WORK}/debug.o"]
    off = ["g++", *flags, f"-I{ROOT}/runtime", *OFF, "-c", f"{WORK}/gpt2_dbg.cpp", "-o",
        f"{WORK}/off.o"]
    a, b = in_turns(plain, debug, 3)
    row("compile of the debug wrapper / of the plain one", "1.25",
        f"{b / a:.2f} ({b:.1f} s / {a:.1f} s)",
        "GPT-2's, `g++` with the recorded flags, no precompiled header, in turns, medians of 3")
    measure(off)
    same = code("plain.o") == code("off.o")
    row("level 0", "same machine code", "same" if same else "differs",
        "every code section of the two objects, byte by byte")


def code(name):
    sections = subprocess.run(["objdump", "-h", "-w", name], cwd=WORK, capture_output=True,
        text=True).stdout
    found = {}
    for line in sections.splitlines():
        if " CODE" in line or ",CODE" in line:
            section = line.split()[1]
            subprocess.run(["objcopy", "-O", "binary", "-j", section, name, "part"], cwd=WORK,
                stderr=subprocess.DEVNULL)
            part = os.path.join(WORK, "part")
            found.setdefault(section,
                []).append(open(part, "rb").read() if os.path.exists(part) else b"")
    return found


def scanning():
    scan, filtered = (os.path.join(BUILD, "bench", name) for name in ("scan", "filtered"))
    out = subprocess.run([scan], check=True, capture_output=True, text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"}).stdout
    seconds = {k: float(v) for k, v in (line.split() for line in out.splitlines())}
    row("NaN scan of float32 beyond the cache, one thread / reading it", "90 % of the speed",
        f"{seconds['read'] / seconds['scan']:.0%}",
        f"1 GiB, best of 7 in turns: read {1 / seconds['read']:.1f} GiB/s, scan "
        f"{1 / seconds['scan']:.1f} GiB/s; above 100 %: the reading loop, plain C, is not the "
        f"fastest there is (samples/bench/scan.c)")
    out = subprocess.run([filtered], check=True, capture_output=True, text=True).stdout
    row("a filtered-out site", "5 ns", f"{out.split()[1]} ns",
        "its two lines in a loop, less the empty loop, best of 5 (samples/bench/filtered.cpp)")
    row("a run that AOTIGEN_EVERY leaves out", "1 us", f"{out.split()[3]} ns",
        "its start and end in a loop, without launches, best of 5 (the same file)")


def time_model(so):
    """Median milliseconds of 15 runs in a process of its own."""
    run = subprocess.run([sys.executable, "-W", "ignore", f"{ROOT}/samples/run.py", so, GPT2,
        "--repeat=15", "--time"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"bench: {so}: {run.stderr[-2000:]}")
    return float(run.stdout.split()[-1])


def beside_plain(modes):
    """{ name: ms } of GPT-2's plain model and of it at each of the levels: medians of five
    processes, in turns."""
    libraries = {"plain": f"{GPT2}/model.so"}
    for name, levels in modes.items():
        libraries[name] = f"{WORK}/gpt2_{name.replace(',', '_')}.so"
        measure([AOTIGEN, "build", f"--torch={TORCH}", f"--weights={GPT2}/model.so", *levels,
            f"{WORK}/gpt2_dbg.cpp", f"{GPT2}/kernel.cpp", "-o", libraries[name]])
    runs = [{name: time_model(so) for name, so in libraries.items()} for _ in range(5)]
    return {name: statistics.median(run[name] for run in runs) for name in libraries}


def running():
    found = beside_plain({"nan": ["--printer=0", "--check-inputs=off", "--nan-asserts=all"]})
    plain, debug = found["plain"], found["nan"]
    row("GPT-2 on CPU, NaN asserts on every launch / plain", "1.05",
        f"{debug / plain:.2f} ({debug:.0f} ms / {plain:.0f} ms)",
        "`--nan-asserts=all`, 1 x 128 tokens, medians of 15 runs in each of 5 processes, in turns")


GUARDS = {"checks": "1.05", "canary": "1.1", "poison": "-", "page": "1.5", "page,poison": "-"}


def guarding():
    """Writes a section of its own."""
    found = beside_plain({name: [] if name == "checks" else [f"--guard={name}"]
        for name in GUARDS})
    text = f"GPT-2 on the CPU, 1 x 128 tokens, {os.cpu_count()} cores, torch {torch.__version__}, "
    text += f"{time.strftime('%Y-%m-%d')}: the default checks,\nand each mode with them, "
    text += "beside the plain model; medians of 15 runs in each of 5 processes, in\nturns.\n\n"
    text += f"| mode | goal | found |\n|---|---|---|\n| plain | - | {found['plain']:.0f} ms |\n"
    for name, goal in GUARDS.items():
        what = "default checks" if name == "checks" else f"`--guard={name}`"
        ratio = found[name] / found["plain"]
        text += f"| {what} | {goal} | {ratio:.2f}x ({found[name]:.0f} ms) |\n"
        say(text.splitlines()[-1])
    report.replace("## Guarded memory on the CPU", text)


def crossing():
    found = {scenario: len(pairs) for scenario, pairs in crossings.crossings().items()}
    row("a launch's crossings of files' borders, marker after it to cuLaunchKernelEx", "20",
        str(found["after"]),
        "an async run on the fake driver, one tensor read and one written, nothing inlined, "
        "headers counted (samples/bench/crossings.py); the marker before it: "
        f"{found['before-known-input']}, with an input never scanned {found['before-new-input']}")


def packaging():
    for entry in package.measure("cpu", f"{GPT2}/model.pt2", WORK):
        row(*entry)


def write():
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo")
        if line.startswith("model name")), "unknown")
    text = f"Written by `make bench`. {cpu}, {os.cpu_count()} cores, torch {torch.__version__}, "
    text += f"{time.strftime('%Y-%m-%d')}.\n\n"
    text += "| what | goal | found | how |\n|---|---|---|---|\n" + "".join(
        "| " + " | ".join(entry) + " |\n" for entry in rows)
    report.replace("# Measured", text)
    say("written: samples/bench.md")


def main():
    os.makedirs(WORK, exist_ok=True)
    if not os.path.exists(f"{GPT2}/outputs.pt"):
        say("torch compiles samples/gpt2.py for the CPU (a minute or two)")
        subprocess.run([sys.executable, "-W", "ignore", f"{ROOT}/samples/emit.py", "gpt2", "cpu",
            GPT2], check=True)
    parts = (rewriting, compiling, scanning, running, guarding, crossing, packaging)
    chosen = [part for part in parts if part.__name__ in sys.argv[1:] or not sys.argv[1:]]
    for part in chosen:
        say(part.__name__)
        part()
    if chosen == list(parts):
        write()


if __name__ == "__main__":
    main()
