# What `aotigen check` concludes where the wrapper branches: a launch in a branch counts there, and
# behind it where each branch has one; an example stands only at sizes at which the branch is taken.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $corpus = root() . '/t/corpus/2.11.0/cuda';
my $dir = tempdir();

# A wrapper of the corpus with lines changed: how many findings of the type are proved, refuted and
# not decided. The last one has the pattern's text.
sub judged {
    my ($what, $from, $type, $changes, $counts, $like) = @_;
    my $text = slurp("$corpus/$from/wrapper.cpp");
    my %by = map { $_ => [] } ('proved', 'refuted', 'not decided');
    for (@$changes) {
        my ($old, $new) = @$_;
        ok($text =~ s/\Q$old\E/$new/, "$what: $from has the line");
    }
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    my $any = () = $r->{out} =~ /"verdict":"refuted"/g;
    is($r->{status}, $any ? 1 : 0, "$what: its status") or diag($r->{err});
    is($any, $counts->[1], "$what: nothing else is refuted") or diag($r->{out});
    push @{ $by{$2} }, $1 while $r->{out} =~ /^(\{"type":"$type","verdict":"([a-z ]+)".*)$/mg;
    my @n = map { scalar @{ $by{$_} } } ('proved', 'refuted', 'not decided');
    is("@n", "@$counts", "$what: proved, refuted, not decided") or diag($r->{out});
    my $last = $by{refuted}[-1] // $by{'not decided'}[-1] // '';
    like($last, $like, "$what: why") if $like;
}

my $nan_inside = slurp("$corpus/nan_inside/wrapper.cpp");
my ($log) = $nan_inside =~ /^    (call_triton_per_fused_log\w+\(arg.*)$/m;
my ($mm) = $nan_inside =~ /^    (AOTI_TORCH_ERR.*cuda_mm_out.*)$/m;
my $c = 'bool c; bool d;';

# buf0 is written by the first launch, and read twice by mm_out; buf2 is read by the last launch.
my $perhaps = qr/"argument":"buf0",.*it is not shown that each element that is read was written/;
my @written = (
    ['no branch', $log, [3, 0, 0]],
    ['a plain block', "{ $log }", [3, 0, 0]],
    ['one branch', "$c if (c) { $log }", [1, 0, 2], $perhaps],
    ['one branch without braces', "$c if (c) $log", [1, 0, 2], $perhaps],
    ['both branches', "$c if (c) { $log } else { $log }", [3, 0, 0]],
    ['both without braces', "$c if (c) $log else $log", [3, 0, 0]],
    ['two of three', "$c if (c) { $log } else if (d) { $log }", [1, 0, 2], $perhaps],
    ['the first of two', "$c if (c) { $log } else { }", [1, 0, 2], $perhaps],
    ['the second of two', "$c if (c) { } else { $log }", [1, 0, 2], $perhaps],
    ['all of three', "$c if (c) { $log } else if (d) { $log } else { $log }", [3, 0, 0]],
    ['branches in branches', "$c if (c) { if (d) { $log } else $log } else { $log }", [3, 0, 0]],
    ['one of four', "$c if (c) { if (d) { $log } } else { $log }", [1, 0, 2], $perhaps],
    ['an else of the inner if', "$c if (c) if (d) $log else $log", [1, 0, 2], $perhaps],
    ['a loop', "for (int i = 0; i < 1; i++) { $log }", [1, 0, 2], $perhaps],
    ['a case', "$c switch (c) { case 1: $log }", [1, 0, 2], $perhaps],
    ['a lambda', "auto later = [&]() { $log };", [1, 0, 2], $perhaps],
    ['two ifs', "$c if (c) { $log } if (!c) { $log }", [1, 0, 2], $perhaps],
);
for (@written) {
    my ($what, $lines, $counts, $like) = @$_;
    judged("written: $what", 'nan_inside', 'unwritten', [[$log, $lines]], $counts, $like);
}
my $resets = "    arg0_1.reset();\n    arg1_1.reset();\n";
my $outputs = 'output_handles[1] = buf3.release();';
for (['the same branch', [[$log, "$c if (c) { $log"], [$outputs, "$outputs }"]], [3, 0, 0]],
    ['the other branch', [[$log, ''], [$resets, ''], [$mm, "$c if (c) { $log } else { $mm }"]],
        [0, 1, 1], qr/"element 0 of the 36 of the memory of buf0 is read, and nothing has/],
    ['a branch that writes it', [[$log, ''], [$resets, ''], [$mm, "$c if (c) { $log $mm }"]],
        [2, 0, 1], qr/"argument":"buf2".*it is not shown that each element that is read/]) {
    my ($what, $changes, $counts, $like) = @$_;
    judged("read in $what", 'nan_inside', 'unwritten', $changes, $counts, $like);
}

# What gives buf0 up before mm_out is passed it.
my $up = 'buf0.reset();';
my $early = qr/line \d+ of the wrapper gives buf0 up, and this call is passed it/;
my $branch = qr/gives buf0 up in a branch or a loop, and .*"whether line \d+ is executed before"/;
my @lifetimes = (
    ['at once', $up, [0, 2, 0], $early],
    ['in a plain block', "{ $up }", [0, 2, 0], $early],
    ['with release()', 'AtenTensorHandle h = buf0.release();', [0, 2, 0], $early],
    ['in a branch', "$c if (c) { $up }", [0, 0, 2], $branch],
    ['in a branch without braces', "$c if (c) $up", [0, 0, 2], $branch],
    ['in a branch, with std::move', "$c if (c) { auto other = std::move(buf0); }", [0, 0, 2],
        $branch],
    ['in a loop', "for (int i = 0; i < 1; i++) $up", [0, 0, 2], $branch],
    ['of another variable of that name', '{ RAIIAtenTensorHandle buf0; buf0.reset(); }', [0, 0, 0]],
    ['in a branch that fills it again', "$c if (c) { $up buf0 = std::move(buf3); }", [0, 0, 0]],
);
for (@lifetimes) {
    my ($what, $lines, $counts, $like) = @$_;
    judged("given up $what", 'nan_inside', 'lifetime', [[$mm, "$lines $mm"]], $counts, $like);
}
judged('given up in the other branch', 'nan_inside', 'lifetime',
    [[$mm, "$c if (c) { $up } else { $mm }"]], [0, 0, 0]);

# A scalar that is assigned after its declaration, and what a wrapper promises of it.
my ($mlp) = slurp("$corpus/mlp_dyn/wrapper.cpp") =~ /^    (int64_t triton_poi\w+_xnumel = .*)$/m;
my $n = 'triton_poi_fused_addmm_gelu_0_xnumel';
my $longer = qr/"verdict":"refuted".*"s77 = \d+: buf1\[\d+\] of \d+, with x = \d+"/;
my @scalars = (
    ['as it is', $mlp, 0, 1],
    ['more', "$mlp $n = 256L*s77 + 1L;", 1, 1],
    ['more in a block', "$mlp { $n = 256L*s77 + 1L; }", 1, 1],
    ['no more', "int64_t $n = 256L*s77 + 1L; $n = 256L*s77;", 0, 1],
    ['more in a branch', "$c $mlp if (c) $n = 256L*s77 + 1L;", 0, 0],
    ['counted', "$mlp $n += 1L;", 0, 0],
    ['counted by one', "$mlp ++$n;", 0, 0],
    ['of another one', "$mlp { int64_t $n = 256L*s77 + 1L; }", 0, 1],
);
for (@scalars) {
    my ($what, $lines, $refuted, $decided) = @$_;
    my $text = slurp("$corpus/mlp_dyn/wrapper.cpp");
    ok($text =~ s/\Q$mlp\E/$lines/, "a scalar, $what: the line is there");
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, $refuted, "a scalar, $what: its status") or diag($r->{err});
    my @open = $r->{out} =~ /^(\{"type":"access","verdict":"not decided".*)$/mg;
    is(@open ? 0 : 1, $decided, "a scalar, $what: whether all is decided") or diag("@open");
    like($r->{out}, $longer, "a scalar, $what: the example") if $refuted;
}
# A term of its kernel leaves 32 bits where u0 is more.
my $u = 'auto u0 = u0_raw;';
my $bound = 'if (!(u0 <= 33554432L)) { throw std::runtime_error("more"); }';
for (['nowhere', $u, 1], ['at once', "$u $bound", 0], ['in a branch', "$u $c if (c) { $bound }", 1],
    ['of another one', "$u { int64_t u0 = 1L; $bound }", 1],
    ['of what it was', "$u $bound u0 = u0_raw;", 1]) {
    my ($what, $lines, $refuted) = @$_;
    my $text = slurp(root() . '/t/corpus/threads/unbacked-197615/wrapper.cpp');
    ok($text =~ s/\Q$u\E/$lines/, "promised $what: the line is there");
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, $refuted, "promised $what: its status") or diag($r->{err} . $r->{out});
}

# An example of a launch that sizes decide about.
my ($gelu) = slurp("$corpus/mlp_dyn/wrapper.cpp") =~ /^    (call_triton_poi_fused_addmm\w+\(.*)$/m;
my $fixed = $gelu =~ s/\Q$n\E/1024L/r;
my $two = qr/"s77 = 2: buf1\[1023\] of 512, with x = 1023"/;
my $open = qr/, with x = 1023, if the branch of line \d+ of the wrapper is taken then","would/;
my @sizes = (
    ['no branch', $fixed, $two],
    ['a branch of a tensor', "$c if (c) { $fixed }", $two],
    ['few', "if (s77 < 4L) { $fixed }", $two],
    ['few, the other way', "if (4L > s77) { $fixed }", $two],
    ['four or more', "if (s77 >= 4L) { $fixed }", undef],
    ['not few', "if (s77 < 4L) { } else { $fixed }", undef],
    ['not few, in three branches', "$c if (s77 < 4L) { } else if (c) { $fixed }", undef],
    ['few and a tensor', "$c if (s77 < 4L && c) { $fixed }", $two],
    ['not both', "if (!(s77 < 4L || s77 > 9L)) { $fixed }", undef],
    ['a bool of a size', "bool few = s77 < 4L; if (!few) { $fixed }", undef],
    ['what is not followed', "if (this->device_idx_ == 0) { $fixed }", $open],
    ['one of two that are not followed', "if (s77 < 4L || this->device_idx_) { $fixed }", $open],
);
for (@sizes) {
    my ($what, $lines, $like) = @$_;
    my $text = slurp("$corpus/mlp_dyn/wrapper.cpp");
    ok($text =~ s/\Q$gelu\E/$lines/, "$what: the line is there");
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    my $refuted = $like && $like == $two ? 1 : 0;
    is($r->{status}, $refuted, "$what: its status") or diag($r->{err} . $r->{out});
    like($r->{out}, $like, "$what: the example") if $like;
    like($r->{out}, qr/"type":"access","verdict":"not decided"/, "$what: it is not proved")
        if !$like;
}
done_testing;
