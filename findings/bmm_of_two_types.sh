#!/bin/sh
# A batched product of float32 and bfloat16, which eager refuses, is exported and compiled without
# a word. The exported program says that its result is bfloat16; the package returns float32, with
# the product of the exact values: small enough ones become a kernel that sums in float32, and no
# operator of torch's is asked. So a model that never ran in eager, such as one whose float32 mask
# makes a softmax float32, works once it is compiled. An unbatched product of the same two is
# exported and compiled as well, and then refused when the package runs.
#
# Seen with torch 2.11.0, CPU.
#
# usage: findings/bmm_of_two_types.sh   fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/two_types.py" <<'PY'
import sys, torch
name, to = sys.argv[1:]

class Product(torch.nn.Module):
    def forward(self, a, b):
        return torch.bmm(a, b) if name == "bmm" else torch.mm(a, b)

batch = (2,) if name == "bmm" else ()
torch.manual_seed(0)
a, b = torch.rand(*batch, 4, 8), torch.rand(*batch, 8, 3).bfloat16()

def attempt(run):
    try:
        return run()
    except RuntimeError:
        return None

def say(x):
    return "refused" if x is None else str(x.dtype)[6:]

eager = attempt(lambda: Product()(a, b))
with torch.no_grad():
    program = torch.export.export(Product(), (a, b))
    told = next(x for x in program.graph.nodes if x.op == "call_function").meta["val"]
    package = torch._inductor.aoti_compile_and_package(program, package_path=to)
made = attempt(lambda: torch._inductor.aoti_load_package(package)(a, b))
near = made is not None and torch.allclose(made.double(), a.double() @ b.double())
print("eager %s, program %s, package %s%s" % (
    say(eager), say(told), say(made), ", and right" if near else ""))
PY
for name in bmm mm; do
  said=$("$python" "$here/two_types.py" $name "$here/$name.pt2" 2>/dev/null | tail -1)
  echo "torch $version, $name: $said"
  case $name:$said in
    'bmm:eager refused, program bfloat16, package float32, and right') ;;
    'mm:eager refused, program float32, package refused') ;;
    *)
      echo 'this has changed' >&2
      exit 1
      ;;
  esac
done
