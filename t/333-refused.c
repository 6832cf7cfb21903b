/* 333-refused - with AOTIGEN_ON_FAULT=report a launch goes on after its guard failed: the tensors
 * that failed are neither scanned, printed nor saved. Behind their memory is a page that cannot be
 * read. */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_INOUT), FLOAT32("buf1", AOTIGEN_IN),
                                       FLOAT32("buf2", AOTIGEN_OUT)};
static const aotigen_param next_params[] = {FLOAT32("buf2", AOTIGEN_IN),
                                            FLOAT32("buf3", AOTIGEN_OUT)};
static const aotigen_site sites[] = {CPU_SITE("first", params, 11),
                                     CPU_SITE("second", next_params, 22)};
static const aotigen_input input = {.name = "arg0_1", .ndim = -1};
static aotigen_model models[8];
static int nmodels;

static aotigen_model *new_model(uint8_t printer, uint8_t nan_asserts) {
  aotigen_model *m = &models[nmodels++];
  *m = MODEL(WITH(sites, sites), .printer = printer, .check_inputs = 3, .nan_asserts = nan_asserts,
             .inputs = &input, .ninputs = 1);
  return m;
}

/* 64 elements by its sizes, 16 by its storage, and then the end of what can be read. */
static fake *new_short(void) {
  long page = sysconf(_SC_PAGESIZE);
  fake *f = fake_new("float32", 64, -1);
  char *at =
      mmap(NULL, (size_t)(2 * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(at != MAP_FAILED && !mprotect(at + page, (size_t)page, PROT_NONE));
  free(f->storage);
  f->storage = f->data = at + page - 64;
  f->storage_size = 64;
  return f;
}

/* What goes to fd in a run whose first launch has such tensors for `buf0` and `buf1`. */
static char *run_model(aotigen_model *m, int fd, float written) {
  aotigen_run run;
  fake *short0 = new_short(), *short1 = new_short(), *out = fake_new("float32", 4, -1),
       *last = fake_new("float32", 4, -1);
  const aotigen_value first[] = {handle(short0), handle(short1), handle(out)},
                      second[] = {handle(out), handle(last)};
  const void *inputs[] = {short0};
  environment("AOTIGEN_ON_FAULT", "report");
  capture(fd);
  if (fd != 2) capture(2);
  aotigen_run_begin(&run, m, 0, NULL);
  aotigen_check_inputs(&run, inputs);
  run.launch = 1;
  assert_null(aotigen_before(&run, 0, first, 3));
  FLOATS(short0)[0] = NAN;
  FLOATS(out)[1] = written;
  assert_null(aotigen_after(&run, 0, NULL, 0));
  run.launch = 2;
  assert_null(aotigen_before(&run, 1, second, 2));
  assert_null(aotigen_after(&run, 1, NULL, 0));
  aotigen_run_end(&run, 0);
  if (fd != 2) free(captured(2));
  environment("AOTIGEN_ON_FAULT", NULL);
  return without_runs(captured(fd));
}

TEST(scanned) { as_expected(run_model(new_model(0, 3), 2, 0)); }

/* No birth is certain beside what was not scanned. */
TEST(beside_a_bad_output) { as_expected(run_model(new_model(0, 3), 2, NAN)); }

TEST(printed) {
  char *text = run_model(new_model(2, 0), 1, 0);
  static const char *const titles[] = {"before_launch - first - buf0",
                                       "before_launch - first - buf1",
                                       "after_launch - first - buf0", "aoti_model_inputs - arg0_1"};
  for (int i = 0; i < 4; i++) {
    char block[300];
    snprintf(block, sizeof block,
             "[  %s  ]:\nNumber of elements: 64\nDtype: float32\nValues: not read: its storage is "
             "smaller than its elements\nDevice: cpu\nSize: [64]\n",
             titles[i]);
    assert_has(text, block);
  }
  assert_has(text, "[  after_launch - first - buf2  ]:\n 0\n");
  free(text);
}

TEST(saved) {
  char dir[512], command[1200];
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  environment("AOTIGEN_OUTPUT_DIR", dir);
  assert_has_freed(run_model(new_model(1, 0), 2, 0),
                   "cannot save 'arg0_1': its storage is smaller than its elements");
  snprintf(command, sizeof command, "ls '%s' | grep -c buf2; ls '%s' | grep -c 'buf0\\|buf1'", dir,
           dir);
  FILE *f = popen(command, "r");
  int good = 0, bad = 9;
  assert_int_equal(fscanf(f, "%d %d", &good, &bad), 2);
  pclose(f);
  assert_true(good > 0);
  assert_int_equal(bad, 0);
  environment("AOTIGEN_OUTPUT_DIR", NULL);
}
