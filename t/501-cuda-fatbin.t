# The kernels compile for every supported architecture without warnings and without local memory;
# the fatbin is what a model links.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

my $root = root();
my $nvcc = FakeCuda::nvcc()
    // Aotigen::skip_or_fail('nvcc', 'no nvcc here: kernels/ is not compiled');
my $dir = tempdir();

# The build has compiled them, with warnings as errors, and has kept what ptxas said.
my ($fatbin, $log) = map { "$root/build/kernels/stats.$_" } qw(fatbin log);
Aotigen::skip_or_fail('nvcc', 'the kernels were not built here') if !-e $log;
my $says = slurp($log);

# If nvcc fails or is killed, this file ends: the rest is about its output.
sub compiled {
    my ($what, @words) = @_;
    my $r = run_cmd([$nvcc, '-std=c++17', @words, "$root/kernels/stats.cu"], timeout => 1500,
        cwd => $dir);
    return if is($r->{status}, 0, $what);
    diag($r->{timed_out} ? "nvcc was killed after $r->{seconds} s" : $r->{err});
    done_testing();
    exit 1;
}

# A fatbin: a header (magic, version, size of the header, size of the rest), then entries of (kind,
# version, size of the entry's header, size of its data, ..., architecture at byte 28). Kind 1 is
# PTX, 2 a cubin.
my $bytes = slurp($fatbin);
my ($magic, undef, $header, $rest) = unpack 'V v v Q<', $bytes;
is($magic, 0xba55ed50, 'it is a fatbin');
is($header + $rest, length $bytes, 'and says its own length');
my @holds;
for (my $at = $header; $at < $header + $rest;) {
    my ($kind, undef, $head, $size) = unpack 'v v V Q<', substr $bytes, $at, 16;
    push @holds, ($kind == 1 ? 'compute_' : 'sm_') . unpack 'V', substr $bytes, $at + 28, 4;
    last if !$head;
    $at += $head + $size;
}
is(join(' ', sort @holds), 'compute_80 sm_100 sm_80 sm_90',
    'SASS for three architectures, and PTX');

# ptxas -v: what a kernel needs beyond registers. A stack would have the driver resize its pool, and
# wait for the device.
my (%kernels, @stack);
for my $line (split /\n/, $says) {
    $kernels{$1}{$2} = 1 if $line =~ /Compiling entry function '(\w+)' for '(sm_\d+)'/;
    push @stack, $line if $line =~ /([1-9]\d*) bytes (?:stack frame|spill)/;
}
is("@stack", '', 'no kernel has a stack frame or spills');
my $names = slurp("$root/kernels/kernels.h");
my @formats = $names =~ /^  X\((\w+), AGK_/mg;
cmp_ok(scalar @formats, '>=', 18, 'the list of formats is read');
my @named = grep { $_ ne 'aotigen_summary_' } $names =~ /^#define AGK_\w+ "(aotigen_\w+)"/mg;
cmp_ok(scalar @named, '>=', 10, 'and the names');
is(join(' ', sort keys %kernels), join(' ', sort @named, map { "aotigen_summary_$_" } @formats),
    'each kernel that kernels.h names is there, and no other');
is(join(' ', map { scalar keys %{ $kernels{$_} } } sort keys %kernels),
    join(' ', (3) x keys %kernels), 'for each architecture');

# The library that is linked into a model must bring them along: a weak reference alone pulls
# nothing out of an archive.
SKIP: {
    skip 'this build of the library has no kernels: made without nvcc', 2
        if !FakeCuda::kernels_embedded();
    my $linked = FakeCuda::build_asker(build() . '/libaotigen.a');
    ok(run_cmd(['nm', $linked])->{out} =~ / [RrDd] aotigen_stats_fatbin$/m,
        'what is linked with libaotigen.a has the kernels in it');
    like(run_cmd([$linked, 'stats', FakeCuda::build_fake()])->{out},
        qr/^stats: no complaint; nan 2 at 3$/m, 'and its CUDA backend is the real one');
}

# What nvcc makes passes for a kernel file, and a part of it does not.
my $ask = FakeCuda::build_asker();
my $fake = FakeCuda::build_fake();
my %made = (fatbin => $fatbin, cubin => "$dir/stats.cubin", ptx => "$dir/stats.ptx");
for my $kind (qw(cubin ptx)) {
    compiled("nvcc makes a $kind", "-$kind", '-arch=sm_80', '-o', $made{$kind});
}
for my $kind (sort keys %made) {
    is(run_cmd([$ask, 'file', $made{$kind}], env => { FAKE_CUDA => $fake })->{out},
        "no complaint\n", "a $kind is a kernel file");
    next if $kind eq 'ptx';
    my $whole = slurp($made{$kind});
    for my $keep (length($whole) - 1, int(length($whole) / 2), 80) {
        spew("$dir/part", substr $whole, 0, $keep);
        like(run_cmd([$ask, 'file', "$dir/part"], env => { FAKE_CUDA => $fake })->{out},
            qr/is cut short|holds no kernel/, "$keep bytes of it are not");
    }
}
done_testing;
