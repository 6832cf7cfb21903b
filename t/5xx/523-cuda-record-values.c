/* 523-cuda-record-values - values of runs that do not wait, printed and saved: in order, none lost,
 * none of another launch. */
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sys/syscall.h>

#include "5xx/lagging_files.h"
#include "base/sink.h"
#include "base/thread.h"

static char *printed(uint8_t printer, uint8_t sync, int late) {
  aotigen_model *m = calloc(1, sizeof *m);
  lineup l = new_lineup(0);
  *m = new_model(0, printer, sync);
  fake_late(late);
  capture(1);
  whole_run(m, &l, 50, 20, 2, NAN);
  whole_run(m, &l, 50, 0, 2, NAN);
  char *text = captured(1);
  fake_late(0);
  return without_runs(text);
}

TEST(printed_in_order) {
  for (uint8_t level = 2; level <= 3; level++) {
    char *blocking = printed(level, 1, 0), *text = printed(level, 0, 50);
    assert_true(count(blocking, "after_launch") >= 100);
    assert_string_equal(text, blocking);
  }
}

/* A tensor that the driver refuses is not printed, and the block says why, as in a run that waits.
 */
TEST(printed_with_a_refusal) {
  lineup l = new_lineup(0);
  model = new_model(0, 2, 0);
  capture(1);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_evaluator_settle();
  free(captured(1));
  capture(1);
  fake_fail("cuLaunchKernel", 2, 1); /* behind launch 1 */
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_evaluator_settle();
  char *text = captured(1);
  assert_int_equal(count(text, "Values: not read: "), 2);
  assert_int_equal(
      count(text, "Values: not read: 'cuLaunchKernelEx' on device 'cpu': invalid argument ("), 2);
}

TEST(printed_where_memory_is_not) {
  lineup l = new_lineup(0);
  model = new_model(0, 2, 0);
  capture(1);
  fake_fail("cuPointerGetAttribute", 1, 1);
  whole_run(&model, &l, 3, 0, -1, 0);
  ag_evaluator_settle();
  char *text = captured(1);
  assert_int_equal(count(text, "Values: not read: "), 1);
  assert_has(text, "Values: not read: the device cannot read its memory\n");
}

/* The reader of the output takes its time. That is not the device's fault, and nothing is dropped
 * for it. */
typedef struct slow_reader {
  int fd, full;     /* the ends of the pipe */
  atomic_bool over; /* nothing more will be written */
  char *text;
} slow_reader;

enum { PAUSES = 6 }; /* in some the run's thread is the one that writes, and does not wait */

/* Returns while the pipe is full and the library waits to write to it; or when `over` is set. */
static void await_writer(const slow_reader *r) {
  AWAIT(atomic_load(&r->over) ||
        (!poll(&(struct pollfd){r->full, POLLOUT, 0}, 1, 0) && ag_sink_is_writing()));
}

/* A device may be slow on a machine that is busy, so the time limit is short only while the library
 * waits to write. */
static void *read_later(void *of) {
  slow_reader *r = of;
  size_t n = 0, room = 8 << 20;
  ssize_t got;
  int64_t long_timeout = ag_stall_timeout_us;
  r->text = calloc(1, room + 1);
  for (int i = 0; i < PAUSES && (await_writer(r), !atomic_load(&r->over)); i++) {
    ag_stall_timeout_us = 50 * 1000;
    let_pass(150 * 1000); /* the limit three times */
    ag_stall_timeout_us = long_timeout;
    if ((got = read(r->fd, r->text + n, 1 << 16)) > 0) n += (size_t)got;
  }
  close(r->full);
  while (n < room && (got = read(r->fd, r->text + n, room - n)) > 0) n += (size_t)got;
  return NULL;
}

TEST(values_that_are_read_late) {
  lineup l = new_lineup(0);
  int fds[2], before = dup(1);
  slow_reader r = {0};
  pthread_t thread;
  fake_late(1);
  model = new_model(0, 2, 0);
  capture(2);
  assert_int_equal(pipe(fds), 0);
  r.fd = fds[0];
  r.full = fds[1];
  fflush(stdout);
  dup2(fds[1], 1);
  assert_int_equal(pthread_create(&thread, NULL, read_later, &r), 0);
  for (int i = 0; i < 40; i++) whole_run(&model, &l, 50, 0, -1, 0);
  ag_evaluator_settle();
  atomic_store(&r.over, true);
  dup2(before, 1);
  close(before);
  pthread_join(thread, NULL);
  assert_string_equal(captured(2), "");
  assert_int_equal(count(r.text, "[  after_launch - "), 40 * 50 * 2);
  free(r.text);
}

static void spool_two(spooler s[2]) {
  for (int i = 0; i < 2; i++) {
    s[i].stream = &streams[i];
    assert_int_equal(pthread_create(&s[i].thread, NULL, save_much, &s[i]), 0);
  }
  for (int i = 0; i < 2; i++) pthread_join(s[i].thread, NULL);
}

/* 96 MiB of each thread's go through 32 MiB; each file holds what its launch left there. */
TEST(saved_through_the_ring) {
  spooler s[2] = {{0}};
  char name[800];
  new_directory();
  model = new_model(0, 1, 0);
  fake_late(10 * 1000); /* the writer waits for the device: a chunk that is used again must not be
                           taken for the one before */
  capture(2);
  spool_two(s);
  assert_string_equal(captured(2), "");
  for (int i = 0; i < 2; i++) {
    assert_int_equal(files_of(s[i].number), 8);
    for (int n = 1; n <= 4; n++) {
      float end[2];
      snprintf(name, sizeof name, "%s/run%04d_launch%06d_2_after_triton_poi_fused_add_0_buf1.npy",
               directory, (int)s[i].number, n);
      int fd = open(name, O_RDONLY);
      assert_true(fd >= 0);
      off_t size = lseek(fd, 0, SEEK_END);
      assert_int_equal(size, 128 + BIG * 4);
      assert_int_equal(pread(fd, end, 4, 128), 4);
      assert_int_equal(pread(fd, end + 1, 4, size - 4), 4);
      assert_true(end[0] == (float)n && end[1] == (float)n);
      close(fd);
    }
  }
  remove_directory();
}

/* Files on a slow disk: the run waits for them, however long. */
static atomic_int slow_writes;

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset) {
  if (n >= 1 << 16 && atomic_load(&slow_writes) > 0 && atomic_fetch_sub(&slow_writes, 1) > 0)
    let_pass(600 * 1000); /* the disk is slow */
  return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

TEST(saved_on_a_slow_disk) {
  spooler s = {.stream = &streams[0]};
  ag_stall_timeout_us = 200 * 1000;
  fake_late(1);
  new_directory();
  model = new_model(0, 1, 0);
  capture(2);
  atomic_store(&slow_writes, 3);
  save_much(&s);
  assert_string_equal(captured(2), "");
  assert_int_equal(files_of(s.number), 8);
  assert_true(atomic_load(&slow_writes) <= 0);
  remove_directory();
}

TEST(saved_nowhere) {
  spooler s[2] = {{0}};
  environment("AOTIGEN_OUTPUT_DIR", "/proc/nowhere");
  model = new_model(0, 1, 0);
  fake_late(200);
  capture(2);
  spool_two(s);
  char *text = captured(2);
  assert_int_equal(count(text, "cannot save '"), 1);
  assert_int_equal(count(text, "aotigen: "), 1);
}

static atomic_int files_gate;

static void await_files_gate(void *none) {
  (void)none;
  AWAIT(atomic_load(&files_gate));
}

TEST(gate_with_many_files_behind) {
  spooler s = {.stream = &streams[0]};
  ag_stall_timeout_us = 30 * 1000;
  fake_late(1);
  new_directory();
  model = new_model(0, 1, 0);
  capture(2);
  fake_give(s.stream, await_files_gate, "", 1);
  save_much(&s);
  atomic_store(&files_gate, 1);
  fake_wait(s.stream);
  ag_async_saver_settle();
  uint64_t first = s.number;
  ag_stall_timeout_us = 10 * 1000 * 1000; /* no machine is too slow for what does not stand still */
  save_much(&s);
  char *text = captured(2);
  assert_has(text, "the ring is full, and its devices stand still");
  assert_true(files_of(first) < 8);
  assert_int_equal(files_of(s.number), 8);
  remove_directory();
}

TEST(saved_till_death) {
  spooler s[2] = {{.dies = true}};
  new_directory();
  model = new_model(0, 1, 0);
  fake_late(2000);
  capture(2);
  spool_two(s);
  char *text = captured(2);
  assert_true(count(text, "cannot save '") <= 1);
  assert_true(count(text, "device error") >= 1);
  remove_directory();
}
