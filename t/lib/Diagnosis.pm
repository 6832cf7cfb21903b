package Diagnosis;
# aotigen run for the tests of what it says: of a command, and of a log that a command is made to
# leave.
use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Aotigen;

our @EXPORT = qw(diagnosis_dir run shell diagnosis logged $born $segv $way);

my $dir = tempdir();
sub diagnosis_dir { return $dir }

sub run {
    my ($options, $command, %how) = @_;
    return run_cmd([build() . '/aotigen', 'run', @$options, '--', @$command], cwd => $dir, %how);
}
sub shell { my ($script, %how) = @_; return run([], ['sh', '-c', $script], %how) }

# The lines of a diagnosis, and that it is no more than a screen.
sub diagnosis {
    my ($r, $what) = @_;
    my ($text) = $r->{err} =~ /^(aotigen: diagnosis of .*)/ms;
    ok(defined $text, "$what: there is a diagnosis") or diag($r->{err});
    my @lines = split /\n/, $text // '';
    cmp_ok(scalar @lines, '<=', 24, "$what: of 24 lines at most");
    is(join("\n", grep { length > 100 } @lines), '', "$what: of 100 columns at most");
    unlike($text // '', qr/[^\n\x20-\x7e]/, "$what: in plain text");
    like($text // '', qr/^  program       \S/m, "$what: with how the program ended");
    return $text // '';
}

# The diagnosis of a program that leaves these lines in the log.
sub logged {
    my ($lines, $end, %how) = @_;
    spew("$dir/lines", $lines);
    return diagnosis(shell('cat lines >>"$AOTIGEN_LOG"; ' . ($end // 'exit 1'), %how),
        $how{what} // 'a log');
}

# Events.
our $born = '{"event":"born","time":1.5,"pid":7,"thread":7,"source":"m.pt2/w.cpp","run":2,'
    . '"device":"cpu","launch":4,"site":4,"line":77,"kernel":"cpp_fused_log_0","nodes":"log",'
    . '"aten":"aten.log","model_lines":[{"file":"/a/m.py","line":14,"text":"y = log(x)",'
    . '"module":"enc.0"}],"arg":"buf0","python_name":null,"check":"nan","expected":"finite",'
    . '"found":"nan","count":1,"numel":36,"first_index":[2,3]}';
our $segv = '{"event":"signal","pid":7,"source":"w.cpp","run":2,"device":"cpu","launch":5,'
    . '"site":5,"line":80,"kernel":"cpp_fused_exp_1","nodes":"exp","at":"launched",'
    . '"signal":"SIGSEGV","signal_thread":7}';
our $way = '{"event":"in_flight","time":1.5   ,"pid":       7,"thread":       7,'
    . '"source":"w.cpp   ",'
    . '"run":       3,"launch":       2,"site":       2,"line":      44,"at":"launched",'
    . '"kernel":"cpp_fused_mul_2   "}';
1;
