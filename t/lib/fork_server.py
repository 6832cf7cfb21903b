"""fork_server.py - runs programs of Python, each in a forked process: what torch imports is
imported once.

A line of JSON on standard input asks for one: {"import": modules to import first, "file" or "code",
"arguments", "env": {NAME: value or null}, "cwd", "out", "err"}. The answer is two lines: the
process id, and, when the process has ended, its status as waitpid() gives it. The server ends with
its input. See ForkServer.pm.
"""
import gc
import importlib
import json
import os
import sys


def become(asked):
    """What a program finds at its start."""
    os.setpgid(0, 0)
    for stream, (file, flags) in enumerate([("/dev/null", os.O_RDONLY), (asked["out"], os.O_WRONLY),
            (asked["err"], os.O_WRONLY)]):
        file = os.open(file, flags)
        os.dup2(file, stream)
        os.close(file)
    for name, value in asked["env"].items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    if asked["cwd"]:
        os.chdir(asked["cwd"])
    file = asked.get("file")
    sys.argv = [file or "-c", *asked["arguments"]]
    sys.path[0] = os.path.dirname(file) if file else ""


def serve():
    """Returns in a forked process, with what it is asked for."""
    requests, answers = os.fdopen(os.dup(0), "rb", 0), os.dup(1)
    for line in requests:
        asked = json.loads(line)
        for module in asked["import"]:
            importlib.import_module(module)
        gc.freeze()  # else the child's collections touch, and copy, the pages of all that is there
        child = os.fork()
        if not child:
            requests.close()
            os.close(answers)
            become(asked)
            return asked
        os.write(answers, f"{child}\n".encode())
        os.write(answers, f"{os.waitpid(child, 0)[1]}\n".encode())
    return None


def end(known, status):
    """Ends as Python ends a program, but leaves the modules that the server imported: to take those
    of torch apart takes half a second. Of this file nothing is left but this function."""
    import atexit, ctypes, gc, sys, threading

    threading._shutdown()
    atexit._run_exitfuncs()
    for name in set(sys.modules) - known:
        vars(sys.modules.pop(name)).clear()
    vars(sys.modules["__main__"]).clear()
    gc.collect()
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).exit(status)


def main():
    asked = serve()
    if not asked:
        return
    code = asked.get("code")
    if code is None:
        with open(asked["file"]) as file:
            code = file.read()
    names = sys.modules["__main__"].__dict__
    ends, known, status = end, set(sys.modules), 0
    for name in [n for n in names if not n.startswith("__") or n == "__file__"]:
        del names[name]
    if asked.get("file"):
        names["__file__"] = asked["file"]
    try:
        exec(compile(code, asked.get("file") or "<string>", "exec"), names)
    except SystemExit as ended:
        if ended.code is not None and not isinstance(ended.code, int):
            raise
        status = int(ended.code or 0)
    ends(known, status)


if __name__ == "__main__":
    main()
