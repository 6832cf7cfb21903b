package Ranks;

# Ranks.pm - models with collectives in two processes that torchrun starts; for the 4xx tests on
# gloo, and the 5xx tests on NCCL.
#
#   need($backend)     ends this file as skipped unless torch has it, and compiles collectives
#   torchrun($backend, $inputs, $runs, $bad, \@packages, %how)
#                      -> run_cmd() of t/lib/ranks.py, with `lines`: what its ranks printed, sorted.
#                         Two tests: it ended well, and printed a line for each rank and package.
#                         %how: before => [...], what runs torchrun; env
#   same($r, $what)    a test: of each rank, the two lines of its two packages are the same
#   told($backend, $inputs, $bad, $package, $collective, $kernel)
#                      tests of a NaN in that input of rank 1: 'aotigen run' over torchrun says
#                      where it came from at each rank, and the diagnosis names rank 1

use strict;
use warnings;
use Aotigen;
use AotigenE2E;

sub need {
    my ($backend) = @_;
    my $torch = need_torch();
    my ($major, $minor) = $torch->{version} =~ /^(\d+)\.(\d+)/;
    plan(skip_all => "torch $torch->{version} does not compile collectives")
        if $major == 2 && $minor < 11;
    my $has = python("import torch.distributed as d; "
        . "print('has it' if d.is_available() and d.is_${backend}_available() else 'lacks it')");
    plan(skip_all => "this torch has no $backend") if $has->{out} !~ /^has it$/m;
    return;
}

# torchrun ends its workers where it is told to end; where it is killed, they stay.
sub torchrun {
    my ($backend, $inputs, $runs, $bad, $packages, %how) = @_;
    my $torch = need_torch();
    my @torchrun = (qw(timeout -k 20 150), $torch->{python}, qw(-W ignore -m torch.distributed.run
        --standalone --local-addr 127.0.0.1 --nproc-per-node 2), root() . '/t/lib/ranks.py');
    my $r = run_cmd([@{ $how{before} // [] }, @torchrun, $backend, $inputs, $runs, $bad,
            @$packages], timeout => 200,
        env => { OMP_NUM_THREADS => 1, TORCH_CPP_LOG_LEVEL => 'ERROR', %{ $how{env} // {} } });
    is($r->{status}, 0, 'torchrun and its ranks end well') or diag($r->{err}, $r->{out});
    $r->{lines} = [sort grep { /^\d / } split /\n/, $r->{out}];
    is(scalar @{ $r->{lines} }, 2 * @$packages, 'each rank ran each package');
    # What torch says of itself.
    $r->{err} =~ s/^\S+: UserWarning: .*\n(?:  .*\n)?//mg;
    $r->{err} = join '', grep { !/^\[rank\d+\]:|^\[W\d|No CUDA runtime/ } map { "$_\n" }
        split /\n/, $r->{err};
    return $r;
}

sub same {
    my ($r, $what) = @_;
    my %of;
    push @{ $of{ substr $_, 0, 1 } }, $_ for @{ $r->{lines} };
    for my $rank (sort keys %of) {
        my ($plain, $debug) = @{ $of{$rank} };
        is($debug, $plain, "rank $rank: $what computes the same, bit for bit");
    }
    return;
}

sub told {
    my ($backend, $inputs, $bad, $package, $collective, $kernel) = @_;
    my $dir = tempdir();
    my $r = torchrun($backend, $inputs, 2, $bad, [$package],
        before => [build() . '/aotigen', 'run', '--torch=' . need_torch()->{dir},
            "--model=$package", '--'],
        env => { AOTIGEN_LOG => "$dir/events-%r.jsonl" });
    note($r->{err});
    my $clean = qr/  it came       from another rank: this rank's input was clean\n/;
    like($r->{err},
        qr/^aotigen: \[rank 0\] NaN came with $collective in run 2, launch \d+: $kernel\n$clean/m,
        'a NaN of rank 1: rank 0 got it from another one');
    like($r->{err}, qr/^aotigen: \[rank 1\] NaN arrived in run 2 with the input 'args\[$bad\]'/m,
        'and rank 1 from its input');
    unlike($r->{err}, qr/\bborn\b|\bfound in\b/, 'nothing is born');
    like($r->{err}, qr/^  what          NaN arrived in run 2, launch \d+: /m,
        'the diagnosis: it arrived');
    like($r->{err}, qr/^  process       rank 1, process \d+, one of 2 with debug models$/m,
        'at rank 1');
    my $from = qr/(?:, perhaps from here,)?/;
    like($r->{err}, qr/^  other ranks   it came to rank 0$from with launch \d+:\s+$kernel$/m,
        'and came to rank 0');
    return;
}

1;
