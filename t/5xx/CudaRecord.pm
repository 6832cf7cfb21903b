package CudaRecord;

# CudaRecord.pm - runs the programs made with t/5xx/lagging.h on the fake libcuda, a process for
# each of their tests.
#
#   each_test($program)              runs the tests of build/t/PROGRAM, or those that match the
#                                    argument of the .t
#   names($program)                  the names of its tests, narrowed in the same way
#   run_one($program, $name, %env)   -> as Aotigen::run_cmd()
#   env()                            the environment of such a process

use strict;
use warnings;
use Aotigen ();
use FakeCuda ();
use Test::More ();

my $fake;

sub env {
    $fake //= FakeCuda::build_fake();
    return (FAKE_CUDA => $fake, FAKE_DEVICE => 'cuda', CMOCKA_MESSAGE_OUTPUT => 'TAP');
}

sub names {
    my ($program) = @_;
    return grep { !@ARGV || /$ARGV[0]/ } split q( ),
        Aotigen::run_cmd([Aotigen::build() . "/t/$program", 'list'])->{out};
}

sub run_one {
    my ($program, $name, %more) = @_;
    return Aotigen::run_cmd([Aotigen::build() . "/t/$program", $name], timeout => 300,
        env => { env(), %more });
}

sub each_test {
    my ($program) = @_;
    for my $name (names($program)) {
        my $r = run_one($program, $name);
        FakeCuda::ended_well($name, $r)
            and Test::More::like($r->{out}, qr/^ok 1 - \Q$name\E$/m, "$name ran");
    }
    return;
}

1;
