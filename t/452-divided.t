# samples/divided.py: where a kernel divides an integer by 0, the report says which element made the
# divisor 0, whether the processor raises a signal or the kernel throws, as from torch 2.13 on.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $s = sample('divided');
my $so = built($s, printer => 0, check_inputs => 'all', nan_asserts => 'off');
is(same_outputs($s, $so, 'without a fault')->{err}, '', 'nothing is reported');

my ($pad, $throws) = (' {16}', qr/^  error .*ZeroDivisionError\n/m);
my $log = tempdir() . '/events.jsonl';

# The report's explanation. It is also in the log, in one line.
sub explained {
    my ($in, $lib, $poke, $what) = @_;
    unlink $log;
    my $r = run_model($in, $lib, args => ["--poke=$poke"], env => { AOTIGEN_LOG => $log });
    ok($r->{signal} == 8 || $r->{err} =~ $throws, "$what: the run fails") or diag($r->{err});
    my ($how) = $r->{err} =~ /^  how           (.*\n(?:$pad.*\n)*)/m;
    $how //= $r->{err};
    my ($first) = $how =~ /^(.*):\n/;
    my ($logged) = slurp($log) =~ /^\{"event":"(?:explained|failed)",.*"how":"([^"]*)"/m;
    is($logged, $first, "$what: the log has it too");
    return $how =~ s/\b(tmp|arg)\d+(_1)?\b/$1/gr =~ s/int64\(tmp\)/tmp/gr;
}

# Each: what is poked, and the explanation.
my @faults = (
    ['by vectors', 'inputs[0][1][2, 3] = 3', <<'END'],
arg[2, 3] = 3 makes the divisor 0:
                tmp = arg[2, 3] = 3
                tmp = tmp * 2 = 6
                tmp = tmp - 6 = 0   <- here
                arg (args[1]): an input of the model
END
    ['behind the last whole vector', 'inputs[0][1][6, 11] = 3', <<'END'],
arg[6, 11] = 3 makes the divisor 0:
                tmp = arg[6, 11] = 3
                tmp = tmp * 2 = 6
                tmp = tmp - 6 = 0   <- here
                arg (args[1]): an input of the model
END
    ['a rest', 'inputs[0][3][4, 2] = 16', <<'END'],
arg[4, 2] = 16 makes the divisor 0:
                tmp = arg[4, 2] = 16
                tmp = tmp & 7 = 0   <- here
                arg (args[3]): an input of the model
END
    ['a quotient that is rounded to zero', 'inputs[0][5][2] = 0', <<'END'],
arg[2] = 0 makes the divisor 0:
                tmp = arg[2] = 0   <- here
                arg (args[5]): an input of the model
END
    ['where a mask is set', 'inputs[0][1][5, 0] = 0; inputs[0][1][4, 3] = 0', <<'END'],
arg[4, 3] = 0 makes the divisor 0:
                tmp = arg[4, 3] = 0
                tmp = where(all_zero(tmp), 1, where(tmp, tmp, 1)) = 0   <- here
                arg (args[1]): an input of the model
END
    ['8 bits', 'inputs[0][6][7, 1] = 0', <<'END'],
arg[7, 1] = 0 makes the divisor 0:
                tmp = arg[7, 1] = 0   <- here
                arg (args[6]): an input of the model
END
    ['gathered, where others are 0', 'inputs[0][8][:, 4] = 0; inputs[0][7][2, 1] = 4', <<'END'],
arg[2, 4] = 0 makes the divisor 0:
                tmp = arg[2, 4] = 0   <- here
                arg (args[8]): an input of the model
END
    ['the least of its type', 'inputs[0][4][7] = -2**63; inputs[0][5][7] = -1', <<'END'],
arg[7] = -9223372036854775808 divided by arg[7] = -1 does not fit int64:
                tmp = arg[7] = -9223372036854775808   <- here
                tmp = arg[7] = -1   <- here
                arg (args[4]): an input of the model
                arg (args[5]): an input of the model
END
    ['the least of 32 bits',
        'inputs[0][2][2, 1] = -2**31; inputs[0][8][2, inputs[0][7][2, 1]] = -1', <<'END'],
arg[2, 1] = -2147483648 divided by arg[2, 3] = -1 does not fit int32:
                tmp = arg[2, 1] = -2147483648   <- here
                tmp = arg[2, 3] = -1   <- here
                arg (args[2]): an input of the model
                arg (args[8]): an input of the model
END
    ['the first of two', 'inputs[0][1][6, 1] = 3; inputs[0][9][1, 3] = 0', <<'END'],
arg[1, 3] = 0 makes the divisor 0:
                tmp = arg[1, 3] = 0   <- here
                arg (args[9]): an input of the model
                another divisor is 0: arg[6, 1] = 3
END
);
for (@faults) {
    my ($what, $poke, $expected) = @$_;
    is(explained($s, $so, $poke, $what), $expected, $what);
}

# Nothing is wrong with the model: torch's kernel divides where its mask is not set.
my $masked = sample('divided_masked');
my $lib = built($masked, printer => 0, check_inputs => 'all', nan_asserts => 'off');
my $r = run_model($masked, $lib);
SKIP: {
    skip('this torch does not divide there', 1) if !$r->{status} && !$r->{signal};
    my $off = qr/arg\d+_1\[0, 0\] \(masked off\) = 0/;
    like($r->{err}, qr/^  how +($off) makes the divisor 0:\n +\S+ = \1 /m, 'a masked divisor');
}

# As torch 2.13 writes a kernel: a function divides, and the kernel throws when it has computed all.
my $dir = tempdir();
my $throwing = { %$s, dir => $dir };
my ($wrapper, $kernels) = map { slurp("$s->{dir}/$_.cpp") } qw(wrapper kernel);
my $function = <<'END';
static bool divided_by_zero;
template <class V> V floor_divide_integral(const V &a, const V &b) {
  int64_t x[V::size()], y[V::size()];
  a.store(x);
  b.store(y);
  for (int i = 0; i < V::size(); i++)
    if (!y[i]) divided_by_zero = true;
    else x[i] = c10::div_floor_integer(x[i], y[i]);
  return V::loadu(x);
}
END
my $quotient = qr/=\ decltype\((tmp\d+)\)::blendv\(\1\ \/\ (tmp\d+),\ .*\n
    (\s*tmp\d+\.store\(.*,\ (static_cast<int64_t>\(\d+L?\))\);\n)/x;
SKIP: {
    skip('this torch writes divisions in another way', 5)
        if !($kernels =~ s/$quotient/= floor_divide_integral($1,
            decltype($2)::set(decltype($2)(1), $2, $4));\n$3/xg);
    $kernels =~ s/^\}$/    if (divided_by_zero) throw std::runtime_error("ZeroDivisionError");\n}/m;
    $kernels =~ s/^(#include .*\n)/$1$function/m;
    run_cmd(['cp', map({ "$s->{dir}/$_" } qw(model.so inputs.pt outputs.pt)), $dir]);
    spew("$dir/wrapper.cpp", $wrapper);
    spew("$dir/kernel.cpp", $kernels);
    $lib = built($throwing, printer => 0, check_inputs => 'all', nan_asserts => 'off',
        by => 'build');
    is(same_outputs($throwing, $lib, 'a function divides')->{err}, '', 'nothing is reported');
    my ($what, $poke, $expected) = @{ $faults[1] };
    is(explained($throwing, $lib, $poke, "$what, thrown"), $expected, 'the same explanation');
}
done_testing;
