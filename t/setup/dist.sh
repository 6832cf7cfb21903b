#!/bin/sh
# dist.sh - `make dist`: build/aotigen-VERSION-linux-x86_64.tar.xz, which works where it is
# unpacked, on an x86-64 Linux that has a C++ compiler, torch and a glibc that is not too old.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define AOTIGEN_VERSION "\(.*\)"$/\1/p' shared/version.h)
name=aotigen-$version-linux-x86_64
rm -rf build/dist
mkdir -p build/dist
glibc=$(t/setup/tree.sh "build/dist/$name")
archive=build/$name.tar.xz
echo "aotigen: dist: it is packed by xz -9: up to a minute" >&2
tar -C build/dist --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" |
  xz -9 -T0 >"$archive.new"
mv "$archive.new" "$archive"
size=$(($(stat -c %s "$archive") / 1048576))
echo "$archive: $size MiB, for glibc $glibc or newer"
