# aotigen run and the debug package that it makes: one for what the package holds, kept while a run
# uses it. The packages are made up, and not run.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use Loads;
use Fcntl ':flock';
use File::Copy ();

my $loads = loads($dir) . ' load';
my $cache = "$dir/cache/aotigen";

sub run {
    my ($command, %how) = @_;
    my @options = ("--torch=$torch", '--confine=off', @{ $how{options} // [] });
    return run_cmd([build() . '/aotigen', 'run', @options, '--model=model.pt2', '--', @$command],
        cwd => $at, env => { TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache", CXX => $noting,
            %{ $how{env} // {} } });
}

zip("$at/model.pt2", package_of({}));
zip("$at/later.pt2", with_member({ name => 'model/extra/x', data => 'later' }));

# ---- a package that is replaced while its debug package is made
spew("$dir/bin/replacing", "#!/bin/sh\ncp $at/later.pt2 $at/new.pt2\n"
    . "mv $at/new.pt2 $at/model.pt2\nexec g++ \"\$@\"\n");
chmod 0755, "$dir/bin/replacing";
my $r = run(['touch', 'ran'], env => { CXX => "$dir/bin/replacing" });
is($r->{status}, 1, 'a package that is replaced meanwhile');
like($r->{err}, qr/^model\.pt2: error: changed while the debug package was made: run it again/m,
    'is an error');
ok(!-e "$at/ran", 'nothing is run');
is(join(' ', glob "$cache/*.debug.pt2"), '', 'and nothing is kept');

# ---- what is in use is not dropped
File::Path::make_path($cache);
for my $i (1 .. 10) {
    spew("$cache/$i.debug.pt2", "made before\n");
    spew("$cache/$i.debug.pt2.sum", "its sum\n");
    spew("$cache/$i.0123abcd.wrapper.cpp", "its text\n");
    utime $i, $i, "$cache/$i.debug.pt2";
}
open my $held, '<', "$cache/1.debug.pt2.sum" or die;
unlink "$cache/2.debug.pt2.sum";
symlink "$at/model.pt2", "$cache/2.debug.pt2.sum";
flock $held, LOCK_SH;
my $try = 'use Fcntl ":flock"; for my $file (@ARGV) { open my $f, "<", "$file.sum" or die $!;'
    . ' print $file, flock($f, LOCK_EX | LOCK_NB) ? " free\n" : " held\n" }';
$r = run(['sh', '-c', "exec perl -e '$try' $cache/*.debug.pt2"]);
is($r->{status}, 0, 'a package that is made and kept') or diag($r->{err});
my %now = $r->{out} =~ m{^.*/(.+)\.debug\.pt2 (\w+)$}mg;
is(delete $now{1}, 'held', 'the oldest stays where another run holds it');
ok(delete $now{2}, 'and one of which that cannot be asked');
ok(!exists $now{3}, 'the next is dropped');
ok(-e "$cache/1.0123abcd.wrapper.cpp" && !-e "$cache/3.0123abcd.wrapper.cpp",
    'with the copy of its wrapper');
is(join(' ', map { $now{$_} } grep { /^\d+$/ } sort keys %now), join(' ', ('free') x 7),
    'others stay');
is(join(' ', map { $now{$_} } grep { !/^\d+$/ } keys %now), 'held', 'the run holds its own');

my ($made) = grep { !m{/\d+\.debug} } glob "$cache/*.debug.pt2";
$r = run(['perl', '-e', $try, $made]);
like($r->{err}, qr/^aotigen: '\Q$made\E': made before, and unchanged$/m, 'the next run takes it');
is($r->{out}, "$made held\n", 'and holds it');

# What a diagnosis points into is a file, though the wrapper lies in an archive.
my $event = '{"event":"born","time":1.5,"pid":7,"source":"model.pt2/%s","run":1,"launch":1,'
    . '"line":5,"kernel":"k","arg":"buf0","check":"nan"}';
my $pointing = sub {
    my ($source) = @_;
    spew("$at/event", sprintf("$event\n", $source));
    return run(['sh', '-c', 'cat event >>"$AOTIGEN_LOG"'])->{err};
};
my ($wrapper) = $pointing->($x_wrapper) =~ /^  launched at   (\S+):5$/m;
like($wrapper, qr/^\Q@{[ $made =~ s{debug\.pt2$}{}r ]}\E[0-9a-f]{8}\.wrapper\.cpp$/,
    'the wrapper is copied beside the debug package');
is(slurp($wrapper), { map { $_->{name} => $_->{data} } @{ package_of({}) } }->{$x_wrapper},
    'as the package has it');
like($pointing->("${in}none.cpp"), qr/^  launched at   none\.cpp:5$/m, 'another is but named');
spew("$at/here.py", "1\n");
my @lines = (qq({"file":"$at/here.py","line":3}), '{"file":"/no/m.py","line":4}');
$event =~ s/"line"/"model_lines":[$lines[0],$lines[1]],"line"/;
like($pointing->($x_wrapper), qr{^  model line    candidate 1 of 2: here\.py:3\n\N+: m\.py:4$}m,
    "and so is a line of the model whose file is not there");

# Another run that made the same one at once puts its own in that place, and ends before.
my $again = "cp $made new; mv new $made; touch -d \@1 $made; cp later.pt2 other.pt2; "
    . build() . "/aotigen run --torch=$torch --confine=off --model=other.pt2 -- true; ls $made*";
$r = run(['sh', '-c', $again]);
is($r->{out}, "$made\n$made.sum\n", 'one that is replaced while it is in use is not dropped')
    or diag($r->{err});

# If the package cannot be locked, this run makes one of its own.
unlink $made, "$made.sum";
mkdir "$made.sum";
$r = run(['sh', '-c', 'echo "$AOTIGEN_OPEN"; '
        . "$loads model.pt2 >copy"]);
like($r->{err}, qr/could not be kept in the cache: Is a directory; the next run makes it again, un/,
    'a package that cannot be kept');
like($r->{err}, qr/its debug package was opened/, 'is opened');
like($r->{out}, qr{ \Q$tmp\E/\S+/0\.debug\.pt2$}m, 'from the private directory');
ok(!-e $made, 'and not left in the cache');
rmdir "$made.sum";

# ---- what the program does with the package
for my $case (["$loads model.pt2 >copy", 'its debug package was opened in its place'],
    ["$loads model.pt2 >copy; touch model.pt2; $loads model.pt2 >copy",
        'its debug package was opened in its place, but not where it had changed meanwhile'],
    ["touch model.pt2; $loads model.pt2 >copy",
        'had changed when it was opened, and was left as it was: make it before the run'],
    [': <>model.pt2', 'was opened for writing, which gets the package itself: open it for reading'],
    ['cp model.pt2 copy',
        'was read as any file is, as to copy or unpack it, and no model of it was loaded'],
    ["rm '$made'; $loads model.pt2 >copy", 'was opened, and its debug package could not be: where '
            . 'the cache or $TMPDIR was emptied meanwhile, run it again']) {
    my ($script, $said) = @$case;
    $r = run(['sh', '-c', $script]);
    like($r->{err} =~ s/\n {16}/ /gr, qr/^  package       'model\.pt2': \Q$said\E$/m, $script);
}

my $far = join '/', map { "a long folder \x{c3}\x{a4}$_" } 1 .. 12;
File::Path::make_path("$at/$far");
File::Copy::copy("$at/model.pt2", "$at/$far/it.pt2");
$r = run(['true'], options => ["--model=$far/it.pt2"]);
like($r->{err} =~ s/\n {16}/ /gr,
    qr{'\.\.\.[^\x80-\xbf]\N{15,34}/it\.pt2': was never opened: \N+ ends\?$}m,
    'a long path is cut at its begin, not what stands behind it');

# ---- what is advised is of the model that the event is of
spew("$at/lines", '{"event":"guard","source":"model.pt2/data/x.cpp","run":1,"launch":1,'
        . '"check":"storage"}' . "\n");
$r = run(['sh', '-c', 'cat lines >"$AOTIGEN_LOG"'], options => ['--model=later.pt2']);
like($r->{err}, qr/^ +aotigen check model\.pt2$/m, 'the second of two packages');
spew("$at/lines", slurp("$at/lines") =~ s/\}$/,"launch_is":"operator"}/r);
$r = run(['sh', '-c', 'cat lines >"$AOTIGEN_LOG"'], options => ['--model=later.pt2']);
unlike($r->{err}, qr/aotigen check/, 'which cannot see what an operator does');

# ---- the printer's text goes to a file, where the program's own output is not disturbed
spew("$at/lines", '{"event":"born","time":1.5,"pid":7,"source":"model.pt2/data/x.cpp","run":3,'
        . '"launch":2,"check":"nan","kernel":"cpp_fused_log_0"}' . "\n");
$r = run(['sh', '-c', 'cat lines >"$AOTIGEN_LOG"']);
my $narrowed = 'AOTIGEN_RUNS=3 AOTIGEN_LAUNCHES=2 aotigen run';
my $printing = '--printer=2 --printer-to=printed.txt -- sh -c';
like($r->{err} =~ s/ \\\n {16}/ /gr,
    qr/^  try next      print the values .*, to printed\.txt:\n +$narrowed .* \Q$printing\E /m,
    'what is advised to print: of that run and launch, to a file');
$r = run(['sh', '-c', 'cat lines >"$AOTIGEN_LOG"'], options => ['--printer-to=mine']);
like($r->{err} =~ s/ \\\n {16}/ /gr,
    qr/, to the printer's file:\n +\Q$narrowed\E .*--printer=2 -- sh -c /m,
    'a file that is given is not proposed again');
for my $case ([['--printer-to=to %p'], {}, "$at/to %p"],
    [['--printer-to=to'], { AOTIGEN_PRINTER_TO => 'other' }, "$at/to"],
    [[], { AOTIGEN_PRINTER_TO => 'other-%p' }, "$at/other-%p"],
    [['-p2'], { AOTIGEN_LOG => 'log-%p' }, "$at/log-%p.printed"],
    [['-p2'], {}, ''], [['-p0'], { AOTIGEN_LOG => 'log' }, '']) {
    my ($options, $env, $name) = @$case;
    $r = run(['sh', '-c', 'echo "$AOTIGEN_PRINTER_TO"'], options => $options, env => $env);
    is($r->{out}, "$name\n", "where it goes with @$options " . join ' ', %$env) or diag($r->{err});
}
$r = run(['sh', '-c', 'echo printed >"$AOTIGEN_PRINTER_TO"'], options => ['-p3', '--keep=kept']);
is(slurp("$at/kept/printed.txt"), "printed\n", 'with --keep it is kept beside the log');

# ---- of several packages those that were not opened each time
my $gone = q{rm "$(echo "$AOTIGEN_OPEN" | sed -n '2s/.* //p')"};
for my $case (['true', undef],
    ['touch later.pt2', ', but not where it had changed meanwhile'],
    [': <>later.pt2', ', but not where it was opened for writing'],
    [$gone, ', and later could not be: where the cache or $TMPDIR was emptied meanwhile, '
            . 'run it again']) {
    my ($script, $said) = @$case;
    $r = run(['sh', '-c', "$loads model.pt2 later.pt2 >copy; $script; $loads later.pt2 >copy"],
        options => ['--model=later.pt2']);
    my ($package) = $r->{err} =~ s/\n {16}/ /gr =~ /^  package       (.*)$/m;
    is($package, $said && "'later.pt2': its debug package was opened in its place$said",
        "the second of two: $script");
}

# ---- an unpacked package, by its directory, a model's, and its '.so'
is(run_cmd(['unzip', '-q', 'model.pt2', '-d', 'up'], cwd => $at)->{status}, 0, 'it is unpacked');
my $model_dir = 'up/model/data/aotinductor/model';
spew("$at/$model_dir/other.so", 'no library');
spew("$at/$model_dir/other.cpp", 'no wrapper');
symlink "$model_dir/x.wrapper.so", "$at/link.so";

sub unpacked {
    my ($model) = @_;
    return run_cmd([build() . '/aotigen', 'run', "--torch=$torch", '--confine=off',
            "--model=$model", '--', "$dir/loads", 'dlopen', './link.so'], cwd => $at,
        env => { TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache", CXX => $noting });
}
$r = run(['true'], options => ['--model=none.so']);
my $gone_file = qr/error: cannot be read: No such file or directory$/m;
like($r->{err}, qr/^none\.so: $gone_file/m, 'one that is gone');
mkdir "$at/empty";
like(run(['true'], options => ['--model=empty'])->{err}, qr/^empty: error: holds no model: /m,
    'a directory without a model');
symlink 'nowhere', "$at/empty/x.wrapper.cpp";
like(run(['true'], options => ['--model=empty'])->{err},
    qr{^empty/x\.wrapper\.cpp: $gone_file}m, 'or a broken link');
for my $model ("$model_dir/x.wrapper.so", 'link.so', './up', 'up/', "$model_dir/", $model_dir) {
    if ($model eq './up') { unlink map { "$at/$model_dir/other.$_" } qw(so cpp) }
    $r = unpacked($model);
    like($r->{err}, qr/^  package       '\N+': dlopen loaded its debug '\.so' in its place$/m,
        "--model=$model") or diag($r->{err});
    like($r->{out}, qr{^\Q$tmp\E/\S+/link\.so: undefined symbol: }, 'which stands elsewhere');
}
like($r->{err}, qr/^aotigen: '\N+': made before, and unchanged$/m, 'and is made once');
$r = aotigen('build', "--torch=$torch", '--exported=none.json', "$at/$model_dir", '-o',
    "$dir/built.so");
like($r->{err}, qr/^none\.json: $gone_file/m, 'build rewrites it with the exported program');
unlink "$at/$model_dir/x.wrapper.cpp";
like(unpacked("$model_dir/x.wrapper.so")->{err},
    qr/x\.wrapper\.so: error: has no wrapper beside it, /, 'without its sources it is refused');
like(unpacked($model_dir)->{err}, qr/error: holds no model: neither a /, 'and so');

# ---- a package with the names and the commands that torch writes on Windows. It is the sound one,
# renamed: no such machine made it.
my $cl = '// cl /I "C:/Program Files (x86)/T" ';
my %on_windows = map { $_->[0] => $_->[1] =~ s{^// g\+\+ }{$cl}mgr }
    [$x_wrapper, $launching =~ s/(extern "C") (void cpp)/$1 __declspec(dllexport) $2/r],
    [$x_kernel, $kernel], [$x_so, "MZ\0\0"];
my $members = package_of(\%on_windows);
$_->{name} = $_->{name} =~ s{/(?=.)}{\\}gr =~ s/\.so$/.pyd/r for @$members;
zip("$at/windows.pt2", $members);
for my $case (['list', qr/^ +1  cpu +cpp_fused_0 /m], ['check', qr/1 kernel launch/],
    ['list --here', qr/its library is a DLL/]) {
    my ($words, $said) = @$case;
    $r = run_cmd([build() . '/aotigen', split(' ', $words), "--torch=$torch", '--confine=off',
        'windows.pt2'], cwd => $at);
    like("$r->{out}$r->{err}", $said, "$words of a package for Windows");
}
$r = run(['true'], options => ['--model=windows.pt2']);
like($r->{err}, qr/: error: was compiled for Windows: 'list' and /, 'it is not built here');

# ---- a directory that the library's table has no room for
mkdir "$dir/two\nlines";
$r = run(['sh', '-c', 'echo "$AOTIGEN_OPEN"'], env => { TMPDIR => "$dir/two\nlines" });
like($r->{out}, qr{\A/tmp/\S+\n[\d ]+ \Q$made\E\n\z}, 'TMPDIR with a line break is not used');
done_testing;
