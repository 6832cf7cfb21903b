#!/bin/sh
# chroot.sh [PACKAGE.pt2] - `make dist-check`: tries the archive of `make dist` on a bare Debian 12
# with g++ and python3.
#
# Needs root, debootstrap, a network, and the torch that t/setup/torch.sh found, for Python 3.11:
# its site-packages are mounted read-only. A wrapper, and PACKAGE.pt2, is rewritten, built and run
# below build/chroot, which is removed afterwards.
set -eu
fail() {
  echo "aotigen: dist-check: $*" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail "only root may make a chroot"
command -v debootstrap >/dev/null || fail "there is no debootstrap: apt-get install debootstrap"
# In a mount namespace of its own: the mounts end with this process, however it ends.
if [ -z "${AOTIGEN_UNSHARED:-}" ]; then AOTIGEN_UNSHARED=1 exec unshare -m -- "$0" "$@"; fi
package=${1:+$(realpath -- "$1")}
cd "$(dirname "$0")/../.."
archive=$(echo build/aotigen-*-linux-x86_64.tar.xz)
corpus=t/corpus/2.11.0/cpu/nan_inside
root=$PWD/build/chroot
[ -e "$archive" ] || fail "expected one archive and found '$archive': run make dist"
[ -e build/torch/dir ] || fail "no torch was set up: TORCH=DIR t/setup/torch.sh"

clean() { umount -q "$root/torch" "$root/proc" 2>/dev/null || :; rm -rf --one-file-system "$root"; }
inside() {
  chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin PYTHONPATH=/torch "$@"
}
trap clean EXIT
trap 'exit 1' INT TERM
clean
log=build/chroot.log
debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >$log 2>&1 ||
  fail "debootstrap failed: see $log"
inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++ python3 \
  >>$log 2>&1 || fail "apt-get failed: see $log"

mkdir "$root/torch" "$root/a place" "$root/work"
mount -t proc proc "$root/proc" # the program finds itself there
mount --bind "$(dirname "$(cat build/torch/dir)")" "$root/torch"
mount -o remount,bind,ro "$root/torch"
tar -C "$root/a place" --strip-components=1 -xf "$archive"
cp "$corpus/wrapper.cpp" "$corpus/kernel.cpp" "$root/work/"
if [ -n "$package" ]; then cp "$package" "$root/work/model.pt2"; fi

say() {
  echo "+ $*"
  inside sh -c "cd /work && exec \"\$@\"" sh "$@"
}
say "/a place/bin/aotigen" --version
say "/a place/bin/aotigen" list --torch=/torch wrapper.cpp
say "/a place/bin/aotigen" --torch=/torch wrapper.cpp -o dbg.cpp
say "/a place/bin/aotigen" build --torch=/torch dbg.cpp kernel.cpp -o dbg.so
say python3 -W ignore -c 'import torch
x = torch.arange(36.).reshape(6, 6)
torch._C._aoti.AOTIModelContainerRunnerCpu("./dbg.so", 1).run([x, x + 1])' 2>&1 |
  tee build/chroot.out
grep -q 'NaN born in run 1, launch 1' build/chroot.out ||
  fail "the debug model ran and found no NaN"
if [ -n "$package" ]; then
  say "/a place/bin/aotigen" --torch=/torch model.pt2 -o dbg.pt2
  say python3 -W ignore -c 'import torch; torch._inductor.aoti_load_package("dbg.pt2")'
fi
echo "aotigen: dist-check: all is well"
