# An ordinary exception passes unchanged through each entry point: what the host gets and what is on
# stderr are the same as with the plain model.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $s = sample('mlp_dyn');
my $debug = built($s, printer => 0, check_inputs => 'off', nan_asserts => 'nan');
my $host = tempdir() . '/host';
my $lib = "$torch->{dir}/lib";
my $r = run_cmd(
    ['g++', flags("$s->{dir}/wrapper.cpp"), '-O0', root() . '/t/434-entry-points.cpp', '-o', $host,
        "-L$lib", '-Wl,--no-as-needed', qw(-ltorch -ltorch_cpu -lc10), "-Wl,-rpath,$lib", '-ldl'],
    timeout => 300);
is($r->{status}, 0, 'the host is built') or do { diag($r->{err}); done_testing; exit 1 };

# Only addresses, times, stacks and the wrapper's path may differ.
sub without_addresses {
    my ($text) = @_;
    $text =~ s/ \+ 0x\w+ \(0x\w+ in \S+\)$//mg;
    $text =~ s/^\[[EW]\d{4} [\d:.]+ (?:\d+ )?/[/mg;
    $text =~ s/^(?:frame #|<omitting python frames>).*\n//mg;
    $text =~ s{\S+wrapper\.cpp}{wrapper.cpp}g;
    return $text;
}
my $log = tempdir() . '/log';
my %told = map {
    my $run = run_cmd([$host, $_], env => { TORCH_SHOW_CPP_STACKTRACES => 0, AOTIGEN_LOG => $log });
    is("$run->{signal} $run->{status}", '0 0', 'the host ends well') or diag($run->{err});
    my $text = without_addresses($run->{err});
    $_ => [$text =~ /^(--- .*?)(?=^--- |\z)/msg];
} "$s->{dir}/model.so", $debug;
my ($plain, $with) = @told{ "$s->{dir}/model.so", $debug };
is(scalar @$with, scalar @$plain, 'as many calls');
my (%called, $failed);
for my $i (0 .. $#$plain) {
    my ($name) = $plain->[$i] =~ /^--- (\w+)/;
    next if $plain->[$i] =~ /^absent$/m;
    $called{$name} = 1;
    $failed += $plain->[$i] !~ /^returned 0$/m;
    is($with->[$i], $plain->[$i],
        "$name: " . ($plain->[$i] =~ /^returned 0$/m ? 'succeeds as before' : 'fails as before'));
}
cmp_ok($failed, '>', 12, 'many of them fail');
# Two hand their arguments over to another one, and have no event of their own.
my $logged = qr/ContainerCreate|Update(?!ConstantsMap)|Free|Swap|RunConstantFolding/;
is(join(' ', slurp($log) =~ /"entry":"(\w+)","phase":"begin"/g), join(' ', map {
    s/Create$/CreateWithDevice/r =~ s/UpdateInactive/Update/r } grep { /$logged/ }
    map { /^--- (\w+)/ && !/^absent$/m ? $1 : () } @$with), 'the log has those that are no run');
like(slurp($log), qr/"call":"inference","count":\d+/, 'and how many runs were between');
like(join('', @$plain), qr/^threw expected inputs vector size to be/m,
    'one of them by an exception that leaves it')
    if join('', @$plain) !~ /^last error: /m;

# Add to the host what is new in torch. These are left out: the first reads memory that its caller
# passes, the last three set a number.
my @not_called = (
    'AOTInductorModelUpdateConstantsFromBlob',
    'AOTInductorModelCreateV2',
    'AOTInductorGetLastError',
    'AOTInductorSetUsePinnedAsyncConstantsCopy',
    'AOTInductorSetPinnedAsyncConstantsCopyStageBufferBytes',
    'AOTInductorSetPinnedAsyncConstantsCopyCpuThreads',
);
my %known = (%called, map { $_ => 1 } @not_called);
my @exported = run_cmd(['nm', '-D', '--defined-only', $debug])->{out} =~ / T (AOTInductor\w+)$/mg;
cmp_ok(scalar @exported, '>', 20, 'the model exports its entry points');
is(join(' ', grep { !$known{$_} } @exported), '', 'and each of them is called');

# What a custom op throws from within a launch.
$s = sample('custom_op');
my $poke = 'import custom_op; custom_op.broken["boom"] = lambda y: 1 / 0; custom_op.fault = "boom"';
my @ends = map { run_model($s, $_, args => ['--only=0', "--poke=$poke"]) }
    "$s->{dir}/model.so", built($s, printer => 0, check_inputs => 'off', nan_asserts => 'nan');
my @texts = map { without_addresses($_->{err}) } @ends;
isnt($ends[0]{status}, 0, 'a custom op that throws ends the run');
is("$ends[1]{signal} $ends[1]{status}", "$ends[0]{signal} $ends[0]{status}",
    'as that of the plain model');
is($texts[1], $texts[0], 'and with the same text');
done_testing;
