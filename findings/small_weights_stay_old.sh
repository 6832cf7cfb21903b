#!/bin/sh
# A weight or buffer of up to 8 elements is no constant of a package: its values stand in the
# kernels. get_constant_fqns() leaves it out, so that a program that updates every name it is told
# of computes with the new weights and the old bias, without a word; and one that gives the whole
# state_dict() is refused. A weight of 9 elements is updated.
#
# Seen with torch 2.15.0 and 2.11.0, CPU: a linear layer of 8 outputs, then one of 16. After the
# update the package's outputs are those of the new model with the old bias.
#
# usage: findings/small_weights_stay_old.sh   fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.15.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/update.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def __init__(self, width, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.first = torch.nn.Linear(16, width)
        self.second = torch.nn.Linear(width, 16)
    def forward(self, x):
        return self.second(torch.relu(self.first(x)))
x = torch.linspace(-1, 1, 64).reshape(4, 16)
with torch.no_grad():
    for width in 8, 9:
        old, new = Model(width, 1), Model(width, 2)
        package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(
            torch.export.export(old, (x,)), package_path=f"{sys.argv[1]}/model{width}.pt2"))
        names, state = package.get_constant_fqns(), new.state_dict()
        try:
            package.load_constants(state, check_full_update=True)
            whole = "taken"
        except Exception:
            whole = "refused"
        package.load_constants({k: state[k] for k in names}, check_full_update=True)
        mixed = Model(width, 2)
        mixed.first.bias.copy_(old.first.bias)
        y = package(x)
        print(width, "left out:", sorted(set(state) - set(names)), "state_dict:", whole,
              "as new:", torch.allclose(y, new(x)), "with old bias:", torch.allclose(y, mixed(x)))
PY
said=$("$python" "$here/update.py" "$here" 2>"$here/errors" | tail -2) || cat "$here/errors" >&2
printf 'torch %s: outputs of the first layer\n%s\n' "$version" "$said"
[ "$said" = "8 left out: ['first.bias'] state_dict: refused as new: False with old bias: True
9 left out: [] state_dict: taken as new: True with old bias: False" ] || {
  echo 'this has changed' >&2
  exit 1
}
