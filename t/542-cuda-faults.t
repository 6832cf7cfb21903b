# The faults of samples/faults/README.md on a GPU: the table of t/476, and what the CPU has not: an
# illegal access in one of 200 launches, and within a CUDA graph. Each sample computes the same with
# every guard, and nothing is said of it. Programs run side by side.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;
use FaultTable;
use Storable qw(store retrieve);

FakeCuda::need_gpu();
my $torch = need_torch();
my $dir = tempdir();

# What `act` returns for each of the list, which it is called with in a process of its own, in their
# order; as many at a time as there are processors, up to 12.
sub in_parallel {
    my ($act, @list) = @_;
    my ($at_once, %running, @failed) = 12;
    my $wait = sub {
        my $pid = waitpid -1, 0;
        push @failed, $running{$pid} if $?;
        delete $running{$pid};
    };
    for my $i (0 .. $#list) {
        $wait->() if keys %running >= $at_once;
        my $pid = fork // die "cannot fork: $!\n";
        $running{$pid} = $i if $pid;
        next if $pid;
        store({ is => scalar $act->($list[$i]) }, "$dir/$i.result");
        POSIX::_exit(0);
    }
    $wait->() while %running;
    is(scalar @failed, 0, 'each process came to its end') or diag("not these: @failed");
    return map { -e "$dir/$_.result" ? retrieve("$dir/$_.result")->{is} : undef } 0 .. $#list;
}

# ---- the samples, and a debug package of each in each mode

my @rows = fault_rows('cuda');
my %names = map { $_->{sample} => 1 } @rows;
my @names = sort keys %names;
my @samples = in_parallel(sub { sample($_[0], 'cuda') }, @names);
my %sample = map { $names[$_] => $samples[$_] } 0 .. $#names;

my @modes = ('default', 'canary', 'page', 'page-before', 'poison', 'ops', 'canary,poison,ops');
my %wanted = map { ("$_->{sample} $_->{mode}" => [$_->{sample}, $_->{mode}]) } @rows;
for my $name (@names) {
    my @of = $name =~ /many|stored/ ? ('default', 'canary') : @modes; # many has a large wrapper
    $wanted{"$name $_"} = [$name, $_] for @of;
}
my @wanted = @wanted{ sort keys %wanted };
my @packages = in_parallel(sub { repackaged($sample{ $_[0][0] }, levels_of($_[0][1])) }, @wanted);
my %package = map { join(' ', @{ $wanted[$_] }) => $packages[$_] } 0 .. $#wanted;

# ---- no fault

# For each sample: what its packages said, one after the other in one process.
my @sound = in_parallel(sub {
    my ($name) = @_;
    my @of = map { $package{$_} } grep { /^\Q$name\E / } sort keys %package;
    return run_model($sample{$name}, shift @of, dir => "$dir/saved", cwd => $dir,
        args => [map { "--and=$_" } @of]);
}, @names);
for my $i (0 .. $#names) {
    is($sound[$i]{status}, 0, "no fault, $names[$i]: the outputs are the plain model's");
    my @ran = $sound[$i]{err} =~ /^run\.py: (\S+)$/mg;
    is(scalar @ran, scalar(grep { /^\Q$names[$i]\E / } keys %package),
        "no fault, $names[$i]: of each package");
    is($sound[$i]{err} =~ s/^run\.py: \S+\n//mgr, '', "no fault, $names[$i]: in silence");
}

# ---- the table

sub planted {
    my ($row) = @_;
    my $poke = "import importlib; model = importlib.import_module('$row->{sample}'); "
        . "args = inputs[0] = list(inputs[0]); "
        . "at = lambda *x: torch.tensor(x, device='cuda'); $row->{poke}";
    return run_cmd([build() . '/aotigen', 'run', @{ $row->{options} // [] }, '--',
            $torch->{python}, '-W', 'ignore', root() . '/samples/run.py',
            $package{"$row->{sample} $row->{mode}"}, $sample{ $row->{sample} }{dir},
            "--model=$row->{sample}", '--device=cuda', '--only=0', "--poke=$poke",
            '--repeat=' . ($row->{runs} // 1)],
        cwd => $dir, timeout => 240,
        env => { TORCH_SHOW_CPP_STACKTRACES => 0, %{ $row->{env} // {} } });
}

my ($many, $returned) = @sample{ 'faults.many', 'faults.returned' };

# A model in a CUDA graph, which is replayed with an index that may be far outside.
sub replayed {
    my ($far) = @_;
    return run_cmd([build() . '/aotigen', 'run', '--', $torch->{python}, '-W', 'ignore',
            "$dir/graph.py", $package{'faults.many default'}, $many->{dir}, root() . '/samples',
            'faults.many', $far], cwd => $dir, timeout => 240);
}

sub of_another_schema {
    return run_model($returned, $package{'faults.returned default'}, env => { FAULT => 'schema' });
}

write_graph_program();
my ($near, $far, $schema, @found) = in_parallel(sub { $_[0]->() }, sub { replayed('near') },
    sub { replayed('far') }, \&of_another_schema, map {
        my $row = $_;
        sub { planted($row) }
    } @rows);
for my $i (0 .. $#rows) {
    judge_report($rows[$i], $found[$i]);
    judge_said($rows[$i], diagnosis_of($found[$i]{err}));
}

# ---- 10: a library of another version

isnt($schema->{status}, 0, 'fault 10, another schema than registered: the model is not loaded');
like($schema->{err},
    qr/^aotigen: \S+ was compiled for another schema of faults_returned::rows than /m,
    'fault 10: the operator');
like($schema->{err}, qr/^  argument +by\n {16}value: expected one, /m, 'fault 10: the argument');

# ---- 16: within a CUDA graph

# The second replay stores where the input tells since: far outside.
sub write_graph_program {
    spew("$dir/graph.py", <<'PYTHON');
import sys, torch
package, out, samples, sample, far = sys.argv[1:]
sys.path.insert(0, samples)
__import__(sample)
x, at = torch.load(out + "/inputs.pt")[0]
model = torch._inductor.aoti_load_package(package, run_single_threaded=True)
stream = torch.cuda.Stream()
stream.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(stream):
    for _ in range(3):
        wanted = model(x, at)
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph, stream=stream):
    found = model(x, at)
graph.replay()
torch.cuda.synchronize()
first = lambda y: y[0] if isinstance(y, (list, tuple)) else y
print("same" if torch.equal(first(found), first(wanted)) else "differs", flush=True)
if far == "far":
    at[57] = 1 << 34
    graph.replay()
    try:
        torch.cuda.synchronize()
    except RuntimeError as error:
        print(str(error).splitlines()[0], flush=True)
        sys.exit(3)
PYTHON
    return;
}

like($near->{out}, qr/^same$/m, 'a graph: it computes the same') or diag($near->{err});
like(diagnosis_of($near->{err}), qr/^  what +nothing was found$/m, 'and nothing is reported');
isnt($far->{status}, 0, 'fault 16, an illegal access within a graph: the program fails');
like($far->{err}, qr/^aotigen: device error in run \d+, launch 116: faults::put$/m,
    'fault 16: the launch') or diag($far->{err}, $far->{out});
like($far->{err}, qr/of the graph that run \d+ was captured into/, 'fault 16: the graph');
like(diagnosis_of($far->{err}), qr/^  what +device error in run \d+, launch 116: faults::put$/m,
    'fault 16: the diagnosis');
done_testing;
