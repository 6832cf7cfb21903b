# samples/share.pl, which counts what a check decides: its row, and what it says of a wrapper that
# is refuted, of one that cannot be read, and of a folder without any.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

plan(skip_all => 'share.pl runs the program of build/') if build() ne root() . '/build';
my $torch = need_torch_of('2.11.0');
my $corpus = root() . '/t/corpus/2.11.0/cuda';
my $dir = tempdir();

sub put {
    my ($name, $text) = @_;
    mkdir "$dir/$_" for $name =~ m{^([^/]+)/}, $name;
    spew("$dir/$name/wrapper.cpp", $text);
    return;
}

sub share {
    return run_cmd(['perl', root() . '/samples/share.pl', "--torch=$torch->{dir}", @_]);
}

# What the table is to hold, from the findings of the check itself.
sub counted {
    my ($verdict, @names) = @_;
    my $n = 0;
    for my $name (@names) {
        my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/$name/wrapper.cpp");
        $n += () = $r->{out} =~ /^\{"type":"access","verdict":"$verdict"/mg;
    }
    return $n;
}

put("healthy/$_", slurp("$corpus/$_/wrapper.cpp")) for qw(nan_inside user_triton);
my $proved = counted('proved', 'healthy/nan_inside', 'healthy/user_triton');
cmp_ok($proved, '>', 3, 'there are accesses that are proved');
my $r = share('--row=two of torch 2.11', "$dir/healthy");
is($r->{status}, 0, 'healthy wrappers') or diag($r->{err});
my $left = counted('not decided', 'healthy/nan_inside', 'healthy/user_triton');
my $percent = sprintf '%.1f', 100 * $proved / ($proved + $left);
is($r->{out}, '| two of torch 2.11 | 2 | ' . ($proved + $left) .
    " | $proved | 0 | $left | $percent % |\n", 'make one row');

put('other/overrun', slurp("$corpus/overrun_small/wrapper.cpp"));
put('other/damaged', "int main() {\n");
$r = share("$dir/other");
is($r->{status}, 1, 'others end with 1');
like($r->{out}, qr{^\|\ \Q$dir\E/other\ \|\ 1\ \|\ \d+\ \|\ \d+\ \|\ 1\ \|}x, 'the row');
like($r->{out}, qr{^refuted: \Q$dir\E/other/overrun/wrapper\.cpp: access of launch 2, .*line 20: }m,
    'what is refuted is named');
like($r->{out}, qr{^not counted: \Q$dir\E/other/damaged/wrapper\.cpp$}m, 'what is not counted too');
is(scalar(() = $r->{out} =~ /^not counted/mg), 1, 'and nothing else');

isnt(share("$dir/none")->{status}, 0, 'a folder without wrappers is no row');
like(share()->{err}, qr/^usage: share\.pl/, 'nor is no folder');
done_testing;
