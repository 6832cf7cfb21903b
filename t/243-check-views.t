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

# How many elements operators' outputs have, as a view of each tells: undef where it is not known.
# half is a view of 3 by 6 elements, line of one line, image of 1 by 1 by 6 by 6, cube of 1 by 3 by
# 4 by 3.
sub list {
    return 'std::array<int64_t, ' . @_ . '>{' . join(', ', map {"${_}L"} @_) . '}.cbegin(), ' . @_;
}
my %names = (
    half => [[3, 6], [6, 1]],
    line => [[6], [1]],
    image => [[1, 1, 6, 6], [36, 36, 6, 1]],
    cube => [[1, 3, 4, 3], [36, 12, 3, 1]],
);
my @made = (
    ['topk', 'buf0, 4L, -1L, 1, 1', 24, 24],
    ['kthvalue', 'buf0, 2L, 0L, 0', 6, 6],
    ['mode', 'half, -1L, 1', 3, 3],
    ['mode', 'half, -2L, 0', 6, 6],
    ['median', 'buf0', 1],
    ['cummax', 'half, 1L', 18, 18],
    ['sort_stable', 'half, nullptr, 1L, 0', 18, 18],
    ['nonzero_static', 'buf0, 7L, -1L', 14],
    ['histc', 'buf0, 9L, 0.0, 1.0', 9],
    ['_embedding_bag', 'half, buf0, line, 0, 0L, 0, nullptr, 1, -1L', 30, undef, undef, undef],
    ['_embedding_bag', 'half, buf0, line, 0, 0L, 0, nullptr, 0, -1L', 36, undef, undef, undef],
    ['max_pool2d_with_indices',
        join(', ', 'image', list(2, 2), list(3, 2), list(1, 1), list(1, 2), 0), 9, 9],
    ['max_pool2d_with_indices',
        join(', ', 'image', list(4, 4), list(), list(0, 0), list(1), 1), 4, 4],
    ['avg_pool2d', join(', ', 'image', list(3, 5), list(2, 3), list(0, 0), 1, 1, 'nullptr'), 6],
    ['avg_pool2d', join(', ', 'image', list(3, 5), list(2, 3), list(0, 0), 0, 1, 'nullptr'), 2],
    ['_adaptive_avg_pool2d', 'image, ' . list(2, 4), 8],
    ['adaptive_max_pool2d', 'image, ' . list(5, 4), 20, 20],
    ['_scaled_dot_product_flash_attention_for_cpu', 'cube, cube, cube, 0.0, 0, nullptr, nullptr',
        36, undef],
    ['cumsum', 'line, 0L, nullptr', 6],
    ['mul_Tensor', 'buf0, line', 36],
    ['mul_Tensor', 'half, buf0', undef],
    ['addmv', 'line, half, line, 1.0, 1.0', 3],
    ['_weight_int8pack_mm', 'buf0, half, line', 18],
    ['cat', 'std::array<AtenTensorHandle, 2>{buf0, half}.data(), 2, 0L', 54],
    ['cat', 'std::array<AtenTensorHandle, 2>{buf0, line}.data(), 2, 0L', undef],
    ['pad', 'half, ' . list(1, 2) . ', "constant", nullptr', 27],
    ['randperm', '7L, nullptr, nullptr, nullptr, 0, nullptr', 7],
);
my $calls = '';
for my $name (sort keys %names) {
    my ($sizes, $steps) = map { join ', ', map {"${_}L"} @$_ } @{ $names{$name} };
    my $n = @{ $names{$name}[0] };
    $calls .= "static constexpr int64_t ${name}_sizes[] = {$sizes}, ${name}_steps[] = {$steps}; "
        . "auto $name = $view(buf0, $n, ${name}_sizes, ${name}_steps, 0L)); ";
}
for my $i (0 .. $#made) {
    my ($op, $arguments, @elements) = @{ $made[$i] };
    my @out = map {"made${i}_$_"} 0 .. $#elements;
    $calls .= join '', map {"AtenTensorHandle ${_}_handle; "} @out;
    $calls .= "aoti_torch_cpu_$op(" . join(', ', $arguments, map {"&${_}_handle"} @out) . '); ';
    $calls .= join '', map {"RAIIAtenTensorHandle $_(${_}_handle); "
            . "aoti_torch_cpu_abs($view($_, 1, line_sizes, line_steps, 0L)), &line_handle); "} @out;
}
my ($cpu) = slurp("$corpus/../cpu/nan_inside/wrapper.cpp") =~ /^    (AOTI_TORCH_ERR.*mm_out.*)$/m;
my $findings = found('operators', '../cpu/nan_inside', $cpu,
    "AtenTensorHandle line_handle; $calls$cpu", 1);
for my $i (0 .. $#made) {
    my ($op, $arguments, @elements) = @{ $made[$i] };
    for my $k (0 .. $#elements) {
        my ($found) = $findings =~ /^(\{"type":"view",.*"argument":"made${i}_$k",.*)$/m;
        my ($n) = ($found // '') =~ /"elements":"(\d+)"/;
        is($n, $elements[$k], "$op($arguments), output $k: its elements") or diag($found);
        is($found =~ /"verdict":"(.*?)"/ ? $1 : '',
            !defined $n ? 'not decided' : $n < 6 ? 'refuted' : 'proved',
            "$op($arguments), output $k: a view of 6 of them");
    }
}
done_testing;
