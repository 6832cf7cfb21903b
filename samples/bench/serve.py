"""serve.py [MODEL [RATE [SECONDS [TURNS]]]] - an HTTP server under load, with a package and with
its watch package: uvicorn with two workers, each of which runs the model once a request.

Requests are sent at fixed times, RATE a second, whatever the answers take, over CONNECTIONS kept
connections; a latency counts from the time at which a request was due. Prints p50 and p99 of each
turn, plain and watched in turns, and how many runs were watched. uvicorn is fetched from PyPI into
a temporary folder. Default: mlp_dyn, 200 requests a second, 20 seconds, 3 turns.
"""
import asyncio
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

CONNECTIONS, WORKERS, WARM_UP = 16, 2, 100
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# ---- the server's process


async def answer(scope, receive, send):
    """The ASGI application."""
    if scope["type"] != "http":
        return
    # The model's thread is the event loop's: a worker serves one request after the other.
    outputs = server_model.run(list(server_inputs))
    body = b"%d" % outputs[0].numel()
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


if "SERVED_PACKAGE" in os.environ:
    import torch

    torch.set_num_threads(1)
    server_model = torch._C._aoti.AOTIModelPackageLoader(
        os.environ["SERVED_PACKAGE"], "model", False, 1, -1)
    server_inputs = torch.load(os.environ["SERVED_INPUTS"])[0]

# ---- the client


async def request(reader, writer):
    writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(head.decode())
    length = int(re.search(rb"content-length: *(\d+)", head, re.I)[1])
    await reader.readexactly(length)


async def send_for(port, rate, seconds):
    """The latencies, in seconds."""
    links = asyncio.Queue()
    for _ in range(CONNECTIONS):
        links.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    for _ in range(WARM_UP):
        link = await links.get()
        await request(*link)
        links.put_nowait(link)
    taken = []

    async def send_one(due):
        link = await links.get()
        await request(*link)
        taken.append(time.perf_counter() - due)
        links.put_nowait(link)

    begin = time.perf_counter()
    tasks = []
    for i in range(int(rate * seconds)):
        due = begin + i / rate
        await asyncio.sleep(max(0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(send_one(due)))
    await asyncio.gather(*tasks)
    while not links.empty():
        links.get_nowait()[1].close()
    return taken


def find_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(port, server):
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError("the server ended")
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server does not listen")


def measure(package, inputs, site, rate, seconds):
    """The latencies of one turn, and how many runs were watched."""
    port, metrics = find_port(), tempfile.mkdtemp(dir=os.path.dirname(package))
    env = {**os.environ, "SERVED_PACKAGE": package, "SERVED_INPUTS": inputs,
        "AOTIGEN_METRICS": os.path.join(metrics, "%p"), "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([site, HERE, os.environ.get("PYTHONPATH", "")])}
    server = subprocess.Popen([sys.executable, "-W", "ignore", "-m", "uvicorn", "serve:answer",
        "--port", str(port), "--workers", str(WORKERS), "--log-level", "warning"], env=env,
        start_new_session=True)
    try:
        wait_for(port, server)
        taken = asyncio.run(send_for(port, rate, seconds))
        time.sleep(1.5)  # the metrics are written once a second
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
    runs = 0
    for name in os.listdir(metrics):
        text = open(os.path.join(metrics, name)).read()
        runs += sum(map(int, re.findall(r"^aotigen_watch_runs_total\{.*\} (\d+)$", text, re.M)))
    return taken, runs


def percentiles(taken):
    cut = statistics.quantiles(taken, n=100)
    return cut[49] * 1e3, cut[98] * 1e3


def main():
    words = sys.argv[1:]
    model, rate, seconds, turns = [*words, *["mlp_dyn", "200", "20", "3"][len(words):]]
    rate, seconds, turns = float(rate), float(seconds), int(turns)
    with tempfile.TemporaryDirectory() as folder:
        site, emitted = os.path.join(folder, "site"), os.path.join(folder, "emitted")
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", site, "uvicorn"],
            check=True)
        subprocess.run([sys.executable, os.path.join(ROOT, "samples", "emit.py"), model, "cpu",
            emitted], check=True, stderr=subprocess.DEVNULL)
        plain, watched = (os.path.join(emitted, name) for name in ("model.pt2", "watched.pt2"))
        aotigen = os.path.join(ROOT, "build", "aotigen")
        subprocess.run([aotigen, "watch", "-q", plain, "-o", watched], check=True)
        rows = []
        print("load averages:", os.getloadavg())
        for turn in range(turns):
            for name, package in (("plain", plain), ("watched", watched)):
                taken, runs = measure(package, os.path.join(emitted, "inputs.pt"), site, rate,
                    seconds)
                rows.append((name, *percentiles(taken)))
                print(f"turn {turn + 1}, {name}: p50 {rows[-1][1]:.2f} ms, "
                    f"p99 {rows[-1][2]:.2f} ms, {len(taken)} requests, {runs} runs watched",
                    flush=True)
        print("load averages:", os.getloadavg())
    for name in ("plain", "watched"):
        p50, p99 = (statistics.median(r[i] for r in rows if r[0] == name) for i in (1, 2))
        print(f"{name}: p50 {p50:.2f} ms, p99 {p99:.2f} ms: medians of {turns} turns")


if __name__ == "__main__":
    main()
