#!/usr/bin/perl
# demo.pl - `make demo`: aotigen finds a NaN that a kernel of a compiled model makes.
#
# Prints each step, its command and its time. The wrapper that torch emitted stays below build/demo
# for the next run.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Path 'make_path';
use Time::HiRes 'time';

$| = 1;
chdir abs_path(dirname(__FILE__) . '/..') or die "demo: $!\n";
my $python = 'build/torch/python';
my ($torch, $version) = map { read_line("build/torch/$_") } qw(dir version);
my $at = "build/demo/$version";
$ENV{XDG_CACHE_HOME} = abs_path('build') . '/cache';
$ENV{TMPDIR} = abs_path('build') . '/tmp';
$ENV{PYTHONWARNINGS} = 'ignore';
my $total = time;

sub read_line {
    my ($file) = @_;
    open my $in, '<', $file or die "demo: no torch was set up ($file): run make demo\n";
    chomp(my $line = <$in>);
    return $line;
}

# Runs a command and shows its output; if it fails, the demo ends.
sub step {
    my ($what, @command) = @_;
    print "\n== $what\n   ", join(' ', map { s/^\Q$torch\E$/.../r } @command), "\n";
    my $start = time;
    my $log = 'build/tmp/demo.log';
    my $quiet = $command[0] eq $python && $command[1] eq 'samples/emit.py';
    my $child = fork // die "demo: cannot fork: $!\n";
    if (!$child) {
        if ($quiet) {
            open STDOUT, '>', $log;
            open STDERR, '>&', \*STDOUT;
        }
        exec { $command[0] } @command;
        die "demo: cannot run '$command[0]': $!\n";
    }
    waitpid $child, 0;
    my $status = $?;
    system 'tail', '-n', '20', $log if $status && $quiet;
    die sprintf "demo: this step failed (%s)\n",
        $status & 127 ? 'signal ' . ($status & 127) : 'status ' . ($status >> 8) if $status;
    printf "   -- %.1f s\n", time - $start;
    return;
}

sub newer { my ($file, @than) = @_; return -e $file && !grep { -M $_ < -M $file } @than }

print "torch $version in $torch\n";
make_path($at);
if (newer("$at/outputs.pt", 'samples/nan_inside.py', 'samples/emit.py')) {
    print "\n== torch compiled samples/nan_inside.py before: what it emitted is in $at\n";
} else {
    step('torch compiles samples/nan_inside.py for the CPU', $python, 'samples/emit.py',
        'nan_inside', 'cpu', $at);
}
step('aotigen instruments the wrapper', 'build/aotigen', "--torch=$torch", "$at/wrapper.cpp", '-o',
    "$at/wrapper_dbg.cpp");
step('and builds it by its own compile command', 'build/aotigen', 'build', "--torch=$torch",
    "$at/wrapper_dbg.cpp", '-o', "$at/model_dbg.so");
step('one run of the debug model, on inputs of which one logarithm does not exist', $python,
    'samples/run.py', "$at/model_dbg.so", $at, '--only=0');
printf "\nThe outputs are those of the plain model, bit for bit. Everything took %.1f s.\n",
    time - $total;
