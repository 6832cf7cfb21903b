package Expected;

# Expected.pm - a text is compared whole with how it looked before, in t/expected/TEST.txt.
#
#   is_expected($name, $text, @varying)   a test: the text is that of the section '=== NAME'; what
#                                         differs from one time to the next stands for itself:
#                                         @varying is qr/PATTERN/ => 'WORD', ..., in their order
#   is_reported($name, $text, @varying)   the same of the reports alone of a model that torch
#                                         emitted, with @varying and then @differing below
#
# UPDATE_EXPECTED=1 in the environment writes what came in place of what was expected, as it does of
# the units (t/expected.h).

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Aotigen;

our @EXPORT = qw(is_expected is_reported @differing);

my ($test) = $0 =~ m{([^/]+)\.t$};
my $file = root() . "/t/expected/$test.txt";

# The names in their order, and the text of each.
sub sections {
    my (@names, %text);
    for my $section (split /^(?==== )/m, -e $file ? slurp($file) : '') {
        my ($name, $text) = $section =~ /^=== ([^\n]*)\n(.*)\z/s;
        push @names, $name;
        $text{$name} = $text;
    }
    return (\@names, \%text);
}

sub is_expected {
    my ($name, $text, @varying) = @_;
    while (my ($pattern, $word) = splice @varying, 0, 2) { $text =~ s/$pattern/$word/g }
    $text .= "\n\\ no newline at the end\n" if $text !~ /\n\z/;
    my ($names, $texts) = sections();
    if ($ENV{UPDATE_EXPECTED} && ($texts->{$name} // '') ne $text) {
        push @$names, $name if !exists $texts->{$name};
        $texts->{$name} = $text;
        spew($file, join '', map { "=== $_\n$texts->{$_}" } @$names);
    }
    return is($text, $texts->{$name}, $name);
}

# From machine to machine, from run to run, and from one torch to another.
our @differing = (
    qr/^  model line    not known: .*\n/m => '', # the first report of a process alone has it
    qr/[^\s(]*wrapper\.cpp(?::\d+)?/ => 'WRAPPER',
    qr/\bline \K\d+/ => 'LINE',
    qr/^  (?:ATen )?ops .*\n/m => '',
    qr/\bcpp_fused_\K\w+/ => 'NODES', qr/^  launch \d+ +cpp_\w+, to \w+ \(\K[^)]*/m => 'NODES',
    qr/\baddress \K0x[0-9a-f]{5,}/ => 'ADDRESS',
    qr/\bthread +\K\d+/ => 'THREAD',
);

# Between the reports are lines of torch's, and of the program's.
sub is_reported {
    my ($name, $text, @varying) = @_;
    return is_expected($name, join('', $text =~ /^(aotigen: .*\n(?:  .*\n)*)/mg), @varying,
        @differing);
}

1;
