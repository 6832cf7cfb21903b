# Collectives in wrappers: as shims, and as custom ops with and without a wrapper.json. Each is
# complete behind its own wait.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $corpus = root() . '/t/corpus';

sub list {
    my ($torch, $wrapper, $what) = @_;
    my $r = aotigen('list', "--torch=$torch->{dir}", $wrapper);
    is($r->{status}, 0, "$what: listed") or diag($r->{err});
    return $r->{out};
}

# Each launch that is complete behind another: its number, name and wait.
sub completions {
    my ($list) = @_;
    my ($number, $name, @found);
    for (split /\n/, $list) {
        ($number, $name) = ($1, $2) if /^ +(\d+) +\w+ +(\S+)  \w+:\d+:\d+$/;
        push @found, "$number $name $1" if /^ +complete behind wait_tensor \(launch (\d+)\)$/;
    }
    return @found;
}

sub collectives {
    my ($list) = @_;
    return join ' ', map { /c10d_functional[_:.]+(\w+?)_*(?:\.default)? / } completions($list);
}

my $three = 'all_reduce all_gather_into_tensor reduce_scatter_tensor';
for my $version ('2.11', '2.15') {
    my $torch = headers($version);
    my $wrapper = (glob "$corpus/$version.*/cpu/gathered/wrapper.cpp")[0];
    my $named = list($torch, $wrapper, "torch $version");
    is(collectives($named), $three, 'three collectives') or diag($named);
    like($named, qr/^ +nodes \[all_reduce, mul\]  aten \[_c10d_functional\.all_reduce, /m,
        'and a kernel that is named after one');

    # The comment names the collective, and a wait is passed what the call makes.
    my $text = slurp($wrapper);
    spew("$dir/wrapper.cpp", $text);
    my $unnamed = list($torch, "$dir/wrapper.cpp", 'without a wrapper.json');
    is_deeply([completions($unnamed)], [completions($named)], 'the same by their comments')
        or diag($unnamed);
    spew("$dir/wrapper.cpp", $text =~ s/, _c10d_functional\.(?:all_gather|reduce_sc)\w+\]/]/gr);
    $unnamed = list($torch, "$dir/wrapper.cpp", 'nor comments');
    is(collectives($unnamed), 'all_reduce', 'none that nothing names');
    spew("$dir/wrapper.cpp", $text =~ s/_wait_tensor\(buf[46],/_wait_tensor(arg1_1,/gr);
    $unnamed = list($torch, "$dir/wrapper.cpp", 'nor waits');
    like($unnamed, qr/^ +\d+ +proxy +proxy#0 /m, 'none whose result no wait is passed');
}

done_testing;
