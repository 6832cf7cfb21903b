package ForkServer;

# ForkServer.pm - runs programs of Python with torch, each in a process forked from one that has
# imported torch already: the import takes 3 s of processor time, with Inductor 7.
#
#   run_forked(\%what, %how)   as Aotigen::run_cmd(). %what: file or code, arguments, and import,
#                              the modules that the program will import, beside torch and what
#                              compiling or loading a package takes. %how: timeout, cwd, env
#
# The server (fork_server.py) starts at the first call and ends with the test. A process of its own
# is started where the environment has something new that a library may read when it is loaded, and
# on a machine with a GPU, whose driver serves no fork of a process that has called it.

use strict;
use warnings;
use Aotigen;
use Exporter 'import';
use File::Temp ();
use IO::Handle;
use IPC::Open2 'open2';
use JSON::PP;
use Time::HiRes 'time';
our @EXPORT = qw(run_forked);

my ($server, $to, $from, %started);
my $has_gpu = -e '/dev/nvidia0';

sub start {
    %started = %ENV;
    $server = open2($from, $to, torch()->{python}, '-W', 'ignore',
        root() . '/t/lib/fork_server.py');
    $to->autoflush;
    return;
}

END {
    if ($server) {
        local $?;
        close $to;
        waitpid $server, 0;
    }
}

# What torch imports to compile a model, and to load a package.
my %imports = (
    aoti_compile_and_package =>
        [qw(torch._inductor.compile_fx torch._inductor.codegen.cpp_wrapper_cpu)],
    aoti_load_package => ['torch._inductor.package'],
);

sub imports_of {
    my ($what) = @_;
    my $text = $what->{code} // slurp($what->{file});
    return ['torch', @{ $what->{import} // [] },
        map { @{ $imports{$_} } } grep { $text =~ /\b$_\b/ } sort keys %imports];
}

# What the environment of the program has that the server's has not.
sub changes {
    my ($more) = @_;
    my %wanted = (%ENV, %$more);
    return { map { $_ => defined $wanted{$_} ? "$wanted{$_}" : undef }
        grep { ($wanted{$_} // "\0") ne ($started{$_} // "\0") } keys %{ { %wanted, %started } } };
}

sub answer {
    my $line = <$from> // die "fork_server.py has ended\n";
    chomp $line;
    return $line;
}

sub run_forked {
    my ($what, %how) = @_;
    start() if !$server && !$has_gpu;
    my $env = changes($how{env} // {});
    if ($has_gpu || grep { !/^(?:AOTIGEN_|TORCH_SHOW_CPP_STACKTRACES$)/ } keys %$env) {
        my @program = defined $what->{file} ? $what->{file} : ('-c', $what->{code});
        return run_cmd([torch()->{python}, '-W', 'ignore', @program, @{ $what->{arguments} // [] }],
            %how);
    }
    my $dir = root() . '/build/tmp';
    my ($out, $err) =
        map { File::Temp->new(TEMPLATE => "$_-XXXXXXXX", DIR => $dir) } qw(out err);
    my $started = time;
    print $to JSON::PP->new->canonical->encode({ %$what, env => $env, cwd => $how{cwd},
        arguments => [map { "$_" } @{ $what->{arguments} // [] }],
        import => imports_of($what), out => "$out", err => "$err" }), "\n";
    my $child = answer();
    my $timed_out = 0;
    my $status;
    eval {
        local $SIG{ALRM} = sub { die "time\n" };
        alarm($how{timeout} // 120);
        $status = answer();
        alarm 0;
        1;
    } or do {
        die $@ if $@ ne "time\n";
        $timed_out = 1;
        kill 'KILL', -$child;
        $status = answer();
    };
    my $signal = $status & 127;
    return {
        status => $signal ? 128 + $signal : $status >> 8, signal => $signal,
        timed_out => $timed_out, seconds => time - $started, out => slurp("$out"),
        err => slurp("$err"),
    };
}

1;
