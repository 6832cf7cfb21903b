"""ranks.py BACKEND INPUTS RUNS BAD PACKAGE... - one rank of a group that torchrun started: runs
each package RUNS times on as many inputs, which differ between ranks. In the last run, if BAD is
not negative, rank 1 has a NaN in that input. Prints its rank and the bytes of its last outputs, a
line a package."""
import os
import sys

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives

backend, count, runs, bad, *packages = sys.argv[1:]
rank = int(os.environ["RANK"])
torch.set_num_threads(1)
device = f"cuda:{rank}" if backend == "nccl" else "cpu"
if backend == "nccl":
    torch.cuda.set_device(rank)
dist.init_process_group(backend)
for package in packages:
    loader = torch._C._aoti.AOTIModelPackageLoader(
        package, "model", False, 1, rank if backend == "nccl" else -1)
    for i in range(int(runs)):
        inputs = [torch.arange(16.0, device=device).reshape(4, 4) / 10 + rank + k
                  for k in range(int(count))]
        if i == int(runs) - 1 and rank == 1 and int(bad) >= 0:
            inputs[int(bad)][0, 2] = float("nan")
        out = loader.run(inputs)
    text = " ".join(y.cpu().numpy().tobytes().hex() for y in out)
    os.write(1, f"{rank} {text}\n".encode())  # at once: the ranks share it
    dist.barrier()
    del loader
dist.destroy_process_group()
