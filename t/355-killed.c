/* 355-killed - a host that is killed 200 times, at random moments, by SIGKILL and others: what was
 * found before is on stderr and in the log each time, and so is the launch that was in flight. */
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "crashing.h"

enum { KILLS = 200, LONGEST_US = 4000 };

/* Shared with the child. */
static struct shared {
  atomic_uint found;  /* the number of births that were reported in full */
  atomic_bool begins; /* the signals are its own */
} * shared;

static void make_bad_values_for_ever(void) {
  atomic_store(&shared->begins, true);
  fake *out = fake_new("float32", 4, -1);
  const aotigen_value v[] = {handle(out)};
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  for (;;) {
    aotigen_run run;
    aotigen_run_begin(&run, &model, 0, NULL);
    for (uint32_t i = 0; i < 3; i++) {
      run.launch++;
      FLOATS(out)[1] = 0;
      if (aotigen_before(&run, i % 2, v, 1)) _exit(21);
      FLOATS(out)[1] = (float)NAN;
      if (aotigen_after(&run, i % 2, NULL, 0)) _exit(22);
      atomic_fetch_add(&shared->found, 1);
    }
    aotigen_run_end(&run, 0);
  }
}

/* The log's file after the kill; freed by the caller. */
static char *read_log(void) {
  struct stat s;
  int fd = open(log_name, O_RDONLY);
  assert_int_equal(fstat(fd, &s), 0);
  char *text = calloc(1, (size_t)s.st_size + 1);
  assert_int_equal(read(fd, text, (size_t)s.st_size), s.st_size);
  close(fd);
  return text;
}

static void check(const char *err, const char *log, unsigned n) {
  int births = count(err, "aotigen: NaN born in run "), events = count(log, "\"event\":\"born\"");
  if (births < (int)n || events < (int)n)
    fail_msg("%u births were found; %d are on stderr, %d in the log", n, births, events);
  if (births > (int)n + 1 || events > (int)n + 1)
    fail_msg("%u births were found, and %d are on stderr, %d in the log", n, births, events);
  for (const char *line = log; *line;) {
    size_t length = strcspn(line, "\n");
    bool made = strspn(line, " ") < length; /* else it was being made: the host had no launch yet */
    if (!line[length]) break;               /* it was being written */
    if ((made && *line != '{') || (!made && n) || !strchr("} ", line[length - 1]))
      fail_msg("no event: '%.*s'", (int)length, line);
    line += length + 1;
  }
  if (n && count(log, "\"event\":\"in_flight\"") != 1) fail_msg("no launch is in flight: %s", log);
}

BEFORE_ALL {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(shared, MAP_FAILED);
}

TEST(nothing_is_lost) {
  static const int signals[] = {SIGKILL, SIGKILL, SIGKILL, SIGSEGV, SIGABRT, SIGTERM};
  unsigned seed = (unsigned)time(NULL), most = 0;
  print_message("seed %u\n", seed);
  srand(seed);
  environment("AOTIGEN_LOG", log_name);
  for (int i = 0; i < KILLS; i++) {
    int wanted = signals[rand() % 6], status;
    assert_int_equal(truncate(log_name, 0), 0);
    atomic_store(&shared->found, 0);
    atomic_store(&shared->begins, false);
    pid_t child = begin_child(make_bad_values_for_ever);
    AWAIT(atomic_load(&shared->begins));
    let_pass(rand() % LONGEST_US); /* at any moment */
    kill(child, wanted);
    assert_int_equal(waitpid(child, &status, 0), child);
    char *err = captured_of(2, child), *log = read_log();
    if (!WIFSIGNALED(status) || WTERMSIG(status) != wanted) fail_msg("it ended with %x", status);
    unsigned n = atomic_load(&shared->found);
    check(err, log, n);
    if (n > most) most = n;
    free(err);
    free(log);
  }
  assert_true(most > 3);
}
