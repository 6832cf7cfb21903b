#!/bin/sh
# An exported program refuses a size that eager torch and the program's own package take, and the
# package takes one that eager torch and the program refuse. For x.reshape(100, -1) the export notes
# that x.size()[0] // 100 is neither 0 nor 1, since the sample input has another size:
# program.module() checks that, and refuses 100 elements, which compute right. The package checks
# nothing of it: of 250 elements it computes 200, without a word.
#
# Seen with torch 2.11.0, CPU, Dim.AUTO, exported with 300 elements. The sums of all results:
#   100 elements: eager 200, the package 200, the program "Guard failed"
#   250 elements: the package 400, eager refuses, the program "Guard failed"
#
# usage: findings/guards_refuse_a_right_size.sh   fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/reshape.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x.reshape(100, -1).sum(1) * 2
with torch.no_grad():
    program = torch.export.export(
        Model(), (torch.ones(300),), dynamic_shapes=({0: torch.export.Dim.AUTO},))
    package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(
        program, package_path=f"{sys.argv[1]}/model.pt2"))
def sum_of(call, n):
    try:
        return int(call(torch.ones(n)).sum())
    except Exception:
        return "refused"
for n in 100, 250:
    print(n, *(sum_of(x, n) for x in (Model(), program.module(), package)))
PY
said=$("$python" "$here/reshape.py" "$here" | tail -2)
printf 'torch %s: elements, eager, program, package\n%s\n' "$version" "$said"
[ "$said" = '100 200 refused 200
250 refused refused 400' ] || {
  echo 'this has changed' >&2
  exit 1
}
