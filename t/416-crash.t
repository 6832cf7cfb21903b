# A model that crashes, hangs or is killed within a kernel, in Python: the launch is named, the
# process ends as it would have, and each line of the log is JSON.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E;

my $dir = tempdir();
my $plain = sample('nan_inside');
my $s = { %$plain, dir => $dir };
my ($wrapper, $kernels) = map { slurp("$plain->{dir}/$_.cpp") } qw(wrapper kernel);
plan(skip_all => 'this torch has the kernels in the wrapper') if !length $kernels;
run_cmd(['cp', map({ "$plain->{dir}/$_" } qw(model.so inputs.pt outputs.pt)), $dir]);

# What the second kernel does first, as the variable FAULT says.
my $fault = <<'CPP';
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <unistd.h>
static volatile size_t nowhere = 16;
static void crash() { *(volatile int *)nowhere = 0; }
static int overflow(int n) {
  volatile char some[4096];
  some[0] = (char)n;
  return n ? overflow(n + 1) + some[0] : 0;
}
static void fail() {
  const char *how = getenv("FAULT");
  if (!how) return;
  if (!strcmp(how, "segv")) crash();
  if (!strcmp(how, "worker")) std::thread(crash).join();
  if (!strcmp(how, "stack")) overflow(1);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "throw")) throw std::runtime_error("index out of bounds: 0 <= tmp7 < 10");
  if (!strcmp(how, "terminate"))
    std::thread([] { throw std::runtime_error("index out of bounds: 0 <= tmp7 < 10"); }).join();
  if (!strcmp(how, "interrupted")) kill(getpid(), SIGINT);
  if (!strcmp(how, "ended")) kill(getpid(), SIGTERM);
  if (!strcmp(how, "hangs")) {
    const pid_t host = getpid();
    if (!fork()) {
      usleep(200 * 1000);
      kill(host, SIGTERM);
      _exit(0);
    }
    for (;;) pause();
  }
  if (!strcmp(how, "killed")) kill(getpid(), SIGKILL);
}
CPP
ok($kernels =~ s/(cpp_fused_sigmoid_1\(float\* in_out_ptr0\)\n\{)/$1\n    fail();/,
    'the second kernel can be made to fail');
spew("$dir/kernel.cpp", $kernels =~ s/^(#include .*\n)/$1$fault/mr);
spew("$dir/wrapper.cpp", $wrapper);
my $so =
    built($s, printer => 0, check_inputs => 'all', nan_asserts => 'off', by => 'build');

sub fails {
    my ($how, %env) = @_;
    my $r = run_model($s, $so, args => ['--only=1'], env => { FAULT => $how, %env });
    note($r->{err});
    return $r;
}

# Every line of the log, as fields.
sub events {
    my ($log) = @_;
    my $r = python(<<'PY', $log);
import json, sys
for line in open(sys.argv[1]):
    e = json.loads(line)
    if e["event"] == "container":
        continue  # what the host asks for beside the runs: t/434
    keys = "event", "run", "launch", "at", "kernel", "signal"
    print(*[str(e.get(key)).strip() for key in keys])
PY
    is($r->{status}, 0, 'each line of the log is an object') or diag($r->{err}, slurp($log));
    return $r->{out};
}

my $place = qr/run 1, launch 3: cpp_fused_sigmoid_1 \(sigmoid\), launched at \S*wrapper\.cpp:\d+/;
my %signals = (segv => [11, 'SIGSEGV'], stack => [11, 'SIGSEGV'], abort => [6, 'SIGABRT'],
    ended => [15, 'SIGTERM']);
for my $how (sort keys %signals) {
    my ($number, $name) = @{ $signals{$how} };
    my $r = fails($how);
    is($r->{signal}, $number, "$how: the process dies of it");
    like($r->{err}, qr/^aotigen: $name in $place/m, "$how: the launch is named");
    my $lines = () = $r->{err} =~ /^aotigen: /mg;
    is($lines, 1, "$how: in one line");
}
for my $how (qw(worker terminate)) {
    my $name = $how eq 'worker' ? 'SIGSEGV' : 'SIGABRT';
    my $r = fails($how);
    is($r->{signal}, $how eq 'worker' ? 11 : 6, "$how: the process dies of it");
    like($r->{err}, qr/^aotigen: $name on thread \d+, while thread \d+ was in $place/m,
        "$how: the launch in flight on the other thread is named");
}

my $hung = fails('hangs');
is($hung->{signal}, 15, 'a kernel that hangs: SIGTERM ends the process');
like($hung->{err}, qr/^aotigen: SIGTERM in $place; sent by process \d+; in flight for \d+\.\d s$/m,
    'its launch, the sender and the time are named');

# Python's own handlers: that of faulthandler, which was there before, and that of SIGINT.
my $dumped = fails('segv', PYTHONFAULTHANDLER => 1);
is($dumped->{signal}, 11, 'with faulthandler: the process dies of it');
like($dumped->{err}, qr/^aotigen: SIGSEGV in $place.*\nFatal Python error: Segmentation fault/m,
    'and faulthandler speaks next');
my $interrupted = fails('interrupted');
like($interrupted->{err}, qr/^aotigen: SIGINT in $place; in flight for \d+\.\d s\n/m,
    'SIGINT: the launch is named');
like($interrupted->{err}, qr/^KeyboardInterrupt/m, "and Python's own handler was called");
my $alone = fails('segv', AOTIGEN_SIGNALS => 0);
is($alone->{signal}, 11, 'AOTIGEN_SIGNALS=0: the process dies of it');
unlike($alone->{err}, qr/^aotigen: /m, 'in silence');

# The log.
my $log = "$dir/events.jsonl";
my $killed = fails('killed', AOTIGEN_LOG => $log);
is($killed->{signal}, 9, 'a process is killed');
is(events($log), "in_flight 1 3 launched cpp_fused_sigmoid_1 None\n",
    'the log has the launch that was in flight');
fails('segv', AOTIGEN_LOG => $log);
is(events($log), "in_flight 1 3 launched cpp_fused_sigmoid_1 None\n" x 2
        . "signal 1 3 launched cpp_fused_sigmoid_1 SIGSEGV\n", 'and then that of a crash');
unlink $log;
my $sound = run_model($s, $so, env => { AOTIGEN_LOG => $log });
is($sound->{status}, 0, 'a sound process') or diag($sound->{err});
is(events($log), "in_flight 2 3 run over cpp_fused_sigmoid_1 None\n",
    'leaves that its run is over');
my $thrown = fails('throw', AOTIGEN_LOG => $log);
is($thrown->{status}, 3, 'a kernel that throws ends the run by its exception');
like($thrown->{err}, qr/index out of bounds: 0 <= tmp7 < 10/, 'and its text reaches the host');
done_testing;
