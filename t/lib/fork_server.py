"""fork_server.py [SOCKET] - runs programs of Python, each in a forked process: what torch imports
is imported once.

It serves who holds the other end of its standard input, a socket, and ends with it. With SOCKET,
the path of a socket to be made, it serves whoever connects there, too, and says "ready" once it
does. A line of JSON asks for a program: {"import": modules to import first, "file" or "code",
"arguments", "env": {NAME: value or null}, "cwd", "out", "err"}. The answer is two lines: the
process id, and, when the process has ended, its status as waitpid() gives it. See ForkServer.pm.
"""
import gc
import importlib
import json
import os
import selectors
import signal
import socket
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


class Server:
    def __init__(self, path):
        self.first = socket.socket(fileno=0)
        self.running = {}  # process id: who asked for it
        self.ended, wakes = socket.socketpair()
        self.open = selectors.DefaultSelector()
        self.kept = [self.ended, wakes]
        for each in self.kept:
            each.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes.fileno())
        self.open.register(self.ended, selectors.EVENT_READ, self.reap)
        if path:
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(path)
            listener.listen(16)
            self.open.register(listener, selectors.EVENT_READ, self.accept)
            self.say(self.first, "ready")
        self.open.register(self.first, selectors.EVENT_READ, self.read)

    def say(self, peer, line):
        try:
            peer.sendall(f"{line}\n".encode())
        except OSError:  # it has ended
            pass

    def accept(self, listener):
        self.open.register(listener.accept()[0], selectors.EVENT_READ, self.read)

    def reap(self, ended):
        ended.recv(4096)
        for child in list(self.running):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                self.say(self.running.pop(child), status)

    def read(self, peer):
        """What was asked for, in a process forked for it; else None."""
        line = b""
        while not line.endswith(b"\n"):
            part = peer.recv(65536)
            if not part:
                self.open.unregister(peer)
                return None
            line += part
        asked = json.loads(line)
        for module in asked["import"]:
            try:
                importlib.import_module(module)
            except ImportError:  # the program will say so
                pass
        gc.freeze()  # else the child's collections touch, and copy, the pages of all that is there
        child = os.fork()
        if child:
            self.running[child] = peer
            self.say(peer, child)
            return None
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.close()
        become(asked)
        return asked

    def close(self):
        for key in list(self.open.get_map().values()):
            if key.fileobj is not self.first:
                key.fileobj.close()
        self.first.detach()  # the program's standard input takes its place
        self.open.close()
        for each in self.kept:
            each.close()

    def serve(self):
        """Returns in a forked process, with what it is asked for; in this one None, at the end."""
        while self.first in self.open.get_map():
            for key, _ in self.open.select():
                asked = key.data(key.fileobj)
                if asked:
                    return asked
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
    asked = Server(sys.argv[1] if len(sys.argv) > 1 else None).serve()
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
