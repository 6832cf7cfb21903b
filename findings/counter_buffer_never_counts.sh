#!/bin/sh
# A model that counts in a buffer of one element, as BatchNorm's num_batches_tracked or the position
# in a cache are, counts to one in a package and stays there, without a word. The kernel has the sum
# of the exported value and 1 as a number, and writes that to the buffer in each run. A buffer of
# two elements counts. So does the exported program, run in Python.
#
# Seen with torch 2.11.0, CPU: three runs are [1, 2, 3] in eager torch and [1, 1, 1] in the package.
# torch 2.15.0 has it right.
#
# usage: findings/counter_buffer_never_counts.sh   fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/count.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.register_buffer("count", torch.zeros(shape))
    def forward(self, x):
        self.count.add_(1)
        return x + self.count
x = torch.zeros(2)
with torch.no_grad():
    for shape in (), (2,):
        program = torch.export.export(Model(shape), (x,))
        package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(
            program, package_path=f"{sys.argv[1]}/model{len(shape)}.pt2"))
        calls = Model(shape), program.module(), package
        print(list(shape), *([int(f(x)[0]) for _ in range(3)] for f in calls))
PY
said=$("$python" "$here/count.py" "$here" | tail -2)
printf 'torch %s: shape, eager, program, package\n%s\n' "$version" "$said"
[ "$said" = '[] [1, 2, 3] [1, 2, 3] [1, 1, 1]
[2] [1, 2, 3] [1, 2, 3] [1, 2, 3]' ] || {
  echo 'this has changed' >&2
  exit 1
}
