# compute-sanitizer finds nothing in the CUDA kernels: no access out of bounds, no race, no read
# of uninitialized memory, no invalid barrier.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
my ($sanitizer) = grep { -x } map { "$_/compute-sanitizer" } split(/:/, $ENV{PATH}),
    '/usr/local/cuda/bin';
Aotigen::skip_or_fail('sanitizer', 'no compute-sanitizer here') if !defined $sanitizer;

# False where the tool does not run here. $good: what the command prints where it did its work.
sub finds_nothing {
    my ($tool, $what, $command, $good, %how) = @_;
    my $r = run_cmd([$sanitizer, '--tool', $tool, '--error-exitcode', 77, @$command], %how);
    my $said = $r->{out} . $r->{err};
    if ($said =~ /Device not supported|Unable to find injection/) {
        SKIP: { skip "$tool does not run on this device", 1 }
        return 0;
    }
    ok(!$r->{timed_out} && $r->{status} == 0 && $r->{out} =~ $good, "$tool finds nothing in $what")
        or diag($r->{timed_out} ? 'it ran out of time; ' : '', substr $said, -3000);
    return 1;
}

for my $tool (qw(memcheck racecheck initcheck synccheck)) {
    # With CUDA_EMULATED there is less of everything, which is enough here.
    for my $tests ('test_e*', 'test_lengths') {
        finds_nothing($tool, "tests '$tests'", [build() . '/t/510-cuda-stats', $tests],
            qr/^ok \d+/m,
            timeout => 45, env => { CUDA_EMULATED => 1, CMOCKA_MESSAGE_OUTPUT => 'TAP' }) or last;
    }
    # Real kernels between the markers, on two threads and in a graph: the batches beside them.
    for my $what ([quiet => 60], [graph => 'none']) {
        finds_nothing($tool, "'@$what'", [build() . '/t/531-cuda-planted', @$what],
            qr/outputs are the same/, timeout => 120) or last;
    }
}
done_testing;
