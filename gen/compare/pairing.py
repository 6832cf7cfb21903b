"""Which tensor of one package is which of another, both built of one model.

Where the launches of both are the same they are paired by place. Else an output of the model is one
in both; what has the same values, but for rounding, is the same; and so are tensors of launches
that compute the same source nodes. The rest is guessed, and a guess is kept where a launch that
reads the tensor computes rightly from the other one. What a launch wrote wrongly has other values
than its partner: all but the first two are asked anew once each launch was given the good package's
values.
"""

import re

import torch

from comparison import FRACTIONS, as_real, relative

CLOSE = {torch.float64: 1e-9, torch.float32: 1e-3, torch.complex64: 1e-3, torch.float16: 2e-2,
         torch.bfloat16: 5e-2}
SAMPLED = 512  # elements that are looked at before two tensors are compared as a whole

PLACE, OUTPUT, VALUE, NODES, GUESS = (
    "by place", "as an output", "by its values", "by source nodes", "by what reads it")


class Written:
    """What a launch wrote. `which`: the number, from 1, of its tensors of that name."""

    def __init__(self, launch, tensor):
        self.launch, self.tensor = launch, tensor
        names = [x.argument for x in launch.writes]
        head, _, tail = tensor.argument.rpartition("_")
        again = tail.isdigit() and int(tail) > 1 and head in names
        self.argument, self.which = (head, int(tail)) if again else (tensor.argument, 1)
        self.kept = None

    def key(self):
        return self.launch.number, self.argument, self.which

    def note(self):
        """(shape, dtype, some elements), which are kept."""
        if self.kept is None:
            value = self.tensor.load()
            flat = as_real(value).reshape(-1)
            step = max(flat.numel() // SAMPLED, 1)
            self.kept = value.shape, value.dtype, flat[::step].double().clone()
        return self.kept

    @property
    def shape(self):
        return self.note()[0]

    @property
    def dtype(self):
        return self.note()[1]

    def is_like(self, other):
        return (self.shape.numel(), self.dtype) == (other.shape.numel(), other.dtype)


def list_written(launches):
    return [Written(launch, tensor) for launch in launches for tensor in launch.writes]


def stem_of_kernel(launch):
    return launch.kernel.rstrip("0123456789")


def operators_of(launch):
    """{"gelu", "mm"} of nodes such as gelu_1, and of operators of ATen."""
    return {re.sub(r"_\d+$", "", x).strip("_") for x in launch.nodes} | {
        x.split(".")[1].strip("_") for x in launch.aten if "." in x} - {"t", "view"}


class Pairs:
    """`of`: {a bad Written's key: (the good Written, how)}. `good` and `bad` are launches that have
    nodes, a tuple of names. The outputs are lists of tensors."""

    def __init__(self, good, bad, good_outputs, bad_outputs):
        self.launches, self.good, self.of, self.nodes = good, list_written(good), {}, {}
        self.refuted, self.guessed = set(), set()
        self.is_by_place = self.pair_by_place(good, bad)
        if self.is_by_place:
            return
        written = list_written(bad)
        self.pair_outputs(written, good_outputs, bad_outputs)
        self.nodes = self.pair_by_nodes(written)
        self.learn(bad)

    def pair_by_place(self, good, bad):
        """The launches of both are the same, one after another."""
        written = list_written(bad)
        if ([x.kernel for x in good] != [x.kernel for x in bad]
                or [x.key() for x in self.good] != [x.key() for x in written]
                or not all(a.is_like(b) and a.shape == b.shape
                           for a, b in zip(self.good, written))):
            return False
        self.of = {b.key(): (a, PLACE) for a, b in zip(self.good, written)}
        return True

    def pair_outputs(self, written, good_outputs, bad_outputs):
        for a, b in zip(good_outputs, bad_outputs):
            x, y = find_output(self.good, a), find_output(written, b)
            if x is not None and y is not None and x.is_like(y):
                self.of[y.key()] = (x, OUTPUT)

    def pair_by_nodes(self, written):
        """{key: good Written}, of launches of the same nodes."""
        found, good, bad = {}, {}, {}
        for table, some in ((good, self.good), (bad, written)):
            for x in some:
                key = tuple(sorted(x.launch.nodes)) or stem_of_kernel(x.launch)
                table.setdefault((key, x.shape.numel(), x.dtype), []).append(x)
        for key, some in bad.items():
            others = good.get(key, ())
            if len(others) == len(some):
                found.update((b.key(), a) for a, b in zip(others, some))
        return found

    def learn(self, bad):
        """From a run of the bad package. True where it pairs something else than before."""
        before = {key: a.key() for key, (a, _) in self.of.items()}
        if self.is_by_place:
            return False
        for b in list_written(bad):
            there = self.of.get(b.key())
            if there is not None and there[1] in (PLACE, OUTPUT, GUESS):
                continue
            by_nodes = self.nodes.get(b.key())
            if by_nodes is not None and (b.key(), by_nodes.key()) in self.refuted:
                by_nodes = None
            a = self.find_close(b, by_nodes)
            if a is not None:
                self.of[b.key()] = (a, VALUE)
            elif by_nodes is not None and (there is None or there[1] == NODES):
                self.of[b.key()] = (by_nodes, NODES)
        return before != {key: a.key() for key, (a, _) in self.of.items()}

    def guess(self, written):
        """Pairs what a launch wrote with what another one did that has an operator in common, and
        writes as much. True where there is such a one that was not tried."""
        used, names = {a.key() for a, _ in self.of.values()}, operators_of(written[0].launch)
        for launch in self.launches:
            mine = [a for a in self.good if a.launch is launch and a.key() not in used]
            tried = (written[0].launch.number, launch.number)
            if (tried not in self.guessed and len(mine) == len(written)
                    and names & operators_of(launch)
                    and all(a.is_like(b) for a, b in zip(mine, written))):
                self.guessed.add(tried)
                self.of.update((b.key(), (a, GUESS)) for a, b in zip(mine, written))
                return True
        return False

    def is_sure(self, key):
        """It is known whatever the values are; or the nodes tell the same."""
        a, how = self.of[key]
        return how in (PLACE, OUTPUT) or how == VALUE and self.nodes.get(key) is a

    def refute(self, key):
        a, _ = self.of.pop(key)
        self.refuted.add((key, a.key()))

    def find_close(self, b, by_nodes):
        """The nearest, or the one that the nodes tell where it is as near."""
        best = None
        for a in self.good:
            refuted = not a.is_like(b) or (b.key(), a.key()) in self.refuted
            far = None if refuted else distance(a, b)
            if far is None:
                continue
            rank = (far > 1e-12 and a is not by_nodes, far, a is not by_nodes,
                    a.argument != b.argument)
            if best is None or rank < best[0]:
                best = rank, a
        return best[1] if best else None


def find_output(written, value):
    """The last that is this output of the model, or None."""
    for x in reversed(written):
        if isinstance(value, torch.Tensor) and x.shape.numel() == value.numel() and (
                x.dtype == value.dtype):
            mine = x.tensor.load()
            if torch.equal(mine.reshape(-1).nan_to_num() if mine.is_floating_point()
                           else mine.reshape(-1),
                           value.reshape(-1).nan_to_num() if value.is_floating_point()
                           else value.reshape(-1)):
                return x
    return None


def distance(a, b):
    """Relative, of the norms; None where they are not close."""
    if a.dtype not in FRACTIONS:
        x, y = a.note()[2], b.note()[2]
        same = torch.equal(x, y) and torch.equal(a.tensor.load().reshape(-1),
                                                 b.tensor.load().reshape(-1))
        return 0.0 if same else None
    most, (x, y) = CLOSE.get(a.dtype, 0.2), (a.note()[2], b.note()[2])
    if x.shape != y.shape or relative(y - x, x) > 4 * most:
        return None
    x, y = (as_real(t.tensor.load()).reshape(-1).double() for t in (a, b))
    far = relative(y - x, x)
    return far if far <= most else None
