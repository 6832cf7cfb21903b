#!/bin/bash
# gpu.sh - in an unpacked bundle (bundle.sh), on a machine with a GPU: the tests that need one, side
# by side, and the measurements.
#
#   t/setup/gpu.sh [-l SECONDS] [-b] [TEST...]
#
# -l: how long each test may take (default 500). -b: first of all the table of
# samples/bench/cuda.py, to build/gpu/bench-cuda.md. TEST: default all of t/51*, 52*, 53*, 54*;
# FILE:NAME is that test with NAME for its argument, so that a long one can be split.
# The output of each is in build/gpu/TEST.log; a line for each is printed, and what failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
limit=500 bench=
while getopts l:b option; do
  case $option in
    l) limit=$OPTARG ;;
    b) bench=1 ;;
    *)
      sed -n '5,10s/^# *//p' "$0" >&2
      exit 2
      ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- t/5[1-4]*.t
mkdir -p build/gpu
if [ -z "${TORCH:-}" ]; then
  TORCH=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))') || exit 1
  export TORCH
fi
t/setup/torch.sh || exit 1
export AOTIGEN_REQUIRE=torch,cuda

failed=0
if [ -n "$bench" ]; then
  build/torch/python samples/bench/cuda.py >build/gpu/bench-cuda.md 2>build/gpu/bench-cuda.log ||
    failed=1
  cat build/gpu/bench-cuda.md
  tail -n 5 build/gpu/bench-cuda.log
fi

log_of() { echo "build/gpu/$(basename "$1" | sed 's/\.t//; s/[^A-Za-z0-9._-]/-/g').log"; }
for t in "$@"; do
  log=$(log_of "$t") name=()
  [[ $t == *:* ]] && name=("${t#*:}")
  (
    SECONDS=0
    timeout -k 5 "$limit" perl "${t%%:*}" "${name[@]}" >"$log" 2>&1
    echo "exit $? after $SECONDS s" >>"$log"
  ) &
done
wait
for t in "$@"; do
  log=$(log_of "$t")
  end=$(tail -n 1 "$log")
  echo "$t: $(grep -c '^ok' "$log") ok, $(grep -c '^not ok' "$log") not ok, $end"
  case $end in "exit 0 "*) continue ;; esac
  failed=1
  grep -A12 '^not ok' "$log" | cut -c1-200 | head -n 40
done
exit $failed
