# aotigen run and what `aotigen check` says of the package: a refutation is told first, what is
# proved narrows suspects, and a run that found nothing says what it did not look at. The packages
# are made up: a shell stands for the program, and writes its log.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

my $tiny = "$torch/torch/include/torch/csrc/inductor/tiny.h";
spew($tiny, slurp($tiny)
        =~ s/typedef void \*/struct AtenTensorOpaque;\ntypedef AtenTensorOpaque */r);

# ---- a buffer of 4096 elements that two launches fill

my $declared = <<'END';
#include <cstdint>
extern "C" int32_t aoti_torch_dtype_float32();
extern "C" int32_t aoti_torch_empty_strided(int64_t, const int64_t *, const int64_t *, int32_t,
                                            int32_t, int32_t, AtenTensorHandle *);
extern "C" void cpp_fused_exp_0(float *);
extern "C" void cpp_fused_mul_1(float *);
END
my $runs = <<'END';
void AOTInductorModel::run_impl(AtenTensorHandle* input_handles, AtenTensorHandle* output_handles) {
    static constexpr int64_t int_array_0[] = {4096L};
    static constexpr int64_t int_array_1[] = {1L};
    AtenTensorHandle buf0_handle;
    aoti_torch_empty_strided(1, int_array_0, int_array_1, aoti_torch_dtype_float32(), 0, 0,
                             &buf0_handle);
    RAIIAtenTensorHandle buf0(buf0_handle);
    cpp_fused_exp_0((float*)(buf0.data_ptr()));
    cpp_fused_mul_1((float*)(buf0.data_ptr()));
    output_handles[0] = buf0.release();
}
END
my $filling = $launching =~ s/extern "C" void cpp_fused_0\N*\n/$declared/r
    =~ s/void AOTInductorModel::run_impl\(AtenT.*?^}\n/$runs/msr;

sub kernel {
    my ($name, $index) = @_;
    return <<"END";
extern "C" void cpp_fused_$name(float* out_ptr0)
{
    for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(4096L);
        x0+=static_cast<int64_t>(1L))
    {
        auto tmp0 = static_cast<float>(1.0);
        out_ptr0[static_cast<int64_t>($index)] = tmp0;
    }
}
END
}

# Makes the package, whose second launch stores to these elements.
sub make {
    my ($index) = @_;
    my $command = $kernel =~ s/.*(?=^\S+ Compile cmd)//msr;
    my $text = "#include <torch/csrc/inductor/cpp_prefix.h>\n#include <cstdint>\n"
        . kernel('exp_0', 'x0') . kernel('mul_1', $index) . $command;
    zip("$at/model.pt2", package_of({ $x_wrapper => $filling, $x_kernel => $text }));
}

my $cache = "$dir/cache/aotigen";
my $source = "model.pt2/$x_wrapper";
my $flight = '{"event":"in_flight","time":1.5,"pid":7,"thread":7,"source":"' . $source
    . '","run":1,"launch":2,"site":2,"line":9,"at":"run over","kernel":"cpp_fused_mul_1"}';

# The diagnosis of a run whose program leaves these lines in the log, each part on one line.
sub said {
    my ($lines, %how) = @_;
    spew("$at/lines", join '', map { "$_\n" } @$lines);
    my $r = run_cmd([build() . '/aotigen', 'run', "--torch=$torch", '--confine=off',
            '--model=model.pt2', @{ $how{options} // [] }, '--', 'sh', '-c',
            'cat model.pt2 >copy; cat lines >>"$AOTIGEN_LOG"; exit 3'], cwd => $at, env => {
            TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache", CXX => $noting, %{ $how{env} // {} } });
    is($r->{status}, 3, 'the exit status is the program\'s') or diag($r->{err});
    my ($text) = $r->{err} =~ /^(aotigen: diagnosis of .*)/ms;
    cmp_ok(($text // '') =~ tr/\n//, '<=', 24, 'a screen') or diag($text);
    return ($text // '') =~ s/\n {16}/ /gr;
}

# ---- a package that is refuted, whose run is clean
make('x0 + 8L');
my $refuted = 'refuted without a run: launch 2, cpp_fused_mul_1: store out_ptr0[x0 + 8] leaves its '
    . 'memory: buf0[4103] of 4096, with x0 = 4095';
my $said = said([$flight]);
like($said, qr/^\N+\n  what          \Q$refuted\E\n  in the run    nothing was found\n/,
    'it is told first');
like($said, qr/^  try next      see what is refuted, and for which sizes: aotigen check \S+\.pt2 /m,
    'and what to type');
my ($kept) = glob "$cache/*.checked.jsonl";
ok(defined $kept, 'it is kept beside the debug package');
my $made = (stat($kept // $cache))[1];
like(said([$flight]), qr/^  what          \Q$refuted\E$/m, 'where that was made before, too');
is((stat($kept))[1], $made, 'from what was kept');
unlink $kept;
like(said([$flight]), qr/^  what          \Q$refuted\E$/m, 'and where it is missing');
ok(-e $kept, 'it is made again');
spew($kept, slurp($kept) =~ s/4103/4104/r);
like(said([$flight]), qr/^  what          \Q$refuted\E$/m, 'what was changed is not believed');
like(said([]), qr/^  what          \Q$refuted\E\n  in the run    the program read the package/m,
    'and a program that runs nothing');

# ---- what is proved narrows suspects
my $zone = '{"event":"memory","time":1.5,"pid":7,"thread":7,"source":"' . $source . '","run":1,'
    . '"seen_after":2,"launches":[1,2],"sites":[1,2],"kernels":"cpp_fused_exp_0, cpp_fused_mul_1",'
    . '"check":"overrun","buffer":"buf0","element":4096,"elements":4096,"count":8,"since":0,'
    . '"found":"1"}';
$said = said([$flight, $zone]);
like($said, qr/^  what          \Q$refuted\E$/m, 'the access is told');
like($said, qr/^  in the run    memory overwritten in run 1, by launch 2: cpp_fused_mul_1$/m,
    'of two suspects the one that is not proved');
my $why = 'proves that launch 1 stores only to its own memory, and refutes this one';
like($said, qr/^  why           .*; 'aotigen check' $why$/m, 'why');
unlike($said, qr/^  launches /m, 'the others are not listed');

my $all = qr/^  in the run    memory overwritten in run 1, by one of launches 1 to 2$/m;
like(said([$flight, $zone =~ s/"since":0/"since":-1/r =~ s/"seen_after":2/"seen_after":3/r]),
    qr/by one of launches \d to 3$/m, 'where a launch is not known, none is left out');
like(said([$flight, $zone], options => ['--check-inputs=launch']), $all,
    'nor where the sizes are not looked at');
like(said([$flight, $zone, '{"event":"input","time":2.5,"pid":7,"source":"' . $source
            . '","run":1,"check":"sizes"}']), $all, 'nor where they are not what the model admits');

# ---- a package in which all is proved
make('x0');
$said = said([$flight]);
like($said, qr/^\N+\n  what          nothing was found$/m, 'a sound package');
my $levels = 'Inf (--nan-asserts=all); writes beside buffers (--guard=canary); reads of unwritten '
    . 'memory (--guard=poison)';
like($said, qr/^  not looked at values that are wrong, and finite; \Q$levels\E$/m,
    'what was not looked at');
unlike($said, qr/aotigen check/, 'no check is proposed');
$said = said([$flight], options => ['--nan-asserts=all', '--guard=canary,poison', '--kernels=exp*'],
    env => { AOTIGEN_RUNS => '1-9' });
my $filters = 'launches that --kernels leaves out; what AOTIGEN_RUNS leaves out';
like($said, qr/^  not looked at values that are wrong, and finite; $filters$/m,
    'levels that are on are not listed, filters are');
my $left_out = '{"event":"left_out","source":"' . $source . '","launches":8,"count":3}';
$said = said([$flight, $left_out, $left_out], options => ['--kernels=exp*'],
    env => { AOTIGEN_RUNS => '1-9' });
like($said, qr/; 6 of 16 launches, left out by --kernels, AOTIGEN_RUNS$/m,
    'and how many launches they left out');
unlike($said, qr/leaves out/, 'once');
like(said([$flight, $left_out], env => { AOTIGEN_EVERY => 4 }),
    qr/; 3 of 8 launches, left out by AOTIGEN_EVERY$/m, 'also one run of so many');
my @odd = map { $left_out =~ s/"count":3/"count":$_/r } 0, 9, '-1', '"3"', '9' x 30;
like(said([$flight, @odd], options => ['--kernels=exp*']),
    qr/; launches that --kernels leaves out$/m, 'a number that cannot be is none');
done_testing;
