package Aotigen;

# Aotigen.pm - what all tests share: paths, running a command with a time limit, C units, torch.
#
# `use Aotigen;` also turns on strict, warnings and Test::More.
#
#   c_test($name, %how)               runs build/t/NAME and repeats the result of each of its tests;
#                                     %how: arguments => [...], and that of run_cmd()
#   skip_or_fail($what, $reason)      ends this file as skipped; as failed where AOTIGEN_REQUIRE
#                                     names $what
#   run_cmd(\@command, %how)          -> { status, signal, timed_out, out, err, seconds }
#   aotigen(@arguments)               run_cmd() of the generator under test
#   torch()                           -> { python, dir, version } of the torch that t/setup/torch.sh
#                                     found, else undef
#   need_torch()                      the same, or skip_or_fail()
#   need_torch_of($version)           the same, of that minor version: what parses the wrappers of
#                                     t/corpus/$version
#   headers($version)                 the same of t/headers, which parses what torch of this minor
#                                     version emitted, and compiles nothing
#   all_headers()                     those of each version
#   corpus_of($torch)                 the directory of t/corpus with wrappers of its minor version,
#                                     or skip_or_fail()
#   corpus_wrappers($torch)           its wrappers there, named below t/corpus
#   fresh($file, @from)               true where the file is there and none of the others is newer
#   locked($file, $make)              calls $make, while no other test makes the same file
#   wait_until { ... } $seconds       waits until the block is true, so long at most (60)
#   let_pass($seconds)                where time itself is what is tested: a comment says why
#   tempdir()                         a directory below build/tmp, removed at the end
#   root(), build(), slurp($file), spew($file, $text)

use strict;
use warnings;
use Cwd ();
use Fcntl ':flock';
use File::Basename 'dirname';
use File::Find ();
use File::Path ();
use File::Temp ();
use POSIX ':sys_wait_h';
use Test::More ();
use Time::HiRes 'time';

use parent 'Exporter';
# Under nohup, or started by a shell's &, these may be ignored; programs under test would inherit
# that.
$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT);

our @EXPORT = qw(c_test skip_or_fail run_cmd aotigen torch need_torch need_torch_of headers
    all_headers corpus_of corpus_wrappers fresh locked wait_until let_pass tempdir root build slurp
    spew);

my $root = Cwd::abs_path(dirname(__FILE__) . '/../..');
my $build = $ENV{AOTIGEN_BUILD} // "$root/build";

sub import {
    my ($class, @what) = @_;
    strict->import;
    warnings->import;
    Test::More->export_to_level(1, 'Test::More');
    $class->export_to_level(1, $class, @what);
    return;
}

# With a sanitizer, leaks that libclang or cJSON leaves at exit do not count.
$ENV{ASAN_OPTIONS} //= 'detect_leaks=0:abort_on_error=1';
$ENV{UBSAN_OPTIONS} //= 'print_stacktrace=1';
# Threads of OpenMP that wait for each other sleep: spinning takes the processor from what runs
# beside them, and on two cores makes a run of a model five times as long.
$ENV{OMP_WAIT_POLICY} //= 'PASSIVE';
# The environment of a developer's shell must not change a test.
delete @ENV{
    grep { /^(AOTIGEN_(?!BUILD$|REQUIRE$)|AOT_INDUCTOR|AOTI_|TORCHINDUCTOR_NAN)/ } keys %ENV};
$ENV{LC_ALL} = 'C.UTF-8';
File::Path::make_path("$root/build/tmp");
$ENV{TMPDIR} = "$root/build/tmp";
$ENV{XDG_CACHE_HOME} = "$root/build/cache";
# Without CUDA, headers with the declarations that wrappers use stand in for its own.
$ENV{CUDA_HOME} = "$root/t/headers/cuda" if !-e '/usr/local/cuda/include/cuda.h';

sub root { return $root }
sub build { return $build }

sub slurp {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot read '$file': $!\n";
    local $/;
    my $text = <$in>;
    return $text // '';
}

sub spew {
    my ($file, $text) = @_;
    open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    print $out $text;
    close $out or die "cannot write '$file': $!\n";
    return $file;
}

sub newest {
    my $newest = 0;
    for (@_) { my $t = (stat)[9] // 0; $newest = $t if $t > $newest }
    return $newest;
}

sub fresh {
    my ($file, @from) = @_;
    return -e $file && newest($file) >= newest(@from);
}

sub locked {
    my ($what, $make) = @_;
    File::Path::make_path(dirname($what));
    open my $lock, '>>', "$what.lock" or die "cannot open '$what.lock': $!\n";
    flock $lock, LOCK_EX;
    $make->();
    close $lock;
    return;
}

sub let_pass { Time::HiRes::sleep($_[0]); return }

sub wait_until(&;$) {
    my ($holds, $seconds) = @_;
    my $end = time + ($seconds // 60);
    while (1) {
        my $is = $holds->();
        return $is if $is || time > $end;
        let_pass(0.001); # between two looks
    }
}

sub tempdir { return File::Temp::tempdir("test-XXXXXXXX", DIR => "$root/build/tmp", CLEANUP => 1) }

# Runs a command without a shell, in a process group of its own, which is killed when the time is
# up. %how: timeout (seconds, 120), cwd, env { NAME => value or undef }, stdin (text), out and err
# (files to write to instead).
sub run_cmd {
    my ($command, %how) = @_;
    my $dir = "$root/build/tmp";
    my ($out, $err) =
        map { $how{$_} // File::Temp->new(TEMPLATE => "$_-XXXXXXXX", DIR => $dir) } qw(out err);
    my $in = File::Temp->new(TEMPLATE => 'in-XXXXXXXX', DIR => $dir);
    print $in $how{stdin} // '';
    close $in;
    my $started = time;
    my $child = fork // die "cannot fork: $!\n";
    if (!$child) {
        setpgrp 0, 0;
        chdir $how{cwd} if defined $how{cwd};
        for my $name (keys %{ $how{env} // {} }) {
            if (defined $how{env}{$name}) { $ENV{$name} = $how{env}{$name} }
            else { delete $ENV{$name} }
        }
        open STDIN, '<', "$in" or POSIX::_exit(126);
        open STDOUT, '>', "$out" or POSIX::_exit(126);
        open STDERR, '>', "$err" or POSIX::_exit(126);
        no warnings 'exec';
        exec { $command->[0] } @$command;
        print STDERR "cannot run '$command->[0]': $!\n";
        POSIX::_exit(127);
    }
    my $timed_out = 0;
    my $waited = eval {
        local $SIG{ALRM} = sub { die "time\n" };
        alarm($how{timeout} // 120);
        waitpid $child, 0;
        alarm 0;
        1;
    };
    my $status = $?;
    if (!$waited) {
        $timed_out = 1;
        kill 'KILL', -$child;
        waitpid $child, 0;
        $status = $?;
    }
    my $signal = $status & 127;
    return {
        # As in a shell: a process that a signal or the time limit killed has not ended with 0.
        status => $signal ? 128 + $signal : $status >> 8, signal => $signal,
        timed_out => $timed_out, seconds => time - $started,
        out => -f "$out" ? slurp("$out") : q(), err => -f "$err" ? slurp("$err") : q(),
    };
}

sub aotigen { return run_cmd(["$build/aotigen", @_]) }

# Each test of build/t/NAME becomes one here; what else it prints is shown where something fails.
sub c_test {
    my ($name, %how) = @_;
    my $test = Test::More->builder;
    if (!-x "$build/t/$name") {
        $test->ok(0, "build/t/$name is there");
        $test->diag('not built: run make');
        $test->done_testing;
        return;
    }
    my %env = (CMOCKA_MESSAGE_OUTPUT => 'TAP', %{ delete $how{env} // {} });
    my @arguments = @{ delete $how{arguments} // [] };
    my $r =
        run_cmd(["$build/t/$name", @arguments], timeout => 300, cwd => $root, %how, env => \%env);
    my ($seen, $failed) = (0, 0);
    for my $line (split /\n/, $r->{out}) {
        if ($line =~ /^(not )?ok \d+ - (.*?)(?:\s+# SKIP\b.*)?$/) {
            my ($bad, $what) = ($1, $2);
            $seen++;
            $failed++ if $bad;
            if ($line =~ /# SKIP/) { $test->skip($what) }
            else { $test->ok(!$bad, $what) }
        } elsif ($failed && $line !~ /^1\.\.\d+$/) {
            $test->diag($line);
        }
    }
    my $ended = $r->{timed_out} ? 'ran out of time' : $r->{signal} ? "died of signal $r->{signal}"
        : "ended with $r->{status}";
    $test->ok($seen > 0, "$name ran tests");
    $test->ok($failed || (!$r->{timed_out} && !$r->{signal} && $r->{status} == 0),
        "$name ended well") or $test->diag("it $ended");
    $test->diag($r->{err}) if length $r->{err} && ($failed || $r->{status} || $r->{signal});
    $test->done_testing;
    return;
}

# Every skip has a reason, and is a failure where AOTIGEN_REQUIRE names $what.
sub skip_or_fail {
    my ($what, $reason) = @_;
    if (grep { $_ eq $what } split /,/, $ENV{AOTIGEN_REQUIRE} // '') {
        Test::More::fail("$what is required (AOTIGEN_REQUIRE): $reason");
        Test::More::done_testing();
        exit 1;
    }
    Test::More::plan(skip_all => $reason);
    return;
}

my $torch;
sub torch {
    return $torch if $torch;
    return undef if !-x "$root/build/torch/python";
    my %t = (python => "$root/build/torch/python");
    for my $what (qw(dir version)) {
        $t{$what} = slurp("$root/build/torch/$what");
        chomp $t{$what};
    }
    return undef if !-e "$t{dir}/version.py";
    return $torch = \%t;
}

sub headers {
    my ($version) = @_;
    my ($minor) = $version =~ /^(\d+\.\d+)/;
    my ($dir) = glob "$root/t/headers/$minor.*/torch";
    my ($whole) = slurp("$dir/version.py") =~ /__version__ = '([^']+)'/;
    return { dir => $dir, version => $whole };
}

sub all_headers { return map { headers(m{([^/]+)/torch$}) } glob "$root/t/headers/[0-9]*/torch" }

# The wrappers of t/corpus that this torch emitted, or one of its minor version.
sub corpus_of {
    my ($torch) = @_;
    my ($minor) = $torch->{version} =~ /^(\d+\.\d+)/;
    my ($dir) = glob "$root/t/corpus/$minor.*";
    return $dir // skip_or_fail('corpus', "t/corpus holds no wrapper of torch $minor");
}

sub corpus_wrappers {
    my ($torch) = @_;
    my ($minor) = $torch->{version} =~ /^(\d+\.\d+)/;
    my ($corpus, @found) = "$root/t/corpus";
    File::Find::find({ no_chdir => 1, wanted => sub { push @found, substr $_, 1 + length $corpus
        if m{/wrapper\.cpp$} } }, $corpus);
    return grep { /^\Q$minor\E\./ } sort @found;
}

sub need_torch {
    return torch() || skip_or_fail('torch',
        'no torch was set up: run make check, or TORCH=DIR t/setup/torch.sh');
}

sub need_torch_of {
    my ($version) = @_;
    my $torch = need_torch();
    my ($wanted, $found) = map { /^(\d+\.\d+)/ } $version, $torch->{version};
    return $torch if $found eq $wanted;
    return skip_or_fail('corpus', "torch $found does not parse the wrappers of torch $wanted");
}

1;
