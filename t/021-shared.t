# Code in shared/ is compiled into both halves: it has no state, and calls nothing that
# allocates, prints or reads.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my @sources = glob "$root/shared/*.c";
cmp_ok(scalar @sources, '>', 0, 'there are sources');
# What the C library has for text and numbers alone: a function of libm that shared/ops.def takes
# anew is added here.
my %may = map { $_ => 1 } qw(isspace isdigit tolower memchr memcmp memcpy memmove memrchr memset
    strchr strchrnul strcmp strcspn strlen strncasecmp strncmp strnlen strrchr strspn strstr
    snprintf __ctype_b_loc __ctype_tolower_loc
    acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor
    fma fmax fmin fmod hypot lgamma log log10 log1p log2 nearbyint nextafter pow rint round sin sinh
    sqrt tan tanh trunc);
for my $source (@sources) {
    my $name = $source =~ s{^\Q$root\E/}{}r;
    my $object = build() . '/' . $name =~ s/c$/o/r;
    my $r = run_cmd(['nm', $object]);
    # A table of addresses is relocated when it is loaded, and constant then.
    my $symbols = run_cmd(['objdump', '-t', $object])->{out};
    my %constant = map { $_ => 1 }
        $symbols =~ /\s\.data\.rel\.ro\S*\s+\S+\s+(?:\.hidden\s+)?(\S+)$/mg;
    is($r->{status}, 0, "$name: its object is there (run make)") or next;
    my (@state, @calls, @names);
    for my $line (split /\n/, $r->{out}) {
        my ($type, $symbol) = $line =~ /([A-Za-z]) (\S+)$/ or next;
        push @state, $symbol if $type =~ /[bBdDC]/ && !$constant{$symbol}
            && $symbol !~ /^\.?__(?:asan|odr_asan|ubsan)/;
        push @calls, $symbol
            if $type eq 'U' && !$may{$symbol} && $symbol !~ /^(?:ag|_*asan|_*ubsan|_GLOBAL)_/;
        push @names, $symbol if $type =~ /[TDBR]/ && $symbol !~ /^ag_/;
    }
    is("@state", '', "$name has no state");
    is("@calls", '', "$name calls only what may stand in shared/");
    is("@names", '', "$name: its names begin with ag_");
}
done_testing;
