# samples/streamed.py on a GPU, with a matrix product and a kernel on a stream beside the caller's
# that lags behind it: each launch is scanned where it runs, and named there.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;
use File::Copy 'copy';
use File::Path 'make_path';

FakeCuda::need_gpu();
need_torch();

# The text that torch 2.15 writes for `with torch.cuda.stream(s):`, in what this torch wrote. The
# host function makes the side stream late.
my $before = <<'X';
#include <unistd.h>
namespace {
struct side_work {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  side_work() {
    AOTI_RUNTIME_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    AOTI_RUNTIME_CUDA_CHECK(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    AOTI_RUNTIME_CUDA_CHECK(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  }
};
void be_late(void *) { usleep(3000); }
}
X
my $fork = <<'X';
    AOTI_RUNTIME_CUDA_CHECK(cudaEventRecord(side.begin, stream));
    AOTI_RUNTIME_CUDA_CHECK(cudaStreamWaitEvent(side.stream, side.begin, 0));
    AOTI_RUNTIME_CUDA_CHECK(cudaLaunchHostFunc(side.stream, be_late, nullptr));
X
my $join = <<'X';
    AOTI_RUNTIME_CUDA_CHECK(cudaEventRecord(side.end, side.stream));
    AOTI_RUNTIME_CUDA_CHECK(cudaStreamWaitEvent(stream, side.end, 0));
X

my $plain = sample('streamed', 'cuda');
my $s = { %$plain, dir => "$plain->{dir}-streams" };
make_path($s->{dir});
copy($_, $s->{dir}) for grep { -f && !/dbg|complete/ } glob "$plain->{dir}/*";
my $text = slurp("$plain->{dir}/wrapper.cpp");
$text =~ s/^(namespace torch::aot_inductor \{)/$before$1/m or die 'no namespace';
$text =~ s/^( +AOTICudaStreamGuard stream_guard\(.*\n)/$1    thread_local side_work side;\n/m
    or die 'no guard';
$text =~ s/^( +.*aoti_torch_cuda_mm_out\(.*\n)/$fork    {
    AOTICudaStreamGuard side_guard(side.stream, this->device_idx_);\n$1    }\n/m or die 'no mm';
$text =~ s/^( +call_triton_\w+_index\w*\(.*?), stream,(.*\n)/$fork$1, side.stream,$2/m
    or die 'no look-up';
$text =~ s/^( +call_triton_\w+_log\w*\()/$join$1/m or die 'no logarithm';
spew("$s->{dir}/wrapper.cpp", $text) if !-e "$s->{dir}/wrapper.cpp"
    || slurp("$s->{dir}/wrapper.cpp") ne $text;

my $list = must(aotigen('list', "--torch=$s->{torch}{dir}", "$s->{dir}/wrapper.cpp"), 'listed');
like($list->{out}, qr/aoti_torch_cuda_mm_out  run_impl[^\n]*\n(?: {6}[^\n]*\n)*? {6}stream   side/,
    'list: the product is on the side stream');
my ($looked_up) = $list->{out} =~ /^ +\d+ +triton +(triton_\w+_index\w*)/m;

my @levels = (printer => 0, check_inputs => 'all', nan_asserts => 'all');
my $own = 'torch.cuda.set_stream(torch.cuda.Stream()); ';
for my $sync (0, 1) {
    my $how = $sync ? 'with --sync' : 'without waiting';
    my $so = built($s, @levels, sync => $sync);
    is(same_outputs($s, $so, "healthy, $how", args => ['--repeat=200'])->{err}, '', 'silent');
    is(run_model($s, $so, args => ['--repeat=200', "--poke=$own"])->{err}, '',
        "$how, on a stream of the caller's own: silent");
    for my $caller ('', $own) {
        my $where = $caller ? 'on its own stream' : 'on the default stream';
        my $err = run_model($s, $so,
            args => ['--repeat=200', "--poke=${caller}inputs[0][1][:] = 3e38"])->{err};
        note(substr $err, 0, 3000);
        my $product = qr/launch 2: aoti_torch_cuda_mm_out/;
        my @born = $err =~ /^aotigen: (\S+ born in run \d+, launch \d+: \w+)/mg;
        is(join(' ', grep { !/^\+Inf born in run \d+, $product$/ } @born), '',
            "$how, $where: born in the product alone") or diag("@born");
        like($err, qr/^aotigen: \+Inf born in run 1, launch 2: aoti_torch_cuda_mm_out$/m,
            'from the first run on');
        like($err, qr/^  stream +side stream 1$/m, 'which is on the side stream');
        unlike($err, qr/arrived/, 'nothing came with an input');
        $err = run_model($s, $so, args => ["--poke=${caller}inputs[0][3][5] = 1000"])->{err};
        note(substr $err, 0, 3000);
        like($err, qr/device error in run 1, launch \d: \Q$looked_up\E$/m,
            "$how, $where: a failed assert is laid to the look-up");
        unlike($err, qr/(?:not finished +launch|in run 1, launch) \d+: (?!\Q$looked_up\E)/,
            'and to nothing else');
    }
}
for my $guard (qw(canary poison)) {
    my $so = built($s, @levels, guard => $guard);
    is(same_outputs($s, $so, "--guard=$guard", args => ['--repeat=20'])->{err}, '', 'silent');
}
done_testing();
