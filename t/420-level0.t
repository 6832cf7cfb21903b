# At level 0 a rewritten wrapper is the original program: the same machine code, and no symbol of
# the runtime.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

# The machine code of every section that holds some, one after the other, each with its name.
sub code {
    my ($object) = @_;
    my $r = run_cmd(['objdump', '-h', '-w', $object]);
    my $text = '';
    for my $section (sort grep { /^\.text/ } map { (split)[1] // '' }
        grep { /\bCODE\b/ } split /\n/, $r->{out}) {
        my $part = "$object.part";
        run_cmd(['objcopy', '-O', 'binary', '-j', $section, $object, $part]);
        $text .= "$section " . (-e $part ? slurp($part) : '') . "\n";
        unlink $part;
    }
    return $text;
}

for my $name (qw(nan_inside cond)) {
    my $s = sample($name);
    my $dbg = rewritten($s);
    my $dir = tempdir();
    my @flags = (flags("$s->{dir}/wrapper.cpp"), '-O1'); # as users' models are
    cmp_ok(scalar @flags, '>', 5, "$name: the wrapper records its flags");
    my @off = map { "-DAOTIGEN_$_=0" } qw(PRINTER CHECK_INPUTS NAN_ASSERTS SYNC);
    my $command = sub { run_cmd(['g++', @flags, @_, '-c'], timeout => 300) };
    is($command->("$s->{dir}/wrapper.cpp", '-o', "$dir/plain.o")->{status}, 0,
        "$name: the original compiles");
    my $r = $command->("-I" . root() . '/shared/wrapper', @off, $dbg, '-o', "$dir/off.o");
    is($r->{status}, 0, "$name: and the rewritten one with all levels off") or diag($r->{err});
    my ($plain, $off) = map { code("$dir/$_.o") } qw(plain off);
    cmp_ok(length $plain, '>', 10_000, "$name: there is machine code");
    ok($plain eq $off, "$name: and the same");
    my $symbols = run_cmd(['nm', "$dir/off.o"]);
    unlike($symbols->{out}, qr/aotigen/i, "$name: no symbol of ours");
}
done_testing;
