#!/bin/sh
# A package reads a tensor with the negative bit as it lies in memory, and computes with the wrong
# sign, without a word. z.conj().imag is such a tensor in eager torch: a view of z's memory, whose
# elements torch's operators negate as they read them. The kernels of the package read the memory.
# The exported program, run in Python, is right, and so is torch.compile with backend="aot_eager";
# torch.compile with Inductor is as wrong as the package (pytorch issue 145093, of clone() alone).
#
# Seen with torch 2.11.0 and 2.15.0, CPU: 2 * [-2, -4] is [-4, -8], and [4, 8] in the package.
#
# usage: findings/negated_view_loses_its_sign.sh   fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.15.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/twice.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2
x = torch.tensor([1 + 2j, 3 + 4j]).conj().imag
with torch.no_grad():
    program = torch.export.export(Model(), (x,))
    package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(
        program, package_path=f"{sys.argv[1]}/model.pt2"))
    calls = Model(), program.module(), package, torch.compile(Model())
    print("input", x.tolist(), x.is_neg(), "result", *(f(x).tolist() for f in calls))
PY
said=$("$python" "$here/twice.py" "$here" | tail -1)
printf 'torch %s: %s\n' "$version" "$said"
want='input [-2.0, -4.0] True result [-4.0, -8.0] [-4.0, -8.0] [4.0, 8.0] [4.0, 8.0]'
[ "$said" = "$want" ] || {
  echo 'this has changed' >&2
  exit 1
}
