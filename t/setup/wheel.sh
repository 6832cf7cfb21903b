#!/bin/sh
# wheel.sh - `make wheel`: build/aotigen-VERSION-py3-none-manylinux_2_NN_x86_64.whl, what `make
# dist` holds as a Python package beside torch. NN is of the oldest glibc that it runs on.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define AOTIGEN_VERSION "\(.*\)"$/\1/p' shared/version.h)
tree=build/dist/wheel
mkdir -p build/dist
glibc=$(t/setup/tree.sh "$tree")
tag=py3-none-manylinux_$(echo "$glibc" | sed 's/^\([0-9]*\)\.\([0-9]*\).*/\1_\2/')_x86_64
rm -f build/aotigen-*.whl
wheel=build/aotigen-$version-$tag.whl
"${PYTHON:-python3}" t/setup/wheel.py "$tree" "$version" "$tag" "$wheel.new"
mv "$wheel.new" "$wheel"
rm -rf "$tree"
size=$(($(stat -c %s "$wheel") / 1048576))
echo "$wheel: $size MiB, for glibc $glibc or newer"
