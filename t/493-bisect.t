# aotigen bisect: two packages of one model. An error of one launch accuses none behind it, and
# other options accuse nobody.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $dir = tempdir();

my $made = python(<<'PY', $dir, { timeout => 600 });
import re, sys, zipfile
import torch
to = sys.argv[1]

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.norm = torch.nn.Linear(32, 64), torch.nn.LayerNorm(64)
        self.mid, self.down = torch.nn.Linear(64, 64), torch.nn.Linear(64, 32)
        self.last = torch.nn.Linear(32, 8)

    def forward(self, x):
        y = torch.nn.functional.gelu(self.up(x))
        y = y + torch.nn.functional.gelu(self.mid(self.norm(y)))
        z = torch.tanh(self.down(y)) * 0.7031
        return torch.softmax(self.last(z), -1)

def plant(name, comments=True, **changes):
    """changes: of the kernel with this in its name, the number in the other's place. Without
    comments the wrapper tells no source nodes."""
    old, done = zipfile.ZipFile(to + "/plain.pt2"), 0
    with zipfile.ZipFile("%s/%s.pt2" % (to, name), "w") as new:
        for member in old.infolist():
            data = old.read(member)
            if member.filename.endswith(".cpp"):
                parts = re.split(r'(?=extern "C" +void)', data.decode())
                for i, part in enumerate(parts):
                    for kernel, (before, after) in changes.items():
                        if re.match(r'extern "C" +void +cpp_fused_%s_\d' % kernel, part):
                            done += before in part
                            parts[i] = part.replace(before, after)
                data = "".join(parts).encode()
                if not comments:
                    data = re.sub(rb"// Topologically Sorted Source Nodes.*", b"", data)
            new.writestr(member, data)
    print(name, done)

quick = {} if torch.__version__.startswith("2.6.") else {
    "aot_inductor.compile_wrapper_opt_level": "O0"}
torch.manual_seed(0)
model, x = Net().eval(), torch.randn(16, 32)
torch.save([x], to + "/x.pt")
torch.save([x, x], to + "/two.pt")
torch.save([x.double()], to + "/double.pt")
torch.save([x[:, :31]], to + "/narrow.pt")
with torch.no_grad():
    program = torch.export.export(model, (x,))
    torch.export.save(program, to + "/ep.pt2")
    for name, options in (("plain", {}), ("frozen", {"freezing": True})):
        torch._inductor.aoti_compile_and_package(program, package_path="%s/%s.pt2" % (to, name),
                                                 inductor_configs={**quick, **options})
    model.mid.weight[3, 5] += 0.5
    torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)),
                                             package_path=to + "/weight.pt2",
                                             inductor_configs=quick)
gelu, tanh = ("0.7071067811865476", "0.7171067811865476"), ("0.7031", "0.7032")
plant("one", gelu_native_layer_norm=gelu)
plant("two", gelu_native_layer_norm=gelu, mul_tanh=tanh)
plant("unnamed", comments=False, gelu_native_layer_norm=gelu, mul_tanh=tanh)

class Other(torch.nn.Module):
    def forward(self, x):
        return x + 1, x * 2

with torch.no_grad():
    torch._inductor.aoti_compile_and_package(torch.export.export(Other(), (x,)),
                                             package_path=to + "/other.pt2",
                                             inductor_configs=quick)
PY
is($made->{status}, 0, 'packages are made') or diag($made->{err});
is(join(' ', grep { /\d$/ } split /\n/, $made->{out}), 'one 1 two 2 unnamed 2',
    'with planted constants');

my $env = { PYTHON => $torch->{python}, XDG_CACHE_HOME => root() . '/build/cache' };
sub bisect {
    return run_cmd([build() . '/aotigen', 'bisect', '-q', @_], env => $env, timeout => 300);
}
# The kernels that are named, in the order of their launches.
sub named { return join ' ', $_[0] =~ /^launch \d+: (\S+) computes something else/mg }
my ($first, $second) = qw(cpp_fused_gelu_native_layer_norm_0 cpp_fused_mul_tanh_2);

# ---- nobody is at fault

my $r = bisect("--exported=$dir/ep.pt2", "$dir/plain.pt2", "$dir/frozen.pt2");
is($r->{status}, 0, 'other options: status 0') or diag($r->{out}, $r->{err});
like($r->{out}, qr/\Aeach of \d launches computes what the good package does, but for rounding\n/,
    'none is accused');
like($r->{out}, qr/^\d+ tensors of \d launches: 1 paired as an output, \d paired by its values\n/m,
    'tensors have partners by their values');
like($r->{out}, qr/^output 0: differs from the good package's by at most \d/m, 'and the output');

# ---- a constant, two of them

$r = bisect("--inputs=$dir/x.pt", "$dir/plain.pt2", "$dir/one.pt2");
is($r->{status}, 1, 'a wrong constant: status 1') or diag($r->{err});
is(named($r->{out}), $first, 'its launch is named, and none behind it') or diag($r->{out});
like($r->{out}, qr/^  beside +buf\d+ of launch 2 \(\Q$first\E\), paired by place$/m,
    'with its partner');
like($r->{out}, qr/^  element +\[\d+(?:, \d+)*\]: \S+; from the same inputs the good package has /m,
    'the element');
like($r->{out}, qr/^  error +\S+; rounding explains up to \S+e-\d+$/m, 'its error');
like($r->{out}, qr/^  source nodes +gelu, native_layer_norm$/m, 'and the nodes');

$r = bisect("--exported=$dir/ep.pt2", '--json', "$dir/plain.pt2", "$dir/two.pt2");
is($r->{status}, 1, 'two wrong constants: status 1') or diag($r->{err});
SKIP: {
    skip 'no JSON', 3 unless eval { require JSON::PP };
    my $told = JSON::PP::decode_json($r->{out});
    is("@{[map { $_->{kernel} } @{ $told->{faults} }]}", "$first $second", 'both are named');
    is("@{[map { @{ $_->{launches} } } @{ $told->{faults} }]}", '2 6', 'and nobody else');
    ok($told->{faults}[1]{error} > 10 * $told->{faults}[1]{limit}, 'by more than rounding does');
}

# Launches of other options, that name no nodes, and of which some have no partner.
$r = bisect("--inputs=$dir/x.pt", "$dir/frozen.pt2", "$dir/unnamed.pt2");
is($r->{status}, 1, 'of other options, too: status 1') or diag($r->{err});
is(named($r->{out}), "$first $second", 'both are named') or diag($r->{out});
like($r->{out}, qr/^  or +launch 1, of which what it reads or writes may be wrong in its stead$/m,
    'with what wrote a tensor that has no partner');
like($r->{out}, qr/^\d have no partner, and stood as they were: buf\d+ of launch \d/m,
    'which is told');

# ---- a weight

$r = bisect("--inputs=$dir/x.pt", "$dir/plain.pt2", "$dir/weight.pt2");
is($r->{status}, 1, 'another weight: status 1') or diag($r->{err});
like($r->{out}, qr/\Aweight mid\.weight is not the good package's: 1 of 4096 elements, the first /,
    'it is named');
is(named($r->{out}), '', 'and no launch is accused') or diag($r->{out});
like($r->{out}, qr/^launch 3 \(\S+\) is not judged: it reads the weight mid\.weight$/m,
    'that it is read is told');

# ---- what rounding explains on a GPU

my $rounded = python(<<'PY', root() . '/gen');
import sys, types
sys.path[:0] = [sys.argv[1] + "/compare", sys.argv[1] + "/replay"]
import torch, judgement
matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
before = matmul.allow_tf32, cudnn.allow_tf32
for matmul.allow_tf32, cudnn.allow_tf32 in ((False, True), (True, False)):
    print(*(judgement.may_round_to_tf32(types.SimpleNamespace(kernel=kernel, aten=["aten." + op]))
            for kernel, op in (("aoti_torch_cuda_addmm_out", "addmm"),
                               ("aoti_torch_cuda_convolution", "convolution"),
                               ("triton_poi_fused_addmm_relu_0", "addmm"),
                               ("triton_tem_fused_addmm_0", "addmm"),
                               ("aoti_torch_cuda_sort", "sort"))))
matmul.allow_tf32, cudnn.allow_tf32 = before
PY
is($rounded->{out} =~ s/^(?!True|False).*\n//mgr,
    "False True False True False\nTrue False False True False\n",
    'a product may be rounded to TF32 as torch is set, and what adds to it is not')
    or diag($rounded->{err});

# ---- what cannot be compared

spew("$dir/text.cpp", "text\n");
for ([['two.pt'], qr/'\S+two\.pt' has 2 tensors, and the model wants 1\n/],
    [['double.pt'], qr/is float64 \[16, 32\], and the good package wants float32 \[16, 32\]\n/],
    [['narrow.pt'], qr/is float32 \[16, 31\], and the good package wants float32 \[16, 32\]\n/],
    [['x.pt', 'other.pt2'],
        qr/plain\.pt2' and '\S+other\.pt2' are not of one model: 1 outputs and 2\n/],
    [['x.pt', 'x.pt'], qr/x\.pt: error: is what torch\.save\(\) wrote, /],
    [['x.pt', 'text.cpp'], qr/text\.cpp: error: is not a package: 'bisect' takes the '\.pt2' /],
    [['x.pt', 'none.pt2'], qr/none\.pt2: error: cannot be read: No such file/]) {
    my ($inputs, $bad) = @{ $_->[0] };
    $r = bisect("--inputs=$dir/$inputs", "$dir/plain.pt2", "$dir/" . ($bad // 'one.pt2'));
    is($r->{status}, 2, "@{ $_->[0] }: status 2") or diag($r->{out});
    like($r->{err}, $_->[1], 'it is said why');
}
done_testing;
