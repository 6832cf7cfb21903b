"""72 healthy models, of one or a few operators each: what `aotigen check` decides of their kernels
is counted in t/corpus/README.md. Nothing in them leaves its memory, so that none may be refuted.

cases(device) is a dict: NAME -> (model, inputs, dynamic shapes or None).
"""
import torch
import torch.nn.functional as F


class Fn(torch.nn.Module):
    """A function of tensors as a model."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *tensors):
        return self.function(*tensors)


class LstmCell(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.LSTMCell(24, 40)

    def forward(self, x, h, c):
        for step in range(3):
            h, c = self.cell(x[step], (h, c))
        return h, c


class GruCell(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(24, 40)

    def forward(self, x, h):
        for step in range(3):
            h = self.cell(x[step], h)
        return h


class Residual(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = torch.nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = torch.nn.BatchNorm2d(channels)
        self.second = torch.nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return F.relu(x + self.second(F.relu(self.norm(self.first(x)))))


class SmallResnet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.blocks = torch.nn.Sequential(Residual(8), Residual(8))
        self.head = torch.nn.Linear(8, 10)

    def forward(self, x):
        x = F.max_pool2d(self.blocks(F.relu(self.stem(x))), 2)
        return F.softmax(self.head(x.mean((2, 3))), -1)


class Rotary(torch.nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.register_buffer("rates", 10000.0 ** (-torch.arange(0, width, 2) / width))

    def forward(self, q):
        angles = torch.outer(torch.arange(q.shape[1], device=q.device), self.rates)
        angles = torch.cat((angles, angles), -1)
        low, high = q.chunk(2, -1)
        return q * angles.cos() + torch.cat((-high, low), -1) * angles.sin()


class Cache(torch.nn.Module):
    """Writes one step of each row into its input."""

    def forward(self, cache, new, at):
        cache.index_copy_(1, at, new)
        return (cache * 2).sum(1)


class Embedding(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(100, 48)
        self.places = torch.nn.Embedding(64, 48)

    def forward(self, x):
        return self.words(x) + self.places(torch.arange(x.shape[1], device=x.device))


class Attention(torch.nn.Module):
    def __init__(self, width=64, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(width, 3 * width)

    def forward(self, x):
        rows, steps, width = x.shape
        shape = (rows, steps, 3, self.heads, width // self.heads)
        q, k, v = self.qkv(x).view(shape).permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-1, -2) / 4
        mask = torch.ones(steps, steps, dtype=torch.bool, device=x.device).tril()
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        return (weights @ v).transpose(1, 2).reshape(rows, steps, width)


def encoder():
    return torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)


class Cases:
    """Collects the models; r() makes a tensor of random numbers, i() one of integers."""

    def __init__(self, device):
        self.device = device
        self.all = {}

    def r(self, *sizes, dtype=torch.float32):
        return torch.randn(*sizes, device=self.device).to(dtype)

    def i(self, most, *sizes, dtype=torch.int64):
        return torch.randint(0, most, sizes, device=self.device, dtype=dtype)

    def model(self, name, model, *inputs, shapes=None):
        self.all[name] = (model.eval().to(self.device), inputs, shapes)

    def fn(self, name, function, *inputs, shapes=None):
        # The tensors are one parameter of forward().
        self.model(name, Fn(function), *inputs, shapes=shapes and (tuple(shapes),))


def add_pointwise(c, n):
    r, i = c.r, c.i
    c.fn("pointwise", lambda x, y: torch.sin(x) * y + 1, r(64, 128), r(64, 128))
    c.fn("pointwise_odd", lambda x: F.gelu(x), r(17, 59))
    c.fn("pointwise_dyn", lambda x: torch.tanh(x) + x, r(40, 33), shapes=[{0: n}])
    c.fn("broadcast", lambda x, y: x * y + y, r(64, 1), r(1, 37))
    c.fn("broadcast_dyn", lambda x, y: x + y, r(40, 1, 8), r(40, 9, 1), shapes=[{0: n}, {0: n}])
    c.fn("where", lambda x, y: torch.where(x > 0, x, y), r(33, 65), r(33, 1))
    c.fn("masked_fill", lambda x, m: x.masked_fill(m > 0, 0.0), r(20, 50), r(20, 50))
    c.fn("float16", lambda x, y: (x * y).sigmoid(), r(9, 70, dtype=torch.float16),
         r(9, 70, dtype=torch.float16))
    c.fn("bfloat16", lambda x: F.softmax(x * 2, -1), r(9, 70, dtype=torch.bfloat16))
    c.fn("integers", lambda x, y: (x * 3 + y) // 2, i(100, 13, 21), i(100, 13, 21))
    c.fn("uint8", lambda x: (x + 3) ^ 1, i(200, 19, 67, dtype=torch.uint8))
    c.fn("tril", lambda x: x.tril() + x.triu(1).t(), r(37, 37))


def add_reductions(c, n):
    r, i = c.r, c.i
    c.fn("sum_rows", lambda x: x.sum(1), r(64, 100))
    c.fn("sum_columns", lambda x: x.sum(0), r(64, 100))
    c.fn("sum_all", lambda x: (x * x).sum(), r(31, 77))
    c.fn("sum_long", lambda x: x.sum(1), r(4, 20000))
    c.fn("mean_rows_dyn", lambda x: x.mean(1), r(40, 50), shapes=[{0: n}])
    c.fn("amax_columns", lambda x: x.amax(0), r(50, 41))
    c.fn("argmax", lambda x: x.argmax(-1), r(23, 61))
    c.fn("cumsum", lambda x: x.cumsum(1), r(12, 90))
    c.fn("softmax", lambda x: F.softmax(x, -1), r(32, 100))
    c.fn("softmax_dyn", lambda x: F.softmax(x, -1), r(40, 50), shapes=[{0: n}])
    c.fn("log_softmax_columns", lambda x: F.log_softmax(x, 0), r(30, 45))
    c.fn("var", lambda x: x.var(1), r(32, 77))
    c.fn("var_mean_columns", lambda x: torch.var_mean(x, 0), r(40, 35))
    c.fn("cross_entropy", F.cross_entropy, r(24, 33), i(33, 24))


def add_norms(c, n):
    r = c.r
    c.model("layer_norm", torch.nn.LayerNorm(96), r(16, 96))
    c.model("layer_norm_dyn", torch.nn.LayerNorm(40), r(40, 40), shapes=({0: n},))
    c.model("group_norm", torch.nn.GroupNorm(4, 16), r(3, 16, 9, 9))
    c.model("batch_norm", torch.nn.BatchNorm2d(12), r(4, 12, 7, 5))
    c.fn("rms_norm", lambda x, w: x * torch.rsqrt((x * x).mean(-1, True) + 1e-5) * w,
         r(15, 48), r(48))


def add_orders(c):
    r = c.r
    c.fn("sort", lambda x: tuple(x.sort(-1)), r(11, 60))
    c.fn("topk", lambda x: tuple(x.topk(5, -1)), r(11, 60))


def add_layouts(c, n):
    r = c.r
    c.fn("cat", lambda x, y: torch.cat((x, y * 2), 1), r(10, 20), r(10, 13))
    c.fn("cat_dyn", lambda x, y: torch.cat((x, y + 1), 0), r(40, 20), r(7, 20), shapes=[{0: n}, {}])
    c.fn("stack", lambda x, y: torch.stack((x, y, x + y), 1), r(14, 23), r(14, 23))
    c.fn("split", lambda x: [y + 1 for y in x.split((5, 10, 8), 1)], r(12, 23))
    c.fn("glu", lambda x: F.glu(x, -1), r(16, 34))
    c.fn("pad", lambda x: F.pad(x, (1, 2, 3, 0)) + 1, r(8, 15, 11))
    c.fn("pad_reflect", lambda x: F.pad(x, (2, 3), mode="reflect"), r(6, 4, 19))
    c.fn("slice", lambda x: x[3:20, 5:-1] * 2, r(25, 40))
    c.fn("slice_step", lambda x: x[::3, 1::2] + 1, r(25, 40))
    c.fn("slice_scatter", lambda x, y: torch.slice_scatter(x, y, 1, 2, 9), r(13, 16), r(13, 7))
    c.fn("flip", lambda x: x.flip(0, 1) + x, r(21, 34))
    c.fn("roll", lambda x: x.roll((3, -2), (0, 1)), r(21, 34))
    c.fn("permute", lambda x: x.permute(2, 0, 1).contiguous() * 2, r(9, 14, 17))
    c.fn("transpose_dyn", lambda x: x.t().contiguous() + 1, r(40, 18), shapes=[{0: n}])
    c.fn("repeat", lambda x: x.repeat(3, 2) + 1, r(7, 19))
    c.fn("unfold", lambda x: F.unfold(x, 3, padding=1), r(2, 3, 10, 12))


def add_indices(c, n):
    r, i = c.r, c.i
    c.fn("gather", lambda x, at: x.gather(1, at) + 1, r(12, 30), i(30, 12, 8))
    c.fn("index_select", lambda x, at: x.index_select(0, at) * 2, r(30, 17), i(30, 11))
    c.fn("scatter_add", lambda x, at, y: x.scatter_add(1, at, y), r(10, 22), i(22, 10, 15),
         r(10, 15))
    c.fn("index_put", lambda x, at, y: x.index_put((at,), y), r(30, 17), i(30, 6), r(6, 17))
    c.fn("one_hot", lambda at: F.one_hot(at, 19).float() * 2, i(19, 8, 5))
    c.model("embedding", Embedding(), i(100, 6, 32))
    c.model("embedding_dyn", torch.nn.Embedding(100, 24), i(100, 40, 9), shapes=({0: n},))
    c.model("cache", Cache(), r(5, 16, 24), r(5, 1, 24), i(16, 1))


def add_networks(c, n):
    r = c.r
    c.fn("mm", lambda x, y: F.relu(x @ y), r(24, 40), r(40, 31))
    c.fn("bmm", lambda x, y: (x @ y).sin(), r(3, 12, 20), r(3, 20, 9))
    c.model("linear_dyn", torch.nn.Sequential(torch.nn.Linear(32, 50), torch.nn.ReLU()),
            r(40, 32), shapes=({0: n},))
    c.model("conv2d", torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU()),
            r(2, 3, 15, 17))
    c.fn("max_pool", lambda x: F.max_pool2d(x, 3, stride=2, padding=1), r(2, 4, 15, 13))
    c.fn("avg_pool", lambda x: F.avg_pool2d(x, 3, stride=2, padding=1), r(2, 4, 15, 13))
    c.fn("nearest", lambda x: F.interpolate(x, scale_factor=2.0), r(2, 3, 9, 7))
    c.fn("bilinear", lambda x: F.interpolate(x, size=(14, 19), mode="bilinear"), r(2, 3, 9, 7))
    c.model("attention", Attention(), r(2, 16, 64))
    c.model("attention_dyn", Attention(), r(40, 16, 64), shapes=({0: n},))
    c.model("lstm_cell", LstmCell(), r(3, 6, 24), r(6, 40), r(6, 40))
    c.model("gru_cell", GruCell(), r(3, 6, 24), r(6, 40))
    c.model("resnet_small", SmallResnet(), r(2, 3, 16, 16))
    c.model("encoder", torch.nn.TransformerEncoder(encoder(), 2, enable_nested_tensor=False),
            r(2, 10, 32))
    c.model("rotary", Rotary(), r(3, 12, 32))


def cases(device):
    c = Cases(device)
    n = torch.export.Dim("n", min=2, max=4096)
    add_pointwise(c, n)
    add_reductions(c, n)
    add_norms(c, n)
    add_orders(c)
    add_layouts(c, n)
    add_indices(c, n)
    add_networks(c, n)
    return c.all
