"""run_cases.py SO OUTDIR MODEL CASES RESULTS - runs a model once for each case, each in a forked
process: torch is loaded once.

CASES is JSON: a list of {"name", "poke", "env", "inputs", "runs"}. poke: Python statements to run
before the model, with `inputs` (those of that number of the sample's, from 0), `runner`, `model`
(the sample's module), `torch`, `nan`. A case may have an SO (or a package), OUTDIR and MODEL of its
own: "so", "outdir", "model". With "same" the outputs of the last run must be the plain model's, bit
for bit.
RESULTS becomes JSON: for each case {"name", "status", "signal", "err", "log"}. status: 0 where the
runs came to their end, 1 where the outputs differ, 3 where a run threw, whose text is added to
`err` after "threw: ".
"""
import importlib
import json
import os
import signal
import sys
import tempfile
import traceback

import torch
import torch._dynamo  # a custom op's first call imports it, which takes seconds in each process

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../samples"))
import run  # samples/run.py

LIMIT = 60


def load(so):
    """Of a package by torch's C++ class: its Python imports Inductor, which takes seconds."""
    if not so.endswith(".pt2"):
        return torch._C._aoti.AOTIModelContainerRunnerCpu(os.path.abspath(so), 1)
    return torch._C._aoti.AOTIModelPackageLoader(so, "model", False, 1, -1)


def run_case(so, inputs, sample, case):
    names = {"inputs": inputs, "torch": torch, "nan": float("nan"), "model": sample}
    os.environ.update(case.get("env", {}))
    runner = names["runner"] = load(so)
    exec(case["poke"], names)
    try:
        for _ in range(case.get("runs", 1)):
            outputs = runner.run([x for x in names["inputs"]])
    except RuntimeError as error:
        print(f"threw: {error}", file=sys.stderr, flush=True)
        return 3
    return int("same" in case and not are_same(outputs, case))


def are_same(outputs, case):
    wanted = torch.load(os.path.join(case["outdir"], "outputs.pt"))[case.get("inputs", 0)]
    return len(outputs) == len(wanted) and all(map(run.same, outputs, wanted))


def fork_case(so, outdir, sample, case):
    with tempfile.TemporaryDirectory() as scratch:
        err, log = os.path.join(scratch, "err"), os.path.join(scratch, "log")
        child = os.fork()
        if not child:
            status = 4
            signal.alarm(LIMIT)
            try:
                os.dup2(os.open(err, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)
                os.environ["AOTIGEN_LOG"] = log
                os.environ["AOTIGEN_OUTPUT_DIR"] = os.path.join(scratch, "saved")
                inputs = torch.load(os.path.join(outdir, "inputs.pt"))[case.get("inputs", 0)]
                status = run_case(so, list(inputs), sample, case)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        return {
            "name": case["name"],
            "status": os.waitstatus_to_exitcode(ended) if os.WIFEXITED(ended) else None,
            "signal": os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else 0,
            "err": open(err, errors="replace").read(),
            "log": open(log).read() if os.path.exists(log) else "",
        }


def main():
    so, outdir, name, file, results = sys.argv[1:]
    with open(file) as text:
        cases = [{"so": so, "outdir": outdir, "model": name, **case} for case in json.load(text)]
    samples = {name: importlib.import_module(name) for name in {x["model"] for x in cases}}
    found = [fork_case(x["so"], x["outdir"], samples[x["model"]], x) for x in cases]
    with open(results, "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main()
