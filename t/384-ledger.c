/* 384-ledger - AOTIGEN_RECORD: what stands in a ledger, when the oldest runs leave, and that it is
 * whole whenever its process is killed. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "await.h"
#include "nan_launches.h"
#include "shared/ledger.h"
#include "../runtime/state/container_calls.h"
#include "../runtime/tensor/dtype.h"
#include "../runtime/tensor/element_hash.h"

static char directory[256];

static void begin_recording(const char *bytes) {
  assert_non_null(mkdtemp(temporary(directory, sizeof directory)));
  environment("AOTIGEN_RECORD", directory);
  environment("AOTIGEN_RECORD_BYTES", bytes);
}

static void end_recording(void) {
  environment("AOTIGEN_RECORD", NULL);
  environment("AOTIGEN_RECORD_BYTES", NULL);
}

/* A run of two launches; a child does it, since a process has one ledger. */
static void run_once(void) {
  begin();
  launch_log(3);
  launch_mm(5);
  aotigen_run_end(&run, 0);
}

static void in_child(void (*body)(void)) {
  const pid_t child = fork();
  int status;
  if (!child) {
    body();
    capture(2); /* the end of which waits for what the library still does */
    free(captured(2));
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct read_ledger {
  ledger_header *h;
  const ledger_entry *ring[4096], *names[64];
  int n, nnames;
} read_ledger;

/* The path of the directory's only file. */
static void find_file(char *path, size_t room) {
  int n = 0;
  DIR *d = opendir(directory);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    n++;
    snprintf(path, room, "%s/%.200s", directory, e->d_name);
  }
  closedir(d);
  assert_int_equal(n, 1);
}

static const ledger_entry *checked(const char *at, uint64_t n) {
  const ledger_entry *e = (const void *)at;
  assert_true(n >= sizeof *e && e->bytes >= sizeof *e && e->bytes <= n);
  assert_int_equal(e->bytes % LEDGER_ALIGNED, 0);
  if (e->kind != LEDGER_EMPTY) assert_int_equal(e->sum, ledger_sum(e + 1, e->bytes - sizeof *e));
  return e;
}

/* Each entry is whole. */
static read_ledger *read_file(const char *path) {
  struct stat s;
  read_ledger *r = calloc(1, sizeof *r);
  const int fd = open(path, O_RDONLY);
  assert_true(fd >= 0 && !fstat(fd, &s));
  ledger_header *h = r->h = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  assert_true(h != MAP_FAILED);
  close(fd);
  if (!h->file_bytes) return r; /* killed before anything stood in it */
  assert_memory_equal(h->magic, LEDGER_MAGIC, 8);
  assert_int_equal(h->file_bytes, s.st_size);
  for (uint64_t at = 0; at < h->names_used; at += r->names[r->nnames++]->bytes)
    r->names[r->nnames] = checked((char *)h + h->names_at + at, h->names_used - at);
  for (uint64_t p = h->oldest; p < h->next; p += r->ring[r->n++]->bytes) {
    const uint64_t at = p % h->ring_room, left = h->next - p, to_end = h->ring_room - at;
    r->ring[r->n] = checked((char *)h + h->ring_at + at, left < to_end ? left : to_end);
    assert_true(r->n < 4095);
  }
  return r;
}

static void close_ledger(read_ledger *r) {
  if (r->h->file_bytes) munmap(r->h, r->h->file_bytes);
  free(r);
}

static read_ledger *read_only_file(void) {
  char path[512];
  find_file(path, sizeof path);
  return read_file(path);
}

static void remove_files(void) {
  DIR *d = opendir(directory);
  for (struct dirent *e; (e = readdir(d));)
    if (e->d_name[0] != '.') unlinkat(dirfd(d), e->d_name, 0);
  closedir(d);
  rmdir(directory);
}

static const ledger_arg *arg_of(const ledger_entry *e, unsigned i) {
  const ledger_launch *l = (const void *)(e + 1);
  const char *at = (const char *)(l + 1);
  assert_true(i < l->nargs);
  while (i--) at += sizeof(ledger_arg) + ((const ledger_arg *)(const void *)at)->ndim * 8;
  return (const void *)at;
}

/* ---- tests ---------------------------------------------------------------------------------- */

TEST(what_stands_there) {
  const uint32_t kinds[] = {LEDGER_RUN,    LEDGER_BEFORE, LEDGER_AFTER,
                            LEDGER_BEFORE, LEDGER_AFTER,  LEDGER_END};
  begin_recording("1000000");
  FLOATS(arg)[2] = 8;
  in_child(run_once);
  read_ledger *r = read_only_file();
  assert_int_equal(r->n, 6);
  for (int i = 0; i < 6; i++) assert_int_equal(r->ring[i]->kind, kinds[i]);
  assert_int_equal(r->nnames, 1 + NSITES);
  assert_int_equal(r->h->lost, 0);

  const ledger_arg *in = arg_of(r->ring[1], 0), *out = arg_of(r->ring[2], 0);
  const ledger_launch *mm = (const void *)(r->ring[3] + 1);
  assert_string_equal(in->dtype, "float32");
  assert_int_equal(in->ndim, 2);
  assert_int_equal(((const int64_t *)(const void *)(in + 1))[1], 3);
  assert_true(in->has & LEDGER_HAS_SUMMARY);
  assert_true(in->max == 8 && in->sum == 8 && in->sum_squares == 64);
  assert_int_equal(in->zero, 5);
  assert_int_equal(out->param, 1);
  assert_true(out->max == 3);
  assert_int_equal(mm->launch, 2);
  assert_int_equal(mm->site, MM);
  assert_int_equal(mm->nargs, 2); /* buf0 and the weight, and not its output */
  if (in->has & LEDGER_HAS_HASH) {
    const float elements[6] = {0, 0, 8, 0, 0, 0};
    assert_int_equal(in->hash, ag_hash_elements(ag_dtype_of_name("float32"), elements, 6, 0));
  }
  close_ledger(r);
  remove_files();
  end_recording();
}

static void weights_change(void) {
  run_once();
  FLOATS(weight)[0] = 7; /* untold */
  run_once();
  aotigen_weights_changed(&model);
  run_once();
}

/* On the CPU a weight is scanned once for each update; until then it is as it was. */
TEST(weights_once_an_update) {
  const bool keeps = !strcmp(fake_device(), "cpu");
  begin_recording("1000000");
  in_child(weights_change);
  read_ledger *r = read_only_file();
  assert_int_equal(r->n, 18);
  for (int i = 0; i < 3; i++) {
    const ledger_arg *w = arg_of(r->ring[6 * i + 3], 1);
    assert_int_equal(w->param, 2);
    assert_int_equal(!!(w->has & LEDGER_IS_KEPT), keeps && i == 1);
    assert_true(w->max == (i == 2 || (i && !keeps) ? 7 : 0));
  }
  close_ledger(r);
  remove_files();
  end_recording();
}

/* Each reads 7 but the first. */
static void check_weight_is_read_again(void (*runs)(void)) {
  begin_recording("1000000");
  in_child(runs);
  read_ledger *r = read_only_file();
  assert_int_equal(r->n, 12);
  for (int i = 0; i < 2; i++) {
    const ledger_arg *w = arg_of(r->ring[6 * i + 3], 1);
    assert_int_equal(w->param, 2);
    assert_false(w->has & LEDGER_IS_KEPT);
    assert_true(w->max == (i ? 7 : 0));
  }
  close_ledger(r);
  remove_files();
  end_recording();
}

static void written_by_another_name(void) {
  run_once();
  begin();
  BEFORE(LOG, handle(arg), handle(weight), handle(b3));
  FLOATS(weight)[0] = 7;
  after(LOG);
  launch_mm(5);
  aotigen_run_end(&run, 0);
}

TEST(a_weight_that_a_launch_writes) { check_weight_is_read_again(written_by_another_name); }

static void written_by_a_launch_left_out(void) {
  environment("AOTIGEN_LAUNCHES", "1-2");
  run_once();
  FLOATS(weight)[0] = 7;
  run_once();
}

TEST(a_weight_where_launches_are_left_out) {
  check_weight_is_read_again(written_by_a_launch_left_out);
}

static void written_by_the_host(void) {
  run_once();
  ag_container_call_begin(&model, "AOTInductorModelContainerUpdateUserManagedConstantBuffer");
  ag_container_call_end(false);
  FLOATS(weight)[0] = 7;
  run_once();
}

TEST(a_weight_in_the_hosts_memory) { check_weight_is_read_again(written_by_the_host); }

static void many_runs(void) {
  for (int i = 0; i < 500; i++) run_once();
}

/* The ring has the newest runs, from the begin of one on. */
TEST(oldest_runs_leave) {
  begin_recording("65536");
  in_child(many_runs);
  read_ledger *r = read_only_file();
  const ledger_run *first = (const void *)(r->ring[0] + 1),
                   *last = (const void *)(r->ring[r->n - 1] + 1);
  assert_int_equal(r->ring[0]->kind, LEDGER_RUN);
  assert_int_equal(r->ring[r->n - 1]->kind, LEDGER_END);
  assert_true(r->h->oldest > 0);
  assert_true(last->run - first->run > 20 && last->run - first->run < 499);
  assert_int_equal(r->h->lost, 0);
  close_ledger(r);
  remove_files();
  end_recording();
}

/* Whenever it is killed, each entry is whole. */
TEST(killed_at_any_moment) {
  for (int i = 0; i < 40; i++) {
    begin_recording("65536");
    const pid_t child = fork();
    int status;
    if (!child)
      for (;;) run_once();
    let_pass(2000 + i * 731L); /* any moment: it is in the middle of something */
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    DIR *d = opendir(directory);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    if (n) {
      char path[512];
      struct stat s;
      find_file(path, sizeof path);
      if (!stat(path, &s) && s.st_size) close_ledger(read_file(path));
    }
    remove_files();
    end_recording();
  }
}

static void parent_and_child(void) {
  run_once();
  in_child(run_once);
  run_once();
}

TEST(a_child_has_its_own) {
  begin_recording("1000000");
  in_child(parent_and_child);
  DIR *d = opendir(directory);
  int n = 0, entries = 0;
  for (struct dirent *e; (e = readdir(d));) {
    char path[512];
    if (e->d_name[0] == '.') continue;
    n++;
    snprintf(path, sizeof path, "%s/%.200s", directory, e->d_name);
    read_ledger *r = read_file(path);
    entries += r->n;
    close_ledger(r);
  }
  closedir(d);
  assert_int_equal(n, 2);
  assert_int_equal(entries, 18);
  remove_files();
  end_recording();
}

static void said_once(void) {
  capture(2);
  run_once();
  run_once();
  char *text = captured(2);
  assert_has(text, "aotigen: warning: cannot record in '/dev/null/x/");
  assert_has(text, "Not a directory; nothing is recorded\n");
  assert_null(strstr(strchr(text, '\n') + 1, "record"));
  free(text);
}

TEST(a_directory_that_cannot_be_made) {
  environment("AOTIGEN_RECORD", "/dev/null/x");
  in_child(said_once);
  end_recording();
}

/* A child of a crash has what its launch read. */
static void dies(void) {
  begin();
  BEFORE(LOG, handle(arg), handle(b0), handle(b3));
  _exit(0);
}

/* On a device it is recorded when its scans have arrived. */
TEST(a_launch_that_does_not_return) {
  if (strcmp(fake_device(), "cpu") != 0) return;
  begin_recording("1000000");
  in_child(dies);
  read_ledger *r = read_only_file();
  assert_int_equal(r->n, 2);
  assert_int_equal(r->ring[1]->kind, LEDGER_BEFORE);
  assert_int_equal(((const ledger_launch *)(const void *)(r->ring[1] + 1))->nargs, 1);
  close_ledger(r);
  remove_files();
  end_recording();
}

/* The time stands behind the launch, and only where launches are timed. */
static void look_at_times(bool timed) {
  begin_recording("1000000");
  environment("AOTIGEN_TIME", timed ? "/dev/null" : NULL);
  in_child(run_once);
  environment("AOTIGEN_TIME", NULL);
  read_ledger *r = read_only_file();
  for (int i = 1; i < 5; i++) {
    const ledger_launch *l = (const void *)(r->ring[i] + 1);
    assert_int_equal(l->took_us > 0, timed && r->ring[i]->kind == LEDGER_AFTER);
  }
  close_ledger(r);
  remove_files();
  end_recording();
}

TEST(how_long_a_launch_took) {
  look_at_times(false);
  look_at_times(true);
}
