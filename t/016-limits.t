# Sizes and numbers that the generator says, or makes room for, and the runtime or the preloaded
# library has: neither can include the other's header.
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

my $said = 'gen/emit/guard_memory.c';
for my $case (
    # Zones stand on both sides.
    [value_of($said, 'CPU_ZONES_KB') << 10, 2 * value_of('runtime/memory/allocate.c', 'CPU_ZONE')],
    [value_of($said, 'GPU_ZONES_KB') << 10,
        2 * value_of('runtime/memory/allocate.c', 'DEVICE_ZONE')],
    [value_of($said, 'RETIRED_MB') << 20, value_of('runtime/memory/retired.c', 'most_kept')],
    [value_of('gen/base/options.h', 'RUN_MODELS'), value_of('preload/aotigen_open.c', 'MODELS')],
    [value_of('gen/run/environment.c', 'TABLE_MAX'), value_of('preload/aotigen_open.c', 'TABLE')]
    ) {
    my ($one, $other) = @$case;
    is($one, $other, 'and the two agree');
}

# Rows hold the number.
my ($gen) = slurp("$root/gen/model/model.h") =~ /^enum handed \{ (.*?) \};/ms;
my ($run) = slurp("$root/runtime/aotigen_tables.h") =~ /^enum aotigen_handed_over \{(.*?)\};/ms;
my @names = map { join ' ', $_ =~ s{/\*.*?\*/}{}gsr =~ /HANDED_\w+/g } $gen, $run;
is($names[0], $names[1], 'what becomes of a buffer has the same numbers');
like($names[0], qr/^HANDED_NEVER /, 'and names');

is(value_of('runtime/memory/growth.h', 'AG_GROWTH_RUNS'), 16, 'growth over so many runs');
my @sixteen = map { my $n = () = slurp("$root/$_") =~ /\bsixteen\s+runs\b/g; $n }
    qw(gen/run/diagnosis.c man/aotigen.7 samples/messages.md);
is("@sixteen", '2 2 1', 'is told in words where they are');
done_testing;
