#!/bin/sh
# aot_inductor.model_name_for_generated_files gives the files that AOTInductor generates a name of
# the user's. A model is compiled with it, its small buffers change (it was trained further, say),
# and it is compiled again under the same name: the second package has the first one's code, and
# with it the old buffers' values, since Inductor writes small ones into the code as literals. There
# is no warning, and the package loads and computes: with the old numbers.
#
# Seen with torch 2.11.0, CPU, g++ 12: x + b, with b = [1, 2, 3, 4], then b = [10, 20, 30, 40], on
# x = [0, 1, 2, 3]. The second package:
#     with the name     [1.0, 3.0, 5.0, 7.0]
#     without the name  [10.0, 21.0, 32.0, 43.0]
# Why: generated files lie in Inductor's cache, in a directory that depends on the graph and not on
# the values; a file's name is otherwise a hash of its text, and a file that exists is not written
# again. A weight that is too large for a literal is right. A new TORCHINDUCTOR_CACHE_DIR for each
# package avoids it.
#
# usage: findings/named_package_keeps_old_code.sh      fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/twice.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def __init__(self, values):
        super().__init__()
        self.register_buffer("b", torch.tensor(values))
    def forward(self, x):
        return x + self.b
name = sys.argv[1]
options = {"aot_inductor.model_name_for_generated_files": name} if name else {}
x = torch.arange(4.0)
for i, values in enumerate(([1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0])):
    program = torch.export.export(Model(values).eval(), (x,))
    path = torch._inductor.aoti_compile_and_package(
        program, package_path=f"{sys.argv[2]}{i}.pt2", inductor_configs=dict(options))
    result = torch._inductor.aoti_load_package(path)(x)
print(result.tolist())
PY
named=$(TORCHINDUCTOR_CACHE_DIR="$here/a" "$python" "$here/twice.py" scorer "$here/named" | tail -1)
plain=$(TORCHINDUCTOR_CACHE_DIR="$here/b" "$python" "$here/twice.py" '' "$here/plain" | tail -1)
echo "torch $version, the second package: with the name $named; without it $plain"
[ "$named" = '[1.0, 3.0, 5.0, 7.0]' ] && [ "$plain" = '[10.0, 21.0, 32.0, 43.0]' ] || {
  echo 'this has changed' >&2
  exit 1
}
