# Launches that no line can stand around are named with the reason, and none is passed over; what a
# compiler says of the others it says of the lines that #line made theirs.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E 'compiles';

my $torch = need_torch();
my $wrapper = corpus_of($torch) . '/cpu/nan_inside/wrapper.cpp';
my $text = slurp($wrapper);
my $dir = tempdir();
my ($launch) = $text =~ /^ +(cpp_fused_log_sub_sum_0\(.*\));$/m or die;
my ($extern) = $text =~ /^ +AOTI_TORCH_ERROR_CODE_CHECK\((aoti_torch_cpu_mm_out\(.*\))\);$/m or die;
my $conditional = 'stands in a conditional expression';
my $comma = 'stands beside a comma operator';
my $lambda = 'stands in a lambda that does not capture all by [&]';
my $shared = 'shares its statement with another launch';

# [a statement, or what stands before it too, and why each of its launches is left alone, if it is]
my @forms = (
    ["$launch;"],
    ["true ? $launch : (void)0;", $conditional],
    ["true && ($launch, true);", $comma],
    ["true && aoti_torch_get_dtype(buf0, nullptr) && !$extern;", $conditional],
    ["false || !$extern;", $conditional],
    ["$launch, $launch;", $comma, $comma],
    ["int two = $extern + $extern;", $shared, $shared],
    ["int one = true ? $extern : 0;", $conditional],
    ["int some = true ? aoti_torch_get_dtype(buf0, nullptr) : 0;\n    $launch;"],
    ["[&] { $launch; }();"],
    ["auto later = [&](int) -> void { $launch; };\n    later(true ? 1 : 2);"],
    ["auto there = true ? [&] { $launch; return 1; }() : 0;"],
    ["[&arg0_1, &arg1_1, &buf0, &buf3] { $launch; }();", $lambda],
    ["auto held = [&buf0] { return buf0.get(); };\n    $launch;"],
    ["#define CALL $launch;\n    CALL", q(is called by the macro 'CALL')],
    ["#define CALL_OF(x) $launch;\n    CALL_OF(1);", q(is called by the macro 'CALL_OF')],
    ["#define ALL(...) __VA_ARGS__\n    ALL($launch);"],
    ["#define ON(x) if (x) $launch\n    ON(true);", q(is called by the macro 'ON')],
    ["if (false) goto there;\n    there: $launch;", 'stands behind a label'],
    ["switch (1) { case 1: $launch; default: break; }",
        'stands in a statement that takes no line after it'],
);
my $n = 0;
my $body = join '', map { "    {\n    (void)" . ++$n . ";\n    $_->[0]\n    }\n" } @forms;
my $odd = $text;
$odd =~ s/^( +\w+\(\Q$extern\E\);\n)/$1$body/m or die;
spew("$dir/odd.cpp", $odd);
my $r = aotigen("--torch=$torch->{dir}", "$dir/odd.cpp", '-o', "$dir/odd_dbg.cpp");
is($r->{status}, 0, 'rewritten') or diag($r->{err});

# The reasons, by the number of the form: the last before the line that is named.
my %said;
my @lines = split /\n/, $odd;
for my $warning ($r->{err} =~ /^\S+odd\.cpp:(\d+:\d+: warning: left alone: .*)$/mg) {
    my ($line, $reason) = $warning =~ /^(\d+):\d+: warning: left alone: '\w+' (.*)$/;
    my ($form) = map { /^    \(void\)(\d+);$/ } reverse @lines[0 .. $line - 1];
    push @{ $said{$form} }, $reason;
}
for my $i (0 .. $#forms) {
    my ($form, @why) = @{ $forms[$i] };
    my $name = $form =~ s/\Q$launch\E/K/gr =~ s/\Q$extern\E/E/gr =~ s/\n */ /gr;
    is(join('; ', @{ $said{ $i + 1 } // [] }), join('; ', @why), $name);
}
my $left = grep { defined } map { @{ $_ }[1 .. $#$_] } @forms;
like($r->{err}, qr/, $left left alone$/m, 'all of them are counted');
my $all = () = $body =~ /\Q$launch\E|\Q$extern\E/g;
my $marked = () = slurp("$dir/odd_dbg.cpp") =~ /\bAOTIGEN_BEFORE\(/g;
is($marked, $all + 3 - $left, 'and every other launch has its lines');
compiles("$dir/odd_dbg.cpp", $wrapper);

# ---- #line

# For each line with a mark: the file and the number that a compiler takes it for.
sub taken_for {
    my ($source, $file) = @_;
    my ($line, $off, %taken) = (0, 0);
    for (split /\n/, $source) {
        $line++;
        $taken{$1} = "$file:$line" if m{/\* (mark \d+) \*/};
        $off = /^#if 0/ if /^#(?:if 0|endif)/;
        ($line, $file) = ($1 - 1, $2 // $file)
            if /^\s*#\s*(?:line )?\s*(\d+)(?: "(.*?)")?/ && !$off;
    }
    return \%taken;
}

my $marks = 0;
my $numbered = $text;
$numbered =~ s{^(    \Q$launch\E;)$}{#line 7 "/etc/x.cpp"\n$1\n/* mark 0 */\n# 300 "y.cpp"\n$1}m
    or die;
$numbered =~ s{^(void AOTInductorModel::run_impl)}{\n#if 0\n#line 9\n#endif\n$1}m or die;
$numbered =~ s{^(    auto buf\d+ = .*;.*)$}{  #  line  77\n$1}m or die;
$numbered =~ s{;$}{'; /* mark ' . ++$marks . ' */'}gme;
spew("$dir/numbered.cpp", $numbered);
$r = aotigen("--torch=$torch->{dir}", "$dir/numbered.cpp", '-o', "$dir/numbered_dbg.cpp");
is($r->{status}, 0, 'a text with #line is rewritten') or diag($r->{err});
my $was = taken_for($numbered, "$dir/numbered.cpp");
my $is = taken_for(slurp("$dir/numbered_dbg.cpp"), '');
cmp_ok(scalar keys %$was, '>', 50, 'lines are marked');
my @moved = map { "$_: $was->{$_} became " . ($is->{$_} // 'nothing') }
    grep { ($is->{$_} // '') ne $was->{$_} } sort keys %$was;
is(join("\n", @moved), '', 'and each is taken for the line that it was');
done_testing;
