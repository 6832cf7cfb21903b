# compute-sanitizer over the CUDA kernels: no access out of bounds, no race, nothing read that was not written, no odd barrier.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use FakeCuda;

FakeCuda::need_gpu();
my ($sanitizer) = grep { -x } map { "$_/compute-sanitizer" } split(/:/, $ENV{PATH}), '/usr/local/cuda/bin';
Aotigen::skip_or_fail('sanitizer', 'no compute-sanitizer here') if !defined $sanitizer;

# With CUDA_EMULATED there is less of everything, which is enough here.
TOOL: for my $tool (qw(memcheck racecheck initcheck synccheck)) {
    for my $tests ('test_e*', 'test_lengths') {
        my $r = run_cmd([$sanitizer, '--tool', $tool, '--error-exitcode', 77, build() . '/t/510-cuda-health'],
            timeout => 45, env => { CUDA_EMULATED => 1, CMOCKA_MESSAGE_OUTPUT => 'TAP', CUDA_TEST => $tests });
        my $said = $r->{out} . $r->{err};
        if ($said =~ /Device not supported|Unable to find injection/) {
            SKIP: { skip "$tool does not run on this device", 1 }
            next TOOL;
        }
        my $ran = () = $r->{out} =~ /^ok \d+/mg;
        ok(!$r->{timed_out} && $r->{status} == 0 && $ran > 0, "$tool finds nothing in $ran tests of '$tests'")
            or diag($r->{timed_out} ? 'it ran out of time; ' : '', substr $said, -3000);
    }
}

# Real kernels between the markers, on two threads and in a graph: the watches beside them.
for my $tool (qw(memcheck racecheck initcheck synccheck)) {
    for my $what ([quiet => 60], [graph => 'none']) {
        my $r = run_cmd([$sanitizer, '--tool', $tool, '--error-exitcode', 77, build() . '/t/531-cuda-planted', @$what], timeout => 120);
        my $said = $r->{out} . $r->{err};
        if ($said =~ /Device not supported|Unable to find injection/) {
            SKIP: { skip "$tool does not run on this device", 1 }
            next;
        }
        ok(!$r->{timed_out} && $r->{status} == 0 && $r->{out} =~ /outputs are the same/, "$tool finds nothing in '@$what'")
            or diag($r->{timed_out} ? 'it ran out of time; ' : '', substr $said, -3000);
    }
}
done_testing;
