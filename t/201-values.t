# The arguments of a marker are those of the launch beneath it: each variable in it occurs in the
# launch, in the same order, and none has been moved from or reset before. Checked for every
# wrapper of t/corpus that the torch at hand can parse.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^(\d+\.\d+)/;
my $corpus = root() . '/t/corpus';
my @wrappers = corpus_wrappers($torch);
skip_or_fail('corpus', "t/corpus holds no wrapper of torch $minor") if !@wrappers;

# The variables of a marker's arguments; sizes, strides and numbers are none.
sub variables {
    my ($arguments) = @_;
    $arguments =~ s/\bAOTIGEN_NOTHING\b//g;
    $arguments =~ s/AOTIGEN_VIEW\((\w+)[^()]*(?:\([^()]*\)[^()]*)*\)/$1/g;
    return grep { /^[a-z_]\w*$/
        && !/^(?:true|false|nullptr|static_cast|int\d+_t)$/ } split /[^\w.]+/, $arguments;
}

# A line that defines a variable: NAME = ..., NAME{...}, f(..., &NAME), SetItem(NAME, ...) or
# NAME.emplace_back(...). One of the five groups is the name.
my $assigned = qr/.*[ *&](\w+)(?:\[\w*\])? ?= ?|.*[ ](\w+)\{/;
my $called = qr/.*, ?&(\w+)\)|.*_SetItem\((\w+),|[ ]*(\w+)\.emplace_back\(/;
my $defines = qr/^[ ]+(?:$assigned|$called)/;

# The words of a launch, and those of the definitions above it that they lead to: a pointer, an
# array of arguments, a second handle.
sub reached {
    my ($launch, $above) = @_;
    my %words = map { $_ => 1 } $launch =~ /\b([A-Za-z_]\w*)/g;
    my @lines = split /\n/, length $above > 8000 ? substr($above, -8000) : $above;
    for my $line (reverse @lines) {
        next if $line !~ $defines || !$words{ $1 // $2 // $3 // $4 // $5 };
        $words{$_} = 1 for $line =~ /\b([A-Za-z_]\w*)/g;
    }
    return \%words;
}

my $markers = 0;
my $before = qr/^[ \t]*(?:\{ ?)?AOTIGEN_BEFORE\((\d+), ([^\n]*)\);(?: AOTIGEN_RESULT)?\n/m;
for my $wrapper (@wrappers) {
    my $r = aotigen('-q', "--torch=$torch->{dir}", '-o', '-', "$corpus/$wrapper");
    is($r->{status}, 0, "$wrapper: rewritten") or diag($r->{err});
    my @wrong;
    while ($r->{out} =~ /$before(.*?)AOTIGEN_AFTER(?:_MADE)?\(\1\b/msg) {
        my ($site, $arguments, $launch, $above) = ($1, $2, $3, substr $r->{out}, 0, $-[0]);
        $above = substr $above, rindex($above, "::run_impl(") if $above =~ /::run_impl\(/;
        $markers++;
        my $reached = reached($launch, $above);
        for my $name (variables($arguments)) {
            push @wrong, "site $site: $name is not in the launch" if !$reached->{$name};
            # The last that happened to it in this function: gone, and not made again.
            my ($last) = $above =~ /.*\b\Q$name\E(\.reset\(\)|\.release\(\)|[ ({=;,)])/s;
            push @wrong, "site $site: $name is gone" if defined $last && $last =~ /reset|release/;
        }
    }
    is(join('; ', @wrong), '', "$wrapper: what is handed over is what is launched");
}
cmp_ok($markers, '>', 2 * @wrappers, 'there was something to look at');
done_testing;
