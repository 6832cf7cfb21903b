#!/bin/sh
# A package of AOTInductor is compiled ahead of time. To load one on a CPU, torch 2.11 nevertheless
# runs the C++ compiler, and starts Pythons one after the other, each of which imports torch: it
# tries the processor's instruction sets, only to compare their name with the package's. The next
# process that loads the package compiles nothing, but starts all the Pythons again.
# TORCHINDUCTOR_VEC_ISA_OK=1 skips the first trial of each set; those of AVX-512 with bfloat16, of
# VNNI and of AMX are made all the same, some of them several times.
#
# Seen with torch 2.11.0, g++ 12, a Xeon with AMX. Pythons and compilers that the load of a model of
# one addition starts:
#     the first process  10 and 10     the second  10 and 0     with the variable  6 and 0
# The second took 30 s of processor time, nearly all of it theirs. A test suite whose every process
# loads a package took twice its time on that machine. Torch 2.15.0 keeps what it found: its second
# process starts none.
#
# A processor with fewer sets starts fewer. What is checked: the first process compiles, and the
# second compiles nothing and starts as many Pythons as the first.
#
# usage: findings/load_starts_pythons.sh      x86-64 with AVX2; fetches torch: 3 GB, 8 GB of disk
set -eu
version=2.11.0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export TMPDIR="$here" TORCHINDUCTOR_CACHE_DIR="$here/cache" PYTHONWARNINGS=ignore
unset TORCHINDUCTOR_VEC_ISA_OK
python3 -m venv "$here/venv"
python="$here/venv/bin/python"
"$python" -m pip install -q --no-cache-dir --disable-pip-version-check "torch==$version" numpy

cat >"$here/emit.py" <<'PY'
import sys, torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
program = torch.export.export(Model(), (torch.ones(8),))
torch._inductor.aoti_compile_and_package(program, package_path=sys.argv[1])
PY
cat >"$here/load.py" <<'PY'
import sys, torch
import torch._inductor.package
pythons = compilers = 0
def hook(event, arguments):
    global pythons, compilers
    if event == "subprocess.Popen":
        command = arguments[1] if isinstance(arguments[1], str) else " ".join(arguments[1])
        pythons += command.startswith(sys.executable) and "import torch" in command
        compilers += "g++" in command and ".cpp" in command
sys.addaudithook(hook)
model = torch._inductor.aoti_load_package(sys.argv[1])
assert model(torch.ones(8)).tolist() == [2.0] * 8
print(pythons, compilers)
PY
"$python" "$here/emit.py" "$here/model.pt2"
rm -rf "$here/cache" # as on the machine that the package is brought to
first=$("$python" "$here/load.py" "$here/model.pt2")
second=$("$python" "$here/load.py" "$here/model.pt2")
third=$(TORCHINDUCTOR_VEC_ISA_OK=1 "$python" "$here/load.py" "$here/model.pt2")
echo "torch $version, Pythons and compilers that a load starts: $first; then $second;" \
  "with TORCHINDUCTOR_VEC_ISA_OK=1 $third"
[ "${first% *}" -gt 0 ] && [ "${first#* }" -gt 0 ] && [ "$second" = "${first% *} 0" ] || {
  echo 'this has changed' >&2
  exit 1
}
