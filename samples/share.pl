#!/usr/bin/perl
# share.pl [--torch=DIR] [--row=NAME] FOLDER...
#
# Counts the decisions of `aotigen check` on the loads and stores in FOLDER/CASE/wrapper.cpp, each a
# wrapper that torch emitted, with its kernel.cpp beside it. Prints a row of the table in
# t/corpus/README.md, then each finding that is refuted, of whatever type, and each wrapper that is
# not counted. Ends with 1 where there is one of either. DIR is the torch that emitted them.
use strict;
use warnings;
use File::Basename 'dirname';
use Getopt::Long;
use JSON::PP 'decode_json';

my $aotigen = dirname(__FILE__) . '/../build/aotigen';
my ($torch, $row);
GetOptions('torch=s' => \$torch, 'row=s' => \$row) && @ARGV
    or die "usage: share.pl [--torch=DIR] [--row=NAME] FOLDER...\n";
$row //= join ' ', @ARGV;

# The findings of a wrapper; undef if it was refused.
sub check {
    my ($wrapper) = @_;
    my @torch = $torch ? "--torch=$torch" : ();
    my @command = ($aotigen, 'check', '--json', '--quiet', @torch, $wrapper);
    open my $from, '-|', @command or die "cannot run '$aotigen': $!\n";
    my @findings = map { decode_json($_) } <$from>;
    close $from;
    # 1 is also the status if something is refuted.
    return undef if $? >> 8 > 1 || $? & 127;
    return undef if $? && !grep { $_->{verdict} eq 'refuted' } @findings;
    return \@findings;
}

my (%n, @refuted, @refused);
my @wrappers = map { sort glob("'$_/*/wrapper.cpp'") } @ARGV;
@wrappers or die "no CASE/wrapper.cpp in @ARGV\n";
for my $wrapper (@wrappers) {
    my $findings = check($wrapper);
    if (!$findings) {
        push @refused, $wrapper;
        next;
    }
    $n{wrappers}++;
    for my $f (@$findings) {
        $n{ $f->{verdict} }++ if $f->{type} eq 'access';
        push @refuted, "$wrapper: $f->{type} of launch $f->{site}, $f->{kernel}, line $f->{line}: "
            . ($f->{access} // $f->{argument} // '') . "\n    " . ($f->{example} // '')
            if $f->{verdict} eq 'refuted';
    }
}

$n{$_} //= 0 for 'wrappers', 'proved', 'refuted', 'not decided';
my $accesses = $n{proved} + $n{refuted} + $n{'not decided'};
my $share = $accesses ? 100 * ($n{proved} + $n{refuted}) / $accesses : 0;
printf "| %s | %d | %d | %d | %d | %d | %.1f %% |\n", $row, $n{wrappers}, $accesses, $n{proved},
    $n{refuted}, $n{'not decided'}, $share;
print "refuted: $_\n" for @refuted;
print "not counted: $_\n" for @refused;
exit(@refuted || @refused ? 1 : 0);
