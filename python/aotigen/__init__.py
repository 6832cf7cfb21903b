"""aotigen beside torch: debug and watch packages of models that AOTInductor compiled.

    import aotigen, torch
    model = torch._inductor.aoti_load_package(aotigen.debug("model.pt2"))
    model = torch._inductor.aoti_load_package(aotigen.watch("model.pt2"))

debug() and watch() run the program that the wheel brings; the command `aotigen` is the same
program. It uses the torch that this Python imports. `man aotigen` describes all options.
"""

import fcntl
import importlib.util
import os
import subprocess
import sys

__version__ = "@VERSION@"
program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "aotigen")


def _torch():
    """--torch=DIR for this Python's torch, which is not imported; nothing where it has none."""
    spec = importlib.util.find_spec("torch")
    where = list(spec.submodule_search_locations or []) if spec else []
    return ["--torch=" + where[0]] if where else []


def _words(options):
    """printer=2, nan_asserts="all", sync=True: --printer=2 --nan-asserts=all --sync."""
    words = []
    for name, value in sorted(options.items()):
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            words.append(option + "=" + text)
    return words


def _run(words):
    """What the program prints. RuntimeError has its own words where it refuses."""
    environment = {"HOME": os.path.expanduser("~"), **os.environ}  # a service may have none
    run = subprocess.run([program, *words], env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    said = run.stderr.decode("utf-8", "replace")
    if run.returncode:
        raise RuntimeError(said.strip() or f"aotigen ended with status {run.returncode}")
    sys.stderr.write(said)
    return os.fsdecode(run.stdout).rstrip("\n")


_locks = {}  # of each package that is held: the descriptor, which stays open


def _hold(made):
    """Locks it as `aotigen run` does, until this process ends. False where it is gone already."""
    try:
        lock = os.open(made + ".sum", os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError as e:
        raise RuntimeError(f"'{made}.sum' cannot be opened: {e.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
    except OSError as e:
        os.close(lock)
        raise RuntimeError(f"'{made}.sum' cannot be locked: {e.strerror}: name the result, by "
                           "output=") from None
    if not os.fstat(lock).st_nlink or not os.path.exists(made):
        os.close(lock)
        return False
    before = _locks.pop(made, None)
    _locks[made] = lock
    if before is not None:
        os.close(before)
    return True


def debug(model, output=None, **options):
    """Makes a debug package of the package `model`, and returns its path.

    `options` are those of the command, by their long names: printer=2, nan_asserts="all",
    kernels=["gelu", "!*mm*"], exported="model_ep.pt2". Without `output` the result is kept in
    $XDG_CACHE_HOME/aotigen (~/.cache/aotigen), as that of `aotigen run` is, and is made again only
    where the model, the options, the environment, aotigen or torch have changed, or where eight
    others were used since; it may be deleted at any time. This process holds it by a lock: aotigen
    itself deletes it only after the process has ended. RuntimeError has the program's own words
    where it refuses the package.
    """
    words = [*_torch(), *_words(options)]
    if output:
        made = os.path.abspath(os.fspath(output))
        _run([*words, "-o", made, "--", os.fspath(model)])
        return made
    for _ in range(2):  # another process may drop it, the first time, before it is held
        made = _run([*words, "--cached", "--", os.fspath(model)])
        os.environ.setdefault("AOTIGEN_RUN_BY", "0")  # it was asked for: it need not say what it is
        if _hold(made):
            return made
    raise RuntimeError(f"'{made}' is removed from the cache as soon as it is made: name the "
                       "result, by output=")


def watch(model, output=None, **options):
    """Makes a watch package of the package `model`, and returns its path: torch's own code, with
    its outputs looked at.

    Without `output` it is model_watch.pt2 beside model.pt2. `options` are those of the command, by
    their long names: confine="require". RuntimeError has the program's own words where it refuses
    the package.
    """
    stem, ending = os.path.splitext(os.fspath(model))
    made = os.path.abspath(os.fspath(output) if output else stem + "_watch" + ending)
    _run(["watch", *_words(options), "-o", made, "--", os.fspath(model)])
    return made


def main():
    """The command: the program itself, with the torch of this Python unless the user names one."""
    words = sys.argv[1:]
    own = words[: words.index("--")] if "--" in words else words  # not those of the user's command
    named = any(w == "--torch" or w.startswith("--torch=") for w in own)
    os.execv(program, ["aotigen", *([] if named or not words else _torch()), *words])
