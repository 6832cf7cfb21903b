# A device error that shows outside of a run function, in hosts that end as soon as they get the
# exception: 100 times each, and 20 times with sanitizers, which a process takes ten times as long
# with.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;
use FakeCuda;

my $program = '529-cuda-record-entry-ends';
my $times = build() =~ m{/san$} ? 20 : 100;
my @names = CudaRecord::names($program);
is(scalar @names, 18, 'six places where the error comes up, three ends of the host') if !@ARGV;
for my $name (@names) {
    my $r = run_cmd([build() . "/t/$program", $name, $times], timeout => 300,
        env => { CudaRecord::env() });
    FakeCuda::ended_well($name, $r);
    like($r->{out}, qr/^$times of $times\n\z/,
        "$name: the launch is named on stderr and in the exception, every time");
}
done_testing;
