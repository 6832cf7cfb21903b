"""Whether a saved tensor is the value of a node of the exported program: what rounding explains.

Eager's own error and that of operands which are off by what their types round, in float64, tell how
far apart two right results may be.
"""

import hashlib

import torch

import reference

SAMPLES = 3      # evaluations with rounding
ALLOWED = 10     # how many times what rounding alone was seen to do
NEAR = 64        # nodes that a tensor is compared with, at most
WINDOW = 33      # neighbours
TINY = 1e-12     # of a node's norm
FAR = 0.3        # of a node's norm: two tensors that are further apart are not compared closely
FRACTIONS = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex32,
             torch.complex64, torch.complex128)


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


def as_real(x):
    """Of a complex tensor its parts, along one more dimension."""
    return torch.view_as_real(x.resolve_conj()) if x.is_complex() else x


class Comparison:
    """Which elements that a launch wrote are further from a node's than rounding explains. Those of
    a complex tensor are its parts."""

    def __init__(self, ours, float64, eager, samples):
        ours, float64, eager = as_real(ours), as_real(float64), as_real(eager)
        samples = [as_real(s) for s in samples]
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
                or eager.is_floating_point() != ours.is_floating_point()
                or eager.is_complex() != ours.is_complex()):
            return None
        return eager

    def can_compute(self, node):
        try:
            return isinstance(self.eager.value(node), torch.Tensor)
        except Exception:  # as above
            return False

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
            if eager is None or ours.dtype in FRACTIONS and self.is_far(ours, eager):
                continue
            comparison = self.compare(ours, node)
            if comparison is not None and not comparison.count:
                found.append((comparison.distance(), node))
        least = min((d for d, _ in found), default=0)
        return [n for d, n in found if d <= 2 * least + TINY]

    @staticmethod
    def is_far(ours, eager):
        ours, eager = (as_real(x).reshape(-1).double() for x in (ours, eager))
        return relative(ours - eager, eager) > FAR

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
