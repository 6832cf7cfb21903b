# aotigen run: what is said of a program, or of a process that it made, that ended within a launch
# or between runs: the log's line of the launch in flight tells.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Diagnosis;
use Expected;

my ($dir, $said) = (diagnosis_dir());
# The events are of the process that ends.
spew("$dir/itself", 'sed "s/\"pid\": *7,/\"pid\":$$,/" lines >"$AOTIGEN_LOG"');

# kill -9: the line in flight is all that is left.
is_expected('kill -9: the launch in flight', logged("$way\n", 'kill -9 $$'));
is_expected('an operator that calls exit()', logged("$way\n", 'exit 0'));
like(logged("$way\n", '. ./itself; kill -9 $$'),
    qr/^  what          the program ended within run 3, launch 2: cpp_fused_mul_2$/m, 'itself');
my $term = '{"event":"signal","time":2.5,"pid":7,"thread":7,"signal":"SIGTERM","sender":9,'
    . '"signal_thread":7}';
is_expected('a signal that another process sent between two runs',
    logged("$way\n" =~ s/launched/run over/r . "$term\n", 'kill -TERM $$'));
like(logged($way =~ s/launched/run over/r . "\n", 'kill -9 $$'),
    qr/^  what          nothing was found$/m, 'nor one that was killed between runs');
my $over = $way =~ s/launched/run over/r;
like(logged("$over\n", 'exit 0'),
    qr/^  checked       w\.cpp: 3 runs, the last up to launch 2$/m, 'how much was checked');
$said = logged("$over\n", 'exit 3');
like($said, qr/^ +aotigen --guard=canary .*^ +aotigen --nan-asserts=all --sync /ms,
    'a program that failed beside its runs: guards and a search for Inf are advised');
my $other = $over =~ s/"thread":       7/"thread":       8/r =~ s/"run":       3/"run":       5/r;
like(logged("$over\n$other\n", 'exit 0'),
    qr/^  checked       w\.cpp: up to run 5 of several threads, the last up to launch 2$/m,
    'where threads may have runs of their own');
like(logged("$over\n" . $other =~ s/"thread":       8/"thread":       7/r . "\n", 'exit 0'),
    qr/^  checked       w\.cpp: up to run 5 of several loads, the last up to launch 2$/m,
    'where one thread loaded it again');
my $rank = $over =~ s/"pid": *\d+/"pid":      9999/r;
is_expected('which of several processes', logged("$over\n$rank\n$born\n", 'exit 0'));
my $loaded = $over =~ s/"run":       3/"run":       0/r;
is_expected('no run', logged("$loaded\n", 'exit 3'));
is_expected('a crash of a child', logged("$way\n$segv\n", 'exit 0'));
like(logged("$way\n$segv\n", '. ./itself; exit 0'),
    qr/^  what          nothing ended the program early: it handled a signal$/m,
    'a crash that the program handled');
my $early = $segv =~ s/"pid":7,/"time":1.25,"pid":7,"thread":7,/r;
like(logged("$way\n$early\n", 'exit 0'), qr/^  what          nothing ended the program early/m,
    'or its child');
$early =~ s/"time":1.25/"time":2.25/;
like(logged("$way\n$early\n", 'exit 0'), qr/^  what          SIGSEGV/m, 'which did not');
like(diagnosis(shell('exit 0', env => { AOTIGEN_LOG => '/dev/null' }), 'a log that keeps nothing'),
    qr{^  log           '/dev/null' is not a regular file: what was written there cannot be read }m,
    'is said to be one');

done_testing;
