#!/bin/sh
# dist.sh - `make dist`: build/aotigen-VERSION-linux-x86_64.tar.xz, which works where it is
# unpacked, on an x86-64 Linux that has a C++ compiler, torch and a glibc that is not too old.
#
# It has the layout of `make install`, with the libraries and clang's headers in lib/aotigen and the
# sources of the runtime in src/aotigen.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define AOTIGEN_VERSION "\(.*\)"$/\1/p' gen/base/version.h)
name=aotigen-$version-linux-x86_64
out=build/dist/$name
carry=build/carry
fail() {
  echo "aotigen: dist: $*" >&2
  exit 1
}

t/setup/carry.sh program
rm -rf build/dist
mkdir -p build/dist
AOTIGEN_BUILD=$carry/work DESTDIR=$PWD/build/dist PREFIX=/$name t/setup/install.sh install
strip "$out/bin/aotigen"
rm "$out/lib/aotigen/clang/include"
cp -Rp "$carry/lib/aotigen" "$out/lib/"
cp -R "$carry/licences" "$out/share/doc/aotigen/"
mkdir -p "$out/src/aotigen"
cp -R runtime kernels LICENSE "$out/src/aotigen/"
chmod -R u=rwX,go=rX "$out"

(cd / && env -i "$OLDPWD/$out/bin/aotigen" --version >/dev/null) || fail "the program does not run"
nm "$out/lib/aotigen/libaotigen.a" 2>/dev/null | grep -q ' [DR] aotigen_stats_fatbin$' ||
  echo "aotigen: no nvcc here: the archive is without kernels/, a CUDA tensor is scanned through" \
    "a copy on the host" >&2
glibc=$(objdump -T "$out/bin/aotigen" "$out"/lib/aotigen/*.so* | grep -o 'GLIBC_[0-9.]*' |
  sort -Vu | tail -n 1)
archive=build/$name.tar.xz
tar -C build/dist --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" |
  xz -9 -T0 >"$archive.new"
mv "$archive.new" "$archive"
size=$(($(stat -c %s "$archive") / 1048576))
echo "$archive: $size MiB, for glibc ${glibc#GLIBC_} or newer"
