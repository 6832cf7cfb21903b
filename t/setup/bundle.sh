#!/bin/sh
# bundle.sh - `make bundle`: build/bundle.tar.xz, for an x86-64 machine that has a compiler, Perl and torch, but neither
# network nor libclang.
#
# In it, below aotigen/: the sources, tests and samples, build/ with the program, the library and the units, and in lib/ the
# shared libraries they need. libclang is PyPI's, one file without LLVM behind it; clang's own headers are those of LLVM 19.
# There: `tar xf bundle.tar.xz && cd aotigen && TORCH=DIR t/setup/torch.sh && prove t/`.
set -eu
cd "$(dirname "$0")/../.."
LLVM=${LLVM:-/usr/lib/llvm-19}
limit=62914560
out=build/bundle/aotigen
wheels=build/bundle/wheels
fail() {
  echo "aotigen: bundle: $*" >&2
  exit 1
}

rm -rf build/bundle/aotigen
mkdir -p "$out/lib" "$out/build" "$wheels" build/tmp
export TMPDIR="$PWD/build/tmp"
unset AOTIGEN_BUILD MAKEFLAGS MAKELEVEL

if ! ls "$wheels"/libclang-18.1.1-*.whl >/dev/null 2>&1; then
  ${PYTHON:-python3} -m pip download --disable-pip-version-check -q --no-cache-dir --no-deps --only-binary=:all: --platform manylinux2010_x86_64 \
    -d "$wheels" libclang==18.1.1 || fail "pip could not download libclang 18.1.1: is there a network?"
fi
${PYTHON:-python3} -m zipfile -e "$wheels"/libclang-18.1.1-*.whl build/bundle/wheel
cp "$(find build/bundle/wheel -name 'libclang.so*' | head -n 1)" "$out/lib/libclang.so"
soname=$(readelf -d "$out/lib/libclang.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
if [ -n "$soname" ] && [ "$soname" != libclang.so ]; then ln -sf libclang.so "$out/lib/$soname"; fi
rm -rf build/bundle/wheel

# The program once more, linked to that one and finding its libraries beside itself.
make --no-print-directory V=1 B=build/bundle/work "clang_lib=-L$PWD/$out/lib -l:libclang.so" \
  "LDFLAGS='-Wl,-rpath,\$\$ORIGIN/../lib:\$\$ORIGIN/../../lib'" all >build/bundle/make.log 2>&1 || {
  tail -n 20 build/bundle/make.log >&2
  fail "the build failed"
}
cp build/bundle/work/aotigen build/bundle/work/libaotigen.a "$out/build/"
mkdir -p "$out/build/t" "$out/build/clang" "$out/build/runtime"
cp build/bundle/work/runtime/*.o "$out/build/runtime/" # some tests link them without the kernels
for unit in build/bundle/work/t/[0-9]*; do
  case $unit in *.o | *.d) ;; *) cp "$unit" "$out/build/t/" ;; esac
done
strip --strip-debug "$out/build/aotigen" "$out"/build/t/*
cp -rL "$(echo "$LLVM"/lib/clang/*/include | awk '{ print $1 }')" "$out/build/clang/include"

# What else is linked and may not be there.
for name in libcjson.so.1 libelf.so.1 libz.so.1 libcmocka.so.0; do
  from=$(ldconfig -p | sed -n "s/.*$name .*x86-64.* => //p" | head -n 1)
  [ -n "$from" ] || from=$(find /usr/lib /lib -name "$name" 2>/dev/null | head -n 1)
  [ -n "$from" ] || fail "'$name' is not here"
  cp -L "$from" "$out/lib/"
done

cp -r gen templates runtime kernels samples t man "$out/"
cp Makefile README.md CONTRIBUTING.md LICENSE "$out/"
find "$out" -name __pycache__ -prune -exec rm -rf {} +

ldd "$out/build/aotigen" | grep -q 'not found' && fail "the program misses a library: $(ldd "$out/build/aotigen" | grep 'not found')"
"$out/build/aotigen" --version >/dev/null || fail "the program does not run"
if [ -e build/torch/dir ]; then
  "$out/build/aotigen" list --no-cache --torch="$(cat build/torch/dir)" t/corpus/2.11.0/cuda/attn/wrapper.cpp >/dev/null || fail "the program does not parse"
fi
tar -C build/bundle -cf - aotigen | xz -6 -T0 >build/bundle.tar.xz
size=$(stat -c %s build/bundle.tar.xz)
[ "$size" -lt "$limit" ] || fail "build/bundle.tar.xz has $size bytes, more than $limit"
echo "build/bundle.tar.xz: $((size / 1048576)) MiB"
