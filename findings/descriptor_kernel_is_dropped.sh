#!/bin/sh
# A user's Triton kernel that is passed its tensors by TensorDescriptor alone is dropped from an
# exported program without a word, and the model computes with memory that nothing wrote. With
# strict=False, the default, the exported graph holds the kernel; run_decompositions(), which
# AOTInductor runs first, takes it out: no argument of it is seen to be written. The same kernel by
# pointers stays. (On a GPU: aoti_compile_and_package() makes a package of `cos` alone, whose input
# is what empty_like() returned. With strict=True the kernel stays.)
#
# Seen with torch 2.11.0 and triton 3.6.0; no GPU is needed to see it. What is left of the call:
#   by descriptor: exported yes, decomposed no
#   by pointer: exported yes, decomposed yes
#
# usage: findings/descriptor_kernel_is_dropped.sh   fetches torch, with triton: 3 GB, 8 GB of disk
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" TRITON_CACHE_DIR="$here/triton"
export PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/kernels.py" <<'PY'
import logging, torch, triton, triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor
logging.getLogger("torch").setLevel(logging.CRITICAL)

@triton.jit
def by_descriptor(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = [tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS]
    out.store(at, x.load(at) * 2)

@triton.jit
def by_pointer(x, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + at, tl.load(x + at) * 2)

class Described(torch.nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        a, b = (TensorDescriptor.from_tensor(t, [32, 64]) for t in (x, out))
        torch.library.wrap_triton(by_descriptor)[(4, 4)](a, b, ROWS=32, COLUMNS=64)
        return out.cos()

class Pointed(torch.nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        torch.library.wrap_triton(by_pointer)[(128,)](x, out, N=256)
        return out.cos()

def launches(program):
    return "yes" if any("triton_kernel" in str(n.target) for n in program.graph.nodes) else "no"

for name, model in (("by descriptor", Described()), ("by pointer", Pointed())):
    program = torch.export.export(model, (torch.randn(128, 256),), strict=False)
    print(f"{name}: exported {launches(program)}, decomposed",
          launches(program.run_decompositions()))
PY
said=$("$python" "$here/kernels.py" | tail -2)
printf 'torch %s\n%s\n' "$version" "$said"
[ "$said" = 'by descriptor: exported yes, decomposed no
by pointer: exported yes, decomposed yes' ] || {
  echo 'this has changed' >&2
  exit 1
}
