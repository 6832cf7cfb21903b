# An index that a kernel loads from a tensor: the kernel's assert proves the access, and without it
# the finding names the tensor whose values decide.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $corpus = root() . '/t/corpus/2.11.0';
my $dir = tempdir();

# Those accesses of a model whose asserts were changed that are not proved.
sub open_of {
    my ($name, $old, $new) = @_;
    my $changed = 0;
    for my $file (glob "$corpus/$name/*.cpp") {
        my $text = slurp($file);
        $changed += $text =~ s/$old/$new/g if $old;
        spew($dir . '/' . ($file =~ s{.*/}{}r), $text);
    }
    cmp_ok($changed, '>', 0, "$name has asserts") if $old;
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    is($r->{status}, 0, "$name: nothing is refuted") or diag($r->{err} . $r->{out});
    return $r->{out} =~ /^(\{"type":"access","verdict":"not decided".*)$/mg;
}

my @asserts = (
    ['cpu/scatter', qr/\bAOTI_TORCH_CHECK\(.*\);|\bTORCH_CHECK\(.*\);/, ';'],
    ['cuda/gpt2', qr/\btl\.device_assert\(.*\)/, 'pass'],
);
for (@asserts) {
    my ($name, $old, $new) = @$_;
    is(join("\n", open_of($name)), '', "$name: the asserts prove each access");
    my @open = open_of($name, $old, $new);
    cmp_ok(scalar @open, '>', 0, "$name: without them some are not decided");
    my $said = qr/"why":"the index is loaded, as \w+\[.*"would_decide":"a range of the values of /;
    my @unsaid = grep { !/$said/ } @open;
    is("@unsaid", '', "$name: each says which values would decide");
    unlike("@open", qr/"a range of the values of (?!arg)/, "$name: they are an input's");
}
done_testing;
