# aotigen replay --launch: a launch of a capsule's run as a program, which is built by a C++
# compiler alone and computes, bit for bit, what the run did; it tells what a changed kernel does.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use ForkServer;
use JSON::PP;

my $torch = need_torch();
my $dir = tempdir() . '/a b';
mkdir $dir;
spew("$dir/emit.py", <<'PY');
import torch

class Mixed(torch.nn.Module):
    """Numbers that are arguments, a buffer that is read and written, bfloat16, and an index."""
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.arange(48.0).reshape(6, 8))
        self.register_buffer("table", torch.arange(40.0).reshape(5, 8) / 7)

    def forward(self, x, index, scale):
        self.state.mul_(0.5).add_(x[:6])
        half = (x * scale.item()).to(torch.bfloat16)
        y = torch.clamp(self.table[index] * x.size(0) - 1.5, min=0) @ x.t()
        return y.relu() + x.size(0), half.sum(0), half[:, 2:5] * 2

x = torch.randn(12, 8, generator=torch.Generator().manual_seed(1))
inputs = (x, torch.arange(12) % 5, torch.tensor(1.25))
torch.save([inputs], "inputs.pt")
n = torch.export.Dim("n", min=6, max=64)
program = torch.export.export(Mixed(), inputs, dynamic_shapes=({0: n}, {0: n}, {}))
torch._inductor.aoti_compile_and_package(program, package_path="model.pt2", inductor_configs={
    "aot_inductor.compile_wrapper_opt_level": "O0"})
PY
must(run_forked({ file => "$dir/emit.py" }, cwd => $dir, timeout => 600), 'torch emits a model');

my $aotigen = build() . '/aotigen';
my %how = (cwd => $dir, timeout => 300, env => { PYTHON => $torch->{python},
        OMP_NUM_THREADS => undef });
sub command { return run_cmd([$aotigen, @_], %how) }
sub replay { return command('replay', "--torch=$torch->{dir}", @_) }

sub capsule {
    my ($name, $more) = @_;
    must(run_forked({ file => root() . '/t/lib/make_capsule.py',
                arguments => ['model.pt2', 'inputs.pt', 0, $name, $more] },
            cwd => $dir, timeout => 300), "a capsule: $name");
}
capsule('none.capsule', '{}');
my ($hash) = replay('none.capsule')->{err} =~ /has the hash (\w+)/;
my $model = qq("model":{"so_hash":"$hash"});
capsule('one.capsule', "{$model}");

my @sites = grep { $_->{type} eq 'site' } map { decode_json($_) } split /\n/,
    command('list', '--json', "--torch=$torch->{dir}", 'model.pt2')->{out};
my @launches = grep { $sites[$_ - 1]{form} eq 'cpu' } 1 .. @sites;
my ($other) = grep { $sites[$_ - 1]{form} eq 'extern' } 1 .. @sites;
cmp_ok(scalar @launches, '>', 1, 'it launches kernels in C++');

# ---- each of them: taken, built without torch where it needs none, and run

my %made; # main.c and Makefile of each
for my $launch (@launches) {
    my $site = $sites[$launch - 1];
    my $r = replay('one.capsule', "--launch=$launch", '-o', "launch$launch");
    is("$r->{status} $r->{out}", '0 ', "launch $launch, $site->{kernel}, is taken")
        or diag($r->{err});
    like($r->{err}, qr/^aotigen: 'launch$launch' has launch $launch, \Q$site->{kernel}\E: \d+ t/m,
        'which is said');
    $made{$launch} = { main => slurp("$dir/launch$launch/main.c"),
        make => slurp("$dir/launch$launch/Makefile") };
    my $needs_torch = $r->{err} =~ /^aotigen: it needs torch's library/m;
    is($made{$launch}{make} =~ /-ltorch_cpu/ ? 1 : 0, $needs_torch ? 1 : 0,
        'the Makefile links torch only where that is said');
    unlike($made{$launch}{main} . $made{$launch}{make} =~ s/^TORCH = \N+//mr, qr/\Q$torch->{dir}\E/,
        'and names no directory of this machine else');

    # Elsewhere, with nothing of torch to be found.
    rename "$dir/launch$launch", "$dir/moved$launch" or die;
    my %alone = (cwd => "$dir/moved$launch", timeout => 300,
        env => { CPATH => undef, LD_LIBRARY_PATH => undef, OMP_NUM_THREADS => undef });
    must(run_cmd(['make'], %alone), 'it is built');
    $r = run_cmd(["$dir/moved$launch/launch", '--repeat=5'], timeout => 300, cwd => '/',
        env => $alone{env});
    is($r->{status}, 0, 'and run') or diag($r->{out}, $r->{err});
    my @written = grep { $_->{role} ne 'in' } @{ $site->{args} };
    my @equal = $r->{out} =~ /^  \w+, which is (\w+): \w+ \[[\d, ]*\]: equal, bit for bit$/mg;
    is("@equal", join(' ', map { $_->{name} } @written), 'what it writes is as recorded');
    like($r->{out}, qr/^  repeated: 5 calls, deterministic, bit for bit$/m, 'each time');
    like($r->{out}, qr/^  repeated: 5 of 5 calls had the recorded result$/m, 'as recorded');
    like($r->{out}, qr/^  time: [\d.]+ us at best, /m, 'and timed');
}

# ---- what main.c passes
my $all = join '', map { $made{$_}{main} } @launches;
like($all, qr/^      INT64_C\(12\)/m, 'a size');
like($all, qr{^      float_of\(UINT64_C\(0x3ff4000000000000\)\) /\* 1\.25 \*/}m, 'a number');
like($all, qr/^    const void \*\w+|^    void \*\w+/m, 'a pointer to what C has no type for');
my ($shared) = grep { (() = $made{$_}{main} =~ /wrapper_name = "state"/g) > 1 } @launches;
ok($shared, 'two arguments are one buffer');
my %memories = map { $_ => 1 } ($shared ? $made{$shared}{main} : '')
    =~ /wrapper_name = "state", \N+\n\s+\.memory = (\d+)/g;
is(scalar keys %memories, 1, 'which lie in one memory');

# ---- another recording, and another kernel

my ($launch) = grep { slurp("$dir/moved$_/kernel.cpp") =~ /static_cast<float>\(0\.5\)/ } @launches;
my $moved = "$dir/moved$launch";
my ($name, $memory) = $made{$launch}{main}
    =~ /name = "(\w+)", \N+ "float32",\n\s+\.memory = (\d+), \.offset = 0, \N+written = true/;
my $after = slurp("$moved/memory$memory.after");
my ($sizes) = $made{$launch}{main}
    =~ /\.memory = $memory, \N+written = true,\n\s+\.ndim = 2, \.sizes = \{\d+, (\d+)\}/;
substr $after, 4 * ($sizes + 2), 1, chr(ord(substr $after, 4 * ($sizes + 2), 1) ^ 1);
spew("$moved/memory$memory.after", $after);
my $r = run_cmd(["$moved/launch"], timeout => 300);
is($r->{status}, 1, 'one bit of the recording is another one');
like($r->{out}, qr/^  \w+, which is \w+: float32 \N+: 1 of \d+ elements differ\n      \[1, 2\]: /m,
    'which is told by its element');
like($r->{out}, qr/^      \[1, 2\]: \S+, bits 0x(\w+)(\w\w); recorded: \S+, bits 0x\1(?!\2)\w\w$/m,
    'with its bits');

spew("$moved/kernel.cpp", slurp("$moved/kernel.cpp")
        =~ s/static_cast<float>\(0\.5\)/static_cast<float>(0.25)/r);
must(run_cmd(['make'], cwd => $moved, timeout => 300), 'a changed kernel is built');
$r = run_cmd(["$moved/launch"], timeout => 300);
is($r->{status}, 1, 'and differs');
like($r->{out}, qr/, which is state: \N+: \d+ of 48 elements differ\n      \[0, [01]\]: /,
    'where it computes something else');

truncate "$moved/memory0.before", 3;
$r = run_cmd(["$moved/launch"], timeout => 300);
is($r->{status}, 2, 'memory that is not whole is not used');
like($r->{err}, qr/^launch: has not the size that it had: '\N*memory0\.before'$/m, 'and named');

# ---- a launch that does not return

my ($indexed) = grep { slurp("$dir/moved$_/kernel.cpp") =~ /out of bounds/ } @launches;
capsule('far.capsule', "{$model," . '"do":"inputs[1][3] = 7"}');
$r = replay('far.capsule', "--launch=$indexed", '-o', 'far');
like($r->{err}, qr/^aotigen: the launch did not return: there is nothing to compare with$/m,
    'a launch that throws is taken, too');
must(run_cmd(['make'], cwd => "$dir/far", timeout => 300), 'and built');
$r = run_cmd(["$dir/far/launch"], timeout => 300);
like("$r->{signal} $r->{err}", qr/^6 .*out of bounds/s, 'and throws again') or diag($r->{err});

# ---- refusals

sub refused {
    my ($what, $status, $message, @arguments) = @_;
    my $r = replay(@arguments);
    is($r->{status}, $status, "$what is refused");
    like($r->{err}, $message, 'with the reason') or diag($r->{err});
    ok(!-e "$dir/refused", 'and nothing is written');
}
refused("an operator's launch", 1,
    qr/^one\.capsule: error: launch $other cannot be taken: it is one of 'aoti_torch_cpu_\w+'/m,
    'one.capsule', "--launch=$other", '-o', 'refused');
refused('a launch that is not there', 1,
    qr/^one\.capsule: error: launch 99 cannot be taken: the run had no such launch /m,
    'one.capsule', '--launch=99', '-o', 'refused');
refused('a directory that has files', 1, qr/^moved$launch: error: is there, and is no empty dir/m,
    'one.capsule', "--launch=$launch", '-o', "moved$launch");
refused('a launch without a directory', 2, qr/no output: '--launch' writes a directory, -o DIR/,
    'one.capsule', '--launch=1');
refused('a directory without a launch', 2, qr/option '--output' of 'replay' is the directory of /,
    'one.capsule', '-o', 'refused');
refused('repeating', 2, qr/option '--repeat' does not go with '--launch'/, 'one.capsule',
    '--launch=1', '--repeat=2', '-o', 'refused');
refused('JSON', 2, qr/option '--json' does not go with '--launch'/, 'one.capsule', '--launch=1',
    '--json', '-o', 'refused');
refused('launch 0', 2, qr/'0'/, 'one.capsule', '--launch=0', '-o', 'refused');

done_testing();
