# A device error that shows outside of a run, on a GPU: when the host gets the exception, the launch
# has been named, because the host may end the process at once.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;
use JSON::PP;

FakeCuda::need_gpu();
my $torch = need_torch();
my $times = 24;
my $e = sample('embed', 'cuda');
my $so = built($e, printer => 0, check_inputs => 'all', nan_asserts => 'all');
# Torch that hands an exception's text to its host.
my $interface = "$torch->{dir}/include/torch/csrc/inductor/aoti_runtime/interface.h";
my $hands_over = slurp($interface) =~ /\bAOTInductorGetLastError\b/;
my $head = qr/aotigen: device error in run 3, launch 1: triton_\w*embedding/;
my %ends = (return => 'any', _exit => '0 3', abort => '6 0');

# "signal status" is not compared where torch may end the process itself: at the process's end, and
# in the destructor of a model.
my @cases = (
    (map { ['calls', $_] } sort keys %ends),
    ['query', '_exit'],
    ['query', 'abort'],
    ['update', '_exit'],
    ['update', 'abort'],
    ['deletion', '_exit'],
);
for my $case (@cases) {
    my ($place, $end) = @$case;
    next if @ARGV && "$place-$end" !~ /$ARGV[0]/;
    my $r = run_cmd(
        [$torch->{python}, '-W', 'ignore', root() . '/t/5xx/entry_host.py', $so, $e->{dir}, $place,
            $end, $times],
        timeout => 170,
        env => { TORCH_SHOW_CPP_STACKTRACES => 0 });
    my $hosts = eval { decode_json($r->{out}) } // [];
    is(scalar @$hosts, $times, "$place, $end: $times hosts") or diag($r->{err});
    my %bad;
    for my $host (@$hosts) {
        my $told = () = $host->{err} =~ /^$head/mg;
        $bad{'the report on stderr, once'}++ if $told != 1;
        $bad{'no other report of the device'}++
            if $host->{err} =~ /^aotigen: device error (?!in run 3, launch 1: )/m;
        $bad{'its end'}++
            if $place ne 'deletion'
            && $ends{$end} ne 'any'
            && "$host->{signal} $host->{status}" ne $ends{$end};
        $bad{'no hang'}++ if $host->{signal} == 14;
        next if $place eq 'deletion';
        $bad{'the launch in the text that the host gets'}++
            if ($hands_over ? $host->{text} !~ /$head/ : $host->{err} !~ /^Error: $head/m);
    }
    is(join(', ', map { "$_: $bad{$_} lack it" } sort keys %bad), '',
        "$place, $end: each has what it must")
        or diag(map { "$_->{signal} $_->{status}\n$_->{text}\n$_->{err}\n" } @$hosts[0 .. 1]);
}

# Without a device error an exception passes unchanged.
my $wrong = 'inputs[0][0] = inputs[0][0].to("cpu")';
my @models = ("$e->{dir}/model.so",
    built($e, printer => 3, check_inputs => 'off', nan_asserts => 'off'));
my @texts = map {
    run_model($e, $_,
        args => ['--only=0', "--poke=$wrong"],
        env => { AOTI_RUNTIME_CHECK_INPUTS => 1 })->{err}
} @models;
my @errors = map {
    s/^.*?(?=^Error: |^run\.py: )//msr
        =~ s/ \+ 0x\w+ \(0x\w+ in \S+\)$//mgr
        =~ s{\S+wrapper\.cpp}{wrapper.cpp}gr
} @texts;
isnt($errors[0], '', 'an input on another device fails');
is($errors[1], $errors[0], 'with the same text');
done_testing;
