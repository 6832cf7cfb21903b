# The samples and GPT-2 on a GPU: emitted there, rewritten, built and run at every printer level, with checks on and off. The
# outputs are the plain model's, bit for bit, and a sound model is silent.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use AotigenFaults;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();
for my $name (qw(custom_op mlp_dyn attn cond)) {
    my $s = sample($name, 'cuda');
    my $seen = every_level($s, 'all');
    is($seen->{$_}{err}, '', "$name, level $_: a sound model is silent on stderr") for sort keys %$seen;
}

my $s = sample('nan_inside', 'cuda');
my $seen = every_level($s);
my $report = $seen->{'0all'}{err};
note($report);
like($report, qr/NaN born in run 1, launch \d+: triton_\w*log\w*/, 'the birth, the kernel');
like($report, qr/aten\.log/, 'its ops');
like($report, qr/\bbuf0\b/, 'the argument');
like($report, qr/NaN in \d+ of 36 elements, the first at \[\d, \d\]/, 'count and first index');
like($report, qr/passed on by \d launch/, 'the launches that it passed through');
is($seen->{'0off'}{err}, '', 'checks off: nothing is reported');

# GPT-2's mask holds -inf on purpose.
my $g = sample('gpt2', 'cuda');
for my $level ([nan_asserts => 'all', check_inputs => 'all', printer => 0], [nan_asserts => 'off', check_inputs => 'off', printer => 0], [nan_asserts => 'all', check_inputs => 'launch', printer => 3]) {
    my $r = same_outputs($g, built($g, @$level), "gpt2 at @$level");
    is($r->{err}, '', "gpt2 at @$level: silent");
}
overflow_in_gpt2($g, built($g, nan_asserts => 'all', check_inputs => 'all', printer => 0), 'h.5.up.weight');
done_testing;
