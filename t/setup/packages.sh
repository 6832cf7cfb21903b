#!/bin/sh
# packages.sh check|install - checks for the Debian packages that the build and the tests need.
#
# `install` has apt-get install the missing ones, which takes root. `check`, and `install` without
# root, print the line to run and fail. Nothing is written outside of build/ but by apt-get.
set -u
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build/tmp && export TMPDIR="$PWD/build/tmp"
mode=${1:-check}
LLVM=${LLVM:-/usr/lib/llvm-19}
missing=''

# want PACKAGE COMMAND...: the package is missing where the command fails.
want() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
program() { command -v "$1"; }
header() { echo "#include <$1>" | cc -E -x c ${2:+-I"$2"} -; }

want g++ program g++
want make program make
want binutils program readelf
want perl perl -MTest::More -MIPC::Open3 -MTime::HiRes -e 1
want mandoc program mandoc
want xz-utils program xz
# Torch hashes its headers with it.
want openssl program openssl
if command -v cc >/dev/null; then
  want libclang-19-dev header clang-c/Index.h "$LLVM/include"
  want libcjson-dev header cjson/cJSON.h
  want libelf-dev header libelf.h
  want libzip-dev header zip.h
  want libdeflate-dev header libdeflate.h
  want libseccomp-dev header seccomp.h
  want libtree-sitter-dev header tree_sitter/parser.h
  want libunistring-dev header unictype.h
  want libcmocka-dev sh -c 'printf "#include <%s.h>\n" stdarg stddef setjmp stdint cmocka |
    cc -E -x c -'
else
  missing="$missing libc6-dev libclang-19-dev libcjson-dev libelf-dev libseccomp-dev libzip-dev"
  missing="$missing libdeflate-dev"
  missing="$missing libtree-sitter-dev libunistring-dev libcmocka-dev"
fi
want clang-19 test -x "$LLVM/bin/clang"
# make fuzz links with its libFuzzer and sanitizers.
want libclang-rt-19-dev sh -c "ls $LLVM/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a"
# Python runs torch and the samples; torch compiles with its headers.
want python3-venv python3 -c 'import ensurepip, venv'
want python3-dev python3 -c 'import os, sysconfig
os.stat(os.path.join(sysconfig.get_paths()["include"], "Python.h"))'

[ -n "$missing" ] || exit 0
line="apt-get install -y --no-install-recommends$missing"

if [ "$mode" = check ]; then
  echo "aotigen: the build needs packages that are missing; run, as root:" >&2
  echo "    $line" >&2
  exit 1
fi
if ! command -v apt-get >/dev/null; then
  echo "aotigen: missing (by their Debian names):$missing; there is no apt-get here, please" \
    "install them" >&2
  exit 1
fi
if [ "$(id -u)" != 0 ]; then
  echo "aotigen: some Debian packages are missing, and only root may install them; please run" >&2
  echo "    sudo $line" >&2
  exit 1
fi
echo "aotigen: installing$missing"
export DEBIAN_FRONTEND=noninteractive
log=build/tmp/apt.log
# The lists may be missing or stale: they are fetched where the first try fails.
if ! $line >"$log" 2>&1; then
  if ! apt-get update >>"$log" 2>&1 || ! $line >>"$log" 2>&1; then
    tail -n 15 "$log" >&2
    echo "aotigen: apt-get could not install$missing (its output is above and in $log): is there" \
      "a network?" >&2
    exit 1
  fi
fi
exec t/setup/packages.sh check
