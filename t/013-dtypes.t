# One table of element types, shared/dtypes.def: what no compiler compares with it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();

# X(name, class, bytes, exponent, mantissa, special, number, DLPack, "ATen", "printed", storage,
#   numpy, "C++", triton)
my (%format, %row);
my $table = slurp("$root/shared/dtypes.def") =~ s{/\*.*?\*/}{}sgr;
while ($table =~ /^X\(((?:[^()"]|"[^"]*")*)\)/mg) {
    my ($name, @row) = map { s/^"(.*)"$/$1/r } $1 =~ /"[^"]*"|[^\s,]+/g;
    $format{$name} = join ' ', map { s/^AG_//r } @row[0 .. 4];
    $row{$name} = \@row;
}
cmp_ok(scalar keys %format, '>', 20, 'dtypes.def has types');
is(scalar keys %format, scalar(() = $table =~ /^X\(/mg), 'each of its rows is read here');
is(join(' ', grep { @{ $row{$_} } != 13 } sort keys %row), '', 'and has all columns');

# c10's classes are spelled in C++ as torch prints them, without the namespace.
is(join(' ', grep { $row{$_}[8] =~ /^c10::/ && $row{$_}[8] ne "c10::$row{$_}[11]" } sort keys %row),
    '', 'a class of c10 has one name');
for my $column ([11, 'C++'], [12, 'Triton']) {
    my ($at, $what) = @$column;
    my (%seen, @twice);
    for my $name (sort keys %row) {
        my $spelled = $row{$name}[$at];
        push @twice, grep { $seen{$_}++ } split /\|/, $spelled if $spelled ne 'NULL';
    }
    is("@twice", '', "no spelling of $what stands for two types");
}
my @numbers = grep { $_ >= 0 } map { $row{$_}[5] } sort keys %row;
my %numbers = map { $_ => 1 } @numbers;
is(scalar keys %numbers, scalar @numbers, 'no number stands for two types');

# The runtime's names of types that have no row.
my ($others) = slurp("$root/runtime/tensor/dtype.c") =~ /\bothers\[\] = \{(.*?)\};/s;
my @others = ($others // '') =~ /"(\w+)"/g;
cmp_ok(scalar @others, '>', 20, 'dtype.c has names of other types');
is(join(' ', grep { $row{$_} } @others), '', 'dtype.c has no type of dtypes.def among the others');

# The kernels' list: X(name, class, bytes, exponent, mantissa, special).
my %kernel = slurp("$root/kernels/kernels.h")
    =~ /^\s*X\((\w+), (AGK_\w+, \d+, \d+, \d+, AGK_\w+)\)/mg;
$_ = s/AGK_|,//gr for values %kernel;
my @wrong = grep { ($format{$_} // '') ne $kernel{$_} } sort keys %kernel;
is("@wrong", '', 'the formats of the kernels are those of dtypes.def');
my %has = reverse %kernel;
is(join(' ', grep { !$has{ $format{$_} } && $format{$_} !~ /^COMPLEX/ } sort keys %format), '',
    'each format that is not complex has a kernel of its own');
done_testing;
