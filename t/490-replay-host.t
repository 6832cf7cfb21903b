# The program in C that runs a capsule's inputs answers as host.py does with Python: the same
# diagnosis, of each kind of tensor and of weights. What it cannot load it leaves to Python.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use JSON::PP;

my $torch = need_torch();
my $json = JSON::PP->new->canonical;
my $dir = tempdir() . '/a b';
mkdir $dir;
spew("$dir/models.py", <<'PY');
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(50, 8)
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x, rows, taken, half):
        y = self.linear(x * self.table(rows))
        return (torch.log(y + 1), torch.where(taken, half, half * 2), rows * 3 + 1,
                ~taken, y.sum().double(), y.t() * (1 + 2j))

def inputs(n):
    torch.manual_seed(1)
    return (torch.randn(n, 8), torch.randint(0, 50, (n,)), torch.rand(n, 3) > 0.5,
            torch.randn(n, 3).bfloat16())

torch.manual_seed(0)
n = torch.export.Dim("n", min=2, max=99)
exported = torch.export.export(Model(), inputs(6), dynamic_shapes=({0: n},) * 4)
torch.save([list(inputs(6)), list(inputs(17))], "inputs.pt")
for name, how in (("linked", {}), ("mmapped", {"aot_inductor.force_mmap_weights": True})):
    torch._inductor.aoti_compile_and_package(
        exported, package_path=name + ".pt2",
        inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0", **how})
PY
must(run_forked({ file => "$dir/models.py", import => ['torch._inductor'] }, cwd => $dir,
        timeout => 600), 'it is compiled');

my %how = (cwd => $dir, timeout => 300, env => { PYTHON => $torch->{python},
        OMP_NUM_THREADS => undef });
sub replay {
    my ($env, @words) = @_;
    return run_cmd([build() . '/aotigen', 'replay', "--torch=$torch->{dir}", @words], %how,
        env => { %{ $how{env} }, %$env });
}
my %hash;
sub capsule {
    my ($package, $do, $which) = @_;
    my $make = sub {
        my ($hash) = @_;
        my $more = $json->encode({ model => { so_hash => $hash }, do => $do // '' });
        must(run_forked({ file => root() . '/t/lib/make_capsule.py',
                    arguments => ["$package.pt2", 'inputs.pt', $which // 0, 'a.capsule', $more] },
                cwd => $dir, timeout => 300), 'a capsule');
    };
    if (!$hash{$package}) {
        $make->('0' x 16);
        ($hash{$package}) = replay({}, 'a.capsule')->{err} =~ /has the hash (\w+)/;
    }
    $make->($hash{$package});
    return;
}

# What both say, which is alike.
sub both {
    my ($what, @words) = @_;
    my %said;
    for my $host (qw(c python)) {
        my $r = replay({}, '-q', "--host=$host", @words, 'a.capsule');
        $said{$host} = "$r->{status} $r->{out}$r->{err}" =~ s/ --host=\w+//gr;
        # Lines are broken elsewhere, and torch says where its own code threw.
        $said{$host} =~ s/(?: \\)?\n {16}/ /g;
        $said{$host} =~ s/ did not come to its end: \N+//g;
        $said{$host} =~ s/^(?:Traceback .*?\n(?=\S)|RuntimeError|aotigen-replay-host:)\N*\n//msg;
    }
    is($said{c}, $said{python}, "$what: both hosts say the same");
    return $said{c};
}

for my $package (qw(linked mmapped)) {
    capsule($package);
    my $said = both("$package weights");
    like($said, qr/\A0 /, 'it ends well');
    like($said, qr/^  what  +NaN born in run 1, launch \d+: /m, 'with the finding');
    like($said, qr/^  outputs  +those of the capsule, bit for bit$/m, 'of the same run');
}
capsule('linked', undef, 1);
like(both('another size', '--repeat=3'),
    qr/^  repeated  +3 runs: the same outputs, bit for bit; 3 of 3 had the finding: it is persist/m,
    'three runs, of other sizes');

# ---- strides, and outputs that differ
capsule('linked', 'inputs[0] = inputs[0].t().contiguous().t(); '
        . "said['inputs'][0]['strides'] = [1, 6]; "
        . "inputs[3] = inputs[3][:, :1].expand(6, 3); said['inputs'][3]['strides'] = [3, 0]");
like(both('other strides'), qr/\[6, 8\], strides \[1, 6\],.*\[6, 3\], strides \[3, 0\],/s,
    'the inputs have them');
capsule('linked', 'outputs[1] = None');
like(both('less'), qr/; without output 1: the capsule does not have it$/m,
    'an output that was not kept');
for my $row (['0', 'outputs[0].view(torch.int32)[2, 1] = 7', '[2, 1], 1 of 24'],
    ['1', 'outputs[1] += 1', '[0, 0], 18 of 18'], ['2', 'outputs[2][3] = -5', '[3], 1 of 6'],
    ['3', 'outputs[3][5, 2] ^= True', '[5, 2], 1 of 18'],
    ['4', 'outputs[4] *= 1e-30', '[], 1 of 1'], ['5', 'outputs[5][1, 2] = 0', '[1, 2], 1 of 24'],
    ['5', 'outputs[5] = outputs[5][:3]; said["outputs"][5] = describe(outputs[5])',
        'complex64 [4, 6], and was complex64 [3, 6]']) {
    my ($i, $do, $text) = @$row;
    capsule('linked', $do);
    like(both($do), qr/^  outputs +differ from the capsule's: output $i, (?:first at )?\Q$text\E/m,
        'what differs');
}

# ---- what ends a run, or lets none begin
capsule('linked', 'inputs[1] = torch.ones(6); said["inputs"][1] = describe(inputs[1])');
my $r = replay({}, '--host=c', 'a.capsule');
is($r->{status}, 1, 'a run that throws ends with 1');
my $whole = $r->{err} =~ s/\n {16}/ /gr;
like($whole, qr/^  what  +wrong inputs in run 1$/m, 'is diagnosed');
like($whole, qr/^  outputs  +not compared: the run did not come to its end: AOTInductorModelCon/m,
    'and says what threw');
for my $row (['inputs.pop()', 'the capsule holds 3 inputs and 6 outputs, where'],
    ['inputs[0] = inputs[0].double()', 'input 0 is float64 \[6, 8\], where the capsule\'s'],
    ['inputs[2] = None', 'input 2 is no tensor: the capsule was changed']) {
    my ($do, $says) = @$row;
    capsule('linked', $do);
    like(both($do), qr/\A1 a\.capsule: error: cannot be replayed: $says\N*\n\z/, 'is refused');
}

# ---- without Python
capsule('linked');
$r = replay({ PYTHON => '/none', PATH => '/usr/bin:/bin' }, '--host=auto', 'a.capsule');
is($r->{status}, 0, 'no Python is needed') or diag($r->{err});
like($r->{err}, qr/^  outputs  +those of the capsule, bit for bit$/m, 'where there is a torch');

# ---- what is left to Python, which -v tells
capsule('linked', 'inputs[0] = torch.nn.Parameter(inputs[0])');
$r = replay({}, '-v', 'a.capsule');
like($r->{err}, qr/^aotigen: a Python with torch runs the inputs: it holds other things than /m,
    'a capsule of other things');
like($r->{err}, qr/^  outputs  +those of the capsule, bit for bit$/m, 'which runs');
$r = replay({}, '--host=c', 'a.capsule');
like($r->{err}, qr/\A\N*error: cannot be replayed without Python: it holds other things than/,
    'and is refused where no Python may run');
capsule('linked');
my $zip = 'import sys, zipfile; z = zipfile.ZipFile("linked.pt2", "a"); '
    . 'd = next(n for n in z.namelist() if n.endswith(".so")).rsplit("/", 1)[0]; '
    . 'z.writestr(d + "/weights.blob", b"x"); z.close()';
must(run_cmd([$torch->{python}, '-c', $zip], cwd => $dir), 'a package with a blob');
$r = replay({}, '--host=c', 'a.capsule');
like($r->{err}, qr/without Python: the model has 'weights\.blob', which torch's loader may read; /,
    'a member that it does not know');

# The program itself becomes the other host where it cannot load the model; nothing has run then.
spew("$dir/request", join "\n", "torch $dir/none", "package $dir/linked.pt2", 'directory d/',
    'library x.so', "work $dir", 'capsule a.capsule', "result $dir/result", 'runs 1',
    'device cpu -1',
    'tells 1', 'otherwise /bin/echo', "otherwise other host\n");
my @host = (build() . '/aotigen-replay-host', "$dir/request");
$r = run_cmd([@host]);
is($r->{out}, "other host\n", 'a host without torch becomes the other one');
like($r->{err}, qr/\Aaotigen: a Python with torch runs the inputs: torch cannot be loaded: /,
    'and says so');
spew("$dir/request", slurp("$dir/request") =~ s/^(?:otherwise|tells) .*\n//mgr);
$r = run_cmd([@host]);
like(slurp("$dir/result"), qr/"refused":"torch cannot be loaded: /, 'or answers why it cannot');
spew("$dir/request", "input x\n");
is(run_cmd([@host])->{status}, 2, 'a request that is none');
done_testing;
