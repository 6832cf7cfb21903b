/* 354-races - two runs that are in flight at once and use one input or weight, which one writes:
 * both launches are named, once; and nothing that is in order is reported. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim.h"

enum { WRITES, READS, OWN, NSITES };

static aotigen_param written[] = {
    {.name = "cache", .dtype = "float32", .role = AOTIGEN_INOUT, .kind = AOTIGEN_INPUT}};
static const aotigen_param read_only[] = {
    {.name = "state", .dtype = "float32", .role = AOTIGEN_IN, .kind = AOTIGEN_WEIGHT}};
static const aotigen_param own[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {CPU_SITE("writer", written, 11),
                                     CPU_SITE("reader", read_only, 22), CPU_SITE("own", own, 33)};
static aotigen_model model;
static fake *tensor;

BEFORE_EACH {
  written[0].role = AOTIGEN_INOUT;
  model = MODEL(WITH(sites, sites), .check_inputs = 2, .device = fake_device());
  tensor = fake_new("float32", 8, -1);
}

AFTER_EACH { fake_free(tensor); }

static void launch(aotigen_run *run, uint32_t site, fake *on) {
  const aotigen_value v[] = {handle(on)};
  run->launch++;
  assert_null(aotigen_before(run, site, v, 1));
  assert_null(aotigen_after(run, site, NULL, 0));
}

/* Another thread's run: its launches, and when it begins and ends. */
typedef struct other_run {
  uint32_t site;
  int launches;
  fake *on;
  void *stream;
  bool stays; /* until the first run is over */
  pthread_barrier_t has_launched, may_end;
} other_run;

static void *run_other(void *p) {
  other_run *o = p;
  aotigen_run run;
  aotigen_run_begin(&run, &model, 0, o->stream);
  for (int i = 0; i < o->launches; i++) launch(&run, o->site, o->on);
  if (o->stays) {
    pthread_barrier_wait(&o->has_launched);
    pthread_barrier_wait(&o->may_end);
  }
  aotigen_run_end(&run, 0);
  return NULL;
}

/* The report while a run of this thread launches `site` twice behind the other's launches. */
static char *said_of(uint32_t site, fake *on, other_run *o) {
  pthread_t t;
  aotigen_run run;
  pthread_barrier_init(&o->has_launched, NULL, 2);
  pthread_barrier_init(&o->may_end, NULL, 2);
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_int_equal(pthread_create(&t, NULL, run_other, o), 0);
  if (o->stays)
    pthread_barrier_wait(&o->has_launched);
  else
    pthread_join(t, NULL);
  launch(&run, site, on);
  launch(&run, site, on);
  aotigen_run_end(&run, 0);
  if (o->stays) {
    pthread_barrier_wait(&o->may_end);
    pthread_join(t, NULL);
  }
  return captured(2);
}

TEST(both_launches_are_named) {
  other_run o = {.site = READS, .launches = 1, .on = tensor};
  as_expected(said_of(WRITES, tensor, &o));
  char *text = said_of(WRITES, tensor, &o);
  assert_string_equal(text, ""); /* once is enough */
  free(text);
}

TEST(a_run_that_is_still_there) {
  other_run o = {.site = WRITES, .launches = 1, .on = tensor, .stays = true};
  as_expected(said_of(WRITES, tensor, &o));
}

TEST(in_order) {
  fake *mine = fake_new("float32", 8, -1);
  other_run reads = {.site = READS, .launches = 1, .on = tensor},
            apart = {.site = WRITES, .launches = 1, .on = mine},
            allocates = {.site = OWN, .launches = 1, .on = tensor},
            waits = {.site = WRITES, .launches = 0, .on = tensor};
  const struct {
    uint32_t site;
    other_run *other;
    const char *what;
  } rows[] = {{READS, &reads, "both read"},
              {WRITES, &apart, "each has its own"},
              {OWN, &allocates, "a buffer of each run"},
              {WRITES, &waits, "no launch"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *text = said_of(rows[i].site, tensor, rows[i].other);
    if (*text) fail_msg("%s: '%s'", rows[i].what, text);
    free(text);
  }
  fake_free(mine);
}

TEST(one_after_the_other) {
  capture(2);
  for (int i = 0; i < 2; i++) {
    aotigen_run run;
    aotigen_run_begin(&run, &model, 0, NULL);
    launch(&run, i ? WRITES : READS, tensor);
    aotigen_run_end(&run, 0);
  }
  assert_equal_freed(captured(2), "");
}

/* A part of a tensor that the other run does not touch. */
TEST(parts) {
  fake low = *tensor, high = *tensor;
  low.sizes[0] = high.sizes[0] = 4;
  high.offset = 4;
  high.data = FLOATS(tensor) + 4;
  other_run o = {.site = READS, .launches = 1, .on = &low};
  assert_equal_freed(said_of(WRITES, &high, &o), "");
}

/* The parent's other thread, which is within a run, is not in the child. */
TEST(a_child_of_fork) {
  pthread_t t;
  other_run o = {.site = WRITES, .launches = 1, .on = tensor, .stays = true};
  written[0].name = "inherited";
  pthread_barrier_init(&o.has_launched, NULL, 2);
  pthread_barrier_init(&o.may_end, NULL, 2);
  pthread_create(&t, NULL, run_other, &o);
  pthread_barrier_wait(&o.has_launched);
  capture(2);
  pid_t child = fork();
  if (!child) {
    aotigen_run run;
    const aotigen_value v[] = {handle(tensor)};
    alarm(10);
    aotigen_run_begin(&run, &model, 0, NULL);
    run.launch++;
    if (aotigen_before(&run, WRITES, v, 1) || aotigen_after(&run, WRITES, NULL, 0)) _exit(1);
    aotigen_run_end(&run, 0);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_equal_freed(captured(2), "");
  pthread_barrier_wait(&o.may_end);
  pthread_join(t, NULL);
}

TEST(throws_where_asked) {
  written[0].name = "thrown"; /* a pair that is new */
  other_run o = {.site = READS, .launches = 1, .on = tensor};
  pthread_t t;
  aotigen_run run;
  const aotigen_value v[] = {handle(tensor)};
  environment("AOTIGEN_ON_FAULT", "throw");
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  pthread_create(&t, NULL, run_other, &o);
  pthread_join(t, NULL);
  run.launch++;
  const char *fault = aotigen_before(&run, WRITES, v, 1);
  free(captured(2));
  assert_non_null(fault);
  assert_has(fault, "aotigen: race between two runs in run ");
  assert_has(fault, "; the full report is on stderr");
  aotigen_run_end(&run, 1);
  environment("AOTIGEN_ON_FAULT", NULL);
}
