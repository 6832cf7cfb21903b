# samples/looked_up.py: where a kernel's index assert throws, the report says from which element the
# index came, its bound, and where both come from. A buffer that is freed by then is still read.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;
use AotigenFaults;

my $s = sample('looked_up');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'off');
is(same_outputs($s, $so, 'without a fault')->{err}, '', 'nothing is reported');

my $pad = ' {16}';
my $in = qr/\w+ \(args\[\d\]\)/;

# Each: the fault, and the lines of the explanation.
my @faults = (
    ['too large, in an embedding', <<'END'],
  how           IDS[1, 2] = 100 makes the index 100, which must be less than 100:
                tmp = IDS[1, 2] = 100
                tmp = where(tmp, tmp, tmp) = 100
                tmp < 100 = false   <- here
                100 is the length of table_weight (table.weight) in dimension 0: float32 [100, 32]
                IDS (args[0]): an input of the model
END
    ['negative, in gather', <<'END'],
  how           IDS[3, 1] = -6 makes the index -1, which must be at least 0:
                tmp = IDS[3, 1] = -6
                tmp = tmp + 5 = -1
                tmp = where(tmp, tmp, tmp) = -1
                0 <= tmp = false   <- here
                5 is the length of IDS (args[1]) in dimension 1: float32 [6, 5] on cpu
                IDS (args[2]): an input of the model
END
    ['behind the end of a batch', <<'END'],
  how           IDS[1] = 7 makes the index 7, which must be less than 7:
                tmp = IDS[1] = 7
                tmp = where(tmp, tmp, tmp) = 7
                tmp < 7 = false   <- here
                ks = s = 7, the length of IDS (args[3]) in dimension 0
                IDS (args[4]): an input of the model
END
    ['in an empty batch', <<'END'],
  how           IDS[0] = 0 makes the index 0, which must be less than 0:
                tmp = IDS[0] = 0
                tmp = where(tmp, tmp, tmp) = 0
                tmp < 0 = false   <- here
                ks = s = 0, the length of IDS (args[3]) in dimension 0: NONE
                IDS (args[4]): an input of the model
END
    ['in index_select', <<'END'],
  how           IDS[1] = 6 makes the index 6, which must be less than 6:
                tmp = IDS[1] = 6
                tmp = where(tmp, tmp, tmp) = 6
                tmp < 6 = false   <- here
                6 is the length of IDS (args[1]) in dimension 0: float32 [6, 5] on cpu
                IDS (args[7]): an input of the model
END
    ['an offset of a jagged tensor', <<'END'],
  how           IDS[2] = 21 makes the index 21, which must be less than 20:
                tmp = IDS[2] = 21
                tmp = where(tmp, tmp, tmp) = 21
                tmp < 20 = false   <- here
                20 is the length of IDS (args[5]) in dimension 0: float32 [20] on cpu
                IDS (args[6]): an input of the model
END
    ['of a launch before, whose output is freed by then', <<'END'],
  how           buf[0] = 3, IDS[0] = 19 make the index 20, which must be less than 20:
                tmp = buf[0] = 3
                tmp = WHERE = 1
                tmp = IDS[0] = 19
                tmp = tmp + tmp = 20
                tmp = where(tmp, tmp, tmp) = 20
                tmp < 20 = false   <- here
                20 is the length of IDS (args[5]) in dimension 0: float32 [20] on cpu
                buf: made by aoti_torch_cpu_sort_stable (WRAPPER)
                IDS (args[6]): an input of the model
END
    ["in a call of ATen's", <<'END'],
  how           IDS[1, 0] = 4 is no index of dimension 0 of buf, which has indices 0 to 3
                IDS (args[9]): an input of the model
END
);

for (@faults) {
    my ($what, $expected) = @$_;
    my $r = run_model($s, $so, args => ['--poke=' . looked_up_fault($what)]);
    isnt($r->{status}, 0, "$what: the run fails");
    my ($how) = $r->{err} =~ /^(  how  .*\n(?:$pad.*\n)*)/m;
    $how //= $r->{err};
    s/\barg\d+_1/IDS/g, s/\b(tmp|buf|ks|s)\d+/$1/g, s/int64\(tmp\)/tmp/g,
        s/\(\S+:\d+\)$/(WRAPPER)/m,
        s/= where\(\(\(.*\) = /= WHERE = /, s/: it is empty, no index is valid$/: NONE/m,
        s/\[100, 32\] on cpu$/[100, 32]/m
        for $how;
    is($how, $expected, $what);
}

# Within an OpenMP region what a kernel throws ends the process: so it does here.
my $dir = tempdir();
my $aborting = { %$s, dir => $dir };
my ($wrapper, $kernels) = map { slurp("$s->{dir}/$_.cpp") } qw(wrapper kernel);
SKIP: {
    skip('this torch has the kernels in the wrapper', 3) if !length $kernels;
    run_cmd(['cp', map({ "$s->{dir}/$_" } qw(model.so inputs.pt outputs.pt)), $dir]);
    spew("$dir/wrapper.cpp", $wrapper);
    spew("$dir/kernel.cpp", $kernels =~ s/^(#include .*\n)/$1#undef AOTI_TORCH_CHECK
#define AOTI_TORCH_CHECK(test, text) do if (!(test)) __builtin_abort(); while (0)
/mr);
    my $ends = built($aborting, printer => 0, check_inputs => 'all', nan_asserts => 'off',
        by => 'build');
    my $r = run_model($aborting, $ends, args => ['--poke=' . looked_up_fault($faults[0][0])]);
    is($r->{signal}, 6, 'the process ends as it would');
    like($r->{err}, qr/^aotigen: SIGABRT in run 1, launch 2: .*\n  how +\w+\[1, 2\] = 100 makes /m,
        'and the explanation follows its line');
    is(same_outputs($aborting, $ends, 'that does not abort')->{err}, '', 'nothing is reported');
}
done_testing;
