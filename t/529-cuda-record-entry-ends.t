# A device error that shows outside of a run function, in hosts that end as soon as they get the
# exception: 100 times each.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use CudaRecord;
use FakeCuda;

my $program = '529-cuda-record-entry-ends';
my @names = CudaRecord::names($program);
is(scalar @names, 18, 'six places where the error comes up, three ends of the host') if !@ARGV;
for my $name (@names) {
    my $r = CudaRecord::run_one($program, $name);
    FakeCuda::ended_well($name, $r);
    like($r->{out}, qr/^100 of 100\n\z/,
        "$name: the launch is named on stderr and in the exception, every time");
}
done_testing;
