package Ledger;

# Writes ledgers as shared/ledger.h says, for tests of what reads them.
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(ledger ledger_parts tensor scalar_arg);
my %KIND = (empty => 0, model => 1, site => 2, run => 3, before => 4, after => 5, end => 6);

sub sum_of {
    my ($bytes) = @_;
    my $h = (0x9e3779b9 << 32 | 0x7f4a7c15) ^ length $bytes;
    for my $word (unpack 'Q<*', $bytes) {
        { use integer; $h = ($h ^ $word) * (0xff51afd7 << 32 | 0xed558ccd); }
        $h = $h + 0 | 0;
        $h ^= $h >> 32;
    }
    return $h || 1;
}

sub entry {
    my ($kind, $payload) = @_;
    $payload .= "\0" x (-(length($payload) + 16) % 16);
    return pack('L<L<Q<', 16 + length $payload, $KIND{$kind}, sum_of($payload)) . $payload;
}

sub texts { return join '', map {"$_\0"} @_ }

# A tensor argument. hash undef: it has none; numbers undef: it was not scanned; bad: how many NaN;
# inf: how many Inf of either sign.
sub tensor {
    my ($param, %x) = (shift, dtype => 'float32', sizes => [2], hash => undef, at => 4096,
        numbers => [0, 1], bad => 0, inf => [0, 0], @_);
    my ($min, $max) = @{ $x{numbers} // [0, 0] };
    my $numel = 1;
    $numel *= $_ for @{ $x{sizes} };
    my $has = (defined $x{numbers} ? 1 : 0) | (defined $x{hash} ? 2 : 0);
    return pack('S<CCL<a16Q<Q<Q<q<6d<4q<*', $param, 0, $has, scalar @{ $x{sizes} }, $x{dtype},
        $x{hash} // 0, $x{at}, $x{at} + 8, $numel, $x{bad}, @{ $x{inf} }, 0, 0, $min, $max,
        $min + $max, $min**2 + $max**2, @{ $x{sizes} });
}

sub scalar_arg {
    my ($param, $value) = @_;
    return pack('S<CCL<a16Q<Q<Q<q<6d<4', $param, 1, 2, 0, 'int64', $value, (0) x 12);
}

# The names and the ring of one model. sites: [kernel, nodes, parameters' names]; runs: number =>
# [[site, before, after, site after], ...], where `after` undef is a launch that did not return.
# unended: the last run goes on. us: how long each launch took, by its number.
sub ledger_parts {
    my (%x) = (build => 1, sites => [], runs => [], @_);
    my $names = entry('model', pack('L<L<Q<', 0, scalar @{ $x{sites} }, $x{build})
            . texts('dir/model.cpp'));
    my $i = 0;
    for my $site (@{ $x{sites} }) {
        my ($kernel, $nodes, @params) = @$site;
        $names .= entry('site', pack('L<4', 0, $i, 100 + $i, scalar @params)
                . texts($kernel, $nodes, '', "model.py:$i", 'block', map { ($_, '') } @params));
        $i++;
    }
    my $ring = '';
    my @runs = @{ $x{runs} };
    while (my ($number, $launches) = splice @runs, 0, 2) {
        my $run = pack 'L<L<Q<q<', 0, 0, $number, 5;
        $ring .= entry('run', $run);
        my $n = 0;
        for my $launch (@$launches) {
            my ($site, $before, $after, $other) = @$launch;
            $n++;
            my $at = sub {
                return pack 'L<L<Q<Q<q<L<f<', 0, $site, $number, $n, 7, scalar @{ $_[0] },
                    $_[1] ? $x{us}[$n - 1] // 0 : 0;
            };
            $ring .= entry('before', join '', $at->($before), @$before);
            $site = $other // $site;
            $ring .= entry('after', join '', $at->($after, 1), @$after) if $after;
        }
        $ring .= entry('end', $run) if @runs || !$x{unended};
    }
    return ($names, $ring);
}

# Writes its file, and returns what stands there.
sub ledger {
    my ($path, %x) = @_;
    my ($names, $ring) = ledger_parts(%x);
    my ($room, $ring_room) = map { length($_) + 4096 } $names, $ring;
    $_ += -$_ % 16 for $room, $ring_room;
    my $header = pack('a8L<L<Q<4Q<2Q<3q<3a64a32', 'AOTILEDG', 1, 4096,
        4096 + $room + $ring_room, 4096, $room, length $names, 4096 + $room, $ring_room, 0,
        length $ring, 0, 1, 71, -1, 'box', '0.1.0');
    my $bytes = $header . "\0" x (4096 - length $header);
    $bytes .= $names . "\0" x ($room - length $names);
    $bytes .= $ring . "\0" x ($ring_room - length $ring);
    open my $out, '>:raw', $path or die "$path: $!\n";
    print $out $bytes or die;
    close $out or die;
    return $bytes;
}

1;
