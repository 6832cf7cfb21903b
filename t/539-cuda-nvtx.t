# AOTIGEN_NVTX=1 under compute-sanitizer: torch's caching allocator hides from memcheck what an
# operator stores beside a buffer; of buffers that it knows each such access is an error, at an
# address that the report of the device error gives the buffer for, and so is a write to a buffer
# that the launch may only read. A sound model has none.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
my $torch = need_torch();
my ($sanitizer) = grep { -x } map { "$_/compute-sanitizer" } split(/:/, $ENV{PATH}),
    '/usr/local/cuda/bin';
skip_or_fail('cuda', 'no compute-sanitizer here') if !$sanitizer;

my $s = sample('faults.put', 'cuda');
my $so = built($s);
is(same_outputs($s, $so, 'without a tool', env => { AOTIGEN_NVTX => 1 })->{err}, '', 'in silence');

sub under_memcheck {
    my ($sample, $library, $env, @arguments) = @_;
    return run_cmd([$sanitizer, '--tool=memcheck', '--target-processes=all',
            '--show-backtrace=no', $torch->{python}, '-W', 'ignore', root() . '/samples/run.py',
            $library, $sample->{dir}, "--model=$sample->{name}", '--device=cuda', @arguments],
        env => $env, cwd => tempdir(), timeout => 240);
}

sub checked {
    my ($nvtx, @at) = @_;
    my $poke = 'inputs[0][2] = torch.tensor([' . join(', ', @at) . '], device="cuda")';
    return under_memcheck($s, $so, { AOTIGEN_NVTX => $nvtx }, @at ? "--poke=$poke" : ());
}

my $r = checked(1);
is($r->{status}, 0, 'a sound model: the outputs are the same') or diag($r->{out} . $r->{err});
like($r->{out} . $r->{err}, qr/ERROR SUMMARY: 0 errors/, 'and memcheck has no error');
for my $case ([[960, 963, 967], qr/and is (?:1|13|29) bytes after/], [[-1, 5, 5], qr/before/]) {
    my ($at, $where) = @$case;
    my $first = $at->[0];
    like(checked(0, @$at)->{out}, qr/ERROR SUMMARY: 0 errors/, "element $first: the pool hides it")
        if $first > 0;
    $r = checked(1, @$at);
    my $said = $r->{out} . $r->{err};
    like($said, qr/Invalid __global__ write of size 4 bytes/, "element $first: memcheck sees it");
    my ($begin) = $said =~ /$where the nearest allocation at (0x[0-9a-f]+) of size 3,?840 bytes/;
    ok($begin, 'the nearest allocation is the buffer') or diag($said);
    $begin //= 'none';
    like($said, qr/^  argument      buf0: float32 \[24, 40\] on cuda:0, at \Q$begin\E to /m,
        'which the report of the device error names');
    like($said, qr/^aotigen: device error in run 1, launch 2: faults::put$/m, 'with the launch');
}

# ---- an operator that writes to what its schema calls read-only

my $returned = sample('faults.returned', 'cuda');
my $returned_so = built($returned);
sub writing {
    my ($nvtx, $fault) = @_;
    $r = under_memcheck($returned, $returned_so, { AOTIGEN_NVTX => $nvtx, FAULT => $fault });
    return $r->{out} . $r->{err};
}
like(writing(1, ''), qr/ERROR SUMMARY: 0 errors/, 'an operator that keeps to its schema: no error');
like(writing(0, 'writes'), qr/ERROR SUMMARY: 0 errors/, 'one that does not: hidden without names');
my $said = writing(1, 'writes');
my ($begin) = $said =~ /is not writable\N*\n\N*inside the nearest allocation at (0x[0-9a-f]+) of/;
ok($begin, 'memcheck sees the write') or diag($said);
$begin //= 'none';
like($said, qr/^  argument      buf0: float32 \[24, 40\] on cuda:0, at \Q$begin\E to /m,
    'to the buffer that the report of the device error names');
like($said, qr/^aotigen: device error in run 1, launch 2: faults_returned::rows$/m,
    'with the launch');
done_testing;
