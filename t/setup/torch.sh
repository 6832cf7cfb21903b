#!/bin/sh
# torch.sh [announce] - makes build/torch/python a Python that imports torch, and build/torch/dir
# the name of its directory. 'announce' only says what will be fetched, if anything.
#
# TORCH=DIR        a torch that is there: a virtual environment, a site-packages directory, or a
#                  torch directory
# TORCH_VERSION=V  otherwise that version from PyPI, with its torchvision, in build/venv-V (5 GB);
#                  default 2.11.0
# PYTHON=FILE      the Python for it; default python3
#
# The Python so made keeps the caches and temporary files of torch, Triton, pip and CUDA, and all
# bytecode, under build/.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$(pwd)
version=${TORCH_VERSION:-2.11.0}
path=''
give_up() {
  echo "aotigen: $*" >&2
  exit 1
}
venv=$root/build/venv-$version
if [ "${1:-}" = announce ]; then
  if [ -z "${TORCH:-}" ] && [ ! -e "$venv/complete" ]; then
    echo "aotigen: fetching torch $version from PyPI: a download of about 3 GB, 5 GB below build/"
    echo "aotigen: to use a torch that is already there instead, set TORCH=DIR"
  fi
  exit 0
fi
mkdir -p build/tmp build/cache build/torch || give_up "cannot write below $root/build"
TMPDIR=$root/build/tmp
PIP_CACHE_DIR=$root/build/cache/pip
XDG_CACHE_HOME=$root/build/cache
XDG_CONFIG_HOME=$root/build/cache/config
export TMPDIR PIP_CACHE_DIR XDG_CACHE_HOME XDG_CONFIG_HOME

# The Python of a site-packages directory: that of its virtual environment, the one that its path
# names (python3.11), or python3.
python_of() {
  named=$(command -v "$(basename "$(dirname "$1")")")
  default=$(command -v "${PYTHON:-python3}")
  for python in "$1/../../../bin/python" "$named" "$default" /usr/bin/python3; do
    [ -n "$python" ] && [ -x "$python" ] || continue
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$1" "$python" -c 'import torch' 2>/dev/null && return 0
  done
  return 1
}

if [ -n "${TORCH:-}" ]; then
  [ -d "$TORCH" ] || give_up "TORCH=$TORCH is not a directory"
  given=$(cd "$TORCH" && pwd)
  if [ -x "$given/bin/python" ]; then
    python=$given/bin/python
  else
    if [ -e "$given/torch/version.py" ]; then
      path=$given
    elif [ -e "$given/version.py" ] && [ "$(basename "$given")" = torch ]; then
      path=$(dirname "$given")
    else
      give_up "TORCH=$TORCH is neither a virtual environment nor a site-packages nor a torch" \
        "directory"
    fi
    python_of "$path" || give_up "no Python here can import the torch in $path"
  fi
else
  python=$venv/bin/python
  if [ ! -e "$venv/complete" ]; then
    base=${PYTHON:-python3}
    command -v "$base" >/dev/null || give_up "there is no $base"
    free=$(df -Pk build | awk 'NR == 2 { print int($4 / 1048576) }')
    [ "$free" -ge 8 ] ||
      give_up "torch needs 8 GB on the disk that holds $root/build, which has $free: free some," \
        "or name a torch with TORCH=DIR"
    rm -rf "$venv"
    log=$root/build/tmp/pip.log
    "$base" -m venv "$venv" >"$log" 2>&1 || {
      cat "$log" >&2
      give_up "'$base -m venv' failed: the Debian package python3-venv may be missing"
    }
    # Bytecode is made on demand (see below): compiling all of torch takes pip a minute. A
    # torchvision of the wrong version makes pip download one after the other: 0.26 goes with 2.11.
    vision=0.$(($(echo "$version" | cut -d. -f2) + 15))
    install="-m pip install --disable-pip-version-check --no-cache-dir --no-compile"
    install="$install --progress-bar off torch==$version numpy"
    "$python" $install "torchvision==$vision.*" >"$log" 2>&1 ||
      "$python" $install torchvision >"$log" 2>&1 || {
      tail -n 10 "$log" >&2
      give_up "pip could not install torch $version (its output is above): is there a network?" \
        "A torch that is there can be named with TORCH=DIR"
    }
    : >"$venv/complete"
  fi
fi
# Nothing is written beside a torch that was given: its bytecode too is kept below build/.
bytecode="unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX='$root/build/cache/bytecode'"

# A wrapper rather than a link: it sets what keeps everything below build/.
new=build/torch/python.$$
cat >"$new" <<WRAPPER
#!/bin/sh
# Written by t/setup/torch.sh.
export TMPDIR='$TMPDIR' XDG_CACHE_HOME='$XDG_CACHE_HOME' XDG_CONFIG_HOME='$XDG_CONFIG_HOME'
$bytecode
# t/setup/python/sitecustomize.py says what this is for.
export TORCHINDUCTOR_VEC_ISA_OK="\${TORCHINDUCTOR_VEC_ISA_OK:-1}"
export PYTHONPATH="$root/t/setup/python${path:+:$path}\${PYTHONPATH:+:\$PYTHONPATH}"
export TORCH_HOME='$root/build/cache/torch'
export TRITON_HOME='$root/build/cache' TRITON_CACHE_DIR='$root/build/cache/triton'
export TORCHINDUCTOR_CACHE_DIR="\${TORCHINDUCTOR_CACHE_DIR:-$root/build/cache/inductor}"
export TORCHINDUCTOR_COMPILE_THREADS=1 CUDA_CACHE_PATH='$root/build/cache/cuda'
exec '$python' "\$@"
WRAPPER
chmod +x "$new"
found=$("$new" -c '
import os, torch, numpy
print(os.path.dirname(os.path.abspath(torch.__file__)))
print(torch.__version__)' 2>build/tmp/torch.err) || {
  tail -n 5 build/tmp/torch.err >&2
  rm -f "$new"
  give_up "'$python' cannot import torch and numpy"
}
mv "$new" build/torch/python
echo "$found" | sed -n 1p >build/torch/dir
echo "$found" | sed -n 2p >build/torch/version
echo "aotigen: torch $(cat build/torch/version) in $(cat build/torch/dir)"
