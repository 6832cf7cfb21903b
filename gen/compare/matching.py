"""Which node of the exported program each saved tensor is, and whether it is that node's value.

A launch's outputs follow from its inputs. The inputs stand for the nodes whose values they hold,
and what follows from those nodes alone is computed anew: an output is one of these but for
rounding. Else it is internal to Inductor, such as half of a variance, or wrong. It is wrong where a
later launch that reads it computes rightly only if it is taken for a node, or where an output of
the model depends on it and is wrong.
"""

import collections
import hashlib
import itertools
import re

import torch

import reference

SAMPLES = 3      # evaluations with rounding
ALLOWED = 10     # how many times what rounding alone was seen to do
NEAR = 64        # nodes that a tensor is compared with, at most
HYPOTHESES = 48  # nodes that a tensor is taken for, at most
LIKELY = 3       # nodes that each of several tensors is taken for
INLINED = 8      # elements of a weight whose values may stand in a kernel's text
WINDOW = 33      # neighbours
TINY = 1e-12     # of a node's norm
FAR = 0.3        # of a node's norm: two tensors that are further apart are not compared closely


def digest(tensor):
    """Equal for tensors with the same elements in the same order, whatever their shape."""
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    data = flat.view(torch.uint8).cpu().numpy()
    return str(flat.dtype), hashlib.blake2b(data, digest_size=16).digest()


def smooth(x):
    """Means of neighbours: a sample of rounding may happen to be nothing at one element."""
    if x.numel() < 3:
        return x
    width = min(WINDOW, (x.numel() - 1) // 2 * 2 + 1)
    return torch.nn.functional.avg_pool1d(x.reshape(1, 1, -1), width, 1, width // 2,
                                          count_include_pad=False).reshape(x.shape)


def relative(error, value):
    """The norm of an error beside that of what it is an error of; without what is not finite."""
    error, value = (t.double().nan_to_num(0, 0, 0).norm() for t in (error, value))
    return float(error / (value + 1e-300))


class Comparison:
    """Which elements that a launch wrote are further from a node's than rounding explains."""

    def __init__(self, ours, float64, eager, samples):
        self.shape = ours.shape
        self.ours, self.eager = ours.reshape(-1), eager.reshape(-1)
        self.float64 = float64.reshape(-1)
        samples = [s.reshape(-1) for s in samples]
        if self.float64.is_floating_point():
            self.compare_floats(samples)
        else:
            self.compare_exact(samples)
        self.count, self.numel = int(self.mismatched.sum()), self.mismatched.numel()

    def compare_exact(self, samples):
        """A comparison of numbers that are nearly the same may go either way."""
        x = self.ours.to(self.float64.dtype)
        self.mismatched = (x != self.float64) & (x != self.eager.to(x.dtype))
        for s in samples:
            self.mismatched &= s == self.float64
        self.error = (x != self.float64).double()
        self.eager_error = (self.eager != self.float64).double()
        self.tolerance = torch.zeros_like(self.error)

    def compare_floats(self, samples):
        x, float64, eager = self.ours.double(), self.float64, self.eager.double()
        self.eager_error = (eager - float64).abs().nan_to_num(0, 0, 0)
        noise = self.eager_error
        for s in samples:
            noise = torch.maximum(noise, (s - float64).abs().nan_to_num(0, 0, 0))
        noise = torch.maximum(noise, smooth(noise.square()).sqrt())
        kind = torch.finfo(self.eager.dtype)
        most = ALLOWED * noise + 4 * kind.eps * float64.abs() + kind.tiny
        self.tolerance = torch.where(most.isfinite(), most, torch.zeros_like(most))
        same = (x == float64) | (x == eager) | x.isnan() & (float64.isnan() | eager.isnan())
        error = (x - float64).abs().nan_to_num(torch.inf, torch.inf, torch.inf)
        self.error = torch.where(same, torch.zeros_like(error), error)
        self.mismatched = self.error > self.tolerance

    def worst(self):
        """The element that is furthest beyond its tolerance."""
        beyond = self.error / (self.tolerance + 1e-300) * self.mismatched
        return int(beyond.nan_to_num(0).argmax())

    def share(self):
        """How much is right of what tells this node from others: the most frequent value, which of
        many tensors is zero, tells nothing."""
        values, counts = torch.unique(self.float64, return_counts=True)
        telling = self.float64 != values[counts.argmax()]
        n = int(telling.sum())
        return float((telling & ~self.mismatched).sum()) / n if n >= 4 else 0.0

    def distance(self):
        return relative(self.error, self.float64)


class Computable:
    """The nodes that follow from given values, and a tensor beside them. `nodes`: some of them, or
    None for all."""

    def __init__(self, program, given, tf32=True, nodes=None):
        self.program, self.given = program, given
        self.nodes = program.follow(given) if nodes is None else nodes
        self.float64 = reference.Evaluation(program, given, True)
        self.eager = reference.Evaluation(program, given, False)
        self.samples = [reference.Evaluation(program, given, True, (i, tf32))
                        for i in range(SAMPLES)]

    def compare(self, ours, node):
        """None where the two cannot be the same, or torch cannot compute the node."""
        eager = self.eager_value(ours, node)
        if eager is None:
            return None
        try:
            float64 = self.float64.value(node)
            samples = [x.value(node) for x in self.samples]
        except Exception:  # whatever torch or a custom operator raises
            return None
        return Comparison(ours, float64, eager, samples)

    def eager_value(self, ours, node):
        """The node's value in its own type; None as for compare()."""
        try:
            eager = self.eager.value(node)
        except Exception:  # as above
            return None
        if (not isinstance(eager, torch.Tensor) or eager.numel() != ours.numel()
                or eager.is_floating_point() != ours.is_floating_point() or eager.is_complex()):
            return None
        return eager

    def is_exact(self, ours, node):
        """It is eager's bit for bit, as most are."""
        eager = self.eager_value(ours, node)
        return (eager is not None and eager.dtype == ours.dtype
                and torch.equal(eager.reshape(-1), ours.reshape(-1)))

    def find_near(self, ours, nodes):
        """Those that it is but for rounding, and of them the nearest: with few bits a residual and
        its norm may lie as near."""
        found = []
        for node in nodes:
            eager = self.eager_value(ours, node)
            if eager is None or ours.is_floating_point() and self.is_far(ours, eager):
                continue
            comparison = self.compare(ours, node)
            if comparison is not None and not comparison.count:
                found.append((comparison.distance(), node))
        least = min((d for d, _ in found), default=0)
        return [n for d, n in found if d <= 2 * least + TINY]

    @staticmethod
    def is_far(ours, eager):
        eager = eager.reshape(-1).double()
        return relative(ours.reshape(-1).double() - eager, eager) > FAR

    def alike(self, ours):
        """The nodes that have as many elements."""
        shapes = self.program.shapes
        return [n for n in self.nodes if n in shapes and shapes[n].numel() == ours.numel()]

    def leave_copies(self, nodes):
        """Without the nodes whose operand is among them, too."""
        return [n for n in nodes if reference.operator_of(n) not in reference.COPIES
                or not any(x in nodes for x in n.all_input_nodes)]

    def find(self, ours):
        nodes = self.leave_copies(self.alike(ours))
        return ([n for n in nodes if self.is_exact(ours, n)] or self.find_near(ours, nodes))

    def compare_all(self, ours):
        """[(node, comparison), ...] of what it may be and is not, the likeliest first."""
        compared = [(n, self.compare(ours, n)) for n in self.leave_copies(self.alike(ours))[:NEAR]]
        return sorted((x for x in compared if x[1] is not None), key=self.rank)

    def rank(self, candidate):
        node, comparison = candidate
        share, far = comparison.share(), comparison.distance()
        return (-share if share > 0.1 else 0, min(far, 0.5),
                self.program.shapes[node] != comparison.shape, self.program.place[node])

    def find_last(self, ours):
        """The last node that it is, or None."""
        nodes = self.alike(ours)
        exact = [n for n in nodes if self.is_exact(ours, n)]
        return (exact or self.find_near(ours, nodes) or [None])[-1]


class Unmatched:
    """A tensor that is no node's value."""

    def __init__(self, launch, tensor, given):
        self.launch, self.tensor, self.given = launch, tensor, given
        self.launches = [launch]  # those that it depends on, since the last that were matched


class Fault:
    """What a launch wrote is this node, and is not its value."""

    def __init__(self, unmatched, node, comparison):
        self.launch, self.tensor = unmatched.launch, unmatched.tensor
        self.launches, self.node, self.comparison = unmatched.launches, node, comparison


class Matching:
    """Launch after launch. `names`: of the weights by argument."""

    def __init__(self, program, names):
        self.program, self.names = program, names
        self.values = {}     # node -> what the launches have of it
        self.nodes = {}      # digest -> nodes
        self.unmatched = {}  # digest -> Unmatched
        self.written = {}    # argument -> Unmatched or None
        self.inlined = {}
        self.all = None      # everything(), until more is known
        self.faults, self.changed, self.undecided, self.skipped = [], {}, [], []
        self.tensors = 0

    # ---- what stands for what

    def learn(self, node, value):
        """That the launches have this of a node, and so of those that only move its elements."""
        self.all, todo = None, [(node, value)]
        while todo:
            node, value = todo.pop()
            if isinstance(value, torch.Tensor):
                shape = self.program.shapes.get(node)
                if shape is not None and shape.numel() == value.numel():
                    value = value.reshape(shape)
                self.nodes.setdefault(digest(value), set()).add(node)
            self.values[node] = value
            moved = ((user, self.move(user)) for user in node.users)
            todo += [(user, value) for user, value in moved if value is not None]

    def move(self, node):
        """The node's value where it moves elements of what is known, else None."""
        known = collections.ChainMap(self.values, self.program.scalars)
        if node in self.values or not reference.is_move(node) or any(
                x not in known for x in node.all_input_nodes):
            return None
        try:
            return self.program.compute(node, known, False, None)
        except Exception:  # of another size than the program's
            return None

    def begin(self, inputs):
        for node, value in zip(self.program.tensor_inputs(), inputs):
            self.learn(node, value)
        for name, node in self.program.weights.items():
            value = self.program.find_weight(name)
            if value.numel() <= INLINED:
                self.learn(node, value)
                self.inlined[node] = value

    def read(self, tensor):
        """(nodes, None), or (set(), an Unmatched or None)."""
        stem = re.sub(r"_\d+$", "", tensor.argument)  # of one that is an argument twice
        name = self.names.get(tensor.argument) or self.names.get(stem)
        node = self.program.weights.get(name)
        if node is not None and node not in self.values:
            self.read_weight(name, node, tensor)
        found = self.nodes.get(tensor.digest(), set())
        if node is not None and (not found or node in found or any(
                node in x.all_input_nodes for x in found)):
            return {node}, None  # others may have the same values, as norms have ones
        if found:
            return found, None
        return set(), self.unmatched.get(tensor.digest()) or self.written.get(stem)

    def read_weight(self, name, node, tensor):
        """The package's own weight should be the program's."""
        theirs, ours = self.program.find_weight(name), tensor.load()
        self.learn(node, theirs)
        if (tensor.digest() in self.nodes or ours.dtype != theirs.dtype
                or ours.shape != theirs.shape):
            return
        self.changed[name] = (ours, theirs)
        for nodes in self.nodes.values():
            nodes.discard(node)
        for moved in [n for n in self.values if node in n.all_input_nodes]:
            del self.values[moved]
        self.learn(node, ours)

    def everything(self):
        """What follows from all that is known and from any weight."""
        if self.all is not None:
            return self.all
        given = {n: v for n, v in self.values.items() if isinstance(v, torch.Tensor)}
        for name, node in self.program.weights.items():
            if node not in given:
                given[node] = self.program.find_weight(name)
        self.all = Computable(self.program, given)
        return self.all

    # ---- a launch

    def step(self, launch):
        given, causes = dict(self.inlined), []
        self.tensors += len(launch.writes)
        for tensor in launch.reads:
            nodes, cause = self.read(tensor)
            launch.reads_unknown |= not nodes and cause is None
            given.update((n, self.values[n]) for n in nodes)
            causes += [cause] if cause is not None and cause not in causes else []
        extended = dict(given)
        for cause in causes:
            extended.update(cause.given)
        # A product of TF32 would hide what is wrong in the tensor that it reads.
        computable = Computable(self.program, extended, tf32=not causes)
        left = self.match(launch, launch.writes, computable)
        if left and causes:
            left = self.try_hypotheses(left, given, causes)
            left = self.match(launch, [x.tensor for x in left],
                              Computable(self.program, extended))
        for x in left:
            together = {y for cause in causes for y in cause.launches} | {launch}
            x.launches = sorted(together, key=lambda y: y.number)
            self.unmatched[x.tensor.digest()] = self.written[x.tensor.argument] = x

    def match(self, launch, tensors, computable):
        """Those of the launch's outputs that are no node's value."""
        left = []
        for tensor in tensors:
            self.written[tensor.argument] = None
            ours = tensor.load()
            copied = self.unmatched.get(tensor.digest())
            if copied is not None:
                self.written[tensor.argument] = copied
                continue
            nodes = self.nodes.get(tensor.digest(), set()) | set(computable.find(ours))
            if not nodes and launch.reads_unknown:
                nodes = self.everything().find(ours)
            for node in list(nodes):
                self.learn(node, ours)
            if not nodes:
                left.append(Unmatched(launch, tensor, computable.given))
        return left

    def candidates(self, cause, ours):
        """What it may be: a launch that was given another tensor than it should be computes a node
        that does not follow from what it read."""
        given = {n: v for n, v in cause.given.items() if not reference.is_move(n)
                 or not any(x in cause.given for x in n.all_input_nodes)}
        near, seen = Computable(self.program, given).compare_all(ours), set()
        for node, comparison in near:
            seen.add(node)
            yield node, comparison
        for node, comparison in self.everything().compare_all(ours):
            if node not in seen:
                yield node, comparison

    def try_hypotheses(self, left, given, causes):
        """What is left once tensors that a launch reads are taken for the nodes by which it is
        right."""
        best, supposed = {}, []
        for trial in itertools.islice(self.hypotheses(causes), HYPOTHESES):
            values = dict(given)
            for cause in causes:
                if not any(x is cause for x, _, _ in trial):
                    values.update(cause.given)
            for cause, node, _ in trial:
                values[node] = cause.tensor.load().reshape(self.program.shapes[node])
            found = self.match_under(left, values, [node for _, node, _ in trial])
            if len(found) > len(best):
                best, supposed = found, trial
            if len(best) == len(left):
                break
        for cause, node, comparison in supposed:
            self.accept(cause, node, comparison)
        for x, node in best.items():
            self.learn(node, x.tensor.load())
        return [x for x in left if x not in best]

    def hypotheses(self, causes):
        """Lists of (cause, node, comparison): one tensor is wrong, else several of them are."""
        likely = []
        for cause in causes:
            kept = []
            for node, comparison in self.candidates(cause, cause.tensor.load()):
                kept.append((cause, node, comparison))
                yield kept[-1:]
                if len(kept) == HYPOTHESES // (2 * len(causes)) and len(causes) > 1:
                    break
            likely.append(kept[:LIKELY])
        for n in range(2, len(causes) + 1):
            for some in itertools.combinations(likely, n):
                yield from itertools.product(*some)

    def match_under(self, left, given, starts):
        """{unmatched: the node that it is}, of those that depend on what was supposed."""
        nodes, found = self.program.follow_from(starts, given), {}
        computable = Computable(self.program, given, tf32=False, nodes=nodes)
        for x in left:
            node = computable.find_last(x.tensor.load())
            if node is not None:
                found[x] = node
        return found

    def accept(self, cause, node, comparison):
        """A tensor that is right was not known only for what the launch read."""
        if comparison.count:
            self.add_fault(cause, node, comparison)
        self.unmatched.pop(cause.tensor.digest(), None)
        self.learn(node, cause.tensor.load())

    def add_fault(self, unmatched, node, comparison):
        self.faults.append(Fault(unmatched, node, comparison))

    # ---- at the end

    def finish(self, outputs):
        """The model's outputs are known to be nodes. `undecided` gets (number, Unmatched or None)
        of those that are not what the program has, and of no launch that could be told."""
        for i, (node, value) in enumerate(zip(self.program.outputs, outputs)):
            if not isinstance(node, torch.fx.Node) or not isinstance(value, torch.Tensor):
                continue
            if self.is_known(node, value):
                continue
            cause = self.unmatched.get(digest(value))
            computable = Computable(self.program, cause.given) if cause else self.everything()
            if node not in computable.nodes:
                computable = self.everything()
            if node not in computable.nodes and node not in computable.given:
                self.skipped.append(i)
                continue
            comparison = computable.compare(value, node)
            if comparison is not None and not comparison.count:
                continue
            if cause is not None and comparison is not None:
                self.add_fault(cause, node, comparison)
            else:
                self.undecided.append((i, cause))

    def is_known(self, node, value):
        return node in self.nodes.get(digest(value), ())
