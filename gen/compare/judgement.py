"""Which launches of the bad package are at fault, once each was given what the good one's read.

How far two right results may lie apart is measured: both packages are run with each value off by
what its type rounds, and what the launches make of that is allowed ten times (comparison.py).
"""

import os

import torch

import pairing
import reference
import runs
from comparison import Comparison, FRACTIONS, SAMPLES, as_real

SUMMED = 64  # terms from which on the order of a sum is seen
SINGLE = 2.0 ** -23


# ---- what rounding does


def list_rounding(launches, device):
    """{argument: (what the order of a sum may add, what a product rounds it to)}, of the launches
    that read it."""
    found = {}
    for launch in launches:
        written = max((x.load().numel() for x in launch.writes), default=0)
        eps = reference.TF32_EPS if device != "cpu" and may_round_to_tf32(launch) else 0
        for x in launch.reads:
            n = x.load().numel() // max(written, 1)
            stem, before = runs.stem_of(x.argument), found.get(runs.stem_of(x.argument), (0, 0))
            found[stem] = max(before[0], n ** 0.5 / 16 if n >= SUMMED else 0), max(before[1], eps)
    return found


def perturb(value, seed, order=0, eps=0):
    """Off by what its type rounds."""
    if not value.is_floating_point() or not value.numel():
        return value
    random = torch.Generator().manual_seed(seed)
    noise = 2 * torch.rand(value.shape, generator=random, dtype=torch.float64) - 1
    if order:  # of a sum's partial sums, each is rounded
        noise = noise * (1 + order) + (order if seed % 2 else -order)
    eps = max(eps, torch.finfo(value.dtype).eps)
    return (value.double() * (1 + eps * noise)).to(value.dtype)


def may_round_to_tf32(launch):
    """A product by one of torch's operators as torch is set, or by a template of Triton's as it was
    set. The other kernels of Triton's only add to a product's result."""
    operators = {x.split(".")[1] for x in launch.aten if "." in x}
    if not operators & reference.PRODUCTS or os.environ.get("NVIDIA_TF32_OVERRIDE") == "0":
        return False
    if launch.kernel.startswith("triton_"):
        return launch.kernel.startswith("triton_tem_")
    if os.environ.get("NVIDIA_TF32_OVERRIDE") == "1":
        return True
    is_convolution = any("convolution" in x for x in operators)
    return torch.backends.cudnn.allow_tf32 if is_convolution else (
        torch.backends.cuda.matmul.allow_tf32)


class Noise:
    """How far rounding moves what a package's launches write. `base`: a run's launches, which were
    given `values`, [(Written, its value), ...]: here each is off by what its type rounds."""

    def __init__(self, runner, inputs, base, values, rounding):
        self.most = {}  # a Written's key -> the largest distance; of exact types: what changed
        base = {w.key(): w.tensor for w in pairing.list_written(base)}
        for seed in range(SAMPLES):
            given = [perturb(x, 1000 * seed + i, *rounding.get(told["name"], ()))
                     for i, (x, told) in enumerate(zip(inputs, runner.listed.inputs))]
            feed = [(w.key(), perturb(v, 7919 * seed + i, *rounding.get(w.argument, ())))
                    for i, (w, v) in enumerate(values)]
            made, _ = runner.run(given, feed)
            for w in pairing.list_written(made):
                if w.key() in base:
                    self.add(w.key(), base[w.key()].load(), w.tensor.load())
            runner.forget()

    def add(self, key, base, moved):
        if base.dtype in FRACTIONS:
            far = (as_real(moved).double() - as_real(base).double()).abs().nan_to_num(0, 0, 0)
            before = self.most.get(key)
            self.most[key] = far if before is None else torch.maximum(far, before)
        else:
            self.most[key] = (moved != base) | self.most.get(key, False)

    def move(self, key, value):
        """The value, moved so far."""
        far = self.most.get(key)
        if far is None:
            return value
        far = far.reshape(as_real(value).shape)
        if value.is_complex():
            return value + torch.view_as_complex(far)
        return value + far if value.is_floating_point() else torch.where(far, ~value, value)


def tell_apart(good, bad, noises):
    """A Comparison of what the bad launch wrote, given the good one's values, with the good one."""
    ours = bad.tensor.load()
    theirs = good.tensor.load().reshape(ours.shape)
    keys = (good.key(), bad.key())
    if theirs.dtype not in FRACTIONS:
        return Comparison(ours, theirs, theirs, [x.move(k, theirs) for x, k in zip(noises, keys)])
    value = theirs.to(torch.complex128 if theirs.is_complex() else torch.float64)
    samples = [x.move(k, value) for x, k in zip(noises, keys)]
    size = as_real(value).nan_to_num(0, 0, 0).square().mean().sqrt()
    samples.append(value + SINGLE * size * (theirs.dtype != torch.float64))
    return Comparison(ours, value, theirs, samples)


# ---- who is at fault


class Fault:
    """A launch that wrote something else; `written` is the tensor that is furthest beyond what
    rounding explains, `others` the rest of them. One of `launches` is at fault."""

    def __init__(self, written, good, how, comparison, launches, weights):
        self.written, self.good, self.how, self.comparison = written, good, how, comparison
        self.launches, self.weights, self.others, self.stands = launches, weights, [], []
        at = comparison.worst()
        self.size = float(comparison.error[at] / (comparison.tolerance[at] + 1e-300))

    def join(self, other):
        """Of the same launch."""
        first, second = (self, other) if self.size >= other.size else (other, self)
        first.others = [*first.others, second.written, *second.others]
        return first


def link(own):
    """{launch number: the keys of what it reads}, of a run that was not fed. A buffer goes by other
    names, too: what has the same elements is the same."""
    by_digest, by_name, links = {}, {}, {}
    for launch in own:
        links[launch.number] = set()
        for x in launch.reads:
            same = by_digest.get(x.digest())
            stem = by_name.get(x.argument) or by_name.get(runs.stem_of(x.argument), set())
            links[launch.number] |= {same} if same is not None else stem
        for tensor in launch.writes:
            w = pairing.Written(launch, tensor)
            by_digest[tensor.digest()] = w.key()
            by_name.setdefault(w.argument, set()).add(w.key())
    return links


class Judgement:
    """Launch after launch of the bad package. `fed`: those of a run in which each was given the
    good package's values; `refused`: what did not take them; `changed`: the weights that differ."""

    def __init__(self, own, fed, pairs, refused, changed, names, noises):
        self.pairs, self.refused, self.changed, self.names = pairs, refused, changed, names
        self.links, self.noises = link(own), noises
        self.faults, self.follow, self.compared, self.alone = [], [], 0, []
        self.judged = set()  # launches
        self.refusing = set()  # launches that wrote what is wrong, and was not replaced
        self.wrong = []      # keys of what is not its partner
        self.tainted = {}    # key -> launches, of what stands there with errors of its own
        for launch in fed:
            self.step(launch)

    def step(self, launch):
        launches, weights, self.stands = {launch.number}, set(), set()
        for key in self.links.get(launch.number, ()):
            launches |= self.tainted.get(key, set())
            self.stands |= {key[0]} & self.refusing
        for x in launch.reads:
            name = self.names.get(x.argument) or self.names.get(runs.stem_of(x.argument))
            weights |= {name} & self.changed.keys()
        for tensor in launch.writes:
            self.judge(pairing.Written(launch, tensor), launches, weights)

    def judge(self, w, launches, weights):
        good, how = self.pairs.of.get(w.key(), (None, None))
        if good is None:
            self.alone.append(w)
            self.tainted[w.key()] = launches
            return
        self.compared += 1
        self.judged.add(w.launch.number)
        comparison = tell_apart(good, w, self.noises)
        if not comparison.count:
            return
        self.wrong.append(w.key())
        if (w.launch.number, w.argument) in self.refused:
            self.refusing.add(w.launch.number)
        fault = Fault(w, good, how, comparison, sorted(launches), sorted(weights))
        fault.stands = sorted(self.stands)
        there = self.follow if weights or self.stands else self.faults
        if there and there[-1].written.launch is w.launch:
            fault = there.pop().join(fault)
        there.append(fault)

    def reach(self, keys):
        """The launches that read these, also by what has no partner, and are judged."""
        found, todo, seen = set(), list(keys), set()
        while todo:
            key = todo.pop()
            for number, read in self.links.items():
                if key in read and number not in seen:
                    seen.add(number)
                    found |= {number} & self.judged
                    todo += [w.key() for w in self.alone if w.launch.number == number]
        return found

    def doubtful(self):
        """Pairs that may be none: once a launch is given the one for the other it is wrong; or none
        is right, and neither values nor nodes tell the two to be the same. What read such a one is
        not judged yet."""
        wrong, found = {key[0] for key in self.wrong if self.how(key) != pairing.GUESS}, []
        for key in self.wrong:
            if self.pairs.is_sure(key) or self.how(key) == pairing.GUESS or (
                    self.links[key[0]].intersection(found)):
                continue
            readers = self.reach([key])
            if readers & wrong or not readers and self.how(key) != pairing.NODES:
                found.append(key)
        return found

    def how(self, key):
        return self.pairs.of[key][1]

    def confirms(self, number):
        """A launch that reads what this one wrote is right, and none is wrong."""
        wrong = {key[0] for key in self.wrong}
        readers = self.reach([key for key in self.pairs.of if key[0] == number])
        return bool(readers - wrong) and not readers & wrong

    def in_question(self):
        """[what a launch wrote that has no partner, ...], of launches of which one is at fault."""
        numbers = sorted({n for x in self.faults for n in x.launches if len(x.launches) > 1})
        alone = [[w for w in self.alone if w.launch.number == n] for n in numbers]
        return [some for some in alone if some]


# ---- weights


def read_weights(launches, names):
    """{a weight's name: Saved}, as the first launch read it."""
    found = {}
    for launch in launches:
        for x in launch.reads:
            name = names.get(x.argument) or names.get(runs.stem_of(x.argument))
            if name is not None:
                found.setdefault(name, x)
    return found


def compare_weights(good, bad):
    """{name: (ours, theirs)} of those that both have, and that differ."""
    changed = {}
    for name, x in bad.items():
        if name not in good:
            continue
        ours, theirs = x.load(), good[name].load()
        if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
            continue
        if x.digest() == good[name].digest():
            continue
        if ours.dtype in FRACTIONS:  # folded by another program
            error = (as_real(ours).double() - as_real(theirs).double()).abs()
            size = as_real(theirs).double().abs().nan_to_num(0, 0, 0)
            if not (error > 16 * torch.finfo(ours.dtype).eps * (size + size.mean())).any() and (
                    not error.isnan().any()):
                continue
        changed[name] = (ours, theirs)
    return changed
