# libclang is loaded where a wrapper is parsed, and not before: what parses none needs neither its
# time nor its memory, and works without it.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my ($name) = slurp(build() . '/aotigen') =~ /\0(libclang[-\w]*\.so[.\d]*)\0/
    or die "the program names no libclang\n";
unlike(run_cmd(['readelf', '-dW', build() . '/aotigen'])->{out}, qr/NEEDED.*\[libclang/,
    'it is not linked');
spew("$dir/w.cpp", slurp(root() . '/t/corpus/2.11.0/cpu/attn/wrapper.cpp'));

sub with_library {
    my @words = @_;
    return run_cmd([build() . '/aotigen', @words],
        cwd => $dir, env => { LD_LIBRARY_PATH => $dir });
}
my $torch = root() . '/t/headers/2.11.0/torch';
my @rewrite = ("--torch=$torch", '--no-cache', 'w.cpp', '-o', 'o.cpp');

spew("$dir/$name", "no library\n");
is(with_library('--version')->{err}, '', '--version works without it');
my $r = with_library(@rewrite);
SKIP: {
    skip 'the program finds its own libclang first', 5 if !$r->{status};
    is($r->{status}, 1, 'a rewrite does not');
    like($r->{err},
        qr/^aotigen: error: libclang, which parses wrappers, cannot be loaded: .*\Q$name\E/,
        'and says why');
    like($r->{err}, qr/^aotigen: note: Debian has it in the package '\S+'$/m,
        'and what to install');
    my $made = run_cmd(['gcc', '-shared', '-fPIC', '-o', "$dir/$name", '-x', 'c',
        spew("$dir/x.c", "int clang_Cursor_getArgument(void) { return 0; }\n")]);
    die $made->{err} if $made->{status};
    $r = with_library(@rewrite);
    is($r->{status}, 1, 'nor with another library of that name');
    is($r->{err}, "$name: error: is no libclang that aotigen can use: it lacks "
        . "'clang_Cursor_getMangling'\n", 'and says what it lacks');
}
unlink "$dir/$name";
$r = with_library(@rewrite);
is($r->{status}, 0, 'the one that is installed works') or diag($r->{err});
done_testing;
