"""Which node of the exported program each saved tensor is, and whether it is that node's value.

A launch's outputs follow from its inputs. The inputs stand for the nodes whose values they hold,
and what follows from those nodes alone is computed anew: an output is one of these but for
rounding. Else it is internal to Inductor, such as half of a variance, or wrong. It is wrong where a
later launch that reads it computes rightly only if it is taken for a node, or where an output of
the model depends on it and is wrong.
"""

import collections
import itertools
import re

import torch

import reference
from comparison import Computable, digest

HYPOTHESES = 48  # nodes that a tensor is taken for, at most
LIKELY = 3       # nodes that each of several tensors is taken for
INLINED = 8      # elements of a weight whose values may stand in a kernel's text


class Written:
    """What a launch wrote from given nodes. `copied`: the Written that it read and wrote again."""

    def __init__(self, launch, tensor, given, copied=None):
        self.launch, self.tensor, self.given, self.copied = launch, tensor, given, copied

    def writers(self):
        return [self] + (self.copied.writers() if self.copied else [])


class Unmatched(Written):
    """A tensor that is no node's value."""

    def __init__(self, launch, tensor, given):
        super().__init__(launch, tensor, given)
        self.launches = [launch]  # those that it depends on, since the last that were matched


class Fault:
    """What a launch wrote is this node, and is not its value. One of `launches` is at fault."""

    def __init__(self, written, node, comparison, launches):
        self.launch, self.tensor, self.launches = written.launch, written.tensor, launches
        self.node, self.comparison = node, comparison

    def is_same(self, other):
        return (self.launch, self.tensor, self.node) == (other.launch, other.tensor, other.node)


class Matching:
    """Launch after launch. `names`: of the weights by argument."""

    def __init__(self, program, names):
        self.program, self.names = program, names
        self.values = {}     # node -> what the launches have of it
        self.nodes = {}      # digest -> nodes
        self.unmatched = {}  # digest -> Unmatched
        self.written = {}    # argument -> Unmatched or None
        self.matched = {}    # argument -> Written of a tensor that is a node's value, or None
        self.weights_read = set()
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
        if node is not None and node not in self.weights_read:
            self.weights_read.add(node)
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
        if node not in self.values:
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
        launch.sources = []  # (nodes, Written) of what other launches have written
        for tensor in launch.reads:
            nodes, cause = self.read(tensor)
            source = self.matched.get(tensor.argument) if nodes else None
            if source is not None and source.tensor.digest() == tensor.digest():
                launch.sources.append((nodes, source))
            launch.reads_unknown |= not nodes and cause is None
            given.update((n, self.values[n]) for n in nodes)
            causes += [cause] if cause is not None and cause not in causes else []
        extended = dict(given)
        for cause in causes:
            extended.update(cause.given)
        launch.given = given
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
            self.written[tensor.argument] = self.matched[tensor.argument] = None
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
            if nodes:
                copied = next((x for _, x in launch.sources
                               if x.tensor.digest() == tensor.digest()), None)
                self.matched[tensor.argument] = Written(launch, tensor, computable.given, copied)
            else:
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
        fault = Fault(unmatched, node, comparison, unmatched.launches)
        fault = self.find_source(fault) or fault
        if not any(fault.is_same(x) for x in self.faults):
            self.faults.append(fault)

    def find_source(self, fault):
        """The fault of an earlier launch by which this one is right: it wrote the value of another
        node than it should have, as where an operation is left out. None if there is none."""
        for nodes, source in fault.launch.sources:
            given = {n: v for n, v in fault.launch.given.items() if n not in nodes}
            ours = source.tensor.load()
            for node, comparison in itertools.islice(self.candidates(source, ours), HYPOTHESES):
                if node in nodes or not comparison.count:
                    continue
                values = {**given, node: ours.reshape(self.program.shapes[node])}
                if self.match_under([fault], values, [node]):
                    return self.choose(fault, source.writers(), node, comparison)
        return None

    @staticmethod
    def choose(fault, writers, node, comparison):
        """Any of them may have left the operation out. A kernel's name tells which has it."""
        name = reference.operator_of(node).strip("_")
        named = [x for x in (fault, *writers) if name in x.launch.kernel] or [fault, *writers]
        launches = [x.launch for x in named]
        if named == [fault]:
            return fault
        return Fault(next(x for x in named if x is not fault), node, comparison,
                     sorted(launches, key=lambda x: x.number))

    # ---- at the end

    def finish(self, results):
        """The model's results are known to be nodes: [(name, node, value), ...]. `undecided` gets
        (name, Unmatched or None) of those that are not what the program has, and of no launch that
        could be told; `skipped` the names of those that torch does not compute from what is
        known."""
        for name, node, value in results:
            if value is None and isinstance(node, torch.fx.Node):
                self.skipped.append(name)
            elif (isinstance(node, torch.fx.Node) and isinstance(value, torch.Tensor)
                    and not self.is_known(node, value)):
                self.finish_one(name, node, value)

    def finish_one(self, name, node, value):
        cause = self.unmatched.get(digest(value)) or self.find_moved(value)
        computable = Computable(self.program, cause.given) if cause else self.everything()
        if node not in computable.nodes:
            computable = self.everything()
        known = node in computable.nodes or node in computable.given
        if not known or not computable.can_compute(node):
            self.skipped.append(name)
            return
        comparison = computable.compare(value, node)
        if comparison is None or comparison.count and cause is None:
            self.undecided.append((name, cause))
        elif comparison.count:
            self.add_fault(cause, node, comparison)

    def find_moved(self, value):
        """What a launch wrote, and the model returns in another order of its elements."""
        ordered = None
        for x in self.unmatched.values():
            ours = x.tensor.load()
            if ours.numel() != value.numel() or ours.dtype != value.dtype or ours.is_complex():
                continue
            ordered = digest(value.reshape(-1).sort().values) if ordered is None else ordered
            if digest(ours.reshape(-1).sort().values) == ordered:
                return x
        return None

    def is_known(self, node, value):
        return node in self.nodes.get(digest(value), ())
