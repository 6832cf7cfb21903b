"""fork_server.py - runs programs of Python, each in a forked process: what torch imports is
imported once.

A line of JSON on standard input asks for one: {"import": modules to import first, "file" or "code",
"arguments", "env": {NAME: value or null}, "cwd", "out", "err"}. The answer is two lines: the
process id, and, when the process has ended, its status as waitpid() gives it. The server ends with
its input. See ForkServer.pm.
"""
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
        child = os.fork()
        if not child:
            requests.close()
            os.close(answers)
            become(asked)
            return asked
        os.write(answers, f"{child}\n".encode())
        os.write(answers, f"{os.waitpid(child, 0)[1]}\n".encode())
    return None


def main():
    asked = serve()
    if not asked:
        return
    code = asked.get("code")
    if code is None:
        with open(asked["file"]) as file:
            code = file.read()
    names = sys.modules["__main__"].__dict__
    for name in [n for n in names if not n.startswith("__") or n == "__file__"]:
        del names[name]
    if asked.get("file"):
        names["__file__"] = asked["file"]
    exec(compile(code, asked.get("file") or "<string>", "exec"), names)


if __name__ == "__main__":
    main()
