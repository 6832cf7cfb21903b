"""streams.py - what the checks cost a model of two streams, beside the same model on one. Run by
build/torch/python on a machine with a GPU.

two_chains.py is emitted; in a copy of its wrapper the second chain runs on a side stream, as torch
2.15 writes it. Each is built without a check, with the default ones, and with names alone. All six
run in one process, in turns of five; a run is timed from an idle device to an idle one, and the
median of 60 counts. The outputs are compared bit for bit.
"""
import os
import re
import shutil
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor

import torch

from cuda import AOTIGEN, ROOT, WORK, run, time_run, torch_dir

AT = os.path.join(WORK, "streams")
TURNS, RUNS = 12, 5
LEVELS = {
    "plain": ["--check-inputs=off", "--nan-asserts=off"],
    "default": [],
    "names": ["-p3", "--check-inputs=off", "--nan-asserts=off"],
}
SIDE = """namespace {
struct side_work {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  side_work() {
    AOTI_RUNTIME_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    AOTI_RUNTIME_CUDA_CHECK(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    AOTI_RUNTIME_CUDA_CHECK(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  }
};
}
"""
BEGIN = """    thread_local side_work side;
    AOTI_RUNTIME_CUDA_CHECK(cudaEventRecord(side.begin, stream));
"""
FORK = """    AOTI_RUNTIME_CUDA_CHECK(cudaStreamWaitEvent(side.stream, side.begin, 0));
    {
    AOTICudaStreamGuard side_guard(side.stream, this->device_idx_);
"""
JOIN = """    }
    AOTI_RUNTIME_CUDA_CHECK(cudaEventRecord(side.end, side.stream));
    AOTI_RUNTIME_CUDA_CHECK(cudaStreamWaitEvent(stream, side.end, 0));
"""


def split(text):
    """The wrapper whose second chain runs on a side stream. The tensor that the chain returns is
    declared before its block."""
    text, spaces = re.subn(r"^(?=namespace torch::aot_inductor \{)", SIDE, text, 1, re.M)
    text, guards = re.subn(r"^( +AOTICudaStreamGuard stream_guard\(.*\n)",
        lambda found: found[1] + BEGIN, text, 1, re.M)
    lines = text.splitlines(keepends=True)
    calls = [i for i, line in enumerate(lines) if re.match(r" +call_\w+\(.*, stream,", line)]
    ours = [i for i in calls if "arg1_1" in lines[i]]
    if not (spaces and guards and ours):
        sys.exit("streams.py: the wrapper has another form than it knows")
    first, last = ours[0], calls[-2]
    returned = re.search(r", (buf\d+), \d+, 8L", lines[last])[1]
    while lines[last + 1].strip().endswith(".reset();"):
        last += 1
    outside = re.compile(rf"\b{returned}_handle\b|constexpr int64_t int_array")
    block = [line.replace(", stream,", ", side.stream,") for line in lines[first:last + 1]
        if not outside.search(line)]
    handle = f"{returned}_handle"
    head = [line for line in lines[:first] if handle not in line]
    moved = [line for line in lines[first:last + 1] if "constexpr int64_t int_array" in line]
    moved += [line for line in lines[:last + 1] if handle in line]
    return "".join([*head, *moved, FORK, *block, JOIN, *lines[last + 1:]])


def build(name):
    wrapper = f"{AT}/{name}_dbg.cpp"
    run([AOTIGEN, f"--torch={torch_dir()}", f"{AT}/{name}.cpp", "-o", wrapper])
    for level, options in LEVELS.items():
        run([AOTIGEN, "build", f"--torch={torch_dir()}", f"--weights={AT}/model.so", *options,
            wrapper, f"{AT}/kernel.cpp", "-o", f"{AT}/{name}_{level}.so"])


def make():
    shutil.rmtree(AT, ignore_errors=True)
    os.makedirs(AT)
    run([sys.executable, "-W", "ignore", f"{ROOT}/samples/emit.py", "two_chains", "cuda", AT,
        "allow_buffer_reuse=False"],
        env={**os.environ, "PYTHONPATH": f"{ROOT}/samples/bench"})
    with open(f"{AT}/wrapper.cpp") as file:
        text = file.read()
    for name, content in (("one", text), ("two", split(text))):
        with open(f"{AT}/{name}.cpp", "w") as file:
            file.write(content)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(build, ("one", "two")))


def measure():
    """Medians in milliseconds, by streams and level."""
    os.environ["AOTIGEN_PRINTER_TO"] = f"{AT}/output.txt"
    inputs = [x.clone() for x in torch.load(f"{AT}/inputs.pt")[0]]
    runners = {(name, level): torch._C._aoti.AOTIModelContainerRunnerCuda(
        f"{AT}/{name}_{level}.so", 1, "cuda", AT) for name in ("one", "two") for level in LEVELS}
    expected = runners["one", "plain"].run(inputs)[0]
    for which, runner in runners.items():
        if not all(torch.equal(expected, runner.run(inputs)[0]) for _ in range(20)):
            sys.exit(f"streams.py: {which}: the outputs are not the plain model's")
    took = {which: [] for which in runners}
    for _ in range(TURNS):
        for which, runner in runners.items():
            took[which] += [time_run(runner, inputs, False) for _ in range(RUNS)]
    return {which: statistics.median(times) for which, times in took.items()}


def main():
    make()
    took = measure()
    print("| checks | one stream | two streams | two / one |\n|---|---|---|---|")
    for level in LEVELS:
        one, two = took["one", level], took["two", level]
        print(f"| {level} | {one:.3f} ms, {one / took['one', 'plain']:.2f}x "
            f"| {two:.3f} ms, {two / took['two', 'plain']:.2f}x | {two / one:.2f} |")


if __name__ == "__main__":
    main()
