# samples/descriptors.py on a GPU: kernels of a user that get their tensors by descriptors. What a
# descriptor was made of is the launch's argument, and a NaN there has come with it.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
my $torch = need_torch();
my $has = python('import torch; print(torch.cuda.get_device_capability()[0], end="")');
plan skip_all => 'a GPU from compute capability 9.0 on has the copies of descriptors'
    if $has->{out} !~ /(\d+)$/ || $1 < 9;

my $s = sample('descriptors', 'cuda');
my $text = slurp("$s->{dir}/wrapper.cpp");

# ---- without a run
my $r = must(aotigen('list', "--torch=$torch->{dir}", "$s->{dir}/wrapper.cpp"), 'listed');
my ($made) = $r->{out} =~ /^( +\d+ +triton +host_made_0 .*?)guards/ms;
like($made, qr/^ +in +tensor +buf\d+  float32\n +out +tensor +buf\d+  float32\n/m,
    'both tensors that the host made descriptors of') or diag($r->{out}, $r->{err});
my ($input) = $r->{out} =~ /^( +\d+ +triton +host_made_input_1 .*?)guards/ms;
like($input, qr/^ +in +input +arg2_1 = args\[2\]  float32$/m, 'an input likewise');

sub check {
    my ($wrapper) = @_;
    return run_cmd([build() . '/aotigen', 'check', "--torch=$torch->{dir}", $wrapper]);
}
my $dir = tempdir();
ok($text =~ s/(make_tensor_descriptor\(out, shape=\[M) *, N\]/$1 + 1, N]/, 'a row more');
$r = check(spew("$dir/wrapper.cpp", $text));
is($r->{status}, 1, 'a block that leaves the tensor');
like($r->{out}, qr/^refuted: launch \d+, kernel_made_2, line \d+$/m, 'is refuted')
    or diag($r->{out}, $r->{err});
is(check("$s->{dir}/wrapper.cpp")->{status}, 0, 'what torch wrote is not');

# ---- runs
my @levels = (printer => 0, check_inputs => 'all', nan_asserts => 'all');
packages_agree($s, {@levels});
my %planted = (
    'inputs[0][0][99, 127] = nan' => [0, 'triton_poi_fused_mul_0', '[99, 127]', 'host_made_0'],
    'inputs[0][1][3, 65] = nan' => [1, 'host_made_0', '[3, 65]', 'host_made_0'],
    'inputs[0][2][64, 64] = nan' => [2, 'host_made_input_1', '[64, 64]', 'host_made_input_1'],
    'inputs[0][3][29, 0] = nan' => [3, 'kernel_made_2', '[29, 0]', 'kernel_made_2'],
);
for my $sync (1, 0) {
    my $how = $sync ? 'with --sync' : 'without waiting';
    my $so = built($s, @levels, sync => $sync);
    is(same_outputs($s, $so, "descriptors, $how")->{err}, '', "$how: silent");
    for my $poke (sort keys %planted) {
        my ($n, $first, $at, $through) = @{ $planted{$poke} };
        my $err = run_model($s, $so, args => ["--poke=$poke"])->{err};
        note($err);
        like($err, qr/^aotigen: NaN arrived in run 1 with the input 'args\[$n\]', .*: \Q$first\E$/m,
            "$how, $poke: it came with the input");
        like($err, qr/NaN in 1 of \d+ elements, the first at \Q$at\E/, 'one element');
        like($err, qr/^  launch \d+ +\Q$through\E, (?:perhaps )?to buf\d+/m,
            'through the descriptor');
        unlike($err, qr/\bborn\b/, 'nothing is born');
    }
}
done_testing;
