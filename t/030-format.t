# The form of the sources: blanks and ends of lines, columns, and the length of functions and files.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use File::Find ();
use Functions;

my $root = root();
my $columns = 100;
my $function_lines = 50;
my $file_lines = 500;

# Whatever lies below the root, except what make builds and what torch or aotigen wrote.
my %data = map { $_ => 1 } qw(.git build lib t/corpus t/golden t/headers t/expected);
my @files;
sub note_file {
    return if $_ eq $root;
    my $name = substr $_, 1 + length $root;
    if ($data{$name} || $name =~ m{(?:^|/)__pycache__$}) { $File::Find::prune = 1 }
    elsif (-f && $name !~ /\.webp\z/) { push @files, $name }
    return;
}
File::Find::find({ no_chdir => 1, wanted => \&note_file }, $root);
@files = sort @files;
cmp_ok(scalar @files, '>', 200, 'there are sources');
my %text = map { $_ => slurp("$root/$_") } @files;

# Longer than the others, each for a reason.
my %long_function = (
    't/5xx/521-cuda-differential.c one_run' => 'one program in the order that it runs',
);
my %long_file = (
    'gen/model/aten_ops.def' => 'a table, an operator a line',
    't/5xx/521-cuda-differential.c' => 'one program that makes programs and runs each in two ways',
    't/5xx/fake_cuda.c' => 'one function for each of the driver that the runtime calls',
);

my %wrong;
for my $name (@files) {
    my $text = $text{$name};
    my $wrong = sub { push @{ $wrong{ $_[0] } }, $name . ($_[1] // '') };
    $wrong->('no tabs but in the Makefile') if $text =~ /\t/ && $name ne 'Makefile';
    $wrong->('no space before the end of a line', ':' . line($text, $-[0])) if $text =~ /[ \t]+$/m;
    $wrong->('ends with one newline') if length $text && $text !~ /[^\n]\n\z/;
    $wrong->('no carriage return, no NUL') if $text =~ /[\r\0]/;
    my $marks = join '|', 'TO' . 'DO', 'FIX' . 'ME', 'X' . 'XX\b', 'HA' . 'CK\b', '<<' . '<<<<';
    $wrong->('no marks of unfinished work', ": $1") if $text =~ /\b($marks)/;
    $wrong->('begins with a comment that says what it is')
        if $name =~ /\.[ch]$/ && $text !~ m{\A/\*};
}

sub line { my ($text, $at) = @_; return 1 + (substr($text, 0, $at) =~ tr/\n//) }

for my $what ('no tabs but in the Makefile', 'no space before the end of a line',
    'ends with one newline', 'no carriage return, no NUL', 'no marks of unfinished work',
    'begins with a comment that says what it is') {
    is(join(', ', @{ $wrong{$what} // [] }), '', $what);
}

# ---- columns

# What has no place to be broken at.
sub is_table_row { my ($name, $line) = @_; return $name =~ /\.md$/ && $line =~ /^\s*\|/ }

my @wide;
for my $name (@files) {
    my $n = 0;
    for my $line (split /\n/, $text{$name}) {
        $n++;
        utf8::decode($line);
        $line =~ s/\t/        /g;
        $line =~ s{https?://\S{40,}}{}g; # nor has a URL; what stands beside it has
        push @wide, "$name:$n: " . length($line) . ' columns'
            if length $line > $columns && !is_table_row($name, $line);
    }
}
ok(!@wide, "no line is over $columns columns") or diag(join "\n", @wide);

# ---- functions and files

# Functions as they may be written, and how many lines are measured; '@' is a body of 60.
my %written = (
    'a.c' => {
        "enum x f(int x) {@" => 62, "union u f(int x)\n{@" => 63,
        "__attribute__((unused)) static int f(int x,\n  int y) {@" => 63,
        "static struct long_name *\nf(void) { /* } */@" => 63,
        "extern \"C\" __global__ void f(int x) {@" => 62,
        "template <int N>\n__global__ void __launch_bounds__(256) f(int x = 3) {@" => 63,
        "struct s {\npublic:\n  int f(int x) {@  }\n};" => 62,
        "namespace {\n\nint A::f(int x) {@}\n}" => 62, "auto f = [](int x) {@};" => 62,
        "static const struct s f[] = {@};" => 0, "struct f {@};" => 0,
        "#define f(x) \\@    x" => 62, "TEST(f) {@" => 62, "BEFORE_EACH {@" => 62,
    },
    'a.pm' => {
        "sub f { my (\$x) = \@{ \$_[0] };@" => 62, "my \$f = sub {@};" => 62,
        "subtest 'f' => sub {@};" => 62, "sub f\n{@}" => 63, "BEGIN {@}" => 62,
        "sub f {\n    my \$t = <<'E';\n}\nE\n@" => 63, "sub f { return {} }" => 1,
    },
    'a.py' => {
        "async def f(\n    x,\n):@" => 63, "def f(x):\n    y = '''\nzero\n'''@" => 64,
        "def f(x):\n# here\n@" => 62,
    },
    'a.sh' => { "f() {@" => 62, "f() (@)" => 62, "function f {@" => 62 },
);
for my $name (sort keys %written) {
    for my $text (sort keys %{ $written{$name} }) {
        my $body = ($text =~ /\n\@/ ? '' : "\n") . "    x += 1; \\\n" x 60;
        my $source = $text =~ s/\@(?=[ })]|\z)/$body/r;
        $source .= '}' if $text =~ /\@\z/ && $name ne 'a.py';
        my @found = Functions::of($name, "$source\nx\n");
        is($found[0] ? $found[0][2] : 0, $written{$name}{$text}, "measured: $name: $text");
    }
}

my ($functions, @long, %seen) = 0;
for my $name (@files) {
    for my $function (Functions::of($name, $text{$name})) {
        my ($what, $at, $n) = @$function;
        $functions++;
        $seen{"$name $what"} = 1 if $n > $function_lines;
        push @long, "$name:$at: $what has $n lines"
            if $n > $function_lines && !$long_function{"$name $what"};
    }
}
cmp_ok($functions, '>', 1500, 'functions are found');
is(join("\n", @long), '', "no function is over $function_lines lines");
is(join(' ', grep { !$seen{$_} } sort keys %long_function), '', 'and the exceptions are over');

@long = ();
for my $name (grep { !/\.(?:md|[137])$/ } @files) {
    my $n = ($text{$name} =~ tr/\n//);
    push @long, "$name has $n lines" if $n > $file_lines && !$long_file{$name};
}
is(join("\n", @long), '', "no file is over $file_lines lines");
# A test waits for what is to happen: AWAIT() of t/await.h, wait_until() of Aotigen.pm. These lines
# are in programs that are run, and are to last or to look again.
my %sleeps = (
    't/105-output.c' => 1, # a process that is to be ended
    't/109-process.c' => 5, # the same; and the shell looks whether one has ended
    't/227-hostile-signals.t' => 1, # a compiler that is to be ended
    't/252-build-signal.t' => 1, # the same
    't/260-run.t' => 4, # commands that are to be ended or stopped
    't/416-crash.t' => 1, # the host hangs first
    't/436-planted-cpu.t' => 1, # an operator that hangs
    't/471-faults_in_host.t' => 2, # Python looks for what was written, and lets the end be written
    't/475-two_runs.t' => 1, # Python looks for what was written
    't/481-collectives.t' => 1, # a rank that comes late to a collective
    't/548-cuda-streams.t' => 1, # a stream that is late
    't/await.h' => 1, 't/lib/Aotigen.pm' => 2,
);
my (%slept, @unsaid);
for my $name (grep { m{^t/} && $_ ne 't/030-format.t' } @files) {
    for my $line (split /\n/, $text{$name}) {
        $slept{$name}++
            if $line =~ /\b(?:u|nano)?sleep\b|\bselect\(?\s*undef/;
        push @unsaid, "$name: $line"
            if $line =~ /^ +let_pass\(|[{:] let_pass\(/ && $line !~ m{/\*|#|let_pass\(100\);$};
    }
}
is(join(' ', map { "$_: $slept{$_}" } grep { $slept{$_} != ($sleeps{$_} // 0) } sort keys %slept),
    '', 'no test sleeps where it could wait for something');
is(join("\n", @unsaid), '', 'and where time itself is tested, a comment says why');

my @stale;
for my $file (glob "$root/t/expected/*.txt") {
    my ($name) = $file =~ m{([^/]+)\.txt$};
    my $unit = $text{"t/$name.c"} // $text{"t/5xx/$name.c"};
    my $has = sub {
        return defined $unit ? $unit =~ /^TEST\(\Q@{[$_[0] =~ s{ \d+$}{}r]}\E\) \{/m
            : index($text{"t/$name.t"} // '', "'$_[0]'") >= 0;
    };
    push @stale, map { "$name: $_" } grep { !$has->($_) } slurp($file) =~ /^=== (.*)$/mg;
}
is(join("\n", @stale), '', 'each section of t/expected/ is of a test that is there');
is(join(' ', grep { ($text{$_} // '') !~ /(?:.*\n){$file_lines}./ } sort keys %long_file), '',
    'and the exceptions are over');
done_testing;
