# A path that a document or a comment names is there: comments outlive the files that they point to.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $folders = join '|', map { s{.*/}{}r } grep { -d } map { glob "$root/$_" }
    qw(gen shared runtime kernels templates samples man t gen/* runtime/* t/5xx t/lib t/setup);
my $endings = 'c|h|def|cuh|cu|cc|tpl|pm|t|py|pl|sh|md|[137]';
my $path = qr{(?<![\w/.-])((?:$folders)(?:/[\w.-]+)*/[\w-]+\.(?:$endings))(?!\.?\w)};

sub comments_of {
    my ($file) = @_;
    my $text = slurp($file);
    return $text if $file =~ /\.md$/;
    return join "\n", $text =~ m{(/\*.*?\*/|//[^\n]*)}sg;
}

# Those of the tree are named from its root, or within gen/, runtime/ or t/ from there.
my ($named, @gone) = 0;
my @files = map { glob "$root/$_" } qw(*.md samples/*.md gen/*.[ch] gen/*/*.[ch] shared/*
    shared/*/* runtime/*/*.[ch] runtime/*/*.def kernels/* t/*.[ch] t/5xx/*.[ch] t/lib/*.c);
for my $file (@files) {
    for my $name (comments_of($file) =~ /$path/g) {
        next if $name =~ /NNN|NAME/;
        $named++;
        push @gone, substr($file, 1 + length $root) . ": $name"
            if !grep { -e "$root/$_$name" } '', qw(gen/ runtime/ t/);
    }
}
cmp_ok($named, '>', 80, 'documents and comments name paths');
is(join("\n", @gone), '', 'and all of them are there');

# What torch emitted names the machine where it did; here these are the same on all.
my ($commands, @own) = 0;
for my $file (glob "$root/t/corpus/[0-9]*/*/*/*.cpp") {
    for my $command (slurp($file) =~ m{^// (\S*g\+\+ .*)$}mg) {
        $commands++;
        push @own, map { substr($file, 1 + length $root) . ": $_" }
            grep { !m{^/(?:tmp/torchinductor(?:_user)?|home/user|usr)(?:/|$)} }
            $command =~ m{(?:^|[ =]|-[IL])(/[^/ ]+/[^/ ]*)}g;
    }
}
cmp_ok($commands, '>', 100, 'the wrappers of t/corpus hold their commands');
is(join("\n", @own), '', 'and no path of a machine');
done_testing;
