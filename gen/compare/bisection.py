"""bisection.py REQUEST - runs two debug packages of one model, and names the launches of the bad
one that do not compute what the good one does: `aotigen bisect`. REQUEST is a file with JSON, which
gen/compare/compare.c writes.

Behind each launch of the bad package what it wrote is saved, and then replaced by what the good
package has there (AOTIGEN_FEED): each launch reads what the good one's do, and no error of another.
Exit status: 0 none differs by itself, 1 some do, 2 could not be compared, which standard error
tells.
"""

import json
import os
import re
import subprocess
import sys

import torch

import judgement
import pairing
import runs
from hosting import Refused, first_line, index_of

ROUNDS = 6   # runs of the bad package, at most, until all that can be paired is
JUDGED = 6   # times, at most: a pair that cannot be is given up
GUESSED = 24  # launches of which a partner is guessed, at most
OVERLOAD = re.compile(r"_(?:default|[Tt]ensor|[Ss]calar)(?=_\d+$|$)")  # of an operator


# ---- packages that are run


class Runner:
    """A process that has loaded a package. Its runs count from 1."""

    def __init__(self, request, listed, name):
        self.listed, self.number = listed, 0
        self.given = {*listed.names, *(x["name"] for x in listed.inputs)}
        self.directory = os.path.join(request["saved"], name)
        self.saved, self.feed = (os.path.join(self.directory, x) for x in ("saved", "feed"))
        for path in (self.directory, self.saved, self.feed):
            os.mkdir(path, 0o700)
        here = os.path.dirname(os.path.abspath(__file__))
        read, write = os.pipe()
        environment = {**os.environ, "AOTIGEN_OUTPUT_DIR": self.saved, "AOTIGEN_FEED": self.feed}
        self.said = open(os.path.join(self.directory, "said"), "w+b")
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", os.path.join(here, "runs.py"), listed.package,
             listed.model, listed.device, str(write), *request["libraries"]],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.said, env=environment,
            pass_fds=(write,))
        os.close(write)
        self.reply = os.fdopen(read)

    def run(self, inputs, feed=()):
        """(launches, outputs). feed: ((launch number, which, argument), tensor), replaced behind
        the launch that writes it."""
        self.number += 1
        self.write_feed(feed)
        to = {x: os.path.join(self.directory, x + ".pt") for x in ("inputs", "outputs")}
        torch.save(inputs, to["inputs"])
        try:
            self.process.stdin.write((json.dumps(to) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = json.loads(self.reply.readline() or '{"error": "its process ended"}')
        if "error" in answer:
            raise Refused("'%s' did not run: %s" % (self.listed.package, answer["error"]))
        launches = runs.read_saved(self.saved, self.listed.kernels, "cpu", self.number)
        if not launches:
            raise Refused("no launch of '%s' saved what it wrote: does the program load another "
                          "package?" % self.listed.package)
        add_sites(launches, self.listed.sites)
        for launch in launches:
            launch.writes = [x for x in launch.writes if not self.is_only_read(launch, x)]
        return launches, torch.load(to["outputs"], weights_only=True)

    def is_only_read(self, launch, tensor):
        """An input or a weight that the launch may have written to, and left as it was."""
        if runs.stem_of(tensor.argument) not in self.given and tensor.argument not in self.given:
            return False
        return any(x.argument == tensor.argument and x.digest() == tensor.digest()
                   for x in launch.reads)

    def write_feed(self, feed):
        lines = []
        for i, ((launch, argument, which), value) in enumerate(sorted(feed, key=lambda x: x[0])):
            name = "%d_%d" % (self.number, i)
            data = value.contiguous().resolve_conj().resolve_neg().reshape(-1)
            if data.numel():
                data.view(torch.uint8).numpy().tofile(os.path.join(self.feed, name))
                lines.append("%d %d %s %d %s %s\n" % (launch, which, str(value.dtype)[6:],
                    data.numel() * data.element_size(), name, argument))
        with open(os.path.join(self.feed, "run%04d.feed" % self.number), "w") as f:
            f.writelines(lines)

    def forget(self):
        """Removes what the last run wrote."""
        for directory, head in ((self.saved, "run%04d_"), (self.feed, "%d_")):
            for name in os.listdir(directory):
                if name.startswith(head % self.number):
                    os.unlink(os.path.join(directory, name))

    def refused(self):
        """{(launch number, argument)} of what was not fed in the last run."""
        head, found = "run %d, launch " % self.number, set()
        self.said.seek(0)
        for line in self.said.read().decode(errors="replace").splitlines():
            at = line.find(head)
            if at >= 0 and " is not fed: " in line:
                launch, _, rest = line[at + len(head):].partition(": '")
                found.add((int(launch), rest.partition("'")[0]))
        return found

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.reply.close()
        self.said.close()


def add_sites(launches, sites):
    """Of each launch what the wrapper tells of it: by its number where each site is launched once,
    else by the kernel's name."""
    straight = [x["kernel"] for x in sites] == [x.kernel for x in launches]
    for i, launch in enumerate(launches):
        alike = [x for x in sites if x["kernel"] == launch.kernel]
        site = sites[i] if straight else alike[0] if len(alike) == 1 else {}
        launch.nodes = tuple(OVERLOAD.sub("", x) for x in site.get("nodes", ()))
        launch.aten = tuple(site.get("aten", ()))
        launch.lines = site.get("model_lines", [])


# ---- the report


def place(line):
    name = os.path.basename(line["file"] or "")
    return ("%s:%s  %s" % (name, line["line"], line["text"] or "")).rstrip()


def describe_fault(fault):
    x, w, launch = fault.comparison, fault.written, fault.written.launch
    at = x.worst()
    return {
        "launch": launch.number, "kernel": launch.kernel, "tensor": w.tensor.argument,
        "good": {"launch": fault.good.launch.number, "kernel": fault.good.launch.kernel,
                 "tensor": fault.good.tensor.argument},
        "paired": fault.how, "count": x.count, "numel": x.numel,
        "element": index_of(at, x.shape), "ours": x.ours[at].item(),
        "theirs": x.eager[at].item(), "error": float(x.error[at]),
        "limit": float(x.tolerance[at]), "nodes": list(launch.nodes), "aten": list(launch.aten),
        "model_lines": [place(line) for line in launch.lines], "launches": fault.launches,
        "weights": fault.weights, "others": [x.tensor.argument for x in fault.others],
        "stands": fault.stands,
    }


def print_fault(x):
    print("launch %d: %s computes something else than the good package does" % (x["launch"],
                                                                               x["kernel"]))
    good = x["good"]
    runs.print_row("output", "%s: %d of %d elements are beyond what rounding explains" % (
        x["tensor"], x["count"], x["numel"]))
    runs.print_row("beside", "%s of launch %d (%s), paired %s" % (
        good["tensor"], good["launch"], good["kernel"], x["paired"]))
    if x["others"]:
        runs.print_row("", "and so are some of %s" % ", ".join(x["others"]))
    runs.print_row("element", "%s: %s; from the same inputs the good package has %s" % (
        x["element"], runs.show(x["ours"]), runs.show(x["theirs"])))
    runs.print_row("error", "%.3g; rounding explains up to %.3g" % (x["error"], x["limit"]))
    if x["nodes"]:
        runs.print_row("source nodes", ", ".join(x["nodes"]))
    for line in x["model_lines"]:
        runs.print_row("model line", line)
    runs.print_elsewhere(x["launches"], x["launch"])


def print_report(told):
    for x in told["weights"]:
        print("weight %s is not the good package's: %d of %d elements, the first at %s: %s, where "
              "that has %s" % (x["name"], x["count"], x["numel"], x["element"],
                               runs.show(x["ours"]), runs.show(x["theirs"])))
    for x in told["faults"]:
        print_fault(x)
    for x in told["follow"]:
        reads = ["the weight %s" % name for name in x["weights"]] + [
            "what launch %d wrote into an input or a weight" % n for n in x["stands"]]
        print("launch %d (%s) is not judged: it reads %s" % (x["launch"], x["kernel"],
                                                             ", ".join(reads)))
    for name in told["undecided"]:
        print("%s is not the good package's, and no launch differs by itself" % name)
    if not told["faults"] and not told["weights"] and not told["undecided"]:
        print("each of %d launches computes what the good package does, but for rounding"
              % told["launches"])
    print("%d tensors of %d launches: %s" % (told["tensors"], told["launches"], ", ".join(
        "%d paired %s" % (n, how) for how, n in told["paired"].items()) or "none is paired"))
    if told["alone"]:
        print("%d have no partner, and stood as they were: %s" % (len(told["alone"]), ", ".join(
            "%s of launch %d" % (x["tensor"], x["launch"]) for x in told["alone"][:8])))
    for x in told["outputs"]:
        runs.print_output(x, "the good package")


# ---- the whole


def wanted_of(listed):
    wanted = []
    for x in listed.inputs:
        sizes = [d["min"] if d["min"] == d["max"] else None for d in x["dims"]] if x.get(
            "dims") is not None else None
        wanted.append(runs.Wanted(x["python_name"] or x["name"], x["dtype"], sizes))
    return wanted


def load_samples(request):
    if request["inputs"] is not None:
        return None
    try:
        samples = torch.export.load(request["exported"]).example_inputs
    except Exception as error:
        raise Refused("torch %s cannot load '%s', as torch.export.save() writes one: %s" % (
            torch.__version__, request["exported"], first_line(error)))
    if samples is None:
        raise Refused("'%s' has no sample inputs: give some with --inputs=FILE, which "
                      "torch.save() wrote" % request["exported"])
    return samples


def check_same_model(good, bad):
    for what in ("inputs", "outputs"):
        m, n = len(getattr(good, what)), len(getattr(bad, what))
        if m != n:
            raise Refused("'%s' and '%s' are not of one model: %d %s and %d" % (
                good.package, bad.package, m, what, n))


def check_same_outputs(good, bad, listed):
    for i, (a, b) in enumerate(zip(good, bad)):
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.shape != b.shape:
            raise Refused("'%s' and '%s' are not of one model: output %d is %s and %s" % (
                listed[0].package, listed[1].package, i, list(a.shape), list(b.shape)))


def values_for(fed, pairs):
    """What the launches are to be given: [(Written, value), ...]"""
    made = []
    for w in pairing.list_written(fed):
        good, _ = pairs.of.get(w.key(), (None, None))
        if good is not None:
            made.append((w, good.tensor.load().reshape(w.shape)))
    return made


def feed_all(runner, inputs, own, pairs):
    """The launches of a run in which all that is paired was fed."""
    launches = own
    for _ in range(ROUNDS):
        launches, _ = runner.run(inputs, [(w.key(), v) for w, v in values_for(launches, pairs)])
        if not pairs.learn(launches):
            break
    return launches


def search(pairs, judge):
    """Gives up pairs that cannot be; where several launches are in question, tries others, one
    launch after another. Returns the last Judgement."""
    for _ in range(JUDGED):
        found = judge()
        doubtful = found.doubtful()
        for key in doubtful:
            pairs.refute(key)
        if not doubtful:
            break
    for _ in range(GUESSED):
        before = dict(pairs.of)
        some = next((x for x in found.in_question() if pairs.guess(x)), None)
        if some is None:
            break
        guessed = judge()
        if guessed.confirms(some[0].launch.number):
            found = guessed
        else:
            pairs.of = before
    return found


def bisect(request):
    listed = [runs.Listed(request, request[x], request["exported"]) for x in ("good", "package")]
    check_same_model(*listed)
    inputs = runs.load_inputs(request["inputs"], load_samples(request), wanted_of(listed[0]),
                              "the good package")
    runners = [Runner(request, x, name) for x, name in zip(listed, ("good", "bad"))]
    good, good_outputs = runners[0].run(inputs)
    own, own_outputs = runners[1].run(inputs)
    check_same_outputs(good_outputs, own_outputs, listed)
    pairs = pairing.Pairs(good, own, good_outputs, own_outputs)
    changed = judgement.compare_weights(judgement.read_weights(good, listed[0].names),
                                        judgement.read_weights(own, listed[1].names))
    noises = [judgement.Noise(runners[0], inputs, good, [(w, w.tensor.load()) for w in pairs.good],
                              judgement.list_rounding(good, listed[0].device))]
    def judge():
        fed = feed_all(runners[1], inputs, own, pairs)
        if len(noises) == 1:
            noises.append(judgement.Noise(runners[1], inputs, fed, values_for(fed, pairs),
                                          judgement.list_rounding(own, listed[1].device)))
        return judgement.Judgement(own, fed, pairs, runners[1].refused(), changed,
                                   listed[1].names, noises)
    found = search(pairs, judge)
    for x in runners:
        x.end()
    return describe(found, own, list_results(own_outputs, good_outputs, inputs))


def list_results(own, good, inputs):
    """[(name, ours, theirs), ...] of the outputs, and of the inputs that the good run changed."""
    found, n = [], len(good) - len(inputs)
    for i, (ours, theirs) in enumerate(zip(own, good)):
        name = "output %d" % i if i < n else "input %d, which the model changes" % (i - n)
        if i < n or not torch.equal(theirs, inputs[i - n]):
            found.append((name, ours, theirs))
    return found


def is_undecided(x):
    """Further off than the errors of a whole model add up to."""
    return x["distance"] is not None and (x["differ"] > 0 if x["exact"] else
                                          not x["distance"] < x["bound"])


def describe(found, own, results):
    paired = {}
    for _, how in found.pairs.of.values():
        paired[how] = paired.get(how, 0) + 1
    outputs = []
    for name, ours, theirs in results:
        x = runs.describe_output(name, ours, theirs)
        if x is not None:
            outputs.append({**x, "bound": pairing.CLOSE.get(ours.dtype, 0.2)})
    explained = found.faults or found.changed
    return {
        "faults": [describe_fault(x) for x in found.faults],
        "weights": [runs.describe_weight(name, *x, "theirs") for name, x in found.changed.items()],
        "follow": [describe_fault(x) for x in found.follow],
        "outputs": outputs, "launches": len(own),
        "undecided": [] if explained else [x["output"] for x in outputs if is_undecided(x)],
        "tensors": sum(len(x.writes) for x in own), "compared": found.compared, "paired": paired,
        "alone": [{"launch": w.launch.number, "kernel": w.launch.kernel,
                   "tensor": w.tensor.argument} for w in found.alone],
    }


def status_of(told):
    if told["faults"] or told["weights"] or told["undecided"]:
        return 1
    return 0 if told["compared"] or not told["tensors"] else 2


if __name__ == "__main__":
    sys.exit(runs.tell(sys.argv[1], bisect, print_report, status_of))
