"""aotigen beside torch: finds where a model that AOTInductor compiled computes its first NaN.

    import aotigen, torch
    model = torch._inductor.aoti_load_package(aotigen.debug("model.pt2"))

debug() runs the program that the wheel brings; the command `aotigen` is the same program. Both use
the torch that this Python imports. `man aotigen` describes all options.
"""

import hashlib
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


def _cached(model, words):
    """Where the debug package is kept: one for each model and set of options."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    key = "\0".join([os.path.realpath(model), *words]).encode("utf-8", "surrogateescape")
    place = os.path.join(cache, "aotigen", "debug", hashlib.sha256(key).hexdigest()[:20])
    try:
        os.makedirs(place, mode=0o700, exist_ok=True)
    except OSError as e:
        raise RuntimeError(f"cannot make '{place}' ({e.strerror}): name the result, by output=, or "
                           "a cache that can be written, by $XDG_CACHE_HOME") from None
    stem = os.path.splitext(os.path.basename(model))[0]
    return os.path.join(place, stem + "_dbg.pt2")


def _made_of(model, options):
    """Differs where the package, a file of the options, this program or the torch is another."""
    files = [model, program, *(str(v) for v in options.values() if os.path.isfile(str(v)))]
    stats = [os.stat(path) for path in files]
    seen = [f"{s.st_size} {s.st_mtime_ns} {s.st_ino}" for s in stats]
    return "\n".join([__version__, *_torch(), *seen])


def debug(model, output=None, **options):
    """Makes a debug package of the package `model`, and returns its path.

    `options` are those of the command, by their long names: printer=2, nan_asserts="all",
    kernels=["gelu", "!*mm*"], exported="model_ep.pt2". Without `output` the result is kept in
    $XDG_CACHE_HOME/aotigen/debug (~/.cache/aotigen/debug), and is made again only where the model,
    the options, aotigen or torch have changed; it may be deleted at any time. RuntimeError has the
    program's own words where it refuses the package.
    """
    model, words = os.fspath(model), [*_torch(), *_words(options)]
    made = os.path.abspath(os.fspath(output)) if output else _cached(model, words)
    note = None if output else made + ".made-of"
    if note and os.path.exists(model) and os.path.exists(made) and os.path.exists(note):
        with open(note, encoding="utf-8", errors="surrogateescape") as f:
            if f.read() == _made_of(model, options):
                return made
    run = subprocess.run([program, *words, "-o", made, "--", model], stderr=subprocess.PIPE)
    said = run.stderr.decode("utf-8", "replace")
    if run.returncode:
        raise RuntimeError(said.strip() or f"aotigen ended with status {run.returncode}")
    sys.stderr.write(said)
    if note:
        with open(note, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(_made_of(model, options))
    return made


def main():
    """The command: the program itself, with the torch of this Python unless the user names one."""
    words = sys.argv[1:]
    own = words[: words.index("--")] if "--" in words else words  # not those of the user's command
    named = any(w == "--torch" or w.startswith("--torch=") for w in own)
    os.execv(program, ["aotigen", *([] if named or not words else _torch()), *words])
