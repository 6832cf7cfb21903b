# Objects of C++ kernels whose members are values (torch's Welford<T>), as --dump=kernels shows
# them: the arithmetic of welford_combine(), and what a loop carries of each.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $dir = tempdir();
spew("$dir/wrapper.cpp", slurp(root() . '/t/corpus/2.11.0/cpu/nan_inside/wrapper.cpp'));
my $kernel = slurp(root() . '/t/corpus/2.11.0/cpu/nan_inside/kernel.cpp');
my ($head) = $kernel =~ /^(.*?out_ptr1\)\n)\{/s or fail('the corpus has the kernel');

# The graph of a kernel: `before` a loop over x0 with the element tmp0, in it, and what is stored.
sub graph_of {
    my ($before, $in, $stored) = @_;
    spew("$dir/kernel.cpp", "$head\{\n    $before\n"
        . '    for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(36L); '
        . "x0+=static_cast<int64_t>(1L))\n    {\n        auto tmp0 = in_ptr0[x0];\n        $in\n"
        . "    }\n    out_ptr1[static_cast<int64_t>(0L)] = $stored;\n}\n");
    my $r = aotigen('--dump=kernels', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, 0, "$in: is read") or diag($r->{err});
    return $r->{out};
}

my $empty = 'Welford<float> acc = Welford<float>();';
my $mean = 'in_ptr0[x0] - acc.mean';
my $out = graph_of($empty, 'acc = welford_combine(acc, tmp0);', 'acc.m2');
like($out, qr{carried acc\.mean in .* then acc\.mean \+ \(\(\Q$mean\E\) / \(acc\.weight \+ 1\.0},
    'without a helper: divided by the weight');
like($out, qr/store out_ptr1\[0\]: float32 = last\(acc\.m2\)/, 'a member is stored');

$out = graph_of("$empty static WelfordHelper<float, 4096> h(static_cast<int64_t>(36L));",
    'acc = welford_combine(acc, tmp0, &h);', 'acc.mean');
like($out, qr{float32\(\(1\.0 / float64\(\(acc\.index \+ 1\)\)\)\)}, 'with one: a reciprocal');
like($out, qr/where\(\(acc\.index < 4096\)/, 'as long as a chunk goes');

$out = graph_of("$empty Welford<float> prev = Welford<float>();",
    'acc = welford_combine(acc, tmp0); prev = acc;', 'prev.mean');
like($out, qr/carried prev\.mean in loop x0: first 0\.0, then acc\.mean \+/, 'a copy is its own');

$out = graph_of('auto a = in_ptr0[0];', 'auto q = Welford<float>(); a = Welford<float>();', 'a');
like($out, qr/an object that a loop changes/, 'a value that becomes an object is not followed');
$out = graph_of($empty, 'acc = tmp0;', 'acc.mean');
like($out, qr/carried acc\.index in .*an object that a loop changes/, 'nor the other way');
done_testing;
