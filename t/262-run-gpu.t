# aotigen run, and the core dump that the driver writes where a kernel fails on a GPU: opened with
# the cuda-gdb of PATH, here a script.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Expected;

my $dir = tempdir();
mkdir "$dir/bin";

# A cuda-gdb that does this.
sub debugger {
    my ($script) = @_;
    spew("$dir/bin/cuda-gdb", "#!/bin/sh\n$script\n");
    chmod 0755, "$dir/bin/cuda-gdb";
    return;
}

# A program that leaves a log, and one that leaves a core dump too, as the driver would.
spew("$dir/logs", qq{cat lines >"\$AOTIGEN_LOG"\nexit 1\n});
spew("$dir/dumps", 'echo dump >"$(echo "$CUDA_COREDUMP_FILE" | sed "s/%p/$$/")"' . "\n. ./logs\n");

# What is said of a program, 'dumps' unless one is named, that leaves these lines in the log.
sub said {
    my ($lines, %how) = @_;
    spew("$dir/lines", $lines);
    my $r = run_cmd([build() . '/aotigen', 'run', @{ $how{options} // [] }, '--', 'sh',
            $how{program} // 'dumps'], cwd => $dir, env => { PATH => "$dir/bin:$ENV{PATH}",
            CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 1, %{ $how{env} // {} } });
    is($r->{status}, $how{status} // 1, "the exit status is the program's");
    return $r->{err};
}

my $no_debugger = join ':', grep { !-e "$_/cuda-gdb" } split /:/, $ENV{PATH};
is_expected('without cuda-gdb its use is told', said('', env => { PATH => $no_debugger }));
spew("$dir/said", <<'SAID');
Opening GPU coredump: gpu.1
CUDA Exception: Warp Illegal Address
The exception was triggered at PC 0x7f0c28df8e30  overrun_kernel  (cabc.py:20)
[Current focus set to CUDA kernel 0, grid 12, block (3,0,0), thread (32,0,0), device 0, sm 6]
#0  0x00007f0c28df8e40 in overrun_kernel<<<(16,1,1),(128,1,1)>>> () at /tmp/cabc.py:20
20          tl.store(o_ptr + i + off, x)
SAID
debugger(qq{echo "\$@" >$dir/asked; cat "\${4#target cudacore }" >>$dir/asked; cat $dir/said});
is_expected('a dump alone, which is removed', said(''));
like(slurp("$dir/asked"), qr/^-nx -batch -ex target cudacore gpu\.\d+\ndump\n$/,
    'cuda-gdb was given the dump');

# With the run-time library's report of the same error.
my $device = '{"event":"device","time":1.5,"pid":1,"source":"w.cpp","run":1,'
    . '"device":"cuda:0","launch":3,'
    . '"site":3,"line":70,"kernel":"overrun_kernel_0","check":"device error",'
    . '"found":"an illegal memory access was encountered","suspects":1,"last_finished":2}';
is_expected('with a report: the launch where the error was seen is not accused', said("$device\n"));

# Of several suspects each has a line, and the device was lost once.
my $several = $device =~ s/"suspects":1/"suspects":2/r;
my $lost = said("$several\n" . ($several =~ s/"launch":3/"launch":4/r) . "\n", program => 'logs');
unlike($lost, qr/also found/, 'two suspects of one lost device are one finding');
like(said($several =~ s/"pid":1/"pid":2/r . "\n$several\n", program => 'logs'),
    qr/^  also found    1 x device error$/m, 'those of two processes are two');

# A model lists the launches of its Triton kernels: those of the dump's kernel are named.
sub listed {
    my ($in_branches, $copies, @sites) = @_;
    return qq({"event":"kernels","pid":1,"source":"w.cpp","in_branches":$in_branches,)
        . qq("copies":$copies,"sites":[) . join(',', map { my ($site, $kernel) = @$_;
            qq({"site":$site,"line":6$site,"kernel":"$kernel",)
                . '"args":[["o_ptr","buf0"],["i","arg1_1"],["o","buf2"]]}' } @sites) . "]}\n";
}
my $seen = ($device =~ s/kernel_0/other_1/r =~ s/"site":3/"site":5/r =~ s/"launch":3/"launch":4/r)
    . "\n";
my $third = listed(0, 0, [3, 'overrun_kernel_0']);
is_expected('the one launch of that kernel, behind a copy that was not made',
    said(listed(0, 1, [2, 'first_0'], [3, 'overrun_kernel_0']) . $seen));
is_expected('a model that each of many processes lists has the launch once',
    said($third x 100 . $seen));
is_expected('two models have both',
    said($third . listed(0, 0, [2, 'overrun_kernel_0']) =~ s/w\.cpp/v.cpp/r . $seen));
is_expected('of two launches both',
    said(listed(0, 0, [2, 'overrun_kernel_0'], [4, 'overrun_kernel_10']) . $seen));
is_expected('behind a loop or branch the site', said(listed(3, 0, [9, 'overrun_kernel']) . $seen));
is_expected('not a later launch, nor another kernel',
    said(listed(0, 0, [9, 'overrun_kernel_0'], [3, 'overrun_kernel_x']) . $seen));
is_expected('a model that reported nothing', said($third));
for my $wrong ('{"event":"kernels"}', '{"event":"kernels","source":"w","sites":7}',
    '{"event":"kernels","source":"w","sites":[1,{},{"site":0,"kernel":"overrun_kernel"},'
        . '{"site":3,"kernel":7},{"site":"x","kernel":"overrun_kernel","args":[[1],2]}]}',
    $third =~ s/args.*//sr) {
    is_expected('with a report: the launch where the error was seen is not accused',
        said("$wrong\n$device\n") =~ s/^  log {11}1 of its 2 lines are no events.*\n//mr);
}

# What was wrong before is the first cause, whether the last report came out or not. The dump of a
# process that goes on, or of one of several, has a time of its own.
my $guard = $device =~ s/"device","time"/"guard","time"/r =~ s/"launch":3/"launch":1/r
    =~ s/device error".*/storage"}/sr;
is_expected('a guard that was violated before the dump comes first', said("$guard\n"));
is_expected('and before the report of the same error', said("$guard\n$device\n"));
is_expected('a guard that was violated after the dump does not come before it',
    said($guard =~ s/1\.5/4102444800.5/r . "\n"));
is_expected('with a report: the launch where the error was seen is not accused',
    said("$device\n", options => ['--core-dump']));
my %unset = (CUDA_ENABLE_COREDUMP_ON_EXCEPTION => undef);
is_expected('without a dump: the launch, and a dump is what to try',
    said("$device\n", program => 'logs', env => \%unset));

# A dump that goes to a file of the user's own, or that none is to be written.
is_expected('a dump that goes elsewhere: the launch is not accused either, nor is one to be tried',
    said("$device\n", program => 'logs', env => { CUDA_COREDUMP_FILE => "$dir/own" }));
is_expected('the user wants none: the launch, and no advice that would be refused',
    said("$device\n", program => 'logs', env => { CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 0 }));
is_expected('an advised run that does not exclude the option keeps it',
    said($device =~ s/"device","time"/"failed","time"/r . "\n", program => 'logs',
        options => ['--core-dump'], env => \%unset));
for my $value (0, 'true', '') {
    is_expected('none, and one with the option: refused, and nothing is run',
        said('', options => ['--core-dump'], status => 2,
            env => { CUDA_ENABLE_COREDUMP_ON_EXCEPTION => $value }), qr/=\K\Q$value'/ => "VALUE'");
}

is_expected('--keep keeps the dump and names it', said('', options => ['--keep=kept']),
    qr/gpu\.\K\d+/ => 'PID');
my ($kept) = glob "$dir/kept/gpu.*";
is($kept && slurp($kept), "dump\n", 'which is the dump');

# Anything else that cuda-gdb may do.
for my $case (['cat /dev/urandom | head -c 100000', 'garbage'], ['exit 1', 'a failure'],
    ['yes | head -c 3000000', 'too much'], ['kill -9 $$', 'a death'],
    ["printf 'CUDA Exception: \\033[2J\\n'", 'half of its text']) {
    debugger($case->[0]);
    note("cuda-gdb with $case->[1]");
    is_expected('nothing is made of it, nor shown, but how to read it oneself', said(''));
}
done_testing;
