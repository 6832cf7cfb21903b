# What a rewritten wrapper has of the accesses of its kernels: rows that each launch computes where
# `aotigen check` cannot prove the access, or refutes it, and none else.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $corpus = root() . '/t/corpus';

# -> the rows of each site of the wrapper, those that a launch computes and the others.
sub tables {
    my ($wrapper) = @_;
    my $r = aotigen('-q', "--torch=$torch->{dir}", '-o', '-', "$corpus/$wrapper/wrapper.cpp");
    is($r->{status}, 0, "$wrapper is rewritten") or diag($r->{err});
    is($r->{err}, '', "$wrapper: nothing is said of it");
    my %rows;
    push @{ $rows{$1} }, split /\n/, $2
        while $r->{out} =~ /^static const aotigen_bound (\w+)\[\] = \{\n(.*?)^\};/msg;
    my (@open, @proved);
    while ($r->{out} =~ /, (aotigen_bounds_\d+_), (\d+), (\d+), [^,]*\},$/mg) {
        my ($name, $n, $open) = ($1, $2, $3);
        is(scalar @{ $rows{$name} }, $n, "$wrapper: $name has $n rows");
        push @open, @{ $rows{$name} }[0 .. $open - 1];
        push @proved, @{ $rows{$name} }[$open .. $n - 1];
    }
    return (\@open, \@proved);
}

# The rows of wrappers made after threads of PyTorch's tracker: those that a launch computes, and
# one of those that only name an access. An argument that is known to be too short gets such a row.
my %threads = (
    'as_strided-192219' => [[], '"4095", "x 2047", nullptr, 24, 0, AOTIGEN_LOAD'],
    'term-182193' => [['"8388476928", "x 63999", "131072 * x", 67, -1, AOTIGEN_TERM'],
        '"63999", "x 63999", nullptr, 73, 0, AOTIGEN_STORE'],
    'no_ymask-103656' => [['"2335", "y 95,x 32", nullptr, 29, 0, AOTIGEN_LOAD',
        '"3167", "x 32,y 95", nullptr, 32, 1, AOTIGEN_STORE'], undef],
    'unbacked-197615' =>
        [[qr/"\@3 1 - 0 g \\\? 63 64 \@3 1 - \* \+.*", "x \+ \(64 \* y\)", 34, -1/],
        '"@3 1 - 0 g \? @3 1 -", "y @3 1 -", nullptr, 29, 1, AOTIGEN_LOAD'],
);
for my $name (sort keys %threads) {
    my ($expected, $named) = @{ $threads{$name} };
    my ($open, $proved) = tables("threads/$name");
    is(scalar @$open, scalar @$expected, "$name: as many rows") or diag(@$open);
    for my $i (0 .. $#$expected) {
        my $row = $expected->[$i];
        like($open->[$i], ref $row ? $row : qr/\{\Q$row\E\},/, "$name: row $i");
    }
    ok(scalar(grep { index($_, $named) >= 0 } @$proved), "$name: an access that is named")
        if $named;
}

# If a kernel has more accesses than a launch computes, the number of those left out is reported:
# 256 of 300 loads and a store are read, and 200 get a row.
my $dir = tempdir();
my $few = slurp("$corpus/threads/no_ymask-103656/wrapper.cpp");
for my $case ([1, ''], [199, ''], [300, 101]) {
    my ($loads, $left) = @$case;
    my $more = sub { join '', map { "$_[0]t$_ = $_[1]" } 2 .. $loads };
    spew("$dir/wrapper.cpp", $few =~ s/^( +)tmp0 = (tl\.load.*\n)/$& . $more->($1, $2)/mre);
    my $r = aotigen("--torch=$torch->{dir}", '-o', '-', "$dir/wrapper.cpp");
    my ($said) = $r->{err} =~ /: warning: '\w+': (\d+) bounds of its accesses are not checked at/;
    is($said // '', $left, "$loads loads: how many are not checked is told");
}

# What is proved costs nothing.
for my $name (qw(2.11.0/cuda/gpt2 2.11.0/cuda/mlp_dyn 2.11.0/cpu/mlp_dyn 2.11.0/cuda/layernorm
    2.11.0/cpu/scatter)) {
    my ($open, $proved) = tables($name);
    is("@$open", '', "$name: a launch computes none");
    cmp_ok(scalar @$proved, '>', 0, "$name: but names each where its memory is too short");
}
done_testing;
