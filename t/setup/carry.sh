#!/bin/sh
# carry.sh program|all - build/carry: what make builds, and beside it everything that a machine with
# a compiler and torch may lack.
#
#   work/                        `make program`, or `make all` with the units, in that folder
#   lib/aotigen/*.so*            the libraries that it is linked with: libclang, and each that is
#                                neither glibc's nor gcc's
#   lib/aotigen/clang/include    clang's own headers
#   licences/                    of all these
#
# A program of work/ finds its libraries in ../lib/aotigen beside it. libclang is the one of PyPI,
# one file that needs no LLVM; the headers are those of LLVM 19, which it reads too.
set -eu
cd "$(dirname "$0")/../.."
target=${1:-program}
python=${PYTHON:-python3}
LLVM=${LLVM:-/usr/lib/llvm-19}
wheel=libclang-18.1.1-py2.py3-none-manylinux2010_x86_64.whl
sum=c533091d8a3bbf7460a00cb6c1a71da93bffe148f172c7d03b1c31fbf8aa2a0b
out=build/carry
lib=$out/lib/aotigen
fail() {
  echo "aotigen: carry: $*" >&2
  exit 1
}
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
  fail "the libraries are for x86-64 Linux only: this is $(uname -s) on $(uname -m)"
rm -rf "$out/lib" "$out/licences"
mkdir -p "$lib/clang" "$out/wheel" "$out/licences" build/tmp
export TMPDIR="$PWD/build/tmp"
unset AOTIGEN_BUILD MAKEFLAGS MAKELEVEL MFLAGS

# ---- libclang
t/setup/fetch.sh carry "$out/wheel" "$wheel" "$sum" libclang==18.1.1 --only-binary=:all: \
  --platform manylinux2010_x86_64
"$python" -m zipfile -e "$out/wheel/$wheel" "$out/wheel/all"
cp "$out"/wheel/all/*/platlib/clang/native/libclang.so "$lib/"
cp "$out"/wheel/all/*/LICENSE.TXT "$out/licences/libclang.txt"
rm -rf "$out/wheel/all"
# Its run path ends in an empty name, which means the current directory: the program would load
# libraries from whatever directory it is run in.
perl -0777 -pi -e 's{\0\$ORIGIN/\.\./lib:\0}{"\0\$ORIGIN" . "\0" x 9}e' "$lib/libclang.so"
readelf -d "$lib/libclang.so" | grep -q 'R.*PATH.*\[\$ORIGIN\]' ||
  fail "libclang's run path could not be set"
soname=$(readelf -d "$lib/libclang.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
mv "$lib/libclang.so" "$lib/$soname"
cp -rpL "$(echo "$LLVM"/lib/clang/*/include | awk '{ print $1 }')" "$lib/clang/include"

# The kernels are those of build/, where they are for all GPUs that are asked for.
kernels=build/kernels
[ "$(cat build/kernels/stats.archs 2>/dev/null)" = "${CUDA_ARCHS:-80 90 100}" ] ||
  kernels=$out/work/kernels
say() { echo "aotigen: carry: $*" >&2; }
say "the programs are compiled once more, to run elsewhere: some minutes; see $out/make.log"
if [ ! -e "$kernels/stats.fatbin" ] && command -v "${NVCC:-nvcc}" >/dev/null; then
  say "with kernels for GPUs of ${CUDA_ARCHS:-80 90 100}: about 40 s for each (CUDA_ARCHS)"
fi

# ---- the programs. RPATH, not RUNPATH: it holds for the libraries of libraries too.
make --no-print-directory V=1 B="$out/work" K="$kernels" \
  "CFLAGS=-O2 -g '-ffile-prefix-map=$PWD=.'" \
  "libclang=$soname" clang_path= \
  "LDFLAGS='-Wl,--disable-new-dtags,-rpath,\$\$ORIGIN/../lib/aotigen'" \
  "$target" >"$out/make.log" 2>&1 || {
  tail -n 20 "$out/make.log" >&2
  fail "the build failed"
}
ln -sfn ../lib "$out/work/lib" # for the programs in work/t

# ---- their libraries
take() {
  cp -L "$2" "$lib/$1"
  package=$(dpkg-query -S "*/$(basename "$(readlink -f "$2")")" | sed -n '1s/:.*//p')
  cp "/usr/share/doc/$package/copyright" "$out/licences/${1%%.*}.txt" ||
    fail "the licence of '$2' was not found"
}
# The libraries of a program that are neither copied already nor part of every C++ compiler.
of_others() {
  common='^lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc[+][+])[.]so'
  ldd "$1" | awk -v common="$common" '$2 == "=>" && $1 !~ common { print $1, $3 }' |
    grep -v "/$out/" || :
}
# What is part of the program itself.
cp build/grammar/tree-sitter-python/LICENSE "$out/licences/tree-sitter-python.txt"
cp build/nvtx/LICENSE "$out/licences/nvtx.txt"
cp /usr/share/doc/libtree-sitter-dev/copyright "$out/licences/libtree-sitter.txt" ||
  fail "the licence of tree-sitter was not found"
set -- "$out/work/aotigen" "$lib/$soname"
if [ "$target" = all ]; then set -- "$@" "$out"/work/t/[0-9]*; fi
for program; do
  case $program in *.o | *.d) continue ;; esac
  of_others "$program" >"$out/libraries"
  while read -r name from; do
    [ "$from" != not ] || fail "'$program' misses the library '$name'"
    take "$name" "$from"
  done <"$out/libraries"
done
rm "$out/libraries"
