#!/bin/sh
# install.sh install|uninstall - puts what was built below $DESTDIR$PREFIX, or removes it: both use
# one list.
#
# PREFIX         an absolute path; default /usr/local
# DESTDIR        a directory in place of /, for making packages; default none
# AOTIGEN_BUILD  the directory that it was built in; default build
#
# The program finds its files beside itself: all of it may be moved together.
set -eu
cd "$(dirname "$0")/../.."
verb=${1:-}
PREFIX=${PREFIX:-/usr/local}
LLVM=${LLVM:-/usr/lib/llvm-19}
build=${AOTIGEN_BUILD:-build}
to=${DESTDIR:-}$PREFIX
fail() {
  echo "aotigen: $verb: $*" >&2
  exit 1
}
case $verb in
  install | uninstall) ;;
  *) echo "usage: install.sh install|uninstall" >&2 && exit 2 ;;
esac
case $PREFIX in /*) ;; *) fail "PREFIX='$PREFIX' must be an absolute path" ;; esac

# put MODE FROM TO
put() {
  if [ "$verb" = uninstall ]; then rm -f "$to/$3"
  else install -D -m "$1" "$2" "$to/$3" || fail "'$to/$3' cannot be written"
  fi
}

if [ "$verb" = install ]; then
  [ -x "$build/aotigen" ] || fail "'$build/aotigen' is not built: run make"
  headers=$(echo "$LLVM"/lib/clang/*/include | awk '{ print $1 }')
  [ -e "$headers/stddef.h" ] || fail "no clang headers below '$LLVM/lib/clang'"
fi

put 755 "$build/aotigen" bin/aotigen
put 644 "$build/libaotigen.a" lib/aotigen/libaotigen.a
put 644 "$build/libaotigen-open.so" lib/aotigen/libaotigen-open.so
put 644 "$build/libaotigen-watch.so" lib/aotigen/libaotigen-watch.so
put 755 "$build/aotigen-replay-host" lib/aotigen/aotigen-replay-host
for header in shared/wrapper/aotigen*; do put 644 "$header" "include/aotigen/${header##*/}"; done
put 644 runtime/aotigen_watch.h include/aotigen/aotigen_watch.h
for page in man/*.[1-9]; do put 644 "$page" "share/man/man${page##*.}/${page##*/}"; done
for text in LICENSE samples/messages.md samples/compare_saved.py; do
  put 644 "$text" "share/doc/aotigen/$text"
done
"${PERL:-perl}" t/setup/readme.pl <README.md | put 644 /dev/stdin share/doc/aotigen/README.md
put 644 "$build/completion/aotigen" share/bash-completion/completions/aotigen
put 644 "$build/completion/_aotigen" share/zsh/site-functions/_aotigen
put 644 /dev/stdin lib/pkgconfig/aotigen.pc <<PC
prefix=\${pcfiledir}/../..
includedir=\${prefix}/include/aotigen
libdir=\${prefix}/lib/aotigen

Name: aotigen
Description: what a rewritten AOTInductor wrapper is compiled and linked with
Version: $(sed -n 's/^#define AOTIGEN_VERSION "\(.*\)"$/\1/p' shared/version.h)
Cflags: -I\${includedir}
Libs: -L\${libdir} -laotigen -lm -ldl -lpthread
PC

# A link to the headers of the libclang that the program is linked with: its package updates both.
rm -rf "$to/lib/aotigen/clang"
if [ "$verb" = install ]; then
  mkdir -p "$to/lib/aotigen/clang"
  ln -s "$headers" "$to/lib/aotigen/clang/include"
else
  for dir in lib/aotigen include/aotigen share/doc/aotigen; do
    if [ -d "$to/$dir" ]; then rmdir --ignore-fail-on-non-empty "$to/$dir"; fi
  done
fi
