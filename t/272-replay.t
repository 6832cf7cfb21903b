# aotigen replay: what it refuses, and what it says of a replay. The packages are made up, and so is
# the Python that runs them: t/484-replay.t has torch.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use JSON::PP;
use Loads;

my $loads = loads($dir) . ' load';
my $json = JSON::PP->new->canonical;

# A Python: with torch, unless LACKS is set. It opens the package, and tells what FOUND says.
spew("$dir/bin/fake-python", <<"END");
#!$^X
use JSON::PP;
exit(\$ENV{LACKS} ? 3 : 0) if \$ARGV[0] eq '-c';
my \$read = sub { open my \$f, '<', shift or die; local \$/; decode_json(<\$f>) };
my \$asked = \$read->(\$ARGV[3]);
system("$loads '\$asked->{package}' >/dev/null");
sub put { open my \$f, shift, shift or die; print \$f shift; close \$f or die }
put('>', '$at/asked', encode_json({ %\$asked, threads => \$ENV{OMP_NUM_THREADS},
            every => \$ENV{AOTIGEN_EVERY} }));
put('>>', \$ENV{AOTIGEN_LOG}, \$ENV{EVENTS}) if \$ENV{EVENTS};
put('>', \$asked->{result}, \$ENV{FOUND}) if \$ENV{FOUND};
exit(\$ENV{ENDS} // 0);
END
chmod 0755, "$dir/bin/fake-python";

my $tensor = { dtype => 'float32', sizes => [2, 3], strides => [3, 1], device => 'cpu',
    kept => 'copied', why => undef };
my $said = { aotigen_capsule => 1, aotigen => '0.9', time => 1764453000.5, host => 'node7',
    pid => 4711, rank => undef, run => 9, entry => 'AOTInductorModelContainerRun',
    model => { model => 'm', package => "$at/model.pt2", so_hash => '0' x 16 },
    device => 'cpu', gpu => undef, weights => 'as loaded', findings => [{ output => 0, nan => 3,
        pos_inf => 0, neg_inf => 1, first => [1, 2], value => 'nan' }],
    inputs => [$tensor], outputs => [$tensor], environment => {} };

# A capsule that says this, with changes.
sub says { my (%change) = @_; return $json->encode({ %$said, %change }) }
sub capsule {
    my ($text, @more) = @_;
    return zip("$at/a.capsule", [{ name => 'a/capsule.json', data => $text }, @more]);
}
sub replay {
    my ($options, %env) = @_;
    return run_cmd([build() . '/aotigen', 'replay', "--torch=$torch", '--confine=off', @$options,
            'a.capsule'], cwd => $at, env => { TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache",
            PYTHON => "$dir/bin/fake-python", OMP_NUM_THREADS => undef, %env });
}

# One line, with exit status 1, and nothing was run.
sub refuses {
    my ($what, $says, $options, %env) = @_;
    unlink "$at/asked";
    my $r = replay($options // [], %env);
    is("$r->{status} $r->{out}", '1 ', "$what is refused");
    like($r->{err}, qr/\A\N*: error: \N*$says\N*\n\z/, 'with one line');
    ok(!-e "$at/asked", 'and nothing is run');
}

my ($model) = map { m{/data/aotinductor/([^/]+)/} } map { $_->{name} } @{ package_of({}) };
$said->{model}{model} = $model;
zip("$at/model.pt2", package_of({ $x_wrapper => $launching }));

# ---- files that are no capsule
refuses('a file that is not there', 'cannot be read: No such file');
spew("$at/a.capsule", '');
refuses('an empty file', 'is empty');
spew("$at/a.capsule", "{}\n" x 100);
refuses('a text', 'is not a ZIP archive');
capsule(says());
spew("$at/a.capsule", substr slurp("$at/a.capsule"), 0, -40);
refuses('one that was cut', 'ZIP archive');
zip("$at/a.capsule", [{ name => 'a/data.pkl', data => 'x' }]);
refuses("what torch.save() wrote", "is no capsule, for it has no 'capsule\\.json': a");
capsule(says(), { name => '../x', data => 'x' });
refuses('one with a member that climbs', 'has a path that climbs');
zip("$at/a.capsule", [{ name => 'a/capsule.json', deflate => 1, data => ' ' x (5 << 20) }]);
refuses('a huge description', 'is larger than the description of a run \(4 MiB\)');

# ---- descriptions that are not one's
for my $row (['no JSON', substr(says(), 0, 300), 'is no JSON object'],
    ['more behind it', says() . '{}', 'is no JSON object'],
    ['a list', '[]', 'is no JSON object'],
    ['deep nesting', '{"a":' . '[' x 5000 . ']' x 5000 . '}', 'is no JSON object'],
    ['many values', '{"a":[' . join(',', (1) x 600_000) . ']}', 'is no JSON object, or one of'],
    ['another program', '{"name":"x"}', 'does not describe a run of a watched model'],
    ['another format', says(aotigen_capsule => 2),
        'is a capsule of format 2, and this aotigen reads format 1: \N+ wrote it, 0\.9'],
    ['no model', says(model => 5), "its 'model' is no object"],
    ['no hash', says(model => { %{ $said->{model} }, so_hash => '../../x' }),
        "its 'so_hash' is no hash"],
    ['a text of several lines', says(host => "a\nb"), "its 'host' is no text of one line"],
    ['a part of a run', says(run => 1.5), "its 'run' is no whole number"],
    ['no inputs', says(inputs => undef), "its 'inputs' is no list"],
    ['many inputs', says(inputs => [(0) x 4097]), "its 'inputs' has more than 4096 elements"],
    ['an input that is a number', says(inputs => [7]), "its 'why' is|its 'dtype' is no text"],
    ['a device that is a path', says(device => '/etc'), "its 'device' is no name of torch's"],
    ['sizes that are texts', says(inputs => [{ %$tensor, sizes => ['2', '3'] }]),
        "its 'sizes' has an element that is no size"],
    ['negative sizes', says(inputs => [{ %$tensor, sizes => [-2, 3] }]), "'sizes' has an element"],
    ['huge sizes', says(inputs => [{ %$tensor, sizes => [1e300, 3] }]), "'sizes' has an element"],
    ['sizes without strides', says(outputs => [{ %$tensor, strides => [] }]),
        'a tensor has 2 sizes and 0 strides'],
    ['many dimensions', says(outputs => [{ %$tensor, sizes => [(1) x 65], strides => [(1) x 65] }]),
        "its 'sizes' has more than 64 elements"],
    ['another way to keep', says(inputs => [{ %$tensor, kept => 'lost' }]), "its 'kept' is 'lost'"],
    ['values that are something else', says(inputs => [{ %$tensor, values => 'fine' }]),
        "its 'values' is 'fine'"],
    ['a finding of no output', says(findings => [{ %{ $said->{findings}[0] }, output => 1 }]),
        "a finding is of output 1, and there are 1"]) {
    my ($what, $text, $says) = @$row;
    capsule($text);
    refuses($what, $says);
}

# ---- runs that cannot be made
capsule(says(inputs => [$tensor, { %$tensor, kept => 'not kept', why => '3 GB are too many' }]));
refuses('an input that was not kept', 'cannot be replayed, for input 1 was not kept '
        . '\(3 GB are too many\): AOTIGEN_KEEP_BYTES of');
SKIP: {
    skip 'a GPU is here', 3 if -e '/dev/nvidiactl';
    capsule(says(device => 'cuda:1', gpu => 'NVIDIA H200'));
    refuses('a run on a GPU', 'is of a run on cuda:1 \(NVIDIA H200\), and there is no GPU here \(');
}
capsule(says());
refuses('another build', "was made anew since: its '\\.so' has the hash [0-9a-f]{16}, and that of "
        . "'a\\.capsule' has 0{16}; name the package");
my ($hash) = replay([])->{err} =~ /has the hash (\w+)/;
$said->{model}{so_hash} = $hash;
capsule(says());
capsule(says(model => { %{ $said->{model} }, package => '/none/gone.pt2' }));
refuses('a package that is gone', '/none/gone\.pt2|cannot be read: \N+ was taken of it: name the');
refuses('--model that is not there', 'cannot be read: No such', ['--model=none.pt2']);
refuses('--model that is a wrapper', "is not a package: --model of 'replay' wants",
    ["--model=$dir/old.c"]);
capsule(says(model => { %{ $said->{model} }, model => 'other' }));
refuses('another model', "holds no model 'other': it holds $model");
capsule(says());
refuses('a Python without torch', 'has no torch: a capsule\'s inputs are run by a Python', [],
    LACKS => 1);
refuses('a Python that is not there', 'is not there: a capsule\'s inputs', [],
    PYTHON => "$dir/none");

# ---- a replay
my $born = '{"event":"born","time":1.5,"pid":7,"source":"model.pt2/x.cpp","run":%d,"launch":1,'
    . '"line":5,"kernel":"k","arg":"buf0","check":"nan"}' . "\n";
sub result { return $json->encode({ runs => 1, alike => 1, as_kept => 1, @_ }) }
sub said_of {
    my ($options, %env) = @_;
    my $r = replay(['-q', @$options], %env);
    my ($text) = $r->{err} =~ /^(aotigen: diagnosis of .*)/ms or diag($r->{err});
    return ($r, ($text // '') =~ s/\n {16}/ /gr);
}
my ($r, $text) = said_of([], EVENTS => sprintf($born, 1),
    FOUND => result(outputs => [{ equal => JSON::PP::true }]));
is("$r->{status} $r->{out}", '0 ', 'a replay ends well, also with a finding');
my $first = "aotigen: diagnosis of 'replay a.capsule'\n  what          NaN born in run 1, launch 1";
like($text, qr/\A\Q$first\E: k$/m,
    'with the diagnosis of aotigen run');
like($text, qr{^  package       '\N*model\.pt2': its debug package was opened in its place$}m,
    'the debug package was opened');
like($text, qr/^  capsule       run 9 of process 4711 on node7 at \S+ \S+, on cpu$/m,
    'it says which run that was');
like($text, qr/^  outputs       those of the capsule, bit for bit$/m, 'and what came out');
unlike($text, qr/^  (?:repeated|inputs|weights)/m, 'and no more');
like($text, qr/aotigen replay \N+ --printer=2 \S+ a\.capsule /, 'what to try next is a replay');
my $asked = decode_json(slurp("$at/asked"));
is($asked->{package}, "$at/model.pt2", 'the host opens the package');
is("$asked->{model} $asked->{runs} " . ($asked->{threads} // ''), "$model 1 ", 'its model, once');

my @differs = (outputs => [{ skipped => 'too large' }, { equal => JSON::PP::false, first => [1, 2],
            count => 2, numel => 6, now => '1.5', kept => 'nan' }]);
my @two = (outputs => [$tensor, $tensor]);
capsule(says(@two, environment => { OMP_NUM_THREADS => '3', LD_PRELOAD => 'x.so' }));
(undef, $text) = said_of(['--repeat=4'], EVENTS => join('', map { sprintf $born, $_ } 1, 1, 3, 4),
    FOUND => result(runs => 4, alike => 3, as_kept => 2, @differs));
my %told = $text =~ /^  (\w+) +(\S.*)$/mg;
is($told{outputs}, "differ from the capsule's: output 1, first at [1, 2], 2 of 6 elements: 1.5, "
        . 'and was nan: perhaps it is not deterministic, it depends on what earlier runs left in '
        . 'its buffers, two inputs shared memory, or the machine is another one', 'other outputs');
like($told{capsule}, qr/, on cpu: output 0 had 3 NaN and 1 Inf, the first at \[1, 2\]$/,
    'then it says what was bad in those of the capsule');
is($told{repeated}, '4 runs: not deterministic: the outputs of 1 were others than those of the '
        . "first, and 2 had the capsule's; 3 of 4 had the finding: it comes and goes",
    'of several runs how many were alike, and had the finding');
$asked = decode_json(slurp("$at/asked"));
is("$asked->{runs} $asked->{threads}", '4 3', 'so often, with the threads of the capsule');
is_deeply([grep { /x\.so/ } $json->encode($asked)], [], 'and no more of its environment');
like($text, qr/ --repeat=4 /, 'and again in what to try next');
(undef, $text) = said_of(['--repeat=2'], FOUND => result(runs => 2, alike => 2));
like($text, qr/^  repeated      2 runs: the same outputs, bit for bit; none had what the /m,
    'a finding that none of them has');
like($text, qr/ capsule's run had: it is transient, or comes of what earlier runs left in \w+$/m,
    'is called so');
capsule(says(@two, torch => '2.10.1'));
(undef, $text) = said_of([], FOUND => result(torch => '2.11.0+cu130', @differs));
like($text, qr/^  machine       another torch: the capsule's run had 2\.10\.1, and this one has /m,
    'another torch is told where outputs differ');
(undef, $text) = said_of([], FOUND => result(torch => '2.11.0+cu130'));
unlike($text, qr/^  machine/m, 'and not where they are equal');
capsule(says(@two, torch => '2.11.0'));
(undef, $text) = said_of([], FOUND => result(torch => '2.11.0+cu130', @differs));
unlike($text, qr/^  machine/m, 'the same torch of another build is the same');
capsule(says(@two, weights => 'updated'));
(undef, $text) = said_of(['--repeat=2'], FOUND => result(runs => 2, alike => 2));
like($text, qr/^  repeated      2 runs: the same outputs, bit for bit$/m, 'or had other weights');
capsule(says(@two));
(undef, $text) = said_of([], OMP_NUM_THREADS => 2, AOTIGEN_EVERY => 20, FOUND => result());
$asked = decode_json(slurp("$at/asked"));
is($asked->{threads}, 2, "the user's threads count more");
is($asked->{every}, undef, 'and each run is checked');

capsule(says(weights => 'updated', inputs => [{ %$tensor, kept => 'held' }]));
(undef, $text) = said_of([], FOUND => result(outputs => [{ skipped => 'no room' }]));
like($text, qr/^  outputs       not compared: output 0: no room$/m, 'outputs that were not kept');
like($text, qr/^  inputs        input 0 was held, and not copied: /m, 'an input that was held');
like($text, qr/^  weights       had been updated since the first run: /m, 'weights');
my $other = { equal => JSON::PP::false, why => 'x' };
(undef, $text) = said_of([], FOUND => result(outputs => [$other]));
like($text, qr/: the weights are others$/m, 'which may be why outputs differ');

# Whether a held input has the values that the run began with.
for my $row ([undef, 'its values are those when the capsule was written',
        'this is perhaps not that run: '],
    ['unchanged', "it was not changed between the run's begin and the capsule",
        'perhaps it is not deterministic, '],
    ['unchanged as far as it was sampled', 'an eighth of it was compared, and was not changed '
            . "between the run's begin and the capsule", 'this is perhaps not that run: '],
    ['changed since the run began', "it was changed after the run's begin, and the run had other "
            . 'values than the capsule', 'this is not that run: an input was changed after the '
            . "run's begin, and before the capsule was written; AOTIGEN_COPY_BYTES of the watched "
            . 'program has it copied before']) {
    my ($values, $says, $why) = @$row;
    capsule(says(inputs => [{ %$tensor, kept => 'held', values => $values, hash => 'x' }]));
    (undef, $text) = said_of([], FOUND => result(outputs => [$other]));
    like($text, qr/^  inputs        input 0 was held, and not copied: \Q$says\E$/m,
        'held, ' . ($values // 'not compared'));
    like($text, qr/^  outputs       differ from the capsule's: output 0, x: \Q$why\E/m,
        'and why outputs differ');
}


my $runs = '{"event":"in_flight","time":1.5,"pid":7,"thread":7,"source":"model.pt2/x.cpp","run":1,'
    . '"launch":1,"at":"ended"}' . "\n";
# What a debug package does not look for, the host does: values beyond a limit, dead outputs.
my $limit = { output => 0, kind => 'limit', limit => '|out| < 1e4', comparison => '<',
    absolute => JSON::PP::true, bound => 10000, least => -1, most => 20000, first => [0, 1] };
my $dead = { output => 0, kind => 'dead', value => 0, runs => 5 };
my $beyond = { finding => 0, count => 2, numel => 6, first => [0, 1], value => '20000.0' };
for my $row ([$limit, $beyond, 'limit', '|out| < 1e4: output 0 is beyond it again: 2 of 6 '
            . 'elements, the first at [0, 1]: 20000.0'],
    [$limit, { finding => 0, count => 0, numel => 6 }, 'limit',
        '|out| < 1e4: output 0 was beyond it, and is not now'],
    [$dead, { %$beyond, count => 6 }, 'dead', 'output 0 had only one value, and has again'],
    [$dead, { finding => 0, count => 0 }, 'dead', 'output 0 had only one value, and has others '
            . 'now']) {
    my ($finding, $check, $label, $says) = @$row;
    capsule(says(findings => [$finding]));
    ($r, $text) = said_of([], EVENTS => $runs, FOUND => result(checks => [$check],
            outputs => [{ equal => JSON::PP::true }]));
    my ($line) = $text =~ /^  $label +(.*)$/m;
    is($line // '', $says, 'it says whether that is so again');
    like($text, qr/^  what          nothing was found$/m, 'beside what a debug package found');
    is($r->{status}, 0, 'a replay ends well');
}
my ($told) = @{ decode_json(slurp("$at/asked"))->{checks} };
is_deeply($told, { finding => 0, output => 0 }, 'the host is told what to look for');
(undef, $text) = said_of([], FOUND => result(checks => [{ finding => 7, count => 1 }, 5, {}]));
unlike($text, qr/^  limit/m, 'a finding that is none is not told');

# A host that does not look: the same outputs have it again.
for my $row ([$JSON::PP::true, 'is beyond it again'],
    [$JSON::PP::false, 'was beyond it, and was not looked at here']) {
    capsule(says(findings => [$limit]));
    (undef, $text) = said_of(['--repeat=2'], EVENTS => $runs, FOUND => result(runs => 2, alike => 2,
            outputs => [{ equal => $row->[0], why => 'x' }]));
    like($text, qr/^  limit         \Q|out| < 1e4: output 0 $row->[1]\E$/m, $row->[1]);
    unlike($text, qr/transient/, 'and what nobody looked for is not called transient');
}
for my $row ([{ comparison => '==' }, "a limit's 'comparison' is '=='"],
    [{ bound => 'x' }, "a limit's 'bound' is no number"],
    [{ kind => 'odd' }, "a finding's 'kind' is 'odd'"],
    [{ limit => "a\nb" }, "its 'limit' is no text of one line"]) {
    capsule(says(findings => [{ %$limit, %{ $row->[0] } }]));
    refuses('a finding', $row->[1]);
}

# Of a NaN an Inf is looked for that it was made of; of an Inf alone, any. The log says that the
# model was loaded and run.
for my $row ([0, 1, [], ''], [3, 0, [], 'Inf that no NaN was made of'],
    [3, 1, [], 'Inf that no NaN was made of'], [3, 1, ['--nan-asserts=all'], ''],
    [0, 1, ['--nan-asserts=nan'], 'Inf']) {
    my ($nans, $infs, $options, $left) = @$row;
    capsule(says(findings => [{ %{ $said->{findings}[0] }, nan => $nans, neg_inf => $infs }]));
    (undef, $text) = said_of($options, FOUND => result(), EVENTS => $runs);
    my ($unsought) = $text =~ /^  not looked at (.*)$/m or diag($text);
    is($unsought =~ /\b(Inf\b.*?) \(/ ? $1 : '', $left,
        "@$options of $nans NaN and $infs Inf: what is not looked at");
}

($r, $text) = said_of([], FOUND => result(runs => 0, failed => 'boom'), ENDS => 1);
is($r->{status}, 1, 'a model that throws');
like($text, qr/^  outputs       not compared: the run did not come to its end: boom$/m, 'says so');
(undef, $text) = said_of([], ENDS => 1);
like($text, qr/not compared: the run did not come to its end$/m, 'and one without a word');
(undef, $text) = said_of([], FOUND => '{"runs":"x","outputs":7,"alike":[]}');
like($text, qr/not compared: the run did not come to its end$/m, 'or with words that are none');
$r = replay([], FOUND => result(runs => 0, refused => 'input 0 is float64 [2]'));
is($r->{status}, 1, 'tensors that are not as described');
like($r->{err}, qr/^a\.capsule: error: cannot be replayed: input 0 is float64 \[2\]$/m,
    'are refused');
unlike($r->{err}, qr/diagnosis/, 'and nothing is diagnosed');

# ---- another build that is named, and a watch package
capsule(says(model => { %{ $said->{model} }, so_hash => 'a' x 16, package => '/none' }));
$r = replay(['--model=model.pt2'], FOUND => result());
like($r->{err}, qr/^model\.pt2: warning: is of another build of the model: \N+ a{16}$/m,
    'another build is replayed where it is named');
is($r->{status}, 0, 'with a warning');

my $folder = $x_so =~ s{[^/]+$}{}r;
zip("$at/watch.pt2", package_of({ $x_wrapper => $launching, $x_so => 'the shim' },
        { name => "${folder}torch_model.original", data => $so },
        { name => "${folder}aotigen_watch.json", data => '{}' }));
capsule(says(model => { %{ $said->{model} }, package => "$at/watch.pt2" }));
my $looks = "unzip -l \"\$P\" >$at/listed\n"
    . "unzip -p \"\$P\" '$x_so' | cmp - $dir/old.so && echo same";
spew("$dir/bin/looking", "#!/bin/sh\ncase \$1 in -c) exit 0;; esac\n"
    . "P=\$(perl -ne 'print \$1 if /\"package\":\"(.*?)\"/' \"\$4\")\n$looks\n");
chmod 0755, "$dir/bin/looking";
$r = replay([], PYTHON => "$dir/bin/looking");
is("$r->{status} $r->{out}", "0 same\n", 'a watch package is replayed as what it was made of')
    or diag($r->{err});
unlike(slurp("$at/listed"), qr/torch_model\.original|aotigen_watch/, 'without what was added');
like($r->{err}, qr{'\N*watch\.pt2'}, 'and is called what it is');

# ---- a package of two models, of which the capsule names one
my @second = map { { %$_, name => $_->{name} =~ s{/\Q$model\E/}{/other/}r } }
    grep { $_->{name} =~ m{/aotinductor/} } @{ package_of({ $x_wrapper => $launching }) };
zip("$at/two.pt2", package_of({ $x_wrapper => $launching }, @second));
for my $name ($model, 'other') {
    capsule(says(model => { %{ $said->{model} }, package => "$at/two.pt2", model => $name }));
    $r = replay([], FOUND => result());
    like($r->{err}, qr/^aotigen: '\N+': 1 cpu instrumented, /m, "of two models '$name' alone");
    is(decode_json(slurp("$at/asked"))->{model}, $name, 'is made a debug model, and run');
}

# ---- usage
for my $row ([[], qr/no capsule for the verb 'replay': aotigen replay/],
    [['a', 'b'], qr/more than one capsule: 'a' and 'b'/],
    [['--model=a', '--model=b', 'c'], qr/more than one package: 'replay' runs the model of one/],
    [['--repeat=0', 'a'], qr/value '0' of option '--repeat' must be a number, 1 to 100000/],
    [['--repeat=100001', 'a'], qr/must be a number/], [['--repeat=2x', 'a'], qr/must be a number/],
    [['-o', 'x', 'a'], qr/option '--output' of 'replay' is the directory of a launch/]) {
    my ($words, $says) = @$row;
    my $usage = run_cmd([build() . '/aotigen', 'replay', @$words]);
    is($usage->{status}, 2, "replay @$words");
    like($usage->{err}, $says, 'is refused');
}
done_testing;
