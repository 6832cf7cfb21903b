# One table of element types: the generator and the kernels agree with runtime/tensor/dtype.def.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();

# X(name, class, bytes, exponent, mantissa, special, "ATen", "printed", ...
my (%format, %spelled);
my $table = slurp("$root/runtime/tensor/dtype.def") =~ s{/\*.*?\*/}{}sgr;
while ($table =~ /^X\((\w+), AG_(\w+), (\d+), (\d+), (\d+), AG_(\w+),\s*"([^"]+)", "([^"]+)"/mg) {
    $format{$1} = "$2 $3 $4 $5 $6";
    $spelled{$1} = { map { s/^c10:://r => 1 } $7, $8 };
}
cmp_ok(scalar keys %format, '>', 20, 'dtype.def has types');
is(scalar keys %format, scalar(() = $table =~ /^X\(/mg), 'each of its rows is read here');

# The generator's rows: {"spelling", "torch's name"}.
my (%gen, @unknown);
for my $file (glob "$root/gen/*/*.c") {
    my %rows = slurp($file) =~ /\{"([^"]+)",\s*"((?:u?int|b?float|complex|bool)\d*(?:_\w+)?)"\}/g
        or next;
    my $what = $rows{fp32} ? 'triton' : 'cpp';
    $gen{$what} = { %{ $gen{$what} // {} }, %rows };
    push @unknown, map { "$file: $rows{$_}" } grep { !$format{ $rows{$_} } } sort keys %rows;
}
is("@unknown", '', 'the generator names no type that dtype.def lacks');

my %cpp = reverse %{ $gen{cpp} };
is(join(' ', grep { !$cpp{$_} } sort keys %format), '',
    'the generator knows a C++ spelling of each type');
my @other = grep {
    my $name = $gen{cpp}{$_};
    /^[A-Z]/ && !$spelled{$name}{$_}
} sort keys %{ $gen{cpp} };
is("@other", '', "c10's classes are spelled as in dtype.def");

# Triton has neither complex types nor float8_e8m0fnu.
my %triton = reverse %{ $gen{triton} };
is(join(' ', grep { !$triton{$_} && !/^complex|^float8_e8m0fnu$/ } sort keys %format), '',
    'the generator knows a Triton spelling of each other type');

# The kernels' list: X(name, class, bytes, exponent, mantissa, special).
my %kernel = slurp("$root/kernels/kernels.h")
    =~ /^\s*X\((\w+), (AGK_\w+, \d+, \d+, \d+, AGK_\w+)\)/mg;
my @wrong = grep { ($format{$_} // '') ne $kernel{$_} =~ s/AGK_|,//gr } sort keys %kernel;
is("@wrong", '', 'the formats of the kernels are those of dtype.def');
is(join(' ', grep { !$kernel{$_} && !/^complex/ } sort keys %format), '',
    'each type that is not complex has a kernel of its own');
done_testing;
