"""entry_host.py SO DIR PLACE END TIMES - runs TIMES hosts of the embedding's model.

Each calls the model five times without waiting, the third time with an index out of range, and ends
as soon as it gets the exception. Prints how each ended, the exception's text, and stderr, as JSON.

PLACE  where the error shows: calls (in any of them), query (before the next call), update (of the
       weights), deletion
END    how the host ends: return, _exit, abort
Each host is a child process that initializes CUDA itself: a lost device is lost to that child only.
"""
import json
import os
import signal
import sys
import tempfile
import traceback

import torch

AT_ONCE = 8


def provoke(so, directory, place):
    runner = torch._C._aoti.AOTIModelContainerRunnerCuda(so, 1, "cuda", directory)
    good, bad = (torch.tensor([1, 5, last, 0], device="cuda") for last in (99, 1000000))
    weights = {
        name: torch.zeros(100, 32, device="cuda")
        for name in runner.get_constant_names_to_original_fqns()
        if "table" in name
    }
    torch.cuda.synchronize()
    for call in range(1, 6):
        runner.run([bad if call == 3 else good])
        if call < 3:
            torch.cuda.synchronize()
        if call == 3 and place != "calls":
            break
    if place == "deletion":
        del runner
        return
    try:  # the error is sticky: it comes up again in what follows
        torch.cuda.synchronize()
    except RuntimeError:
        pass
    if place == "update":
        runner.update_constant_buffer(weights, False, False)
    else:
        runner.run([good])


def host(so, directory, place, end):
    signal.alarm(60)
    try:
        provoke(so, directory, place)
        text = ""
    except RuntimeError as error:
        text = str(error)
        if end == "_exit":
            os.write(1, text.encode())
            os._exit(3)
        if end == "abort":
            os.write(1, text.encode())
            os.abort()
    os.write(1, text.encode())
    if end == "_exit":
        os._exit(0)


def child(so, directory, place, end, out, err):
    os.dup2(out, 1)
    os.dup2(err, 2)
    try:
        host(so, directory, place, end)
    except BaseException:
        traceback.print_exc()
        os._exit(4)
    sys.exit(0)


def contents(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def main():
    so, directory, place, end, times = sys.argv[1:]
    hosts = []
    left = int(times)
    while left:
        batch = []
        for _ in range(min(left, AT_ONCE)):
            out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
            pid = os.fork()
            if not pid:
                child(so, directory, place, end, out.fileno(), err.fileno())
            batch.append((pid, out, err))
        for pid, out, err in batch:
            status = os.waitpid(pid, 0)[1]
            hosts.append({
                "signal": status & 127,
                "status": status >> 8,
                "text": contents(out),
                "err": contents(err),
            })
        left -= len(batch)
    print(json.dumps(hosts))


main()
