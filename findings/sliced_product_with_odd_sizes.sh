#!/bin/sh
# A package computes wrong numbers, silently, where a size is odd: it reads a batched product with a
# stride that is right for even sizes alone, and past its end. Of
# einsum("bik,bjk->bij", y, y)[:, ::2, -1] Inductor's kernel takes a batch to be 2*s*((s + 1)//2)
# elements apart, where it is s*s; nothing guards that, and the program was exported with all sizes
# dynamic. Eager torch and the exported program compute right.
#
# Seen with torch 2.11.0, CPU, Dim.AUTO, exported with [5, 6, 7]: equal to eager or not
#   5 6 7: program equal, package equal
#   2 8 3: program equal, package equal
#   2 3 2: program equal, package not equal
#   4 5 3: program equal, package not equal
#
# usage: findings/sliced_product_with_odd_sizes.sh   fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/product.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def forward(self, y):
        return torch.einsum("bik,bjk->bij", y, y)[:, ::2, -1] + 1
auto = torch.export.Dim.AUTO
with torch.no_grad():
    program = torch.export.export(
        Model(), (torch.randn(5, 6, 7),), dynamic_shapes=({0: auto, 1: auto, 2: auto},))
    package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(
        program, package_path=f"{sys.argv[1]}/model.pt2"))
    for shape in (5, 6, 7), (2, 8, 3), (2, 3, 2), (4, 5, 3):
        torch.manual_seed(1)
        y = torch.randn(shape)
        said = ["equal" if torch.allclose(f(y), Model()(y), atol=1e-4) else "not equal"
                for f in (program.module(), package)]
        print(f"{shape[0]} {shape[1]} {shape[2]}: program {said[0]}, package {said[1]}")
PY
said=$("$python" "$here/product.py" "$here" | tail -4)
printf 'torch %s\n%s\n' "$version" "$said"
[ "$said" = '5 6 7: program equal, package equal
2 8 3: program equal, package equal
2 3 2: program equal, package not equal
4 5 3: program equal, package not equal' ] || {
  echo 'this has changed' >&2
  exit 1
}
