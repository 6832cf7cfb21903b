#!/bin/sh
# torch.export's run_decompositions() with Inductor's own table fails for a model with a max pooling
# whose windows overlap, as ResNet's, in a process that has compiled nothing yet: the table's entry
# for max_pool2d_with_indices takes torch._inductor.lowering for an attribute that is there, and
# only a compilation imports that module. The same lines work behind any compilation, or with the
# import.
#
# Seen with torch 2.11.0, CPU: AttributeError without the import, the decomposed program with it.
#
# usage: findings/decomposition_table_needs_lowering.sh   fetches torch: 3 GB, 8 GB of disk
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/decompose.py" <<'PY'
import sys, torch
from torch._inductor.decomposition import select_decomp_table
if sys.argv[1] == "imported":
    import torch._inductor.lowering
pool = torch.nn.MaxPool2d(3, stride=2, padding=1)
program = torch.export.export(pool, (torch.ones(1, 1, 8, 8),))
try:
    program.run_decompositions(select_decomp_table())
    print("decomposed")
except AttributeError as error:
    print(str(error).splitlines()[0])
PY
for way in alone imported; do
  said=$("$python" "$here/decompose.py" $way 2>/dev/null | tail -1)
  echo "torch $version, $way: $said"
  case $way:$said in
    "alone:module 'torch._inductor' has no attribute 'lowering'") ;;
    imported:decomposed) ;;
    *)
      echo 'this has changed' >&2
      exit 1
      ;;
  esac
done
