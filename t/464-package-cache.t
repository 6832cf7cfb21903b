# What is kept of a package's compilation, precompiled headers and the objects of the container and
# the kernels: made by two processes at once, used, found broken or outdated, switched off, and
# without a place to be written to.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use AotigenZip;
use IO::Uncompress::Unzip;

my $s = sample('nan_inside');
my $dir = tempdir();
my $cache = "$dir/cache/aotigen";

sub make {
    my ($to, %how) = @_;
    return run_cmd([build() . '/aotigen', "--torch=$s->{torch}{dir}", @{ $how{options} // [] },
        $how{package} // "$s->{dir}/model.pt2", '-o', "$dir/$to"],
        timeout => 900, env => { XDG_CACHE_HOME => $how{cache} // "$dir/cache" });
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
is(join(' ', kept()), 'gch h o o pch stamps stamps stamps sum',
    'one set of headers, one container and the kernels are kept, and nothing half done');
ok(slurp("$dir/both1.pt2") eq slurp("$dir/both2.pt2"), 'both gave the same');
my %before = map { $_ => (stat)[9] . ' ' . (stat)[1] } glob "$cache/*";
$r = make('again.pt2');
ok(slurp("$dir/again.pt2") eq slurp("$dir/both1.pt2"), 'again, with what is kept: the same');
is(join(' ', map { "$_ " . (stat)[9] . ' ' . (stat)[1] } sort keys %before),
    join(' ', map { "$_ $before{$_}" } sort keys %before), 'which is used, not made again');

# The compiler is not run on what is kept: it compiles the wrapper (unit0), without the container
# and the kernels (unit1).
sub compiled {
    my ($r) = @_;
    return map { m{/([^/\s]+)\.o\.cpp\b} ? $1 : () } grep { /^\S+ .* -c / } split /\n/, $r->{err};
}

$r = make('verbose.pt2', options => ['-v']);
is(join(' ', sort(compiled($r))), 'unit0', 'the container and the kernels are not compiled again');
$r = make('off.pt2', options => ['-v', '--check-inputs=off', '--nan-asserts=off']);
is(join(' ', sort(compiled($r))), 'container unit0',
    'without checks it is another container');
is(join(' ', kept()), 'gch h o o o pch stamps stamps stamps stamps sum',
    'which is kept beside the first');
$r = make('printing.pt2', options => ['-v', '--printer=2']);
is(join(' ', sort(compiled($r))), 'unit0', 'at every other level it is the same one');

# The last is noticed by the compiler alone: what it was to be used with is forgotten, too.
for my $ends ([qw(o pch)], ['gch']) {
    for my $file (map { glob "$cache/*.$_" } @$ends) {
        spew($file, substr(slurp($file), 0, 1000) . 'x');
    }
    $r = make("broken-$ends->[0].pt2", options => ['-v']);
    is($r->{status}, 0, "a broken @$ends: made all the same") or diag($r->{err});
    unlike($r->{err}, qr/error/, 'in silence');
    is(join(' ', sort(compiled($r))), 'container unit0 unit1', 'and compiled anew')
        if $ends->[0] eq 'o';
}
# Stamps: of the container, of headers that changed; of the precompiled ones, broken.
make('anew.pt2');
my ($stamps) = grep { slurp($_) =~ /^recipe \d+\ncontainer\n/ && slurp($_) =~ /AOTIGEN_ON/ }
    glob "$cache/*.stamps";
ok($stamps, 'a container is kept again') or BAIL_OUT('nothing to go on from');
my $text = slurp($stamps);
spew($stamps, $text =~ s{^(\d+)(?= \d+ \d+ /)}{$1 + 1}emr);
my @headers = grep { slurp($_) =~ /^recipe \d+\nheaders\n/ } glob "$cache/*.stamps";
is(scalar @headers, 1, 'and headers');
my $whole = slurp($headers[0]);
spew($headers[0], substr($whole, 0, -10));
$r = make('stale.pt2', options => ['-v']);
is($r->{status}, 0, 'headers that changed since: made') or diag($r->{err});
is(join(' ', sort(compiled($r))), 'container unit0', 'with a new container');
ok(slurp($stamps) eq $text, 'which is kept');
# The compiler does not precompile to the same bytes twice.
my ($again, $first) = map { s/^sum \w+ \.h\.gch\n//mr } slurp($headers[0]), $whole;
ok($again eq $first, 'as new precompiled headers are');

# The headers are those of a wrapper that leaves std::regex to the container.
sub with_regex {
    my ($to) = @_;
    my $zip = IO::Uncompress::Unzip->new("$s->{dir}/model.pt2") or die "no package\n";
    my @members;
    do {
        local $/;
        my $name = $zip->getHeaderInfo->{Name};
        my $data = $zip->getline // '';
        $data .= qq{\nextern const bool matches_;\n}
            . qq{const bool matches_ = std::regex_match("aa", std::regex("a+"));\n}
            if $name =~ /\.wrapper\.cpp$/;
        push @members, { name => $name, data => $data };
    } while $zip->nextStream > 0;
    return zip($to, \@members);
}
$r = make('regex.pt2', options => ['-v'], package => with_regex("$dir/with_regex.pt2"));
is($r->{status}, 0, 'a wrapper that uses std::regex: made') or diag($r->{err});
is(join(' ', grep { /0/ } compiled($r)), 'unit0 unit0',
    'of the whole wrapper, without precompiled headers');

# A cache may be used by machines that mean different instruction sets by -march=native.
my ($kernel) = grep { /^recipe \d+\nkernel\n/ } map { slurp($_) } glob "$cache/*.stamps";
like($kernel, qr/^\S+=native$/m, "the kernels' recipe has -march=native");
my ($flags) = slurp('/proc/cpuinfo') =~ /^flags\s*: (.*)$/m;
ok($flags && $kernel =~ /^ *\Q$flags\E *$/m, 'and what that stands for here');

# The container serves all levels: what aotigen.h gives it depends on whether one is on, and on
# nothing else.
my $macros = join '', map { slurp(root() . "/shared/wrapper/aotigen$_.h") } '',
    qw(_macros _tables _torch);
my @single = grep { /\bAOTIGEN_(?:PRINTER|CHECK_INPUTS|NAN_ASSERTS|SYNC|KERNELS|GUARD)\b/ }
    $macros =~ /^\s*#\s*(?:if|ifdef|ifndef|elif|define)\b.*$/mg;
is("@single", '', 'no macro asks for a single level');

spew("$dir/file", '');
$r = make('nowhere.pt2', cache => "$dir/file");
is($r->{status}, 0, 'no place for a cache: made') or diag($r->{err});
my @others = map { "--and=$dir/$_.pt2" } qw(stale none both1 off printing broken-o regex);
my $run = run_model($s, "$dir/broken-gch.pt2", args => \@others);
is($run->{status}, 0, 'and what was made of it gives the plain outputs') or diag($run->{err});
done_testing;
