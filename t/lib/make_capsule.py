"""make_capsule.py PACKAGE INPUTS WHICH OUT TEXT - a capsule as a watch library writes one: the
outputs of the package for the WHICH-th inputs of INPUTS, and what TEXT, JSON, says of the run
besides, in the place of what is said here."""
import json
import os
import sys
import time
import zipfile

import torch

package, inputs, which, out, text = sys.argv[1:]
inputs = list(torch.load(inputs)[int(which)])
more = json.loads(text)
loader = torch._C._aoti.AOTIModelPackageLoader(package, "model", False, 1, -1)
outputs = [y.clone() for y in loader.run([x.clone() for x in inputs])]


def describe(t):
    return {"dtype": str(t.dtype)[6:], "sizes": list(t.shape), "strides": list(t.stride()),
            "device": str(t.device), "kept": "copied", "why": None}


def find(i, t):
    bad = ~torch.isfinite(t).reshape(-1)
    at, first = int(bad.nonzero()[0]), []
    for n in reversed(t.shape):
        first.insert(0, at % n)
        at //= n
    return {"output": i, "nan": int(t.isnan().sum()), "pos_inf": 0, "neg_inf": 0, "first": first,
            "value": "nan"}


said = {
    "aotigen_capsule": 1, "aotigen": "0", "time": time.time(), "host": "host", "pid": os.getpid(),
    "rank": None,
    "model": {"aotigen": "0", "format": 1, "model": "model", "package": os.path.abspath(package),
              "so": "model.so", "so_bytes": 1, "so_hash": "0" * 16, "torch": None},
    "run": 7, "entry": "AOTInductorModelContainerRun", "device": "cpu", "gpu": None,
    "weights": "as loaded",
    "findings": [find(i, t) for i, t in enumerate(outputs) if not torch.isfinite(t).all()],
    "inputs": [describe(t) for t in inputs], "outputs": [describe(t) for t in outputs],
    "environment": {}}
said["model"].update(more.pop("model", {}))
exec(more.pop("do", ""))
said.update(more)
torch.save({"capsule": json.dumps(said), "inputs": inputs, "outputs": outputs}, out)
with zipfile.ZipFile(out, "a") as z:
    z.writestr("%s/capsule.json" % z.namelist()[0].split("/")[0], json.dumps(said))
