# aotigen run, and the core dump that the driver writes where a kernel fails on a GPU: opened with
# the cuda-gdb of PATH, here a script.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
mkdir "$dir/bin";

# A cuda-gdb that does this.
sub debugger {
    my ($script) = @_;
    spew("$dir/bin/cuda-gdb", "#!/bin/sh\n$script\n");
    chmod 0755, "$dir/bin/cuda-gdb";
    return;
}

# A program that leaves a core dump, as the driver would.
sub dumps {
    my ($options, $also, $path) = @_;
    $path //= "$dir/bin:$ENV{PATH}";
    my $script = 'echo dump >"$(echo "$CUDA_COREDUMP_FILE" | sed "s/%p/$$/")"; '
        . ($also // '') . ' exit 1';
    return run_cmd([build() . '/aotigen', 'run', @$options, '--', 'sh', '-c', $script],
        cwd => $dir,
        env => { PATH => $path, CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 1 });
}

my $r = dumps([], '', join ':', grep { !-e "$_/cuda-gdb" } split /:/, $ENV{PATH});
like($r->{err}, qr/^  core dump     the driver wrote one: with cuda-gdb on PATH it tells/m,
    'without cuda-gdb its use is told');
spew("$dir/said", <<'SAID');
Opening GPU coredump: gpu.1
CUDA Exception: Warp Illegal Address
The exception was triggered at PC 0x7f0c28df8e30  overrun_kernel  (cabc.py:20)
[Current focus set to CUDA kernel 0, grid 12, block (3,0,0), thread (32,0,0), device 0, sm 6]
#0  0x00007f0c28df8e40 in overrun_kernel<<<(16,1,1),(128,1,1)>>> () at /tmp/cabc.py:20
20          tl.store(o_ptr + i + off, x)
SAID
debugger(qq{echo "\$@" >$dir/asked; cat "\${4#target cudacore }" >>$dir/asked; cat $dir/said});
$r = dumps([]);
like($r->{err}, qr/^  what          Warp Illegal Address in overrun_kernel of grid /m, 'what');
like($r->{err}, qr/\(16,1,1\),\(128,1,1\),\s+block\s+\(3,0,0\),\s+thread \(32,0,0\)/s,
    'the block and the thread');
like($r->{err}, qr{^  kernel line   /tmp/cabc\.py:20  tl\.store\(o_ptr \+ i \+ off, x\)$}m,
    "the kernel's line");
like($r->{err}, qr/^  why           the driver's core dump says so; no launch is known$/m, 'why');
like(slurp("$dir/asked"), qr/^-nx -batch -ex target cudacore gpu\.\d+\ndump\n$/,
    'cuda-gdb was given the dump');

# With the run-time library's report of the same error.
my $device = '{"event":"device","time":1.5,"pid":1,"source":"w.cpp","run":1,'
    . '"device":"cuda:0","launch":3,'
    . '"site":3,"line":70,"kernel":"overrun_kernel_0","check":"device error",'
    . '"found":"an illegal memory access was encountered","suspects":1,"last_finished":2}';
spew("$dir/lines", "$device\n");
$r = dumps([], 'cat lines >"$AOTIGEN_LOG";');
like($r->{err},
    qr/^  what          device error in run 1, at launch 3 or before it: overrun_kernel$/m,
    'with a report: the launch where the error was seen is not accused');
like($r->{err}, qr/^  seen at       run 1, launch 3: overrun_kernel_0$/m, 'but named');
like($r->{err}, qr/^  on the GPU    Warp Illegal Address in overrun_kernel of grid/m,
    'and the place in the kernel');
like($r->{err}, qr/^  why           while the driver writes a core dump, launches behind/m, 'why');
my $again = qr/^ +CUDA_ENABLE_COREDUMP_ON_EXCEPTION=0 aotigen run -- sh/m;
like($r->{err}, $again, 'what to try: the run that names the launch');

# A model lists the launches of its Triton kernels: those of the dump's kernel are named.
sub listed {
    my ($in_branches, $copies, @sites) = @_;
    return qq({"event":"kernels","pid":1,"source":"w.cpp","in_branches":$in_branches,)
        . qq("copies":$copies,"sites":[) . join(',', map { my ($site, $kernel) = @$_;
            qq({"site":$site,"line":6$site,"kernel":"$kernel",)
                . '"args":[["o_ptr","buf0"],["i","arg1_1"],["o","buf2"]]}' } @sites) . "]}\n";
}
my $seen = $device =~ s/kernel_0/other_1/r =~ s/"site":3/"site":5/r =~ s/"launch":3/"launch":4/r;
sub laid {
    spew("$dir/lines", join '', @_);
    return dumps([], 'cat lines >"$AOTIGEN_LOG";')->{err};
}
my $laid = laid(listed(0, 1, [2, 'first_0'], [3, 'overrun_kernel_0']), "$seen\n");
like($laid, qr/^  what          device error in run 1, launch 2: overrun_kernel$/m,
    'the one launch of that kernel, behind a copy that was not made');
like($laid, qr/^  launched at   w\.cpp:63$/m, 'where it is');
like($laid, qr/^  arguments     o_ptr is buf0, i is arg1_1$/m, "and what the kernel's line names");
like($laid, qr/^  seen at       run 1, launch 4: overrun_other_1$/m, 'where it was seen');
unlike($laid, qr/^ +CUDA_ENABLE_COREDUMP/m, 'no other run is advised');
like(laid(listed(0, 0, [3, 'overrun_kernel_0']) x 100, "$seen\n"),
    qr/^  what          device error in run 1, launch 3: overrun_kernel$/m,
    'a model that each of many processes lists has the launch once');
like(laid(listed(0, 0, [3, 'overrun_kernel_0']),
        listed(0, 0, [2, 'overrun_kernel_0']) =~ s/w\.cpp/v.cpp/r, "$seen\n"),
    qr/^  what          device error in run 1, one of launches 3, 2: overrun_kernel$/m,
    'two models have both');
like(laid(listed(0, 0, [2, 'overrun_kernel_0'], [4, 'overrun_kernel_10']), "$seen\n"),
    qr/^  what          device error in run 1, one of launches 2, 4: overrun_kernel$/m,
    'of two launches both');
like(laid(listed(3, 0, [9, 'overrun_kernel']), "$seen\n"),
    qr/^  what          device error in run 1, site 9: overrun_kernel$/m,
    'behind a loop or branch the site');
like(laid(listed(0, 0, [9, 'overrun_kernel_0'], [3, 'overrun_kernel_x']), "$seen\n"),
    qr/^  what          device error in run 1, at launch 4 or before it: overrun_kernel$/m,
    'not a later launch, nor another kernel');
$laid = laid(listed(0, 0, [3, 'overrun_kernel_0']));
like($laid, qr/^  launch        launch 3 of the model\n  launched at   w\.cpp:63$/m,
    'a model that reported nothing');
like($laid, qr/^  why           the driver's core dump names the kernel; no report has the /m,
    'why');
for my $wrong ('{"event":"kernels"}', '{"event":"kernels","source":"w","sites":7}',
    '{"event":"kernels","source":"w","sites":[1,{},{"site":0,"kernel":"overrun_kernel"},'
        . '{"site":3,"kernel":7},{"site":"x","kernel":"overrun_kernel","args":[[1],2]}]}',
    listed(0, 0, [3, 'overrun_kernel_0']) =~ s/args.*//sr) {
    like(laid("$wrong\n", "$device\n"), qr/at launch 3 or before it: overrun_kernel$/m,
        'a list of another form is left out');
}

# What was wrong before is the first cause, whether the last report came out or not.
my $guard = $device =~ s/"device","time"/"guard","time"/r =~ s/"launch":3/"launch":1/r
    =~ s/device error".*/storage"}/sr;
for my $lines ("$guard\n", "$guard\n$device\n") {
    my $said = laid($lines);
    like($said, qr/^  what          guard failed in run 1, launch 1: overrun_kernel_0$/m,
        'a guard that was violated before the dump comes first');
    like($said, qr/^  on the GPU    Warp Illegal Address in overrun_kernel of grid/m,
        'and the place in the kernel is told');
}
# The dump of a process that goes on, or of one of several, has a time of its own.
my $after = laid($guard =~ s/1\.5/4102444800.5/r . "\n");
like($after, qr/^  what          Warp Illegal Address in overrun_kernel of grid /m,
    'a guard that was violated after the dump does not come before it');
like($after, qr/^  also found    1 x violation of a guard$/m, 'and is told');
spew("$dir/lines", "$device\n");
$r = dumps(['--core-dump'], 'cat lines >"$AOTIGEN_LOG";');
like($r->{err}, $again, 'also with the option, which excludes that');
my $without = run_cmd([build() . '/aotigen', 'run', '--', 'sh', '-c', 'cat lines >"$AOTIGEN_LOG"'],
    cwd => $dir);
like($without->{err}, qr/^  what          device error in run 1, launch 3: overrun_kernel_0$/m,
    'without a dump: the launch');
like($without->{err}, qr/^ +aotigen run --core-dump -- sh/m, 'and a dump is what to try');

# A dump that goes to a file of the user's own, or that none is to be written.
sub reported {
    my ($options, %env) = @_;
    return run_cmd([build() . '/aotigen', 'run', @$options, '--', 'sh', '-c',
            'cat lines >"$AOTIGEN_LOG"; exit 1'], cwd => $dir, env => \%env)->{err};
}
my $own = reported([], CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 1, CUDA_COREDUMP_FILE => "$dir/own");
like($own, qr/^  what          device error in run 1, at launch 3 or before it$/m,
    "a dump of the user's: the launch is not accused either");
unlike($own, qr/the dump\s+names/, 'and nothing is said of a dump that was not read');
unlike($own, qr/--core-dump/, 'nor is one to be tried');
my $none = reported([], CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 0);
like($none, qr/^  what          device error in run 1, launch 3: overrun_kernel_0$/m,
    'the user wants none: the launch');
unlike($none, qr/--core-dump/, 'and no advice that would be refused');
my $reported = slurp("$dir/lines");
spew("$dir/lines", $device =~ s/"device","time"/"failed","time"/r . "\n");
like(reported(['--core-dump']),
    qr/^ +TORCH_SHOW_CPP_STACKTRACES=1 aotigen run --core-dump -- sh/m,
    'an advised run that does not exclude the option keeps it');
spew("$dir/lines", $reported);
for my $value (0, 'true', '') {
    my $refused = reported(['--core-dump'], CUDA_ENABLE_COREDUMP_ON_EXCEPTION => $value);
    like($refused, qr/^aotigen: error: option '--core-dump' and the variable 'CUDA_\w+=$value' /,
        "none, and one with the option: '$value' is refused");
    unlike($refused, qr/diagnosis/, 'and nothing is run');
}

$r = dumps(['--keep=kept']);
my ($kept) = glob "$dir/kept/gpu.*";
is($kept && slurp($kept), "dump\n", '--keep keeps the dump');
like($r->{err}, qr{^aotigen: kept 'kept/gpu\.\d+'$}m, 'and names it');
unlike(dumps([])->{err}, qr/kept/, 'else it is removed');

# Anything else that cuda-gdb may do.
for my $case (['cat /dev/urandom | head -c 100000', 'garbage'], ['exit 1', 'a failure'],
    ['yes | head -c 3000000', 'too much'], ['kill -9 $$', 'a death'],
    ["printf 'CUDA Exception: \\033[2J\\n'", 'half of its text']) {
    debugger($case->[0]);
    $r = dumps([]);
    is($r->{status}, 1, "cuda-gdb with $case->[1]: the exit status is the program's");
    like($r->{err}, qr/^  what          nothing is known: no debug model began the log$/m,
        'nothing is made of it');
    unlike($r->{err}, qr/\x1b/, 'nor shown');
    like($r->{err},
        qr/^  core dump     the driver wrote one, and cuda-gdb did not read it: --keep=DIR keeps/m,
        'but how to read it oneself');
}
done_testing;
