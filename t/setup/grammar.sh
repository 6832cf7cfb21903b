#!/bin/sh
# grammar.sh - build/grammar/tree-sitter-python: the C source of tree-sitter's grammar of Python,
# which PyPI has. Debian has tree-sitter alone.
set -eu
cd "$(dirname "$0")/../.."
name=tree_sitter_python-0.23.6
dir=build/grammar
sum=354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9
out=$dir/tree-sitter-python

if [ ! -e "$dir/$name.tar.gz" ]; then
  echo "aotigen: fetching the grammar of Python from PyPI (150 kB)"
fi
t/setup/fetch.sh grammar "$dir" "$name.tar.gz" "$sum" tree-sitter-python==0.23.6 \
  --no-binary :all:
rm -rf "$out" "$dir/$name"
tar -C "$dir" -xzf "$dir/$name.tar.gz" "$name/LICENSE" "$name/src"
mv "$dir/$name" "$out"
find "$out" -exec touch {} + # make compares with the time of the script
