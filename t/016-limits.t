# A number of the runtime that texts for people have in words.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();

# The value that a file gives a name: "16 << 10" or "48 * 1024".
sub value_of {
    my ($file, $name) = @_;
    my ($text) = slurp("$root/$file") =~ /\b$name = ([0-9][0-9 *<]*)/;
    ok($text, "$file has $name") or return -1;
    return eval $text;    ## no critic: digits, '*' and '<' alone
}

is(value_of('runtime/memory/growth.h', 'AG_GROWTH_RUNS'), 16, 'growth over so many runs');
my @sixteen = map { my $n = () = slurp("$root/$_") =~ /\bsixteen\s+runs\b/g; $n }
    qw(gen/run/diagnosis.c man/aotigen.7 samples/messages.md);
is("@sixteen", '2 2 1', 'is told in words where they are');
done_testing;
