#!/bin/sh
# A model that converts a complex tensor to float32 computes wrong numbers in a package, without a
# word. AOTInductor leaves prims.convert_element_type to the proxy executor, and writes the dtype as
# the export schema numbers it, where float32 is 7 (wrapper.json: "as_scalar_type": 7). The executor
# takes the number for c10's, where 7 is float64. The kernel behind it reads the float64 as float32.
#
# Seen with torch 2.11.0, CPU: x.to(float32) * 2 of [1+2j, 3+4j] is [2, 6] in eager torch and
# [256, 3], of float64, in the package.
#
# usage: findings/complex_to_float32_is_float64.sh   fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/convert.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x.to(torch.float32) * 2
x = torch.tensor([1 + 2j, 3 + 4j])
with torch.no_grad():
    path = torch._inductor.aoti_compile_and_package(
        torch.export.export(Model(), (x,)), package_path=f"{sys.argv[1]}/model.pt2")
    result = torch._inductor.aoti_load_package(path)(x)
print("eager", Model()(x).tolist(), "package", result.dtype, result.tolist())
PY
said=$("$python" "$here/convert.py" "$here" | tail -1)
echo "torch $version: $said"
[ "$said" = 'eager [2.0, 6.0] package torch.float64 [256.0, 3.0]' ] || {
  echo 'this has changed' >&2
  exit 1
}
