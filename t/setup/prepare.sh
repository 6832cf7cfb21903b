#!/usr/bin/env bash
# prepare.sh COMMAND... - builds by COMMAND and has torch.sh find or fetch a torch meanwhile.
#
# The output of torch.sh is held back until the build has ended. Where one of the two fails, the
# other is stopped, and the failed one's message is the last.
set -u
cd "$(dirname "$0")/../.." || exit 1
# Under make -n only make itself runs, which prints what it would do.
flags=${MAKEFLAGS:-}
case ${flags%% *} in -* | *=*) ;; *n*) exec "$@" ;; esac
mkdir -p build/tmp
log=build/tmp/torch.log
t/setup/torch.sh announce || exit 1

set -m # each of the two in a process group of its own, to stop all of it
t/setup/torch.sh >"$log" 2>&1 &
torch=$!
"$@" &
build=$!
stop() { kill -TERM -- "-$torch" "-$build" 2>/dev/null; }
trap 'stop; exit 130' INT
trap 'stop; exit 143' TERM HUP

wait -n -p ended "$torch" "$build"
status=$?
if [ "$status" = 0 ]; then
  if [ "$ended" = "$torch" ]; then
    ended=$build
  else
    ended=$torch
    ! kill -0 "$torch" 2>/dev/null || echo "aotigen: built; torch is not ready yet"
  fi
  wait "$ended"
  status=$?
fi
if [ "$status" = 0 ]; then
  cat "$log"
  exit 0
fi
{ stop; wait; } 2>/dev/null # without the shell's own word on it
if [ "$ended" = "$torch" ]; then
  cat "$log" >&2
else
  echo "aotigen: the build failed (its messages are above)" >&2
fi
exit 1
