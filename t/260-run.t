# aotigen run: the command runs as without it, with its exit status, its signals and its
# environment; the log that it leaves becomes a diagnosis. No torch is needed.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Diagnosis;
use Expected;
use POSIX ();

my $dir = diagnosis_dir();
mkdir "$dir/ranks";

# ---- the command
my $r = shell('echo out; echo err >&2; cat; exit 3', stdin => 'in');
is("$r->{status} $r->{out}", "3 out\nin", 'exit status, standard input and output are its own');
like($r->{err}, qr/^err\naotigen: diagnosis of 'sh -c /, 'the diagnosis follows what it wrote');
like(diagnosis($r, 'exit 3'), qr/^  program       exit status 3\n/m, 'and has the exit status');
is(run([], ['no-such-program'])->{status}, 127, 'a command that is not found: 127');
like(run([], ['no-such-program'])->{err},
    qr/^aotigen: error: 'no-such-program' cannot be run: No such file/, 'and a message');
spew("$dir/plain", "no program\n");
is(run([], ['./plain'])->{status}, 126, 'one that cannot be executed: 126');
$r = run_cmd([build() . '/aotigen', 'run', 'printf', '%s|', '-v', '--sync', '--']);
is($r->{out}, '-v|--sync|--|', 'without -- the options behind the command are its own');
is(run_cmd([build() . '/aotigen', 'run', '-q', '--', 'echo', 'list'])->{out}, "list\n",
    'and a word of aotigen is none there');

for my $signal (qw(SEGV ABRT TERM KILL)) {
    $r = shell("kill -$signal \$\$");
    my %numbers = (SEGV => 11, ABRT => 6, TERM => 15, KILL => 9);
    is($r->{signal}, $numbers{$signal}, "SIG$signal: aotigen ends by it, too");
    like(diagnosis($r, $signal), qr/^  program       ended by SIG$signal(?![A-Z])/m, 'and says so');
    ok(!glob("$dir/core*"), 'without a core dump of its own');
}
like(diagnosis(shell('(exit 139)'), '139'),
    qr/^  program       exit status 139, which a shell gives for SIGSEGV$/m, "a shell's status");

# ---- signals
sub signalled {
    my ($name, $script, $to_group) = @_;
    my $pid = fork // die;
    if (!$pid) {
        setpgrp 0, 0;
        open STDOUT, '>', "$dir/out" or die;
        open STDERR, '>', "$dir/err" or die;
        chdir $dir;
        exec build() . '/aotigen', 'run', '--', 'sh', '-c', $script;
    }
    unlink "$dir/ready" if !$to_group;
    wait_until { -e "$dir/ready" };
    kill $name, $to_group ? -$pid : $pid;
    local $SIG{ALRM} = sub { kill 'KILL', -$pid };
    alarm 60;
    waitpid $pid, 0;
    my $status = $?;
    alarm 0;
    unlink "$dir/ready";
    return ($status, slurp("$dir/out"));
}
unlink "$dir/ready";
for my $name (qw(TERM HUP USR1 USR2 INT QUIT)) {
    my ($status, $out) = signalled($name,
        "trap 'echo got $name; exit 7' $name; : >ready; while :; do sleep 0.05; done");
    is($status >> 8, 7, "SIG$name that is sent to aotigen reaches the command");
    is($out, "got $name\n", 'once');
}
my ($status, $out) = signalled('TERM', ': >ready; exec sleep 60');
is($status & 127, 15, 'a command that SIGTERM ends: so does aotigen');
{
    my $pid = fork // die;
    if (!$pid) {
        setpgrp 0, 0;
        chdir $dir;
        open STDERR, '>', '/dev/null' or die;
        # No shell: one that is stopped in vfork() does not stop before its child has run.
        exec build() . '/aotigen', 'run', '--', $^X, '-e',
            'open my $ready, ">", "ready" or die; sleep 1; exit 5';
    }
    wait_until { -e "$dir/ready" };
    kill 'TSTP', -$pid;
    waitpid $pid, POSIX::WUNTRACED();
    like(slurp("/proc/$pid/stat"), qr/\) T /,
        'SIGTSTP to the group stops aotigen, as a shell wants to see');
    kill 'CONT', -$pid;
    waitpid $pid, 0;
    is($? >> 8, 5, 'and SIGCONT continues both');
}

# What is done to the command alone, or what it does not heed, is not joined.
{
    my $pid = fork // die;
    if (!$pid) {
        setpgrp 0, 0;
        chdir $dir;
        open STDERR, '>', '/dev/null' or die;
        exec build() . '/aotigen', 'run', '--', $^X, '-e', '$SIG{TSTP} = "IGNORE";'
            . 'open my $pid, ">", "pid" or die; print $pid $$; close $pid; rename "pid", "ready";'
            . 'select undef, undef, undef, 0.05 while !-e "go"; exit 5';
    }
    wait_until { -s "$dir/ready" };
    my $command = slurp("$dir/ready");
    # aotigen may have passed on an earlier SIGCONT behind the signal.
    my $until = sub {
        my ($signal, $stopped) = @_;
        wait_until {
            kill $signal, $command;
            return $stopped == (slurp("/proc/$command/stat") =~ /\) T /);
        };
    };
    my $stops = sub {
        let_pass(0.1); # what aotigen does by then, it has done
        return waitpid($pid, POSIX::WNOHANG() | POSIX::WUNTRACED()) != 0;
    };
    kill 'TSTP', -$pid;
    $stops->();
    kill 'CONT', -$pid;
    $until->('STOP', 1);
    ok(!$stops->(), 'a command that ignores SIGTSTP, and is stopped alone: aotigen is not stopped');
    kill 'CONT', -$pid;
    $until->('STOP', 1);
    $stops->();
    $until->('CONT', 0);
    kill 'TSTP', -$pid;
    ok(!$stops->(), 'nor by SIGTSTP that the command ignores, where it was stopped before');
    kill 'CONT', $pid;
    spew("$dir/go", '');
    local $SIG{ALRM} = sub { kill 'KILL', -$pid };
    alarm 60;
    waitpid $pid, 0;
    alarm 0;
    is($?, 5 << 8, 'the exit status is its own');
    unlink "$dir/ready", "$dir/go";
}

# A signal that is ignored stays ignored, and no other is. 32 and up are the C library's.
sub signals_of {
    my $text = run_cmd([@_, 'cat', '/proc/self/status'])->{out};
    my @sets = $text =~ /^Sig(?:Blk|Ign):\s*[0-9a-f]+([0-9a-f]{8})$/mg;
    return join ' ', map { hex() & 0x7fffffff } @sets;
}
for my $ignored ('', 'XFSZ CHLD CONT WINCH USR1 HUP', 'XFSZ', 'CHLD') {
    my @ignoring = ($^X, '-e', '$SIG{$_} = "IGNORE" for split / /, shift; exec @ARGV', $ignored);
    my $without = signals_of(@ignoring);
    like($without, qr/^\d+ \d+$/, 'the signals of a process');
    is(signals_of(@ignoring, build() . '/aotigen', 'run', '--'), $without,
        "signals with '$ignored' ignored are as without");
}

# ---- the environment
my %set = map { split /=/, $_, 2 } grep { /=/ } split /\n/, run([], ['env'])->{out};
like($set{AOTIGEN_LOG}, qr{/events\.jsonl$}, 'AOTIGEN_LOG is set');
ok(!grep({ /^CUDA_/ && !exists $ENV{$_} } keys %set), 'nothing is asked of the driver');
ok(!exists $set{LIBCLANG_NOTHREADS}, 'what aotigen sets for itself is not');
ok(!exists $set{LD_PRELOAD}, 'nothing is preloaded without --model');
ok(!-e $set{AOTIGEN_LOG} =~ s{/[^/]*$}{}r, 'the private directory is gone');
%set = map { split /=/, $_, 2 } grep { /=/ } split /\n/, run(['--core-dump'], ['env'])->{out};
is($set{CUDA_ENABLE_COREDUMP_ON_EXCEPTION}, 1, 'but with --core-dump core dumps');
like($set{CUDA_COREDUMP_GENERATION_FLAGS}, qr/skip_global_memory.*skip_abort/, 'small ones');
%set = map { split /=/, $_, 2 } grep { /=/ }
    split /\n/, run([], ['env'], env => { CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 1 })->{out};
like($set{CUDA_COREDUMP_FILE}, qr{/cores/gpu\.%p$}, "the user's dump is read too");
%set = map { split /=/, $_, 2 } grep { /=/ }
    split /\n/, run([], ['env'], env => { AOTIGEN_LOG => 'my.jsonl', CUDA_COREDUMP_FILE => 'mine',
        CUDA_ENABLE_COREDUMP_ON_EXCEPTION => 0 })->{out};
like("$set{AOTIGEN_LOG} $set{CUDA_COREDUMP_FILE} $set{CUDA_ENABLE_COREDUMP_ON_EXCEPTION}",
    qr{^/\S+/my\.jsonl mine 0$}, "the user's own are left, the log's with its directory");
ok(!exists $set{CUDA_COREDUMP_GENERATION_FLAGS}, 'and not added to');
mkdir "$dir/50%p";
my %odd = (env => { TMPDIR => "$dir/50%p" });
$r = run(['--core-dump'], ['echo', 'ran'], %odd);
is("$r->{status} $r->{out}", '1 ', 'no core dumps below a directory with a percent sign');
like($r->{err}, qr{50%p/\S+: error: cannot be where the driver writes core dumps}, 'which is said');
is(run([], ['echo', 'ran'], %odd)->{out}, "ran\n", 'without --core-dump it does for a run');
$odd{env}{CUDA_COREDUMP_FILE} = 'mine';
is(run(['--core-dump'], ['echo', 'ran'], %odd)->{out}, "ran\n", "nor does the user's file need it");

# ---- the log
my $said;
is_expected('a NaN, twice', logged("$born\n$born\n"));
(my $guess = $born) =~ s/"arg"/"lines_guessed":true,"names_guessed":true,"arg"/;
is_expected('a guess is said to be one', logged("$guess\n"));
my $steps = join ',', map { "\"tmp$_ = x = 1\"" } 0 .. 7;
my $how = '"how":"buf0[2, 3] as computed again","how_steps":';
my $log = '"tmp0 = x[2, 3] = -1","tmp1 = log(tmp0) = nan   <- here","tmp2 = tmp1 * 2 = nan"';
is_expected('how it was computed, up to where it goes bad',
    logged($born =~ s/"arg"/$how\[$log],"arg"/r . "\n"));
is_expected('of many steps the last', logged($born =~ s/"arg"/$how\[$steps,$log],"arg"/r . "\n"));
my $lengthy = join ',', map { '"' . 'long ' x 99 . '"' } 0 .. 40;
my @screen = split /\n/, logged($born =~ s/"arg"/$how\[$lengthy],"arg"/r . "\n");
cmp_ok(scalar @screen, '<=', 24, 'a screen, however many and long they are');

like(logged("$born\n$segv\n"), qr/^  what          SIGSEGV in run 2, launch 5: cpp_fused_exp_1$/m,
    'a crash comes before a NaN');
my $itself = 'sed "s/\"pid\":7,/\"pid\":$$,/" lines >"$AOTIGEN_LOG"; exit 0';
like(logged("$born\n$segv\n", $itself), qr/^  what          NaN born/m,
    'but not where the program handled it and ended well');
my $guard = $segv =~ s/"signal","pid"/"guard","pid"/r =~ s/"at".*\}/"arg":"buf1",
"check":"storage","expected":"at least 96 bytes","found":"64 bytes"}/sr =~ s/\n//r;
is_expected('a guard that was violated before in the run comes before the crash',
    logged("$guard\n$segv\n"));
like(logged("$segv\n$guard\n"), qr/^  what          SIGSEGV/m, 'and one after it does not');
my $memory = $segv =~ s/"signal","pid"/"memory","pid"/r =~ s/"at".*\}/"check":"underrun",/sr
    . '"buffer":"buf3","element":-2,"elements":36,"count":2,"since":4,"found":"1.5"}';
is_expected('so does memory that was overwritten, in any run',
    logged("$memory\n" . $segv =~ s/"run":2/"run":9/r . "\n"));
like(logged($memory =~ s/-2/40/r =~ s/underrun/overrun/r . "\n"), qr/--guard=page:buf3/,
    'and of one behind the buffer');
my $unwritten = $memory =~ s/underrun"/unwritten","arg":"buf3"/r;
like(logged("$unwritten\n"), qr/^  what          unwritten memory read in run 2, launch 5: /m,
    'memory that nothing wrote');
delete local $ENV{MALLOC_PERTURB_};
my $doubted = $born =~ s/"event":"born"/"event":"unknown","unwritten":"buf3"/r;
is_expected('a bad value that memory may have held by chance', logged("$doubted\n"));
unlike(logged($doubted =~ s/("device":)"cpu"/$1"cuda:0"/r . "\n"), qr/MALLOC_PERTURB_/,
    'which does not help on a GPU');
{
    local $ENV{MALLOC_PERTURB_} = 192;
    $said = logged("$doubted\n");
    like($said =~ s/\n {16}/ /gr,
        qr/^  why {11}the launch made the value: .* MALLOC_PERTURB_ gives the memory of buf3 /m,
        'where memory was filled, the value was computed');
    unlike($said, qr/MALLOC_PERTURB_=/, 'and the same run is not advised again');
    my $unseen = $doubted =~ s/"unwritten"/"unscanned":"buf1","unwritten"/r;
    like(logged("$unseen\n") =~ s/\n {16}/ /gr,
        qr/^  why {11}the launch made the value, or read it in buf1, which was not scanned: /m,
        'unless something was not scanned');
    for my $set ('0xC0', '0300') {
        $ENV{MALLOC_PERTURB_} = $set;
        unlike(logged("$doubted\n"), qr/MALLOC_PERTURB_=/, "$set is 192");
    }
    for my $set ('448', '1x', '', '0', '130', '127', '128', '255') {
        $ENV{MALLOC_PERTURB_} = $set;
        like(logged("$doubted\n"), qr/MALLOC_PERTURB_=192/, "no memory, or NaN, with '$set'");
    }
}

# ---- a NaN that may have been made of an Inf
my $inf = $doubted =~ s/"kernel":"\w+"/"kernel":"lab::scale"/r =~ s/"launch":4/"launch":3/r;
my $of = 'the Inf of launch 3 (lab::scale, buf3), which it read as buf3';
my $of_it = $born =~ s/\}$/,"made_of":"$of"}/r;
like(logged("$inf\n$of_it\n"), qr/^  what          NaN found in run 2, launch 3: lab::scale$/m,
    'what comes first is the Inf');
like(logged("$of_it\n") =~ s/\n {16}/ /gr,
    qr/^  why           the launch may have made it of \Q$of\E$/m, 'it is named');
my $given = $inf =~ s/"unknown"/"arrived"/r =~ s/,"unwritten":"[^"]*"//r;
like(logged($given =~ s/"check":"nan"/"check":"inf"/r . "\n$of_it\n"),
    qr/^  what          Inf arrived/m, 'so it is where the Inf arrived');
like(logged("$given\n$of_it\n"), qr/^  what          NaN born/m, 'a NaN that arrived is no cause');
my $suspect = $born =~ s/"launch":4/"launch":3/r =~ s/"check":"nan"/"check":"inf"/r
    =~ s/\}$/,"suspected_by":4}/r;
$said = logged("$suspect\n$of_it\n");
like($said, qr/^  what          NaN born in run 2, launch 4: cpp_fused_log_0$/m,
    'an Inf that is suspected is no cause');
like($said, qr/^  perhaps of    Inf born in run 2, launch 3: cpp_fused_log_0, in \w+\[[\d,]*\]$/m,
    'and is told with the NaN');
unlike($said, qr/also found|nan-asserts/, 'not as another finding, nor to be searched for');
unlike(logged("$suspect\n$of_it\n" =~ s/"suspected_by":4/"suspected_by":5/r), qr/perhaps of /,
    'of the launch that suspects it alone');
like(logged("$inf\n$born\n"), qr/^  what          NaN born in run 2, launch 4: cpp_fused_log_0$/m,
    'a NaN that is of no Inf is surer than one that may have stood there');
like(logged($doubted =~ s/"unwritten"/"unscanned"/r . "\n"),
    qr/^  why .* or read it in buf3, which was not\s+scanned$/m,
    'or brought by what was not scanned');
for my $case (['race', 'race between two runs'], ['operator', 'an operator breaks its schema']) {
    my $event = $born =~ s/"born"/"$case->[0]"/r;
    like(logged("$event\n$born\n"),
        qr/^  what          $case->[1] in run 2, launch 4: cpp_fused_log_0$/m, $case->[1]);
}
my $growth = $segv =~ s/"signal","pid"/"growth","pid"/r =~ s/"at".*\}/"of":"buf0","bytes":640}/sr;
like(logged("$growth\n"), qr/^  buffer        buf0: 640 bytes are held$/m, 'a buffer that stays');
my $kept_by = 'launch 2: lab::one, launch 6: lab::mut';
like(logged($growth =~ s/"bytes"/"kernels":"$kept_by","bytes"/r . "\n"),
    qr/^  kept by       one of $kept_by$/m, 'which several operators were given');
is_expected('an operator that keeps copies: of no buffer',
    logged($growth =~ s/"buf0"/"cpp_fused_exp_1"/r . "\n"));
my $hang = $segv =~ s/"signal","pid"/"hang","pid"/r =~ s/"at".*\}/"milliseconds":61500}/sr;
is_expected('a launch that the watchdog named', logged("$hang\n"));
like(logged("$segv\n"), qr/--guard=canary/, 'a crash: guards are advised');
my $failed = $guard =~ s/"guard"/"failed"/r;
like(logged("$born\n$failed\n"), qr/^  what          NaN born/m,
    'a NaN of the same run comes before an exception');
like(logged("$born\n" . $failed =~ s/"run":2/"run":3/r . "\n"),
    qr/^  what          launch failed in run 3, launch 5: cpp_fused_exp_1$/m,
    'and one of another run does not');

my $ignored = $failed =~ s/"64 bytes"/"the call failed, which the wrapper ignores"/r;
like(logged("$ignored\n") =~ s/\n {16}/ /gr,
    qr/^  why           the launch returned an error: torch wrote the reason on stderr, as/m,
    "of a C function's error: where the reason stands");
like(logged("$failed\n"), qr/^  why           the launch threw$/m, 'of an exception: its text');
like(logged($failed =~ s/"pid"/"time":1,"pid"/r . "\n" . $guard =~ s/"pid"/"time":2,"pid"/r
        =~ s/"run":2/"run":3/r . "\n"), qr/^  what          launch failed in run 2, launch 5/m,
    'an exception that the host caught comes before a guard of a later run');
my $kept = $failed =~ s/"64 bytes"/"full\\nf(x) API call failed at w.cpp, line 9"/r;
like(logged("$kept\n"), qr/^  why           the launch returned an error, for this reason$/m,
    'of an error whose reason torch keeps');

# Texts for which a screen has no room are cut: not why, how the program ended, and what to try.
my $texts = join ',', map { "\"$_\":\"" . "text of $_ " x 60 . '"' }
    qw(kernel kernels writer cause how nodes found);
my $wordy = '{"event":"memory","time":1.5,"pid":7,"source":"w.cpp","run":2,"launch":5,"line":80,'
    . '"since":2,"seen_after":5,"buffer":"buf3","element":-2,"count":2,"written_by":4,'
    . "\"iteration\":3,$texts}";
is_expected('long texts', logged("$wordy\n$born\n", 'exit 3', what => 'long texts'));

# A command that is advised is one, as it is pasted into a shell: no word of it is cut.
my $long = "$dir/two words-" . 'long' x 30;
mkdir $long;
spew("$dir/lines", "$failed\n");
my $advised = run_cmd([build() . '/aotigen', 'run', "--keep=$long", '--', 'sh', '-c',
        'cat lines >>"$AOTIGEN_LOG"; exit 1'], cwd => $dir)->{err};
my ($pasted) = $advised =~ m{^ +(TORCH_SHOW_CPP_STACKTRACES=1 aotigen run .*?[^\\])\n}ms;
unlike($pasted =~ s/ \\\n +/ /gr, qr/\n/, 'the advised command goes on behind a backslash alone');
like($pasted, qr/ '--keep=\Q$long\E' /, 'and holds a path of two words, longer than a line, whole');

my @words = ("a\n'b'\\n", "\x1b[2J", "c'd", '', map { "it's the word-$_" } 1 .. 12);
$advised = run([], ['sh', '-c', 'cat lines >>"$AOTIGEN_LOG"; exit 1', @words])->{err};
($pasted) = $advised =~ m{^ +(TORCH_SHOW_CPP_STACKTRACES=1 aotigen run .*?[^\\])\n}ms;
my ($last) = $pasted =~ / 'cat lines .*? exit 1' (.*)\z/s;
is(run_cmd(['bash', '-c', "printf '%s|' $last"])->{out}, join('', map { "$_|" } @words),
    'words of a shell are what they were, however many there are');
@words = map { "word-$_" } 1 .. 600;
$advised = run([], ['sh', '-c', 'cat lines >>"$AOTIGEN_LOG"; exit 1', @words])->{err};
like($advised, qr/ word-\d+ \.\.\.$/m, 'but those behind 2000 bytes are left out');

like(run(['--keep', 'run'], ['sh', '-c', 'cat lines >>"$AOTIGEN_LOG"; exit 1'])->{err},
    qr/^ +TORCH_SHOW_CPP_STACKTRACES=1 aotigen run --keep run -- sh -c /m,
    'and an option has its value, whatever that is');

like(logged("$memory\n" =~ s/"count":2/"count":1/r), qr/: 1 element beside it/, 'one element');

# Hostile logs.
my $hostile = join "\n", 'no JSON', '{"event":', '[1,2]', '{"event":7}', "{\"event\":\"born\"\0}",
    '{"event":"' . 'x' x 2_000_000 . '"}', '{"event":"born","run":"x","launch":[],"kernel":'
    . '"\\u001b[2Jevil\\u202e\\nline","found":"' . 'long ' x 5000 . '","first_index":[1,"2"],'
    . '"model_lines":{"file":3}}', '{' x 100_000, '{"event":"born"';
is_expected('a hostile log: what controls a terminal is escaped',
    logged($hostile, 'exit 1', what => 'a hostile log'));

# The user's log: what stood in it before is not this run's.
spew("$dir/old.jsonl", "$segv\n");
$said = logged("$born\n", 'exit 1', env => { AOTIGEN_LOG => "$dir/old.jsonl" });
like($said, qr/^  what          NaN born/m, "the user's own log is read from where it stood");
like(slurp("$dir/old.jsonl"), qr/SIGSEGV.*born/s, 'and left');
$said = diagnosis(shell('cat lines >log-$$-0.jsonl; exit 1',
    env => { AOTIGEN_LOG => 'log-%p-%r.jsonl' }), 'a log by process');
like($said, qr/^  what          NaN born/m, "a log with the process's number and rank is found");
unlike(diagnosis(shell('exit 1', env => { AOTIGEN_LOG => 'log-%p-%r.jsonl' }), 'the next run'),
    qr/born/, 'but not that of an earlier run');

# Among the files of several processes the first event in time counts, whatever their names are.
my $later = $born =~ s/"time":1.5/"time":1763812345.125/r =~ s/log_0/of_rank_10/r;
my $earlier = $later =~ s/12345.125/12345.0625/r =~ s/of_rank_10/of_rank_2/r;
my $waits = $way =~ s/1\.5  /1763812345.125  /r =~ s/cpp_fused_mul_2/cpp_of_rank_10 /r;
my $hangs = $waits =~ s/12345.125/12344.125/r =~ s/of_rank_10 /of_rank_2  /r;
my $first = qr/NaN born in .*: cpp_fused_of_rank_2\n/;
for my $case (["$later\n", "$earlier\n$later\n", 'exit 1', $first, 'an event'],
    ["$earlier\n", "$later\n", 'exit 1', $first, 'in any order'],
    ["$waits\n", "$hangs\n", 'kill -9 $$', qr/.* within .*: cpp_of_rank_2\n/, 'a launch']) {
    my ($of_10, $of_2, $end, $what, $name) = @$case;
    spew("$dir/of-10", $of_10);
    spew("$dir/of-2", $of_2);
    $r = shell("for i in 10 2; do cat of-\$i >\"ranks/\$\$-\$i\"; done; $end",
        env => { AOTIGEN_LOG => 'ranks/%p-%r' });
    like(diagnosis($r, "ranks: $name"), qr/^  what          $what/m, 'of the rank that came first');
}

# What explains a crash is of the same process, in whatever file another process told of its own.
my $crash = $segv =~ s/"pid":7/"time":1763812345.5,"pid":7/r;
for my $case (['10', 'SIGSEGV in run 2, launch 5', 'of another process'],
    ['10 2', 'memory overwritten in run 2, launch 5', 'of its own, behind that of another']) {
    my ($files, $what, $name) = @$case;
    spew("$dir/of-10", $memory =~ s/"pid":7/"time":1763812345.25,"pid":8/r . "\n");
    spew("$dir/of-2", $memory =~ s/"pid":7/"time":1763812345.375,"pid":7/r . "\n");
    spew("$dir/of-1", "$crash\n");
    $r = shell("for i in 1 $files; do cat of-\$i >\"ranks/\$\$-\$i\"; done; exit 1",
        env => { AOTIGEN_LOG => 'ranks/%p-%r' });
    like(diagnosis($r, "memory $name"), qr/^  what          $what: /m, 'is no cause, or is one');
}
spew("$dir/of-1", $memory =~ s/"pid":7/"time":1763812345.75,"pid":7/r . "\n");
spew("$dir/of-2", "$crash\n");
$r = shell('for i in 1 2; do cat of-$i >"ranks/$$-$i"; done; exit 1',
    env => { AOTIGEN_LOG => 'ranks/%p-%r' });
like(diagnosis($r, 'memory that was told later'), qr/^  what          SIGSEGV in run 2, /m,
    'in a file that is read before: the crash stands');

# If there are more lines in flight than are kept, those that wait the longest are kept.
my @many = map { $waits =~ s/12345\.125/12345.$_/r } 200 .. 454;
spew("$dir/of-10", join '', map { "$_\n" } @many, $hangs =~ s/launched/run over/r);
spew("$dir/of-2", "$hangs\n");
$r = shell('for i in 10 2; do cat of-$i >"ranks/$$-$i"; done; kill -9 $$',
    env => { AOTIGEN_LOG => 'ranks/%p-%r' });
like(diagnosis($r, 'many ranks'), qr/^  what          .* within .*: cpp_of_rank_2$/m,
    'the longest waiting of 257 is found');

# ---- --keep
SKIP: {
    skip 'root alone can give a link to another user', 2 if $>;
    mkdir "$dir/away";
    symlink 'away', "$dir/link";
    run_cmd(['chown', '-h', '12345', "$dir/link"]);
    my $refused = run(['--keep=link/kept'], ['true']);
    like($refused->{err}, qr{error: is not written to: '\S*/link' is a link of another user's},
        "--keep through another user's link is refused");
    ok(!-e "$dir/away/kept", 'and nothing is made there');
}
$r = run(['--keep=kept'], ['sh', '-c', 'cat lines >"$AOTIGEN_LOG"']);
is(slurp("$dir/kept/events.jsonl"), slurp("$dir/lines"), '--keep keeps the log');
like($r->{err}, qr{^aotigen: kept 'kept/events\.jsonl'$}m, 'and names it');

# ---- refusals
spew("$dir/empty.pt2", "");
for my $case (
    [['run'], qr/no command for the verb 'run'/],
    [['run', '--'], qr/no command for the verb 'run'/],
    [['run', '--sync', '--', 'true'], qr/option '--sync' is for a debug package, and none is made/],
    [['run', '--exported=x', '--', 'true'], qr/option '--exported' is for a debug package/],
    [['run', '-o', 'x', '--', 'true'], qr/option '--output' does not go with the verb 'run'/],
    [['run', (map { "--model=$_" } 1 .. 9), '--', 'true'], qr/more than 8 packages/],
    [['run', '--keep=', '--', 'true'], qr/option '--keep' must be a directory/],
    [['list', '--keep=x', 'm.pt2'], qr/option '--keep' does not go with the verb 'list'/],
    [['run', '--keep=/dev/null/x', '--', 'true'],
        qr/is not a directory that can be written to, .*: \w/],
    [['run', "--model=$dir/none.pt2", '--', 'true'],
        qr/none\.pt2: error: cannot be read: No such file/],
    [['run', "--model=$dir", '--', 'true'], qr/error: holds no model: neither a /],
    [['run', "--model=$dir/empty.pt2", '--', 'true'],
        qr/empty\.pt2: error: is empty, not a package/],
    [['run', "--model=$dir/plain", '--', 'true'], qr/is not a package: --model of 'run' wants/]) {
    my ($words, $like) = @$case;
    my $refused = aotigen(@$words);
    like($refused->{err}, $like, "@{$words}[0 .. ($#$words > 2 ? 2 : $#$words)] is refused");
    unlike($refused->{err}, qr/diagnosis/, 'and nothing is run');
}
done_testing;
