#!/bin/sh
# bundle.sh - `make bundle`: build/bundle.tar.xz, for an x86-64 machine that has a compiler, Perl
# and torch, but neither network nor libclang.
#
# In it, below aotigen/: the sources, tests and samples, build/ with the program, the library and
# the units, and in lib/aotigen what t/setup/carry.sh adds.
# On that machine: `tar xf bundle.tar.xz && cd aotigen && TORCH=DIR t/setup/torch.sh && prove t/`.
set -eu
cd "$(dirname "$0")/../.."
limit=62914560
out=build/bundle/aotigen
work=build/carry/work
fail() {
  echo "aotigen: bundle: $*" >&2
  exit 1
}

t/setup/carry.sh all
rm -rf build/bundle
mkdir -p "$out/build/t" "$out/build/runtime"
cp -Rp build/carry/lib "$out/"
ln -s ../lib "$out/build/lib" # for the units in build/t
cp "$work/aotigen" "$work/aotigen-replay-host" "$work/libaotigen.a" "$work"/libaotigen-*.so \
  "$out/build/"
cp -R "$work/completion" "$out/build/"
for dir in "$work"/runtime/*/; do # some tests link these objects without the kernels
  mkdir -p "$out/build/runtime/$(basename "$dir")"
  cp "$dir"*.o "$out/build/runtime/$(basename "$dir")/"
done
cp -R "$work/shared" "$out/build/"
for unit in "$work"/t/[0-9]*; do
  case $unit in *.o | *.d) ;; *) cp "$unit" "$out/build/t/" ;; esac
done
if [ -e "$work/kernels/stats.fatbin" ]; then # what make bench-cuda runs
  make --no-print-directory B="$work" "$work/bench/stats" "$work/bench/read.fatbin" \
    >>build/carry/make.log 2>&1 || fail "the benchmarks do not build"
  mkdir -p "$out/build/bench" "$out/build/kernels"
  cp "$work/bench/stats" "$work/bench/read.fatbin" "$out/build/bench/"
  cp "$work/kernels/stats.fatbin" "$out/build/kernels/"
fi
strip --strip-debug "$out/build/aotigen" "$out"/build/t/*

cp -r gen shared templates runtime preload host kernels samples t man "$out/"
cp .proverc Makefile README.md CONTRIBUTING.md LICENSE "$out/"
find "$out" -name __pycache__ -prune -exec rm -rf {} +

"$out/build/aotigen" --version >/dev/null || fail "the program does not run"
if [ -e build/torch/dir ]; then
  "$out/build/aotigen" list --no-cache --torch="$(cat build/torch/dir)" \
    t/corpus/2.11.0/cuda/attn/wrapper.cpp >/dev/null || fail "the program does not parse"
fi
# The units hold the same objects: a window that spans them makes the archive small, and is quick.
tar -C build/bundle -cf - aotigen | xz --lzma2=preset=1,dict=96MiB >build/bundle.tar.xz
size=$(stat -c %s build/bundle.tar.xz)
[ "$size" -lt "$limit" ] || fail "build/bundle.tar.xz has $size bytes, more than $limit"
echo "build/bundle.tar.xz: $((size / 1048576)) MiB"
