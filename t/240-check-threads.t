# What `aotigen check` says of the wrappers of t/corpus/threads, made after threads of PyTorch's
# tracker: each is refuted at the line of the kernel that the thread is about, with a
# counter-example, and nothing else in it is.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^(\d+\.\d+)/;
skip_or_fail('corpus', "torch $minor does not parse the wrappers of t/corpus/threads")
    if $minor ne '2.11';
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
    like($r->{err}, qr/error: ${\scalar @$expected} findings refute it/, "$name: said so");
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
done_testing;
