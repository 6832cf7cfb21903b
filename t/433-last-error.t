# The text of an exception that the host gets: one line of aotigen's if there is a report, otherwise
# torch's own text unchanged. From torch 2.13 on the container keeps it (AOTInductorGetLastError);
# before, it went to stderr and the host learnt only that the run failed.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
my $header = "$torch->{dir}/include/torch/csrc/inductor/aoti_runtime/interface.h";
plan skip_all => "torch $torch->{version} has no AOTInductorGetLastError: its host never sees the "
    . "text" if slurp($header) !~ /\bAOTInductorGetLastError\b/;

sub error_text {
    my ($s, $so, $poke, %env) = @_;
    my $r = run_model($s, $so, args => ['--only=0', "--poke=$poke"], env => \%env);
    is($r->{status}, 3, 'the run fails') or diag($r->{err});
    return $r->{err} =~ /^run\.py: the run failed: (.*)/ms ? $1 : '';
}

my $s = sample('custom_op');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $guard = error_text($s, $so, 'import custom_op; custom_op.fault = "dtype"');
my $dtype = qr/dtype: expected float32, found float64/;
like($guard, qr/^aotigen: guard failed in run 1, launch 2: \S+, \S+.*: $dtype; the full report/,
    'a guard that fails: the host gets launch, op, argument and check in one line');
unlike($guard, qr/torch said/, 'as it is');

$s = sample('nan_inside');
my $nan = error_text($s, built($s, printer => 0, check_inputs => 'all', nan_asserts => 'all'), '0',
    AOTIGEN_ON_FAULT => 'throw');
like($nan, qr/aotigen: NaN born in run 1, launch 1: /, 'AOTIGEN_ON_FAULT=throw: so does a NaN');

# An exception of the wrapper's own passes through: the same text, and the stack of where it was
# thrown first.
$s = sample('mlp_dyn');
my $wrong = 'inputs[0][0] = torch.randn(8, 60)';
my ($plain, $debug) =
    map { error_text($s, $_, $wrong) =~ s/ \+ 0x\w+ \(0x\w+ in \S+\)$//mgr } "$s->{dir}/model.so",
    built($s, printer => 3, check_inputs => 'off', nan_asserts => 'off');
isnt($plain, '', 'torch says something of an input that is too small');
is($debug, $plain, 'and the debug model the same');
done_testing;
