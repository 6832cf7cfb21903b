package Planted;

# Planted.pm - faults that are planted in a model of samples/, and what the report of each must say;
# for t/436 and t/437.
#
#   judge_sample($sample, $launches, @cases) a test of each case whose name matches the test's
#                                            argument; $sample: its name, or what sample() gives;
#                                            $launches: the pattern of each launch's name, by its
#                                            number
#   in_nan_memory($name)                     the sample, to be run where each tensor's memory is NaN
#                                            until something writes to it
#   fault($name)                             Python that plants a fault of the sample's own
#   weight($name, $statement)                Python that changes a weight, `t`, of the package
#
# A case: name; Python; which launches are accused; patterns of the report; and how, where it is not
# as usual. Which: a number or a list of them; 0 where the fault is found before the first; undef
# where the model is silent; 'said' where the run goes on and none is accused; 'born' where that is
# not looked at. How: { env, inputs (which of the sample's), runs, signal (its end), may_crash,
# without (a pattern that the report lacks) }.
use strict;
use warnings;
use Aotigen;
use AotigenE2E;
use Exporter 'import';
use ForkServer;
use JSON::PP;
use Test::More;
our @EXPORT = qw(fault judge judge_sample in_nan_memory weight);

my $only = $ARGV[0] // '.';
my %levels = (printer => 0, check_inputs => 'all', nan_asserts => 'all');

sub fault { my ($name) = @_; return "model.fault = '$name'" }

sub weight {
    my ($name, $statement) = @_;
    return "fqns = runner.get_constant_names_to_original_fqns(); "
        . "w = [k for k, v in fqns.items() if v == '$name'][0]; "
        . "t = dict(model.model().state_dict())['$name'].clone(); t$statement; "
        . "runner.update_constant_buffer({w: t}, False, False)";
}

# The launches that the report accuses.
sub accused {
    my ($err) = @_;
    my %seen;
    $seen{$1}++ while $err =~ /^aotigen: [^\n]*?\blaunch (\d+)(?=[:, ])/mg;
    $seen{$1}++ while $err =~ /^aotigen: [^\n]*\bread by launch (\d+):/mg;
    return sort { $a <=> $b } keys %seen;
}

sub judge {
    my ($case, $r, $launches) = @_;
    my ($name, undef, $at, @patterns) = @$case;
    my %how = ref $patterns[-1] eq 'HASH' ? %{ pop @patterns } : ();
    my $err = $r->{err};
    is($r->{signal}, $how{signal} // 0, "$name: its end") or diag($err) if !$how{may_crash};
    if (!defined $at) {
        is($err, '', "$name: silent");
        is($r->{status}, 0, "$name: and runs");
        return;
    }
    like($err, $_, "$name: said: $_") for @patterns;
    unlike($err, $how{without}, "$name: not said: $how{without}") if $how{without};
    my @at = ref $at ? @$at : $at eq 'said' || !$at ? () : $at;
    return if $at eq 'born';
    is_deeply([accused($err)], \@at, "$name: no other launch is accused") or diag($err);
    like($err, qr/launch $_\b.*$launches->[$_]/, "$name: launch $_ by its name") for @at;
    is($r->{status}, 0, "$name: the run goes on") if $at eq 'said';
    return;
}

sub found_of {
    my ($sample, @cases) = @_;
    my $dir = tempdir();
    my $so = built($sample, %levels);
    spew("$dir/cases.json", encode_json([map { my $how = ref $_->[-1] eq 'HASH' ? $_->[-1] : {};
        { name => $_->[0], poke => $_->[1], env => $how->{env} // {},
          inputs => $how->{inputs} // 0, runs => $how->{runs} // 1 } } @cases]));
    must(run_forked({ file => root() . '/t/lib/run_cases.py', import => ['torch._dynamo'],
        arguments => [$so, $sample->{dir}, $sample->{name}, "$dir/cases.json",
            "$dir/results.json"] },
        env => { TORCH_SHOW_CPP_STACKTRACES => 0, %{ $sample->{env} // {} } }, timeout => 600),
        "the cases of $sample->{name} run");
    return @{ decode_json(slurp("$dir/results.json")) };
}

# Torch's allocator calls posix_memalign().
sub in_nan_memory {
    my ($name) = @_;
    my $sample = sample($name);
    my $so = tempdir() . '/nan_memory.so';
    must(run_cmd(['gcc', '-O1', '-shared', '-fPIC', '-o', $so, root() . '/t/lib/nan_memory.c']),
        'nan_memory.c compiles');
    return { %$sample, env => { LD_PRELOAD => $so } };
}

sub judge_sample {
    my ($sample, $launches, @cases) = @_;
    @cases = grep { $_->[0] =~ /$only/ } @cases or return;
    my @found = found_of(ref $sample ? $sample : sample($sample), @cases);
    judge($cases[$_], $found[$_], $launches) for 0 .. $#cases;
    return;
}

1;
