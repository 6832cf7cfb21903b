# Collectives between ranks that gloo joins: what they write is read behind their waits, a NaN in
# one rank's input is laid to that rank, and nothing is born in a collective.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my ($major, $minor) = $torch->{version} =~ /^(\d+)\.(\d+)/;
plan skip_all => "torch $torch->{version} does not compile collectives"
    if $major == 2 && $minor < 11;
my $has = python('import torch.distributed as d; '
    . 'print("gloo" if d.is_available() and d.is_gloo_available() else "none")');
plan skip_all => 'this torch has no gloo' if $has->{out} !~ /^gloo$/m;

my $name = 'ranks';
my $s = sample($name);
my $aotigen = build() . '/aotigen';

# ---- without a run
my $list = run_cmd([$aotigen, 'list', "--torch=$torch->{dir}", "$s->{dir}/wrapper.cpp"]);
my @behind = $list->{out} =~ /^      complete behind wait_tensor \(launch (\d+)\)$/mg;
my @completes = $list->{out} =~ /^      completes launch (\d+)$/mg;
is(scalar @behind, 1, 'the collective is complete behind a wait') or diag($list->{out});
is(scalar @completes, 1, 'which completes it');

sub check {
    my ($wrapper) = @_;
    return run_cmd([$aotigen, 'check', "--torch=$torch->{dir}", $wrapper]);
}
my $claim = 'the memory of a collective is used behind its wait_tensor';
like(check("$s->{dir}/wrapper.cpp")->{out}, qr/^  $claim: 1 proved, 0 refuted, 0 not decided$/m,
    'the wrapper waits before it uses its memory');
my $dir = tempdir();
my $text = slurp("$s->{dir}/wrapper.cpp");
my $wait = qr/^.*_wait_tensor\(buf\d+, &(buf\d+_handle)\).*\n.*\(\1\).*\n/m;
ok($text =~ s/$wait//, 'a wait is removed');
spew("$dir/wrapper.cpp", $text);
spew("$dir/kernel.cpp", slurp("$s->{dir}/kernel.cpp"));
my $r = check("$dir/wrapper.cpp");
is($r->{status}, 1, 'and the wrapper refuted');
my $memory = qr/  claim +$claim\n  memory +buf\d+\n/;
like($r->{out},
    qr/^refuted: launch \d+, \S+\n$memory  example +launch \d+, cpp_fused_\w+, reads/m,
    'with both launches and the missing wait') or diag($r->{out});

my $again = '{ AtenTensorHandle again; AOTI_TORCH_ERROR_CODE_CHECK('
    . 'aoti_torch_cpu__c10d_functional_all_reduce_(buf0, "sum", "0", &again)); }';
$text = slurp("$s->{dir}/wrapper.cpp");
my $before = qr/AtenTensorHandle buf\d+_handle;\n.*_wait_tensor\(/;
ok($text =~ s/^( *)(?=$before)/$1$again\n$1/m, 'a second one');
spew("$dir/wrapper.cpp", $text);
$r = check("$dir/wrapper.cpp");
is($r->{status}, 0, 'another collective may run in order: not refuted');
like($r->{out}, qr/^  would decide  whether the two run in the order of/m, 'nor proved')
    or diag($r->{out}, $r->{err});

# ---- ranks, forked. Their inputs differ; that of rank BAD holds a NaN in the last run.
spew("$dir/ranks.py", <<'PY');
import os, sys, time
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives

package, ranks, bad, runs, delay = sys.argv[1], *map(int, sys.argv[2:5]), float(sys.argv[5])
store = os.path.join(os.path.dirname(sys.argv[0]), "store-%d" % os.getpid())


def work(rank):
    os.environ["RANK"] = str(rank)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=ranks)
    loader = torch._C._aoti.AOTIModelPackageLoader(package, "model", False, 1, -1)
    for i in range(runs):
        x = torch.arange(16.0).reshape(4, 4) / 10 + rank
        if i == runs - 1 and rank == bad:
            x[3, 2] = float("nan")
        if rank == ranks - 1:
            time.sleep(delay)
        out = loader.run([x])
    line = " ".join([str(rank), *(y.numpy().tobytes().hex() for y in out)])
    os.write(1, line.encode() + b"\n")  # at once: the ranks share it
    dist.barrier()


children = []
for rank in range(ranks):
    child = os.fork()
    if child == 0:
        work(rank)
        sys.stdout.flush()
        os._exit(0)
    children.append(child)
sys.exit(any([os.waitpid(x, 0)[1] for x in children]))
PY

sub ranks {
    my ($package, $ranks, $bad, %how) = @_;
    my @before = $how{before} ? @{ $how{before} } : ();
    my $r = run_cmd([@before, $torch->{python}, '-W', 'ignore', "$dir/ranks.py", $package, $ranks,
        $bad, $how{runs} // 2, $how{delay} // 0], timeout => 300,
        env => { OMP_NUM_THREADS => 1, TORCH_CPP_LOG_LEVEL => 'ERROR', %{ $how{env} // {} } });
    is($r->{status}, 0, 'the ranks end well') or diag($r->{err}, $r->{out});
    $r->{outputs} = join '', sort grep { /^\d / } map { "$_\n" } split /\n/, $r->{out};
    $r->{err} = join '', grep { !/^\[rank\d+\]:|No CUDA runtime/ } map { "$_\n" } split /\n/,
        $r->{err};
    return $r;
}

my $package = repackaged($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $plain = ranks("$s->{dir}/model.pt2", 2, -1);
# A scan that does not wait for the other rank would read what is not there yet.
$r = ranks($package, 2, -1, delay => 0.2);
is($r->{err}, '', 'sound ranks, one of them late: silent');
is($r->{outputs}, $plain->{outputs}, 'and they compute the same, bit for bit');
is(ranks($package, 4, -1, runs => 50)->{err}, '', 'four ranks: silent in fifty runs each');

my $clean = qr/  it came       from another rank: this rank's input was clean\n/;
my $came = qr/NaN came with all_reduce in run 2, launch \d+: \S+all_reduce_\n$clean/;
$r = ranks($package, 2, 1, delay => 0.2);
like($r->{err}, qr/^aotigen: \[rank 0\] $came/m, 'a NaN of rank 1: rank 0 got it from another one');
like($r->{err}, qr/^aotigen: \[rank 1\] NaN arrived in run 2 with the input 'args\[0\]'/m,
    'and rank 1 from its input');
like($r->{err}, qr/from this rank's input, which held it, or from another rank/,
    'as the path through the collective says');
unlike($r->{err}, qr/\bborn\b|\bfound in\b/, 'nothing is born');

$r = ranks($package, 4, 0);
like($r->{err}, qr/^aotigen: \[rank $_\] $came/m, "a NaN of rank 0: rank $_ is told") for 1 .. 3;
unlike($r->{err}, qr/\bborn\b|\bfound in\b/, 'nothing is born');

# ---- the ranks' logs, joined
$r = ranks($package, 2, 1, before => [$aotigen, 'run', "--torch=$torch->{dir}", '--'],
    env => { AOTIGEN_LOG => "$dir/events-%r.jsonl" });
like($r->{err}, qr/^  what          NaN arrived in run 2, launch 1: /m,
    'the diagnosis: it arrived');
like($r->{err}, qr/^  process       rank 1, process \d+, one of 2 with debug models$/m,
    'at rank 1');
like($r->{err}, qr/^  other ranks   it came to rank 0 with launch \d+: \S+all_reduce_$/m,
    'and came to rank 0') or diag($r->{err});
my ($event) = slurp("$dir/events-0.jsonl") =~ /^(\{"event":"received".*)$/m;
like($event // '', qr/"rank":0,.*"input":"clean","complete_behind":\d+/, 'as rank 0 logged');
done_testing;
