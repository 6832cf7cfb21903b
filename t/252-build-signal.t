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

for my $signal (qw(INT TERM HUP)) {
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
    is($? & 127, { INT => 2, TERM => 15, HUP => 1 }->{$signal},
        "SIG$signal: it dies of the signal");
    is(join(' ', glob("$dir/tmp/* $dir/.aotigen*")), '', "SIG$signal: nothing is left");
    is(slurp("$dir/m.so"), 'old', "SIG$signal: the old result is as it was");
    wait_until { !grep { alive($_) } @pids } 5;
    ok(!grep({ alive($_) } @pids), "SIG$signal: the compiler and what it started are gone");
}

# A process that has ended and was not yet waited for by its new parent is gone, too.
sub alive {
    my ($pid) = @_;
    return 0 if !-r "/proc/$pid/stat";
    return slurp("/proc/$pid/stat") !~ /^\d+ \(.*\) [ZX] /;
}
done_testing;
