# A recorded command that asks for more than compiling: refused by every verb, with its place, and
# nothing is run.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $canary = "$dir/canary";
my $torch = fake_torch("$dir/site-packages");
mkdir "$dir/tmp";
spew("$dir/run.sh", "#!/bin/sh\ntouch $canary\n");
spew("$dir/g++", "#!/bin/sh\ntouch $canary\n");
chmod 0755, "$dir/run.sh", "$dir/g++";
spew("$dir/response", "-fplugin=$dir/run.sh\n");

sub fake_torch {
    my ($site) = @_;
    File::Path::make_path("$site/torch/include/torch/csrc/inductor",
        "$site/torch/include/torch/csrc/api/include");
    spew("$site/torch/version.py", "__version__ = '2.11.0'\n");
    return $site;
}

my $body = "int x;\nvoid AOTInductorModel::run_impl() {}\n";
my @refused = (
    ['g++ x.cpp; touch ' . $canary, 13, 'asks for a shell'],
    ["g++ x.cpp && $dir/run.sh", 14, 'asks for a shell'],
    ["g++ x.cpp | $dir/run.sh", 14, 'asks for a shell'],
    ["g++ x.cpp > $canary", 14, 'asks for a shell'],
    ["g++ `$dir/run.sh`", 8, 'substitution'],
    ["g++ \$($dir/run.sh)", 8, 'substitution'],
    ["g++ \"\$($dir/run.sh)\"", 9, 'substitution'],
    ["g++ 'x.cpp", 8, 'quote that does not close'],
    ["g++ x\x01.cpp", 9, 'control character'],
    ["$dir/run.sh x.cpp", 4, 'is not g++ or clang++'],
    ['ccache g++ x.cpp', 4, 'is not g++ or clang++'],
    ['python3 -c x', 4, 'is not g++ or clang++'],
    ["g++ -c -fplugin=$dir/run.sh", 11, 'loads code into the compiler'],
    ["g++ -c -Xclang -load -Xclang $dir/run.sh", 11, 'hands flags past the compiler'],
    ["g++ -c -wrapper $dir/run.sh", 11, 'runs another program'],
    ["g++ -c -specs=$dir/response", 11, 'reads files of its own'],
    ["g++ -c -B$dir", 11, 'names another tool'],
    ["g++ -c -B $dir", 11, 'names another tool'],
    ["g++ -c \@$dir/response", 11, 'is a response file'],
    ['g++ -c -x c x.c', 11, 'language other than c++'],
    ['g++ -c -include /etc/passwd', 11, 'is not a precompiled header'],
    ["g++ -c -fuse-ld=$dir/run.sh", 11, 'names another tool'],
    ["g++ -c -Wp,-MD,$canary", 11, 'hands flags past the compiler'],
    ["g++ -c -MD -MF $canary", 11, 'writes files of its own'],
    ["g++ -c -fdump-tree-all=$canary", 11, 'writes files of its own'],
    ["g++ -c -fprofile-use=$dir/response", 11, 'writes files of its own'],
    ["g++ -c -fmodule-mapper=$dir/run.sh", 11, 'reads files of its own'],
    ["g++ -c $dir/linker.ld", 11, 'is neither a flag nor'],
    ['g++ -c -D', 11, 'needs a value'],
    ['', 1, 'followed by no command'],
);

for my $case (@refused) {
    my ($command, $column, $says) = @$case;
    my $file = spew("$dir/w.cpp", "$body// Compile cmd\n// $command\n");
    (my $shown = $command) =~ s/[^ -~]/?/g;
    for my $verb ([], ['list'], ['build']) {
        my @out = @$verb && $verb->[0] eq 'list' ? () : ('-o', "$dir/out");
        my $r = run_cmd([build() . '/aotigen', @$verb, $file, @out, "--torch=$torch"],
            env => { TMPDIR => "$dir/tmp", PATH => "$dir:$ENV{PATH}" });
        my $name = join ' ', @$verb ? @$verb : 'rewrite', "'$shown'";
        is($r->{status}, 1, "$name: status 1");
        like($r->{err}, qr/^\Q$file:4:$column: error: \E.*\Q$says\E/,
            "$name: is told with its place");
        is(() = $r->{err} =~ /error:/g, 1, "$name: once");
        is($r->{out}, '', "$name: no output");
    }
}
ok(!-e "$dir/out", 'no output is written');
ok(!-e $canary, 'nothing was run');
is(join(' ', map { s{.*/}{}r } glob("$dir/tmp/* $dir/tmp/.a*")), '', 'no temporary file is left');

# The link command is read with the same eyes.
my $file = spew("$dir/w.cpp",
    "$body// Compile cmd\n// g++ -c\n// Link cmd\n// g++ -shared -Wl,-plugin,$dir/run.sh\n");
my $r = aotigen('--dump=command', $file, "--torch=$torch");
is($r->{status}, 1, 'a linker plugin: status 1');
like($r->{err}, qr/^\Q$file:6:16: error: \E.*hands the linker a file/,
    'a linker plugin is told with its place');

# A command of megabytes.
my $long = join ' ', 'g++', map { ("-DX$_", "-I/gone/$_") } 1 .. 150_000;
$file = spew("$dir/w.cpp", "$body// Compile cmd\n// $long\n");
$r = aotigen('--dump=command', $file, "--torch=$torch");
is($r->{status}, 0, 'a command of ' . int(length($long) / 1e6) . ' MB is read');
cmp_ok($r->{seconds}, '<', 60, 'in a time that can be waited for');
like($r->{out}, qr/^compile -DX150000$/m, 'to its end');

done_testing;
