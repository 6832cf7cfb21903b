# Packages and signals: aotigen dies of the signal, and leaves neither files nor children.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use POSIX ();

spew("$dir/bin/slow", "#!/bin/sh\ncase \$1 in --version|-xc++) exec g++ \"\$@\" ;; esac\n"
    . "echo x >\"\$TMPDIR/ccXXXX.s\"\nsleep 1000 &\necho \$\$ \$! >$dir/pids\nwait\n");
chmod 0755, "$dir/bin/slow";
my %signals = (INT => 2, TERM => 15, HUP => 1, ALRM => 14, USR1 => 10, XCPU => 24, KILL => 9);

sub alive {
    my ($pid) = @_;
    return -r "/proc/$pid/stat" && slurp("/proc/$pid/stat") !~ /^\d+ \(.*\) [ZX] /;
}

# Waits until $when says so, and sends the signal then.
sub interrupted {
    my ($what, $signal, $when, %env) = @_;
    unlink "$dir/pids";
    my $before = all_of($at);
    my $child = fork // die;
    if (!$child) {
        setpgrp 0, 0;
        chdir $at;
        %ENV = (%ENV, TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache", CXX => $noting, %env);
        open STDERR, '>', "$dir/err";
        exec build() . '/aotigen', "--torch=$torch", 'model.pt2', '-o', 'out.pt2'
            or POSIX::_exit(126);
    }
    my $reached = 0;
    wait_until { ($reached = $when->()) || waitpid($child, POSIX::WNOHANG()) };
    kill $signal, $child;
    waitpid $child, 0;
    my $status = $?;
    my @pids = -s "$dir/pids" ? split(' ', slurp("$dir/pids")) : ();
    wait_until { !grep { alive($_) } @pids } 60;
    # After SIGKILL another process removes them.
    wait_until { !(() = glob "$tmp/* $tmp/.a* $at/.aotigen-*") } 60 if $signal eq 'KILL';
    my @wrong;
    push @wrong, 'was not seen there' if !$reached;
    push @wrong, "ended with $status" if ($status & 127) != $signals{$signal};
    push @wrong, 'leaves ' . join ' ', glob "$tmp/* $tmp/.a*" if glob "$tmp/* $tmp/.a*";
    push @wrong, 'leaves a child' if grep { alive($_) } @pids;
    my $after = all_of($at);
    push @wrong, 'changes the directory: ' . join ' ', keys %$after
        if join("\n", map { "$_ $before->{$_}" } sort keys %$before) ne join("\n",
        map { "$_ $after->{$_}" } sort keys %$after);
    push @wrong, 'keeps a cache' if -e "$dir/cache";
    ok(!@wrong, "SIG$signal $what") or diag(join ', ', @wrong);
    return;
}

sub partly {
    my ($pattern, $size) = @_;
    my ($file) = glob $pattern;
    return $file && -s $file && -s _ < $size;
}
my $huge = 1 << 30;
for my $signal (sort keys %signals) {
    zip("$at/model.pt2", package_of({ $x_so => undef }, { name => $x_so, hole => $huge }));
    interrupted('while the weights are unpacked', $signal,
        sub { partly("$tmp/aotigen-*/package*/0/old.so", $huge) });
    zip("$at/model.pt2", $sound);
    interrupted('while the compiler runs', $signal, sub { -s "$dir/pids" }, CXX => "$dir/bin/slow");
    zip("$at/model.pt2", package_of({}, { name => 'model/huge', hole => $huge }));
    interrupted('while the package is written', $signal, sub { partly("$at/.aotigen-*", $huge) });
    unlink glob("$at/*");
}
# The program that starts aotigen may have told the kernel to forget the children that end.
zip("$at/model.pt2", $sound);
my $r = run_cmd(['perl', '-e', '$SIG{CHLD} = "IGNORE"; exec @ARGV', build() . '/aotigen', 'list',
    "--torch=$torch", '--limits=parser=4', "$at/model.pt2"],
    env => { TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache" });
is($r->{status}, 0, 'SIGCHLD that is ignored') or diag($r->{err});

# A temporary directory that is full: what is printed goes through a file there.
spew("$at/wrapper.cpp", $wrapper);
$r = run_cmd(['sh', '-c', '(ulimit -f 0; exec "$@") 2>&1 | cat', 'sh', build() . '/aotigen', 'list',
    '--no-cache', "--torch=$torch", "$at/wrapper.cpp"], env => { TMPDIR => $tmp });
# A child of a sanitized build keeps stderr, where libclang says that it cannot write its header.
my $libclang = build() =~ m{/san$} ? qr/(?:LIBCLANG FATAL ERROR: IO failure .*\n)?/ : qr//;
like($r->{out}, qr/^$libclang\S+: error: the temporary directory is full: TMPDIR=DIR .*\n\z/,
    'a list that does not fit into TMPDIR');
done_testing;
