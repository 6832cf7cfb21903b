package ForkServer;

# ForkServer.pm - runs programs of Python with torch, each in a process forked from a server that
# has imported torch already: the import takes 3 s of processor time, with Inductor 6.
#
#   run_forked(\%what, %how)   as Aotigen::run_cmd(). %what: file or code, arguments, and import,
#                              the modules that the program will import, beside torch and what
#                              compiling or loading a package takes. %how: timeout, cwd, env
#   share()                    starts a server that several tests share (t/setup/shared-torch).
#                              Returns { path, of its socket, for SHARED_TORCH in their
#                              environment }; undef where there can be none
#   end($server)               ends that server
#
# A test that finds no shared server has its own, which starts at the first call and ends with the
# test. A process of its own is started where the environment has something new that a library may
# read when it is loaded, and on a machine with a GPU, whose driver serves no fork of a process that
# has called it.

use strict;
use warnings;
use Aotigen;
use Exporter 'import';
use File::Temp ();
use IO::Handle;
use IO::Socket::UNIX;
use JSON::PP;
use POSIX ();
use Socket;
use Time::HiRes 'time';
our @EXPORT = qw(run_forked);

my ($own, $server, %started);
my $has_gpu = -e '/dev/nvidia0';

sub start {
    my (@path) = @_;
    socketpair(my $mine, my $its, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die "socketpair: $!\n";
    my $child = fork // die "cannot fork: $!\n";
    if (!$child) {
        open STDIN, '<&', $its or POSIX::_exit(126);
        open STDOUT, '>&', \*STDERR or POSIX::_exit(126);
        my $program = root() . '/t/lib/fork_server.py';
        exec torch()->{python}, '-W', 'ignore', $program, @path or POSIX::_exit(127);
    }
    $mine->autoflush;
    return { child => $child, socket => $mine, path => $path[0] };
}

sub end {
    my ($which) = @_;
    local $?;
    close $which->{socket};
    waitpid $which->{child}, 0;
    unlink map { ($_, "$_.json") } $which->{path} // ();
    return;
}

sub share {
    return undef if $has_gpu || !torch();
    my $path = root() . "/build/tmp/torch-$$";
    spew("$path.json", encode_json(\%ENV));
    my $shared = start($path);
    return $shared if defined readline $shared->{socket}; # it listens
    end($shared);
    return undef;
}

sub connect_server {
    my $path = $ENV{SHARED_TORCH};
    $server = $path && IO::Socket::UNIX->new($path);
    if ($server) { %started = %{ decode_json(slurp("$path.json")) } }
    else {
        %started = %ENV;
        $own = start();
        $server = $own->{socket};
    }
    return;
}

END { end($own) if $own }

# What torch imports to compile a model, and to load a package.
my %imports = (
    aoti_compile_and_package => ['inductor_started'], # of this directory
    aoti_load_package => ['torch._inductor.package'],
);

sub imports_of {
    my ($what) = @_;
    my $text = $what->{code} // slurp($what->{file});
    return ['torch', @{ $what->{import} // [] },
        map { @{ $imports{$_} } } grep { $text =~ /\b$_\b/ } sort keys %imports];
}

# What the environment of the program has that the server's has not, except for what prove,
# shared-torch and shells tell their children.
sub changes {
    my ($more) = @_;
    my %wanted = (%ENV, %$more);
    return { map { $_ => defined $wanted{$_} ? "$wanted{$_}" : undef }
        grep { ($wanted{$_} // "\0") ne ($started{$_} // "\0") }
        grep { !/^(?:HARNESS_|TAP_|PERL5LIB$|SHARED_TORCH$|SHLVL$|(?:OLD)?PWD$|_$)/ }
        keys %{ { %wanted, %started } } };
}

sub answer {
    my $line = <$server> // die "fork_server.py has ended\n";
    chomp $line;
    return $line;
}

sub run_forked {
    my ($what, %how) = @_;
    connect_server() if !$server && !$has_gpu;
    my $env = changes($how{env} // {});
    if ($has_gpu || grep { !/^(?:AOTIGEN_|FAULT$|TORCH_SHOW_CPP_STACKTRACES$)/ } keys %$env) {
        my @program = defined $what->{file} ? $what->{file} : ('-c', $what->{code});
        return run_cmd([torch()->{python}, '-W', 'ignore', @program, @{ $what->{arguments} // [] }],
            %how);
    }
    my $dir = root() . '/build/tmp';
    my ($out, $err) =
        map { File::Temp->new(TEMPLATE => "$_-XXXXXXXX", DIR => $dir) } qw(out err);
    my $started = time;
    print $server JSON::PP->new->canonical->encode({ %$what, env => $env, cwd => $how{cwd},
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
