# A signal while the compiler runs: the compiler dies, aotigen dies of the signal, and no file is
# left behind.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $torch = "$dir/site-packages";
File::Path::make_path("$torch/torch/include/torch/csrc/inductor", "$dir/tmp", "$dir/out");
spew("$dir/m.cpp", "int x;\nvoid AOTInductorModel::run_impl() {}\n// Compile cmd\n// g++ -c\n");
spew("$dir/m.so", 'old');
spew("$dir/slow", "#!/bin/sh\n[ \"\$1\" = --version ] && exit 0\necho x >\"\$TMPDIR/ccXXXX.s\"\n"
    . "sleep 1000 &\necho \$\$ \$! >$dir/pids\nwait\n");
chmod 0755, "$dir/slow";

for my $signal (qw(INT TERM HUP KILL)) {
    unlink "$dir/pids";
    my $child = fork // die;
    if (!$child) {
        setpgrp 0, 0;
        @ENV{qw(TMPDIR CXX)} = ("$dir/tmp", "$dir/slow");
        open STDERR, '>', "$dir/err";
        exec build() . '/aotigen', 'build', "$dir/m.cpp", '-o', "$dir/m.so", "--torch=$torch"
            or exit 126;
    }
    wait_until { -s "$dir/pids" };
    my @pids = -s "$dir/pids" ? split(' ', slurp("$dir/pids")) : ();
    is(scalar @pids, 2, "SIG$signal: the compiler runs") or diag(slurp("$dir/err"));
    cmp_ok(scalar(() = glob("$dir/tmp/*")), '>', 0, "SIG$signal: with temporary files");
    kill $signal, $child;
    waitpid $child, 0;
    is($? & 127, { INT => 2, TERM => 15, HUP => 1, KILL => 9 }->{$signal},
        "SIG$signal: it dies of the signal");
    # After SIGKILL another process removes them.
    wait_until { !(() = glob("$dir/tmp/* $dir/.aotigen*")) } 5 if $signal eq 'KILL';
    is(join(' ', glob("$dir/tmp/* $dir/.aotigen*")), '', "SIG$signal: nothing is left");
    is(slurp("$dir/m.so"), 'old', "SIG$signal: the old result is as it was");
    wait_until { !grep { alive($_) } @pids } 5;
    ok(!grep({ alive($_) } @pids), "SIG$signal: the compiler and what it started are gone");
}

# `aotigen run` that is killed: the program goes on, with the log that it was given.
{
    unlink "$dir/pids";
    my $child = fork // die;
    if (!$child) {
        $ENV{TMPDIR} = "$dir/tmp";
        exec build() . '/aotigen', 'run', '--', 'sh', '-c',
            "echo \$\$ \$AOTIGEN_LOG >$dir/pids; exec tail -f /dev/null" or exit 126;
    }
    wait_until { -s "$dir/pids" };
    my ($pid, $log) = split ' ', slurp("$dir/pids");
    my ($private) = $log =~ m{(.*)/};
    wait_until { !alive($pid) || slurp("/proc/$pid/cmdline") =~ /^tail/ };
    kill 'KILL', $child;
    waitpid $child, 0;
    ok(alive($pid) && -d $private, 'the program of a run that is killed goes on');
    kill 'TERM', $pid;
    wait_until { !-d $private } 5;
    ok(!-d $private, 'and then its files are gone');
}

# A process that has ended and was not yet waited for by its new parent is gone, too.
sub alive {
    my ($pid) = @_;
    return 0 if !-r "/proc/$pid/stat";
    return slurp("/proc/$pid/stat") !~ /^\d+ \(.*\) [ZX] /;
}
done_testing;
