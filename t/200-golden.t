#!/usr/bin/perl
# 200-golden.t - every wrapper of t/corpus that the torch at hand can parse: its model and its
# edits, held against t/golden.
#
# A wrapper of another version is parsed only by that version's headers: the versions near the one
# at hand are tried here, the others by `make check TORCH_VERSION=...`. UPDATE_GOLDEN=1 writes
# t/golden anew: read the difference before you commit.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use File::Path 'make_path';

my $torch = need_torch();
my ($minor) = $torch->{version} =~ /^(\d+\.\d+)/;
my $update = $ENV{UPDATE_GOLDEN};
my $corpus = root() . '/t/corpus';

my @wrappers = corpus_wrappers($torch);
if (!@wrappers) {
    ok(!$ENV{CI} || $minor ne '2.11', "t/corpus holds wrappers of torch 2.11");
    note("t/corpus holds no wrapper of torch $minor");
    done_testing;
    exit;
}

for my $wrapper (@wrappers) {
    (my $name = $wrapper) =~ s{/wrapper\.cpp$}{};
    for my $dump (qw(model edits)) {
        my $r = aotigen("--dump=$dump", "--torch=$torch->{dir}", '-o', '-', "$corpus/$wrapper");
        is($r->{status}, 0, "$name: --dump=$dump") or diag($r->{err});
        my $golden = root() . "/t/golden/$name.$dump";
        if ($update) {
            make_path($golden =~ s{/[^/]+$}{}r);
            spew($golden, $r->{out});
        }
        ok(-e $golden, "$name: its golden $dump is there") or next;
        is($r->{out}, slurp($golden), "$name: $dump as before");
    }
}
done_testing;
