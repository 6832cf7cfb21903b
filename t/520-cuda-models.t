# The samples and GPT-2 on a GPU: emitted there, rewritten, built and run at every printer level,
# with checks on and off. The outputs are those of the plain model bit for bit, and a sound model
# is silent. Arguments name the samples to run.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use AotigenFaults;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();

sub sound {
    my ($name) = @_;
    my $seen = every_level(sample($name, 'cuda'), 'all');
    is($seen->{$_}{err}, '', "$name, level $_: a sound model is silent on stderr")
        for sort keys %$seen;
    return;
}

sub nan_inside {
    my $seen = every_level(sample('nan_inside', 'cuda'));
    my $report = $seen->{'0all'}{err};
    note($report);
    like($report, qr/NaN born in run 1, launch \d+: triton_\w*log\w*/, 'the birth, the kernel');
    like($report, qr/aten\.log/, 'its ops');
    like($report, qr/\bbuf0\b/, 'the argument');
    like($report, qr/NaN in \d+ of 36 elements, the first at \[\d, \d\]/, 'count and first index');
    like($report, qr/propagated through \d launch/, 'the launches that it passed through');
    is($seen->{'0off'}{err}, '', 'checks off: nothing is reported');
    return;
}

# Its mask holds -inf on purpose.
sub gpt2 {
    my $s = sample('gpt2', 'cuda');
    for my $level ([nan_asserts => 'all', check_inputs => 'all', printer => 0],
        [nan_asserts => 'off', check_inputs => 'off', printer => 0],
        [nan_asserts => 'all', check_inputs => 'launch', printer => 3]) {
        my $r = same_outputs($s, built($s, @$level), "gpt2 at @$level");
        is($r->{err}, '', "gpt2 at @$level: silent");
    }
    overflow_in_gpt2($s, built($s, nan_asserts => 'all', check_inputs => 'all', printer => 0),
        'h.5.up.weight');
    return;
}

my %rest = (nan_inside => \&nan_inside, gpt2 => \&gpt2);
for my $name (@ARGV ? @ARGV : qw(custom_op mlp_dyn attn cond nan_inside gpt2)) {
    $rest{$name} ? $rest{$name}->() : sound($name);
}
done_testing;
