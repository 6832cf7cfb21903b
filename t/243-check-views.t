# What `aotigen check` says of the views that an operator is passed: whether they stay within their
# memory, and that what they write counts as far as they go.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $corpus = root() . '/t/corpus/2.11.0/cuda';
my $dir = tempdir();

# The findings of a wrapper with a line changed.
sub found {
    my ($what, $from, $old, $new, $status) = @_;
    my $text = slurp("$corpus/$from/wrapper.cpp");
    ok($text =~ s/\Q$old\E/$new/, "$what: $from has the line");
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, $status, "$what: its status") or diag($r->{err} . $r->{out});
    return $r->{out};
}

# mm_out(buf1, buf0, view of buf0): each buffer is of 6 by 6 elements.
my ($mm) = slurp("$corpus/nan_inside/wrapper.cpp") =~ /^    (AOTI_TORCH_ERR.*cuda_mm_out.*)$/m;
my $view = 'wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper';
sub out { my ($n) = @_; return $mm =~ s/\(buf1, /($view(buf1, 2, rows, lines, $n)), /r }
my $array = 'static constexpr int64_t other[] =';
my $rows = 'static constexpr int64_t rows[] = {3L, 6L}, lines[] = {6L, 1L};';
my $named = "auto half = $view(buf1, 2, rows, lines, 19L));";
my @views = (
    ['as it is', $mm, undef],
    ['behind its begin', $mm =~ s/6, 0L/6, 1L/r, 'buf0[36] of 36', 'buf0'],
    ['before its begin', $mm =~ s/6, 0L/6, -1L/r, 'buf0[-1] of 36', 'buf0'],
    ['with other strides', "$array {1L, 7L}; " . ($mm =~ s/int_array_6/other/r), 'buf0[40] of 36',
        'buf0'],
    ['of nothing', "$array {0L, 99L}; " . ($mm =~ s/int_array_5/other/r), undef],
    ['to write to', "$rows " . out('19L'), 'buf1[36] of 36', 'buf1'],
    ['with a name', "$rows $named " . ($mm =~ s/\(buf1, /(half, /r), 'buf1[36] of 36', 'buf1'],
);
for (@views) {
    my ($what, $lines, $example, $of) = @$_;
    my $all = found("a view $what", 'nan_inside', $mm, $lines, $example ? 1 : 0);
    my @refuted = $all =~ /^(\{"type":"view","verdict":"refuted".*)$/mg;
    is(scalar @refuted, $example ? 1 : 0, "a view $what: as many findings") or diag($all);
    like($refuted[0], qr/"argument":"$of","elements":"36",.*"example":"\Q$example\E"/,
        "a view $what: the finding")
        if $example;
    like($all, qr/^\{"type":"view","verdict":"proved",.*"low":"0","high":"35"/m,
        "a view $what: its bounds")
        if $what eq 'as it is';
}

# The launch behind it reads all of buf1.
my $second = out('18L');
my @parts = (
    ['half of it', "$rows " . out('0L'), 1, qr/"verdict":"refuted".*"element 18 of the 36/],
    ['the second half', "$rows $second", 1, qr/"verdict":"refuted".*"element 0 of the 36/],
    ['both', "$rows " . out('0L') . " $second", 0, qr/"verdict":"proved".*"argument":"buf2"/],
);
for (@parts) {
    my ($what, $lines, $status, $like) = @$_;
    like(found($what, 'nan_inside', $mm, $lines, $status), qr/"type":"unwritten",$like/,
        "$what is written: what is said");
}

my ($addmm) = slurp("$corpus/mlp_dyn/wrapper.cpp") =~ /^    (AOTI_TORCH_ERR.*addmm_out.*)$/m;
sub wide {
    my ($n) = @_;
    my $by = $addmm =~ s/buf1, /$view(buf1, 2, wide, int_array_1, 0L)), /r;
    return "const int64_t wide[] = {$n, 256L}; $by";
}
like(found('a view of more rows', 'mlp_dyn', $addmm, wide('s77 + 1L'), 1),
    qr/"view",.*"example":"s77 = 2: buf1\[767\] of 512"/, 'a view of more rows: the sizes');
unlike(found('a view of fewer rows', 'mlp_dyn', $addmm, wide('s77 - 1L'), 0),
    qr/"type":"view","verdict":"(?!proved)/, 'a view of fewer rows is proved');
like(found('a view of unknown rows', 'mlp_dyn', $addmm, wide('unknown()')
        =~ s/^/auto unknown = []() -> int64_t { return 1; }; /r, 0),
    qr/"type":"view","verdict":"not decided".*it is a view whose place is not known/,
    'a view of unknown rows is not decided');

# What a convolution makes of the output of another one has sizes, also if it is transposed.
my $by = 'std::array<int64_t, 2>{0L, 0L}';
my $transposed = "(buf7, buf8, nullptr, std::array<int64_t, 2>{2L, 2L}.cbegin(), 2, $by.cbegin()";
like(found('two convolutions', 'conv_bn', $transposed, $transposed, 0),
    qr/"type":"access","verdict":"proved",.*"argument":"buf9"/, 'two convolutions: the load');
my $more = $transposed =~ s/\Q$by\E/std::array<int64_t, 2>{1L, 0L}/r;
like(found('more padding', 'conv_bn', $transposed, $more, 1),
    qr/"type":"access","verdict":"refuted",.*"example":"buf9\[575\] of 480/,
    'more padding: the load');
my $unknown = $transposed =~ s/2L, 2L/this->device_idx_ + 2L, 2L/r;
like(found('a step that is no number', 'conv_bn', $transposed, $unknown, 0),
    qr/"verdict":"not decided",.*"argument":"buf9",.*an operator makes it/,
    'a step that is no number');
done_testing;
