#!/bin/sh
# Eager torch and torch.compile convert to float8 on a CPU. AOTInductor takes the same model, emits
# C++ for it and cannot compile that: the wrapper names at::Float8_e4m3fn, which no header that it
# includes declares. The kernels name it as well, and compile: theirs declares it.
#
# Seen with torch 2.11.0, CPU, g++ 12: (x * 2).to(T) fails in AOTInductor, and is right in
# torch.compile, for both T = float8_e4m3fn and T = float8_e5m2. With the result converted back to
# float32 within the model, so that no float8 is an output, the package is right as well.
#
# usage: findings/float8_not_in_cpu_packages.sh      fetches torch: 3 GB, 8 GB of disk; needs g++
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/convert.py" <<'PY'
import re, sys, torch
class Model(torch.nn.Module):
    def __init__(self, dtype, back):
        super().__init__()
        self.dtype, self.back = dtype, back
    def forward(self, x):
        y = (x * 2).to(self.dtype)
        return y.to(torch.float32) if self.back else y
x = torch.arange(4.0)
said = []
for dtype in torch.float8_e4m3fn, torch.float8_e5m2:
    for back in False, True:
        model = Model(dtype, back)
        want = model(x).float().tolist()
        assert torch.compile(model)(x).float().tolist() == want
        program = torch.export.export(model, (x,))
        try:
            path = torch._inductor.aoti_compile_and_package(
                program, package_path=f"{sys.argv[1]}/model.pt2")
            result = torch._inductor.aoti_load_package(path)(x)
            said.append("right" if result.float().tolist() == want else "wrong")
        except Exception as e:
            names = re.search(r"at::Float8_\w+.* has not been declared", str(e))
            said.append("not compiled" if names else type(e).__name__)
print(", ".join(said))
PY
said=$("$python" "$here/convert.py" "$here" | tail -1)
echo "torch $version, packages with float8_e4m3fn as an output and within, then float8_e5m2: $said"
[ "$said" = 'not compiled, right, not compiled, right' ] || {
  echo 'this has changed' >&2
  exit 1
}
