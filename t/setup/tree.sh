#!/bin/sh
# tree.sh DIR - in DIR what is handed out, as `make dist` and `make wheel` do: the layout of `make
# install`, with the libraries and clang's headers in lib/aotigen and the sources of the runtime in
# src/aotigen. It works wherever it is moved. Prints the oldest glibc that all of it runs on.
set -eu
cd "$(dirname "$0")/../.."
out=$1
carry=build/carry
fail() {
  echo "aotigen: tree: $*" >&2
  exit 1
}

t/setup/carry.sh program >&2
rm -rf "$out"
mkdir -p "$(dirname "$out")"
AOTIGEN_BUILD=$carry/work DESTDIR=$PWD PREFIX=/$out t/setup/install.sh install >&2
strip "$out/bin/aotigen"
rm "$out/lib/aotigen/clang/include"
cp -Rp "$carry/lib/aotigen" "$out/lib/"
cp -R "$carry/licences" "$out/share/doc/aotigen/"
mkdir -p "$out/src/aotigen"
cp -R runtime shared kernels LICENSE "$out/src/aotigen/"
chmod -R u=rwX,go=rX "$out"

(cd / && env -i "$OLDPWD/$out/bin/aotigen" --version >/dev/null) || fail "the program does not run"
nm "$out/lib/aotigen/libaotigen.a" 2>/dev/null | grep -q ' [DR] aotigen_stats_fatbin$' ||
  echo "aotigen: no nvcc here: it is without kernels/, a CUDA tensor is scanned through a copy on" \
    "the host" >&2

# The programs ask for versions, and the runtime for names: it is linked where a model is built,
# with any version that has the name.
cc -shared -o build/dist/runtime.so -Wl,--whole-archive "$out/lib/aotigen/libaotigen.a" \
  -Wl,--no-whole-archive -lm -ldl -lpthread || fail "the runtime does not link"
named() { objdump -T "$1" | sed -n 's/.*[ (]GLIBC_\([0-9.]*\))* *\([^ ]*\)$/\1 \2/p'; }
for library in $(ldd build/dist/runtime.so | awk '$2 == "=>" { print $3 }'); do
  named "$library"
done | sort -V | awk '!seen[$2]++' >build/dist/oldest
named build/dist/runtime.so | awk 'NR == FNR { oldest[$2] = $1; next } { print oldest[$2] }' \
  build/dist/oldest - >build/dist/versions
objdump -T "$out/bin/aotigen" "$out"/lib/aotigen/*.so* | grep -o 'GLIBC_[0-9.]*' |
  sed 's/GLIBC_//' >>build/dist/versions
glibc=$(sort -Vu build/dist/versions | tail -n 1)
rm build/dist/runtime.so build/dist/oldest build/dist/versions
[ -n "$glibc" ] || fail "the programs name no version of glibc"
echo "$glibc"
