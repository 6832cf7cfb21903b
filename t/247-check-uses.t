# `aotigen check` of a wrapper that reads elements which nothing has written: it refutes only where
# a result surely depends on them. Inductor's circular pad reads such elements, and chooses others.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $dir = tempdir();
my $healthy = slurp(root() . '/t/corpus/2.11.0/cuda/circular_pad/wrapper.cpp');
my $store = '        tl.store(out_ptr0 + (x3), tmp44, xmask)';
ok($healthy =~ /^\Q$store\E$/m, 'the corpus has the store');
(my $taken = $healthy) =~ s/tl\.where\(tmp27, tmp36, tmp42\)/tl.where(tmp27, tmp42, tmp42)/
    or fail('the corpus has the choice');

# The findings about what is read and was not written, and about accesses.
sub judged {
    my ($what, $text, $refuted) = @_;
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    my @found = grep { /"type":"(?:unwritten|access)","verdict":"refuted"/ } split /\n/, $r->{out};
    is(scalar @found, $refuted, $what . ($refuted ? ': refuted' : ': not refuted'))
        or diag("@found");
    return $r->{out};
}

my $out = judged('an element that where() leaves out', $healthy, 0);
like($out, qr/it is not shown that a result depends on them/, 'it says what is left open');
judged('one that it takes', $taken, 1);

# The store of what was taken, and other lines in its place.
sub stored {
    my ($what, $refuted, @lines) = @_;
    my $lines = join "\n", map { "        $_" } @lines;
    (my $text = $taken) =~ s/^\Q$store\E$/$lines/m;
    judged($what, $text, $refuted);
    return;
}
my $put = 'tl.store(out_ptr0 + (x3), tmp44, xmask)';
my $whole = 'tmp44.to(tl.int32)';
stored('another value stored over it', 0, $put,
    'tl.store(out_ptr0 + (x3), tl.full([XBLOCK], 0.0, tl.float32), xmask)');
stored('a loop whose last step drops it', 0, 'acc = tmp44', 'for r in range(0, 4):',
    '    acc = tl.full([XBLOCK], 1.0, tl.float32)', $put =~ s/tmp44/acc/r);
stored('a loop that adds to it', 1, 'acc = tmp44', 'for r in range(0, 4):', '    acc = acc + 1.0',
    $put =~ s/tmp44/acc/r);
stored('a loop without a step', 0, 'for r in range(0, ks2 - ks2):', "    $put");
stored('a multiple by 0', 0, "t = $whole * 0", $put =~ s/tmp44/t/r);
stored('none of its bits', 0, "t = $whole & 0", $put =~ s/tmp44/t/r);
stored('a remainder by 1', 0, "t = $whole % 1", $put =~ s/tmp44/t/r);
stored('an index of a load that is not made', 0,
    "t = tl.load(in_ptr0 + ($whole), (x3 < 0) & xmask, other=0.0)", $put =~ s/tmp44/t/r);
stored('a function of it', 1, 't = tl_math.exp(tmp44 * 2.0)', $put =~ s/tmp44/t/r);

# A later buffer's length is not that of the example.
my $lines = <<'CPP';
    const int64_t own_sizes[] = {2L, 3L, 2L + s53, 2L + s0};
    const int64_t own_strides[] = {12L + 6L*s0 + 6L*s53 + 3L*s0*s53,
                                   4L + 2L*s0 + 2L*s53 + s0*s53, 2L + s0, 1L};
    AtenTensorHandle buf2_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(4, own_sizes, own_strides,
        cached_torch_dtype_float32, cached_torch_device_type_cuda, this->device_idx_,
        &buf2_handle));
    RAIIAtenTensorHandle buf2(buf2_handle);
CPP
$lines =~ s/,\n */, /g;
(my $own = $healthy) =~ s/^ *auto buf2 = std::move\(buf0\);.*\n/$lines/m or fail('buf0 is reused');
judged('a buffer of its own for the result', $own, 0);

# Of an input that is channels_last the wrapper tells one stride.
(my $permuted = $healthy) =~ s/1 != arg0_1_stride\[3\]/1 != arg0_1_stride[1]/ or fail('a stride');
judged('an input whose dimensions are in another order', $permuted, 0);
done_testing;
