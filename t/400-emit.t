# torch emits each sample, the plain model runs, and aotigen instruments every launch. Without the
# added macros the result is the original.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $torch = need_torch();
for my $name (qw(nan_inside mlp_dyn attn custom_op cond same_size embed lying_ops)) {
    my $s = sample($name);
    ok(-s "$s->{dir}/wrapper.cpp", "$name: torch $torch->{version} emitted a wrapper");
    same_outputs($s, "$s->{dir}/model.so", "$name, plain");
    my $to = tempdir() . '/out.cpp';
    my $r = run_cmd([build() . '/aotigen', "--torch=$torch->{dir}", "$s->{dir}/wrapper.cpp", '-o',
        $to], env => { XDG_CACHE_HOME => root() . '/build/cache' });
    is($r->{status}, 0, "$name: rewritten") or diag($r->{err});
    my @lines = split /\n/, $r->{err};
    is(scalar @lines, 1, "$name: one line says what was done") or diag($r->{err});
    like($r->{err}, qr/\binstrumented, 0 left alone$/, "$name: every launch is instrumented");
    is($r->{out}, '', "$name: nothing on standard output");
    # What was added is lines of macros, #line, and macros within a line: without them the original
    # is left, byte by byte.
    my ($rest) = slurp($to) =~ /^#line 1 "[^\n]*\n(.*)\z/ms;
    $rest =~ s/^[ \t]*#define (\w+) AOTIGEN_WITH_ROOM\(\1\)\n//mg;
    $rest =~ s/^[ \t]*#undef aoti_torch_\w+\n//mg;
    $rest =~ s/^[ \t]*(?:\{ ?)?AOTIGEN_\w+\([^\n]*\);(?: ?\}| AOTIGEN_RESULT)?\n//mg;
    $rest =~ s/^#line [^\n]*\n//mg;
    $rest =~ s/AOTIGEN_ENTRY_END\(\);//g;
    $rest =~ s/ AOTIGEN_\w+\([^()\n]*\);//g;
    ok($rest eq slurp("$s->{dir}/wrapper.cpp"), "$name: without the added macros the result is the "
        . "original") or spew(root() . "/build/tmp/rest-$name.cpp", $rest);
}
# Without room for a precompiled header, the wrapper is rewritten all the same.
my $s = sample('mlp_dyn');
my $dir = tempdir();
my $r = run_cmd(['sh', '-c', 'ulimit -f 8000; exec "$@"', 'sh', build() . '/aotigen',
    "--torch=$torch->{dir}", "$s->{dir}/wrapper.cpp", '-o', "$dir/out.cpp"],
    env => { XDG_CACHE_HOME => $dir });
is($r->{status}, 0, 'a full disk for the cache: rewritten all the same') or diag($r->{err});
is(scalar(my @kept = glob "$dir/aotigen/*"), 0, 'and nothing broken is kept');
done_testing;
