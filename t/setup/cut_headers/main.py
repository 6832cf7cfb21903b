# main.py TORCH VERSION - writes t/headers/VERSION/torch: of the headers of the torch in the
# directory TORCH, what libclang needs to parse the wrappers of t/corpus/VERSION. Then it rewrites
# each of them with both, and fails where anything differs.
#
# Each header keeps its name, and of its declarations those that a wrapper's text leads to: what an
# expression refers to or has as its type, and what these name in turn. A function is kept with all
# of its name in its scope, so that a call is resolved as it is with torch's own; a class with its
# fields, bases and constructors, and with the members that something names. Bodies of functions go
# unless a constant or a type depends on them. What is kept is preprocessed text.
#
# Wrappers that include the same are read as one: the first as libclang has it, the others by the
# names in their text.
#
# It needs clang's Python module of libclang's version (pip install clang==19.*), LLVM=DIR as make
# does, and a built aotigen.
import os
import re
import shutil
import subprocess
import sys

from clang import cindex

from kept import Headers
from needs import Needs
from unit import BODY_WANTED, LLVM, ROOT, read


def wrappers_of(version):
    found = []
    for top in (version, f"lines/{version}", *(["threads"] if version == "2.11.0" else [])):
        for folder, _, names in os.walk(f"{ROOT}/t/corpus/{top}"):
            found += [os.path.join(folder, n) for n in names if n == "wrapper.cpp"]
    return sorted(found)


def groups_of(wrappers):
    """Those that include the same, compiled with the same macros."""
    groups = {}
    for wrapper in wrappers:
        text = read(wrapper)
        what = re.findall(r"^#include .*$| -D\S+", text, re.M)
        groups.setdefault(frozenset(what), []).append(wrapper)
    return groups.values()


def rewrite(torch, wrapper, dump):
    command = [f"{ROOT}/build/aotigen", "-q", f"--dump={dump}", f"--torch={torch}", "-o", "-"]
    return subprocess.run([*command, wrapper], capture_output=True, text=True)


def differs(torch, cut, wrapper):
    """The first dump that differs, or None."""
    for dump in ("model", "edits", "kernels"):
        told = [rewrite(t, wrapper, dump) for t in (torch, cut)]
        if told[1].returncode or told[0].stdout != told[1].stdout:
            return dump
    return None


def cut(torch, wrappers, bodies, to):
    index, headers = cindex.Index.create(), Headers()
    for group in groups_of(wrappers):
        headers.add(Needs(torch, group, bodies, index))
    shutil.rmtree(to, ignore_errors=True)
    headers.write(to)
    shutil.copy(f"{torch}/version.py", to)


def wanted_bodies(cut, wrappers):
    """Names of the templates whose bodies are missed."""
    found = set()
    for wrapper in wrappers:
        told = rewrite(cut, wrapper, "model").stderr
        found |= set(BODY_WANTED.findall(told))
    return found


def main():
    torch, version = sys.argv[1:]
    cindex.Config.set_library_file(f"{LLVM}/lib/libclang.so")
    wrappers, to = wrappers_of(version), f"{ROOT}/t/headers/{version}/torch"
    bodies, wanted = set(), {""}
    while wanted - bodies:
        bodies |= wanted
        cut(torch, wrappers, bodies, to)
        wanted = wanted_bodies(to, wrappers)
    wrong = [(w, d) for w in wrappers for d in [differs(torch, to, w)] if d]
    for wrapper, dump in wrong:
        print(f"{wrapper}: --dump={dump} differs", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
