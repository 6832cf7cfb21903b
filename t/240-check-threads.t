# What `aotigen check` says of the wrappers of t/corpus/threads, made after threads of PyTorch's
# tracker: each is refuted at the line of the kernel that the thread is about, with a
# counter-example, and nothing else in it is. Then of healthy wrappers with one line changed.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $threads = root() . '/t/corpus/threads';

# The type of the finding, its kernel's line, and its text.
my %refuted = (
    'as_strided-192219' => [['access', 24, qr/^buf1\[4095\] of 2048, with x = 4095$/]],
    'offset_view-192226' => [['access', 24, qr/^buf1\[127\] of 16, with x = 63$/]],
    'storage-195665' => [['access', 40, qr/^buf0\[4479\] of 2, with x = 191, r0 = 63$/]],
    'index_put-2430' =>
        [['term', 33, qr/32-bit term 7168 \* where\(.* is 7516192768, with in_ptr0\[.*\] = -1$/]],
    'strides-186850' => [['access', 29, qr/^arg0_1\[4862\] of 2310, with x = 32, y = 69$/]],
    'no_ymask-103656' => [
        ['access', 29, qr/^arg0_1\[2335\] of 2310, with y = 95, x = 32$/],
        ['access', 32, qr/^buf0\[3167\] of 2310, with x = 32, y = 95$/],
    ],
    'term-182193' =>
        [['term', 67, qr/^the 32-bit term 131072 \* x is 8388476928, with x = 63999$/]],
    'declared_max-159433' =>
        [['term', 21, qr/^s10 = 2097152: the 32-bit scalar xnumel is 2147483648$/]],
    'unbacked-197615' =>
        [['term', 34, qr/^u0_raw = 33554433: the 32-bit term x \+ \(64 \* y\) is 2147483711/]],
    'lerp-183575' =>
        [['effect', 24, qr/^mutated_arg_names has in_out_ptr0, and the kernel never stores/]],
    'mutated-94693' =>
        [['effect', 0, qr/^mutated_arg_names has out_ptr1, and the kernel never stores there$/]],
);

my @there = sort map { m{([^/]+)/wrapper\.cpp$} } glob "$threads/*/wrapper.cpp";
is("@there", join(' ', sort keys %refuted), 'each wrapper has its entry here');
my $told = slurp("$threads/README.md");

for my $name (@there) {
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$threads/$name/wrapper.cpp");
    is($r->{status}, 1, "$name: status 1") or diag($r->{err});
    my $expected = $refuted{$name};
    like($r->{err}, qr/error: ${\scalar @$expected} errors?: for sizes that the model allows/,
        "$name: said so");
    my @found = grep { /"verdict":"refuted"/ } split /\n/, $r->{out};
    is(scalar @found, scalar @$expected, "$name: as many findings as faults");
    for my $i (0 .. $#$expected) {
        my ($type, $line, $example) = @{ $expected->[$i] };
        like($found[$i], qr/^\{"type":"$type",.*"line":$line,/, "$name: a finding of line $line");
        like(($found[$i] // '') =~ /"example":"(.*?)","would/ ? $1 : '', $example,
            "$name: its counter-example");
    }
    like($told, qr/^\| \Q$name\E \| .* \| (?:emitted|by hand: [^|]+) \| /m,
        "$name: README tells it");
}

# A healthy wrapper of the corpus, and one line of it changed: what is refuted then.
my $dir = tempdir();
my $corpus = root() . '/t/corpus/2.11.0/cuda';
my @changed = (
    ['nothing', 'input_mut', 'RAII', 'RAII', undef],
    ['a grid', 'nan_inside', '((xnumel + (64 - 1)) / (64))', '((xnumel - 4) / (8))',
        qr/"type":"grid".*:"the programs of the launch end before x = 32 of 36"/],
    ['a reset before its use', 'nan_inside', '    call_triton_per_fused_log_sub_sum_0(arg0_1',
        "    arg0_1.reset();\n    call_triton_per_fused_log_sub_sum_0(arg0_1",
        qr/"type":"lifetime".*"line 932 of the wrapper gives arg0_1 up, and this call is/],
    ['a store that an output lacks', 'mlp_dyn', 'tl.store(in_out_ptr0 + (r0_1 + 10*x0)',
        'pass # (', qr/"type":"effect".*"mutated_arg_names has in_out_ptr0, and the kernel never/],
    ['a store that nothing needs', 'mlp_dyn', 'tl.store(in_out_ptr0 + (r0_1 + 10*x0)', 'pass # (',
        undef, 0, [['output_handles[0] = buf5', 'output_handles[0] = buf1'],
            ["    buf1.reset();\n", '']]],
    ['a quotient by zero of what begins like a size', 'mlp_dyn', 'int64_t s77 = arg4_1_size[0];',
        'int64_t s77 = arg4_1_size[0]; int64_t s78 = (1.0/0.0)*arg4_1_size[0];', undef],
    ['a tensor that one of two branches makes smaller', 'cond_multi', 'int_array_9[] = {s4, 8L}',
        'int_array_9[] = {s4, 7L}', qr/"argument":"buf5".*:"s4 = 2: buf5\[15\] of 15, with x = 15"/,
        3],
);
my ($stored, $and) = (qr/"type":"overlap".*element \d+ of the memory of/, 'is stored by iteration');
push @changed,
    ['a load of another element', 'nan_inside', 'tl.load(in_out_ptr0 + (x0), xmask)',
        'tl.load(in_out_ptr0 + (35 - x0), xmask)',
        qr/$stored buf2 $and x = 35, and loaded by iteration x = 0"/],
    ['two arguments of one memory', 'input_mut', '(arg0_1, arg1_1, 8L', '(arg1_1, arg1_1, 8L',
        qr/$stored arg1_1 $and x = 0, and loaded by iteration x = 4 through in_ptr0"/],
    ['an element stored twice', 'input_mut', 'out_ptr0 + (4 + x0)', 'out_ptr0 + (4 + (x0 // 2))',
        qr/"type":"twice".* 4 of .* $and x = 1, and stored by iteration x = 0"/],
    ['a store that leaves elements out', 'nan_inside', '[XBLOCK, R0_BLOCK])), tmp3, r0_mask)',
        '[XBLOCK, R0_BLOCK])), tmp3, r0_mask & (r0_0 < 30))',
        qr/"type":"unwritten",.*"element 30 of the 36 of the memory of buf0 is read, and /],
    ['elements that nothing wrote, and that where() leaves out', 'circular_pad', 'RAII', 'RAII',
        undef],
    ['one of these, taken', 'circular_pad', 'tl.where(tmp27, tmp36, tmp42)',
        'tl.where(tmp27, tmp42, tmp42)',
        qr/"type":"unwritten".*element \d+ of the \d+ of the memory of buf0 is read, and nothing/],
    ['one of these, handed over before', 'circular_pad', 'output_handles[0] = buf2',
        'output_handles[0] = buf1',
        qr/"type":"unwritten".*element \d+ of the \d+ of the memory of buf0 is read, and nothing/],
    ['a view that begins before its memory', 'input_mut',
        'call_triton_poi_fused_mul_slice_0(arg0_1, arg1_1',
        "static constexpr int64_t sizes[] = {16L}, strides[] = {1L};\n"
        . '    call_triton_poi_fused_mul_slice_0(arg0_1, wrap_with_raii_handle_if_needed('
        . 'reinterpret_tensor_wrapper(arg1_1, 1, sizes, strides, -4L - 4L))',
        qr/"type":"access".*\[-4\] of \d+, with x = 0"/],
    ['a line that goes on left of its block', 'input_mut', 'tmp2 = ', "tmp2 = \\\n",
        undef],
    ['a store behind one', 'input_mut', 'tl.store(out_ptr0 + (4 + x0), tmp2, xmask)',
        "tmp3 = x0 \\\n+ 1000\n        tl.store(out_ptr0 + (tmp3), tmp2, xmask)",
        qr/"type":"access".*\[\d+\] of \d+, with x = /],
    ['a grid that does elements twice', 'nan_inside', 'grid_1 = 1;', 'grid_1 = 2;',
        qr/"type":"grid".*launch has 2 programs along y, and the kernel does not ask which/],
    ['a buffer of a smaller dtype', 'nan_inside',
        'int_array_0, int_array_1, cached_torch_dtype_float32',
        'int_array_0, int_array_1, cached_torch_dtype_float16',
        qr/"type":"access".*"line":40,.*"buf0\[35\] of 18, with r0 = 35"/, 1,
        [['CACHE_TORCH_DTYPE(float32);',
            'CACHE_TORCH_DTYPE(float32);CACHE_TORCH_DTYPE(float16);']]],
    ['two stores to one element', 'input_mut', 'tl.store(out_ptr0 + (4 + x0), tmp2, xmask)',
        "tl.store(out_ptr0 + (4 + x0), tmp2, xmask)\n"
        . '        tl.store(out_ptr0 + (11 - x0), tmp2, xmask)',
        qr/$stored arg1_1 $and x = 7, and stored by iteration x = 0"/],
    ['two stores of one iteration', 'input_mut', 'tl.store(out_ptr0 + (4 + x0), tmp2, xmask)',
        "tl.store(out_ptr0 + (4 + x0), tmp0, xmask)\n"
        . '        tl.store(out_ptr0 + (4 + x0), tmp2, xmask)', undef],
    ['outputs of another heuristic', 'nan_inside', 'triton_heuristics.persistent_reduction(',
        'triton_heuristics.cooperative_reduction(', undef],
    ['a view that is not aligned', 'input_mut', 'call_triton_poi_fused_mul_slice_0(arg0_1, arg1_1',
        "static constexpr int64_t sizes[] = {16L}, strides[] = {1L};\n"
        . '    call_triton_poi_fused_mul_slice_0(arg0_1, wrap_with_raii_handle_if_needed('
        . 'reinterpret_tensor_wrapper(arg1_1, 1, sizes, strides, 2L))',
        qr/"type":"alignment".*"out_ptr0 points to byte 8 of its memory, and the kernel takes/];

# Which scalar is wrong, and what it should be; of two that are wrong, none is named.
my @scalars = (
    ['buf1, buf2, [ps0]', 's0', 'ks0 is passed s0: with s0 + 2', 2],
    ['buf1, buf2, ps0, ps1, s53, [s0]', 'ps0', 'ks3 is passed ps0 = s0 + 2: with s0', 3],
    ['buf1, buf2, ps0, ps1, [s53]', 'ps1', 'ks2 is passed ps1 = s53 + 2: with s53', 2],
    ['buf0, buf1, ps0, [s0]', 'ps0', 'ks1 is passed ps0 = s0 + 2: with s0', 3],
    ['buf0, buf1, ps0, s0, ps1, s53, [ps2]', 'ps0',
        'ks4 is passed ps0 = s0 + 2: with s53*s0 + 2*s0 + 2*s53 + 4', 2],
    ['buf0, buf1, ps0, [s0, ps1, s53]', 'ps0, ps1, ps1', undef, 3],
);
for (@scalars) {
    my ($call, $by, $said, $count) = @$_;
    my ($before, $scalar) = $call =~ /^(.*)\[(.*)\]$/;
    my $within = qr/no access(?: that is decided)? leaves its memory/;
    my $finding = $said ? qr/"type":"access".*"scalar":"\Q$said\E, $within"/
        : qr/"type":"access".*"scalar":null/;
    push @changed, ["$scalar that is $by", 'circular_pad', "$before$scalar", "$before$by", $finding,
        $count];
}
for (@changed) {
    my ($what, $from, $old, $new, $finding, $count, $more) = @$_;
    my $text = slurp("$corpus/$from/wrapper.cpp");
    for my $change ([$old, $new], @{ $more // [] }) {
        my ($line, $by) = @$change;
        ok($text =~ s/\Q$line\E/$by/, "$what: $from has the line");
    }
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, $finding ? 1 : 0, "$what: its status") or diag($r->{err});
    my @found = grep { /"verdict":"refuted"/ } split /\n/, $r->{out};
    is(scalar @found, $count // ($finding ? 1 : 0), "$what: as many findings");
    like($found[-1], $finding, "$what: the finding") if $finding;
}

# A cast to a type that the kernel gives a name.
{
    my $text = slurp("$corpus/input_mut/wrapper.cpp");
    my $type = 'WIDE : tl.constexpr = tl.int64';
    my $load = qr/tmp0 = tl\.load\(in_ptr0 \+ \(x0/;
    ok($text =~ s/^( *)($load)\), xmask\)$/$1$type\n$1$2.to(WIDE)), xmask)/m, 'input_mut has it');
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    like($r->{out}, qr/^(\d+) accesses of \d+ kernel launches: \1 proved/m, 'a named type: proved')
        or diag($r->{out});
}

# What an iteration gives up, and the next one needs.
{
    my $text = slurp("$corpus/input_mut/wrapper.cpp");
    my $call = qr/call_triton_poi_fused_mul_slice_0\(arg0_1, .*/;
    ok($text =~ s/^ *$call$/for (int i = 0; i < 2; i++) { $& arg0_1.reset(); }/m,
        'input_mut has the call');
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    my @found = grep { /"type":"lifetime".*"site":1,/ } split /\n/, $r->{out};
    is(scalar @found, 1, 'a loop that gives up what it needs again: one finding');
    like($found[0] // '', qr/"not decided".*gives arg0_1 up in a loop, and the next/, 'and it');
}

# What is not followed: no access is refuted, and the kernel is said not to be understood.
my $load = 'tl.load(in_ptr0 + (x0), xmask)';
my $vector = 'at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), '
    . 'static_cast<int64_t>(16))';
my $cast = qr/cast to one of elements of another size/;
my @lost = (
    ['a pointer that is cast', 'cuda/input_mut/wrapper.cpp', $load,
        'tl.load((in_ptr0 + (x0)).to(tl.pointer_type(tl.float64)), xmask)', $cast],
    ['a pointer that tl.cast() casts', 'cuda/input_mut/wrapper.cpp', $load,
        'tl.load(tl.cast(in_ptr0 + (x0), tl.pointer_type(tl.float64)), xmask)', $cast],
    ['one of elements as large', 'cuda/input_mut/wrapper.cpp', $load,
        'tl.load((in_ptr0 + (x0)).to(tl.pointer_type(tl.int32)), xmask)', undef],
    ['a constant that is cut', 'cuda/input_mut/wrapper.cpp', $load,
        'tl.load(in_ptr0 + (x0 + tl.full([1], 4294967296, tl.int64).to(tl.int32)), xmask)', undef],
    ['assembly with a pointer', 'cuda/input_mut/wrapper.cpp', $load,
        'tl.inline_asm_elementwise("ld", "=r,l", [in_ptr0 + (x0)], tl.float32, True, 1)',
        qr/inline assembly/],
    ['a cast of C++', 'cpu/nan_inside/kernel.cpp', $vector,
        'at::vec::Vectorized<float>(reinterpret_cast<const double*>(in_ptr1)[x0])', $cast],
    ['a count within an index', 'cpu/nan_inside/kernel.cpp', $vector,
        'at::vec::Vectorized<float>(in_ptr1[++x0])', qr/that an expression changes/],
    ['an index before its pointer', 'cpu/nan_inside/kernel.cpp', $vector,
        'at::vec::Vectorized<float>((x0 + 1)[in_ptr1])', qr/a pointer that is used as a value/],
    ['a pointer within an object', 'cpu/nan_inside/kernel.cpp', $vector,
        'at::vec::Vectorized<float>(held({in_ptr1}))', qr/a pointer within an object/],
    ['an address', 'cpu/nan_inside/kernel.cpp', $vector,
        'at::vec::Vectorized<float>::loadu(&in_ptr1[x0], 16)', undef],
    ['what stands behind &&', 'cpu/nan_inside/kernel.cpp', $vector,
        'at::vec::Vectorized<float>(x0 < 35 && in_ptr1[x0 + 1] > 0)', undef],
    ['what stands behind ||', 'cpu/nan_inside/kernel.cpp', $vector,
        'at::vec::Vectorized<float>(x0 >= 35 || in_ptr1[x0 + 1] > 0)', undef],
);
for (@lost) {
    my ($what, $file, $old, $new, $why) = @$_;
    my ($from) = $file =~ m{^(.*)/};
    my %text = map { m{([^/]+)$} => slurp($_) } glob root() . "/t/corpus/2.11.0/$from/*.cpp";
    my ($name) = $file =~ m{([^/]+)$};
    ok($text{$name} =~ s/\Q$old\E/$new/, "$what: $file has the line");
    unlink glob "$dir/*.cpp";
    spew("$dir/$_", $text{$_}) for keys %text;
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, 0, "$what: nothing is refuted") or diag($r->{err} . $r->{out});
    my @found = grep { /^\{"type":"kernel","verdict":"not decided"/ } split /\n/, $r->{out};
    is(scalar @found, $why ? 1 : 0, "$what: whether it is understood") or diag("@found");
    like($found[0], $why, "$what: why it is not") if $why;
}
my ($pieces) = aotigen('check', "--torch=$torch->{dir}", "$dir/wrapper.cpp")->{out};
like($pieces, qr/accesses of \d+ kernel launches: \d+ proved, 0 refuted, 0 not decided/,
    'what stands behind || is proved');

# A size that a C++ kernel takes in 32 bits: the guard of the launch looks at it, and it is refuted
# where the model admits more. (The model has at most 1024 rows.)
for my $rows (1024, 5000000000) {
    my %text = map { m{([^/]+)$} => slurp($_) } glob root() . '/t/corpus/2.11.0/cpu/mlp_dyn/*.cpp';
    ok($text{'kernel.cpp'} =~ s/const int64_t ks0\)/const int32_t ks0)/, 'a kernel takes 32 bits');
    ok($text{'wrapper.cpp'} =~ s/size\[0\] > 1024\)/size[0] > $rows)/, "with $rows rows");
    spew("$dir/$_", $text{$_}) for keys %text;
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, $rows > 1024 ? 1 : 0, "with $rows rows: the status") or diag($r->{out});
    my @found = $r->{out} =~ /^(\{"type":"term","verdict":"refuted".*)$/mg;
    is(scalar @found, $rows > 1024 ? 1 : 0, "with $rows rows: as many findings");
    like($found[0], qr/"site":2,.*"s77 = 2147483648: the 32-bit scalar ks0 is 2147483648"/,
        'and it') if $rows > 1024;
    $r = aotigen('list', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    my @guarded = map { /"site":(\d+),.*"guards":\[[^]]*"int32"/ } split /\n/, $r->{out};
    is("@guarded", '2', "with $rows rows: what the guard looks at");
}

# A size that a C++ kernel converts to 32 bits is looked at by the guard alone.
{
    my %text = map { m{([^/]+)$} => slurp($_) } glob root() . '/t/corpus/2.11.0/cpu/mlp_dyn/*.cpp';
    ok($text{'kernel.cpp'} =~ s/tmp0 \* tmp5;/tmp0 * tmp5 * c10::convert<int32_t>(ks0);/,
        'a kernel converts a size');
    ok($text{'wrapper.cpp'} =~ s/size\[0\] > 1024\)/size[0] > 5000000000)/, 'which may be large');
    spew("$dir/$_", $text{$_}) for keys %text;
    my @options = ('--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is(aotigen('check', @options)->{status}, 0, 'which is no fault of the wrapper');
    my @guarded = map { /"site":(\d+),.*"guards":\[[^]]*"int32"/ }
        split /\n/, aotigen('list', @options)->{out};
    is("@guarded", '2', 'and is guarded');
}

my $kernel = 'triton_per_fused_log_sub_sum_0';
my @list = ('list', "--kernel=$kernel", "--torch=$torch->{dir}", "$corpus/nan_inside/wrapper.cpp");
my $listed = aotigen(@list)->{out};
like($listed, qr/\n   1  line 33   load in_ptr0\[r0\]\n      proved      0 to 35 of the 36 /,
    'list has the bounds of an access');
like($listed, qr/line 41 .*\n      proved      0 to 0 of the 1 elements of buf3\n/, 'another');
my @access = grep { /^\{"type":"access","verdict":"proved","site":1,/ }
    split /\n/, aotigen(@list, '--json')->{out};
is(scalar @access, 4, 'each access as JSON');
done_testing;
