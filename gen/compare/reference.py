"""The exported program beside a debug package's launches, for `aotigen compare`.

A node is computed from given values alone: in float64, in the program's own types, as eager would,
and in float64 with each operand off by as much as its own type rounds. Given values are those that
a launch read, so that an error which was made earlier is no part of what it should have written.
"""

import heapq
import os
import re

import torch
from torch.utils import _pytree as pytree

from hosting import Refused, first_line

WIDE = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64,
        torch.complex32: torch.complex128, torch.complex64: torch.complex128}

# These keep elements and their order.
COPIES = frozenset(
    "_unsafe_view alias clone contiguous detach flatten lift_fresh_copy reshape squeeze unflatten "
    "unsqueeze view".split())

# These move elements and compute none.
MOVES = COPIES | frozenset(
    "as_strided cat chunk expand flip getitem movedim narrow permute select slice split "
    "split_with_sizes stack t transpose unbind".split())

# These pick elements: a table is not read as a whole.
LOOKUPS = frozenset("embedding gather index index_select".split())

# A GPU may compute these of float32 with the eleven bits of TensorFloat-32.
PRODUCTS = frozenset(
    "_scaled_dot_product_cudnn_attention _scaled_dot_product_efficient_attention addmm baddbmm bmm "
    "convolution linear matmul mm scaled_dot_product_attention".split())
TF32_EPS = 2.0 ** -10

# These of many elements are exact, or pick one of them.
EXACT = frozenset("all amax amin any argmax argmin max median min mode".split())

# Each element of their result is of all that come before it.
RUNNING = frozenset("cumprod cumsum logcumsumexp".split())
MANY = 64  # terms from which on the order of a sum is seen

ORDERS = 64       # that are kept
SPREAD = 1 << 18  # where in one list of random numbers a node begins

FRAME = re.compile(r'File "(.+)", line (\d+)')
TORCH = os.path.dirname(torch.__file__) + os.sep


def operator_of(node):
    """"addmm" of aten.addmm.default, "getitem"; "" where the node calls none."""
    target = node.target
    if isinstance(target, torch._ops.OpOverload):
        return target._schema.name.split("::")[1]
    return getattr(target, "__name__", "") if node.op == "call_function" else ""


def is_move(node):
    return operator_of(node) in MOVES


def cannot_follow(node):
    """What is not computed anew: branches and loops, whose launches are those of another graph, and
    random numbers. Dropout of probability zero, which attention has, draws none."""
    target = node.target
    if isinstance(target, torch._ops.HigherOrderOperator):
        return True
    if (not isinstance(target, torch._ops.OpOverload)
            or torch.Tag.nondeterministic_seeded not in target.tags):
        return False
    for i, argument in enumerate(target._schema.arguments):
        if argument.name in ("dropout_p", "p"):
            given = node.args[i] if i < len(node.args) else node.kwargs.get(argument.name)
            return bool(argument.default_value if given is None else given)
    return True


def to_own_type(node, value):
    """A kernel may keep in float32 what is bfloat16 in the program."""
    own = node.meta.get("val")
    return value.to(own.dtype) if isinstance(own, torch.Tensor) and isinstance(
        value, torch.Tensor) else value


def widen(x):
    return x.to(WIDE[x.dtype]) if isinstance(x, torch.Tensor) and x.dtype in WIDE else x


def widen_type(x):
    return WIDE.get(x, x) if isinstance(x, torch.dtype) else x


def decompose_addmm(bias, a, b, *, beta=1, alpha=1):
    """A launch may compute the product alone, and another one add to it."""
    product = torch.ops.aten.mm.default(a, b)
    product = product if alpha == 1 else product * alpha
    return product + (bias if beta == 1 else bias * beta)


def decompose_convolution(x, weight, bias, *rest):
    if bias is None:
        return NotImplemented
    made = torch.ops.aten.convolution.default(x, weight, None, *rest)
    return made + bias.reshape([-1] + [1] * (made.dim() - 2))


class Program:
    """The exported program's graph, with the operators decomposed that Inductor decomposes."""

    def __init__(self, exported, device):
        import torch._inductor.lowering  # some of the decompositions look there
        from torch._inductor.decomposition import select_decomp_table
        table = dict(select_decomp_table())
        table[torch.ops.aten.addmm.default] = decompose_addmm
        table[torch.ops.aten.convolution.default] = decompose_convolution
        self.exported = exported.run_decompositions(table)
        self.module, self.device = self.exported.graph_module, device
        self.nodes = list(self.module.graph.nodes)
        self.place = {node: i for i, node in enumerate(self.nodes)}
        self.opaque = {node for node in self.nodes if cannot_follow(node)}
        self.sources = None
        self.orders = {}   # frozenset of nodes -> the nodes that follow from them
        self.scalars = {}  # node -> number, of sizes
        self.shapes = {}   # node -> torch.Size
        self.random, self.noise = torch.Generator(device=device), None
        self.read_signature()

    def read_signature(self):
        signature, by_name = self.exported.graph_signature, {n.name: n for n in self.nodes}
        self.inputs, self.constants, self.weights = [], {}, {}
        for spec in signature.input_specs:
            node = by_name.get(getattr(spec.arg, "name", None))
            if spec.kind.name == "USER_INPUT":
                self.inputs.append(node)
                if not hasattr(node and node.meta.get("val"), "shape"):
                    self.constants[node] = getattr(spec.arg, "value", None)
            elif node is not None and self.find_weight(spec.target) is not None:
                self.weights[spec.target] = node
        made = list(zip(self.nodes[-1].args[0], signature.output_specs))
        self.outputs = [node for node, spec in made if spec.kind.name == "USER_OUTPUT"]
        self.mutated = [(node, spec.target, spec.kind.name == "USER_INPUT_MUTATION")
                        for node, spec in made if spec.kind.name.endswith("_MUTATION")]

    def tensor_inputs(self):
        """The nodes of the inputs that are tensors, in their order."""
        return [n for n in self.inputs if n is not None and n not in self.constants]

    def find_weight(self, name):
        """The program's own value of a weight, buffer or constant, or None."""
        for table in (self.exported.state_dict, self.exported.constants):
            if isinstance(table.get(name), torch.Tensor):
                return table[name].detach().to(self.device)
        return None

    # ---- once, as it is

    def run(self, inputs):
        """Sizes, and the outputs as eager has them: a list. `inputs`: one for each tensor."""
        values, last = dict(self.constants), {}
        values.update(zip(self.tensor_inputs(), inputs))
        for name, node in self.weights.items():
            values[node] = self.find_weight(name)
        for node in self.nodes:
            last.update((given, node) for given in node.all_input_nodes)
        for node in self.nodes[:-1]:
            if node not in values and node.op != "placeholder":
                values[node] = self.compute_as_eager(node, values)
            self.note(node, values.get(node))
            for given in node.all_input_nodes:
                if last[given] is node:
                    values[given] = None
        return [values.get(x) if isinstance(x, torch.fx.Node) else x for x in self.outputs]

    def compute_as_eager(self, node, values):
        try:
            return self.compute(node, values, False, None)
        except (RuntimeError, TypeError, NotImplementedError, ValueError) as error:
            raise Refused("the program does not run in eager: its node %s (%s): %s" % (
                node.name, node.target, first_line(error)))

    def note(self, node, value):
        if isinstance(value, (int, float, bool)):
            self.scalars[node] = value
        elif isinstance(value, torch.Tensor):
            self.shapes[node] = value.shape

    # ---- one node

    def compute(self, node, values, wide, rounding):
        """From the values of its operands. `rounding`: None, or (seed, whether a product may be
        that of TF32). Raises what torch does."""
        if node.op == "get_attr":
            found = self.module
            for part in node.target.split("."):
                found = getattr(found, part)
            return widen(found) if wide else found
        if node.op != "call_function":
            raise KeyError(node.name)
        given = pytree.tree_map(lambda x: values[x] if isinstance(x, torch.fx.Node) else x,
                                (node.args, dict(node.kwargs)))
        if not wide:
            return node.target(*given[0], **given[1])
        if rounding and not is_move(node) and operator_of(node) not in LOOKUPS:
            given = self.map_operands(node, given,
                                lambda x, dtype: self.perturb(node, x, dtype, *rounding))
        try:
            args, kwargs = pytree.tree_map(widen_type, given)
            return pytree.tree_map(widen, node.target(*args, **kwargs))
        except (RuntimeError, TypeError, NotImplementedError, ValueError):
            args, kwargs = self.map_operands(node, given, lambda x, dtype: x.to(dtype))
            return pytree.tree_map(widen, node.target(*args, **kwargs))

    def map_operands(self, node, given, how):
        """The operands, with how(value, own type) of those that are tensors."""
        nodes, _ = pytree.tree_flatten((node.args, dict(node.kwargs)))
        values, spec = pytree.tree_flatten(given)
        if len(nodes) != len(values):
            return given
        for i, operand in enumerate(nodes):
            own = operand.meta.get("val") if isinstance(operand, torch.fx.Node) else None
            if isinstance(own, torch.Tensor) and isinstance(values[i], torch.Tensor):
                values[i] = how(values[i], own.dtype)
        return pytree.tree_unflatten(values, spec)

    def perturb(self, node, value, dtype, seed, tf32):
        if not dtype.is_floating_point or not value.is_floating_point():
            return value
        tf32 &= dtype == torch.float32 and self.device.type == "cuda"
        unit = TF32_EPS if tf32 and operator_of(node) in PRODUCTS else torch.finfo(dtype).eps
        order = self.count_terms(node, value) ** 0.5 / 16
        n, start = value.numel(), (self.place[node] * 1009 + seed * 100003) % SPREAD
        if self.noise is None or self.noise.numel() < n + SPREAD:
            self.random.manual_seed(0)
            self.noise = 2 * torch.rand(n + SPREAD, generator=self.random, dtype=torch.float64,
                                        device=self.device) - 1
        noise = self.noise[start:start + n].reshape(value.shape)
        if order:  # of a sum's partial sums, each is rounded
            noise = noise * (1 + order) + (order if seed % 2 else -order)
        return torch.addcmul(value, value, noise, value=unit)

    def count_terms(self, node, value):
        """How many elements of an operand each of the result sums up; 0 for few."""
        name = operator_of(node)
        made = next((self.shapes[x] for x in (node, *node.users) if x in self.shapes), None)
        if name in EXACT or made is None:
            return 0
        if name in RUNNING:
            n = value.shape[node.args[1]] if value.dim() else 1
        else:
            n = value.numel() // max(made.numel(), 1)
        return n if n >= MANY else 0

    # ---- the model's own text

    def find_line(self, node):
        """"model.py:41  x = self.wte(ids)", of the innermost frame that is not torch's; or None."""
        lines = [x.strip() for x in (node.meta.get("stack_trace") or "").splitlines()]
        for i in reversed(range(len(lines))):
            match = FRAME.match(lines[i])
            if match and not match[1].startswith(TORCH):
                code = lines[i + 1] if i + 1 < len(lines) and not FRAME.match(lines[i + 1]) else ""
                return ("%s:%s  %s" % (os.path.basename(match[1]), match[2], code)).rstrip()
        return None

    # ---- what follows from given values

    def follow(self, given):
        """The nodes, in order, that can be computed from these alone."""
        key = frozenset(given)
        if key not in self.orders:
            if len(self.orders) == ORDERS:
                self.orders.clear()
            starts = [user for node in key for user in node.users]
            self.orders[key] = self.walk(starts, key, self.places_of_sources())
        return self.orders[key]

    def follow_from(self, changed, given):
        """Of the nodes that can be computed from these, those that depend on a changed one."""
        others = [node for node in given if node not in changed]
        known = set(given).union(self.follow(others))
        return self.walk([user for node in changed for user in node.users], given, (), known)

    def walk(self, starts, given, places, known=()):
        """Down from these nodes, through all whose operands are given, known or walked through."""
        known, order, seen = set(known).union(given), [], set()
        todo = [self.place[node] for node in starts] + list(places)
        heapq.heapify(todo)
        while todo:
            at = heapq.heappop(todo)
            node = self.nodes[at]
            if at in seen or node in given or node in self.opaque or node.op == "output":
                continue
            if all(x in known or x in self.scalars for x in node.all_input_nodes):
                seen.add(at)
                known.add(node)
                order.append(node)
                for user in node.users:
                    heapq.heappush(todo, self.place[user])
        return order

    def places_of_sources(self):
        """Those of the nodes that read no tensor."""
        if self.sources is None:
            self.sources = [i for i, node in enumerate(self.nodes)
                         if node.op in ("call_function", "get_attr")
                         and all(x in self.scalars for x in node.all_input_nodes)]
        return self.sources


class Evaluation:
    """The values of nodes that follow from given ones."""

    def __init__(self, program, given, wide, rounding=None):
        self.program, self.given, self.wide, self.rounding = program, given, wide, rounding
        self.values = dict(program.scalars)

    def value(self, node):
        todo = [node]
        while todo:
            top = todo[-1]
            missing = [] if top in self.given else [
                x for x in top.all_input_nodes if x not in self.values]
            if top not in self.values and not missing:
                self.values[top] = self.take(top)
            if top in self.values:
                todo.pop()
            else:
                todo += missing
        return self.values[node]

    def take(self, node):
        if node in self.given:
            given = self.given[node]
            return widen(given) if self.wide else to_own_type(node, given)
        return self.program.compute(node, self.values, self.wide, self.rounding)
