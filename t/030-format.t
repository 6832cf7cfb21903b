# The form of the sources: blanks and ends of lines, columns, and the length of functions and files.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $columns = 100;
my $function_lines = 50;
my $file_lines = 500;

my @files = map { s/^\Q$root\E\///r } grep { -f } map { glob "$root/$_" } qw(
    Makefile .gitignore .clang-format .proverc .ci/run *.md gen/* gen/*/* templates/* runtime/*
    runtime/*/* kernels/* samples/* samples/bench/* man/* t/* t/5xx/* t/lib/* t/setup/*);
cmp_ok(scalar @files, '>', 200, 'there are sources');
my %text = map { $_ => slurp("$root/$_") } @files;

# Longer than the others, each for a reason.
my %long_function = (
    't/5xx/521-cuda-differential.c one_run' => 'one program in the order that it runs',
);
my %long_file = (
    't/308-nan.c' => 'one unit, many launches',
    't/503-cuda-backend.c' => 'one list of what the driver may answer to each call',
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

# What has no place to be broken at: a URL, a row of a Markdown table, a row of a template.
sub unbreakable {
    my ($name, $line) = @_;
    return 1 if $line =~ m{https?://\S{40}};
    return 1 if $name =~ /\.md$/ && $line =~ /^\s*\|/;
    return 1 if $name =~ /\.tpl$/ && $line =~ /\@\{\w+\}/;
    return 0;
}

my @wide;
for my $name (@files) {
    my $n = 0;
    for my $line (split /\n/, $text{$name}) {
        $n++;
        utf8::decode($line);
        $line =~ s/\t/        /g;
        push @wide, "$name:$n: " . length($line) . ' columns'
            if length $line > $columns && !unbreakable($name, $line);
    }
}
ok(!@wide, "no line is over $columns columns") or diag(join "\n", @wide);

# ---- functions and files

# [name, first line, lines] of each function. In C as clang-format writes it, from the line of the
# name, or of the first of its parameters, to a brace at column 0; in Perl from 'sub' to a brace in
# its column; in Python from 'def' to the next line that is not deeper.
sub functions_of {
    my ($name, @lines) = @_;
    my ($begin, $end);
    if ($name =~ /\.(?:c|h|cc|cu|cuh|cpp)$/) {
        my $others = qr/typedef|enum|struct \w+ \{|union|namespace|extern|\w+:/;
        $begin = qr/^()(?!$others)\w[^;=]*?(\w+)\(/;
    }
    elsif ($name =~ /\.(?:pl|pm|t)$/) { $begin = qr/^( *)sub (\w+)\b[^}]*$/ }
    elsif ($name =~ /\.py$/) { $begin = qr/^( *)def (\w+)/ }
    elsif ($name =~ /\.sh$/) { $begin = qr/^()(\w+)\(\) \{$/ }
    else { return }
    my @functions;
    for my $i (0 .. $#lines) {
        my ($blanks, $what) = $lines[$i] =~ $begin or next;
        my $last = $i;
        if ($name =~ /\.py$/) {
            for my $j ($i + 1 .. $#lines) {
                last if $lines[$j] =~ /^ {0,${\length $blanks}}\S/ && $lines[$j] !~ /^ *\)/;
                $last = $j if $lines[$j] =~ /\S/;
            }
        }
        elsif ($lines[$i] !~ /\}\s*$/) {
            my $open = 0;
            for ($last = $i; $last < $#lines; $last++) {
                last if !$open && $lines[$last] =~ /^\s*#/;
                $open ||= $lines[$last] =~ /\{\s*(?:\/\*.*|\/\/.*|#.*)?$/;
                last if $lines[$last] =~ ($open ? qr/^$blanks\}/ : qr/;\s*$/);
            }
            next if !$open;
        }
        push @functions, [$what, $i + 1, $last - $i + 1];
    }
    return @functions;
}

my ($functions, @long, %seen) = 0;
for my $name (@files) {
    my @lines = split /\n/, $text{$name};
    for my $function (functions_of($name, @lines)) {
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
for my $name (grep { !/\.(?:md|inc|def|[137])$/ } @files) {
    my $n = ($text{$name} =~ tr/\n//);
    push @long, "$name has $n lines" if $n > $file_lines && !$long_file{$name};
}
is(join("\n", @long), '', "no file is over $file_lines lines");
is(join(' ', grep { ($text{$_} // '') !~ /(?:.*\n){$file_lines}./ } sort keys %long_file), '',
    'and the exceptions are over');
done_testing;
