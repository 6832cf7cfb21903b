package Expected;

# Expected.pm - a text is compared whole with how it looked before, in t/expected/TEST.txt.
#
#   is_expected($name, $text)   a test: the text is that of the section '=== NAME'
#
# UPDATE_EXPECTED=1 in the environment writes what came in place of what was expected, as it does of
# the units (t/expected.h).

use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Aotigen;

our @EXPORT = qw(is_expected);

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
    my ($name, $text) = @_;
    $text .= "\n\\ no newline at the end\n" if $text !~ /\n\z/;
    my ($names, $texts) = sections();
    if ($ENV{UPDATE_EXPECTED} && ($texts->{$name} // '') ne $text) {
        push @$names, $name if !exists $texts->{$name};
        $texts->{$name} = $text;
        spew($file, join '', map { "=== $_\n$texts->{$_}" } @$names);
    }
    return is($text, $texts->{$name}, $name);
}

1;
