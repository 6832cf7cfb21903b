# Whose strides matter: an input that a kernel reads, or that the wrapper takes a view of, must have
# those that the model was compiled for. One that only operators of torch read may have others.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
my $corpus = corpus_of($torch);
my %free = (
    mlp_dyn => { arg4_1 => 1 },                       # addmm alone reads it
    nan_inside => { arg0_1 => 0, arg1_1 => 0 },       # a kernel
    attn => { arg4_1 => 0 },                          # a view of it goes to addmm
    co_mut => { arg1_1 => 0, arg2_1 => 1 },           # a kernel; custom ops
    while_mm => { arg2_1 => 0, arg3_1 => 1 },         # by other names, within a loop
    cond_tensor => { arg0_1 => 1, arg1_1 => 0 },      # item_bool; the kernels of both branches
);
for my $name (sort keys %free) {
    my $wrapper = "$corpus/cpu/$name/wrapper.cpp";
    SKIP: {
        skip "no $name of this torch", 1 if !-e $wrapper;
        my $r = aotigen('-q', "--torch=$torch->{dir}", '-o', '-', $wrapper);
        is($r->{status}, 0, "$name: rewritten") or diag($r->{err});
        my %flags = $r->{out} =~ /^    \{"(arg\d+_1)",.*, ([A-Z0-9_| ]+)\},$/mg;
        for my $input (sort keys %{ $free{$name} }) {
            my $found = ($flags{$input} // 'none') =~ /\bAOTIGEN_ANY_STRIDES\b/ ? 1 : 0;
            is($found, $free{$name}{$input}, "$name: $input") or diag($flags{$input});
        }
    }
}
done_testing;
