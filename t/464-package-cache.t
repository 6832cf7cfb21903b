# The precompiled headers for packages: made by two processes at once, used, found broken or
# outdated, switched off, and without a place to be written to.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('mlp_dyn');
my $dir = tempdir();
my $cache = "$dir/cache/aotigen";

sub make {
    my ($to, %how) = @_;
    return run_cmd([build() . '/aotigen', "--torch=$s->{torch}{dir}", @{ $how{options} // [] },
        "$s->{dir}/model.pt2", '-o', "$dir/$to"],
        timeout => 300, env => { XDG_CACHE_HOME => $how{cache} // "$dir/cache" });
}

sub kept { return sort map { s{.*\.}{}r } glob "$cache/*" }

my $r = make('none.pt2', options => ['--no-cache']);
is($r->{status}, 0, '--no-cache: made') or diag($r->{err});
ok(!-e $cache, 'and nothing is kept');

my @children;
for my $n (1, 2) {
    my $child = fork // die "cannot fork: $!\n";
    if (!$child) { POSIX::_exit(make("both$n.pt2")->{status}) }
    push @children, $child;
}
for my $child (@children) {
    waitpid $child, 0;
    is($?, 0, 'two at once: made');
}
is(join(' ', kept()), 'gch h pch stamps', 'one set of headers is kept, and nothing half done');
ok(slurp("$dir/both1.pt2") eq slurp("$dir/both2.pt2"), 'both gave the same');
my %before = map { $_ => (stat)[9] . ' ' . (stat)[1] } glob "$cache/*";
$r = make('again.pt2');
ok(slurp("$dir/again.pt2") eq slurp("$dir/both1.pt2"), 'again, with what is kept: the same');
is(join(' ', map { "$_ " . (stat)[9] . ' ' . (stat)[1] } sort keys %before),
    join(' ', map { "$_ $before{$_}" } sort keys %before), 'which is used, not made again');

for my $end (qw(gch pch stamps)) {
    my ($file) = glob "$cache/*.$end";
    spew($file, substr(slurp($file), 0, 1000) . 'x');
    $r = make("broken-$end.pt2");
    is($r->{status}, 0, "a broken .$end: made all the same") or diag($r->{err});
    unlike($r->{err}, qr/error/, 'in silence');
}
# Headers that changed: the stamps say so.
my ($stamps) = glob "$cache/*.stamps";
if (!$stamps) { make('anew.pt2'); ($stamps) = glob "$cache/*.stamps" }
my $text = slurp($stamps);
spew($stamps, $text =~ s/^(\d+)/$1 + 1/er);
$r = make('stale.pt2');
is($r->{status}, 0, 'headers that changed since: made') or diag($r->{err});
ok(slurp($stamps) eq $text, 'with new ones, which are kept');

spew("$dir/file", '');
$r = make('nowhere.pt2', cache => "$dir/file");
is($r->{status}, 0, 'no place for a cache: made') or diag($r->{err});
my $run =
    run_model($s, "$dir/broken-gch.pt2", args => ["--and=$dir/stale.pt2", "--and=$dir/none.pt2"]);
is($run->{status}, 0, 'and what was made of it gives the plain outputs') or diag($run->{err});
done_testing;
