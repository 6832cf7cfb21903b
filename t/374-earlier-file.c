/* 374-earlier-file - level 1: what has the bytes of an earlier file is one more name of it, and
 * only that. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_INOUT)};
static const aotigen_site site = CPU_SITE("K", params, 1);
static aotigen_model model;
static aotigen_run run;
static char dir[512];
static int link_error; /* what the file system says to a link; 0: what it does */

/* In place of the C library's. */
int linkat(int from, const char *old, int to, const char *new, int flags) {
  if (!link_error) return (int)syscall(SYS_linkat, from, old, to, new, flags);
  errno = link_error;
  return -1;
}

BEFORE_EACH {
  model = MODEL(.printer = 1, .device = fake_device(), .sites = &site, .nsites = 1);
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  environment("AOTIGEN_OUTPUT_DIR", dir);
  link_error = 0;
}

AFTER_EACH {
  char path[1024];
  ag_async_saver_settle();
  environment("AOTIGEN_OUTPUT_DIR", NULL);
  environment("AOTIGEN_SAVE_FORMAT", NULL);
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  if (d) closedir(d);
  rmdir(dir);
}

/* ---- what is saved -------------------------------------------------------------------------- */

enum { ROWS = 70, COLUMNS = 1000, ALL = ROWS * COLUMNS }; /* more than two blocks */

static fake *new_tensor(void) {
  fake *f = fake_new("float32", ROWS, COLUMNS, -1);
  for (int i = 0; i < ALL; i++) FLOATS(f)[i] = (float)i;
  return f;
}

/* The files of a launch, "before" and "after": their names, inodes and elements. */
typedef struct saved {
  char name[2][640];
  ino_t inode[2];
  float *elements[2];
} saved;

/* The elements stand behind a header that 64 divides; both formats. */
static void read_back(saved *s, int i, int64_t header) {
  struct stat st;
  int fd = open(s->name[i], O_RDONLY);
  if (fd < 0) fail_msg("no '%s'", s->name[i]);
  assert_false(fstat(fd, &st));
  s->inode[i] = st.st_ino;
  s->elements[i] = malloc(ALL * sizeof(float));
  assert_int_equal(pread(fd, s->elements[i], ALL * sizeof(float), header), ALL * sizeof(float));
  close(fd);
}

/* Launches once more; between the two files *element is set to `value`. */
static saved launch(const fake *f, float *element, float value, bool npy) {
  saved s;
  const aotigen_value v[] = {handle(f)};
  run.launch++;
  assert_null(aotigen_before(&run, 0, v, 1));
  ag_async_saver_settle(); /* the fake device copies late */
  if (element) *element = value;
  assert_null(aotigen_after(&run, 0, NULL, 0));
  ag_async_saver_settle();
  for (int i = 0; i < 2; i++) {
    snprintf(s.name[i], sizeof s.name[i], "%s/run%04llu_launch%06llu_%d_%s_K_buf0.%s", dir,
             (unsigned long long)run.number, (unsigned long long)run.launch, i + 1,
             i ? "after" : "before", npy ? "npy" : "pt");
    char *whole = NULL;
    size_t n = 0;
    FILE *file = fopen(s.name[i], "r");
    if (!file) fail_msg("no '%s'", s.name[i]);
    assert_true(getdelim(&whole, &n, EOF, file) > 0);
    fclose(file);
    char *member = npy ? whole + 128 : memmem(whole, n, "archive/data/0", 14);
    assert_non_null(member);
    int64_t at = member - whole;
    if (!npy) at = (at + 14 + 63) / 64 * 64;
    free(whole);
    read_back(&s, i, at);
  }
  return s;
}

static void free_saved(saved *s) {
  for (int i = 0; i < 2; i++) free(s->elements[i]);
}

static void begin_run(void) { aotigen_run_begin(&run, &model, 0, NULL); }
static void end_run(void) { aotigen_run_end(&run, 0); }

/* ---- tests ---------------------------------------------------------------------------------- */

static void check_links(bool npy) {
  fake *f = new_tensor();
  begin_run();
  saved first = launch(f, NULL, 0, npy), second = launch(f, NULL, 0, npy);
  end_run();
  begin_run();
  saved later = launch(f, NULL, 0, npy);
  end_run();
  assert_int_equal(first.inode[0], first.inode[1]);
  assert_int_equal(first.inode[0], second.inode[0]);
  assert_int_equal(first.inode[0], later.inode[1]);
  assert_memory_equal(later.elements[1], FLOATS(f), ALL * sizeof(float));
  free_saved(&first);
  free_saved(&second);
  free_saved(&later);
  fake_free(f);
}

TEST(the_same_bytes) { check_links(false); }

TEST(the_same_bytes_for_numpy) {
  environment("AOTIGEN_SAVE_FORMAT", "npy");
  check_links(true);
}

/* Wherever a bit differs, each file has what was there then. */
static void check_changes(bool npy) {
  static const int at[] = {0, 1, ALL / 2, 32767, 32768, 65535, 65536, ALL - 1};
  fake *f = new_tensor();
  begin_run();
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    const float was = FLOATS(f)[at[i]];
    saved s = launch(f, &FLOATS(f)[at[i]], -0.5f, npy);
    assert_int_not_equal(s.inode[0], s.inode[1]);
    assert_memory_equal(s.elements[1], FLOATS(f), ALL * sizeof(float));
    FLOATS(f)[at[i]] = was;
    assert_memory_equal(s.elements[0], FLOATS(f), ALL * sizeof(float));
    free_saved(&s);
  }
  FLOATS(f)[7] = 0;
  saved zero = launch(f, &FLOATS(f)[7], -0.0f, npy); /* equal, and other bits */
  assert_int_not_equal(zero.inode[0], zero.inode[1]);
  end_run();
  free_saved(&zero);
  fake_free(f);
}

TEST(other_bytes) { check_changes(false); }

TEST(other_bytes_for_numpy) {
  environment("AOTIGEN_SAVE_FORMAT", "npy");
  check_changes(true);
}

/* Launches that use the same memory in turn: each argument has its own file of an earlier run.
 * at: where the one launch's elements differ from the other's. */
static void check_later_run(int at) {
  fake *f = new_tensor();
  saved s[3][2];
  for (int run_at = 0; run_at < 3; run_at++) {
    begin_run();
    FLOATS(f)[ALL - 2] = run_at < 2 ? 1 : 2;
    for (int i = 0; i < 2; i++) {
      FLOATS(f)[at] = i ? -5 : 5;
      s[run_at][i] = launch(f, NULL, 0, false);
      assert_memory_equal(s[run_at][i].elements[0], FLOATS(f), ALL * sizeof(float));
      assert_memory_equal(s[run_at][i].elements[1], FLOATS(f), ALL * sizeof(float));
    }
    end_run();
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(s[0][i].inode[0], s[1][i].inode[0]);
    assert_int_equal(s[0][i].inode[1], s[1][i].inode[1]);
    assert_int_not_equal(s[0][i].inode[0], s[2][i].inode[0]);
  }
  for (int i = 0; i < 6; i++) free_saved(&s[i / 2][i % 2]);
  fake_free(f);
}

TEST(the_same_argument_in_a_later_run) {
  check_later_run(0);
  check_later_run(40000);
  check_later_run(ALL - 1);
}

/* Nobody need say that a weight has changed. */
TEST(a_weight_that_is_updated) {
  fake *f = new_tensor();
  for (int i = 0; i < 4; i++) {
    if (i) FLOATS(f)[i] = 100.5f;
    if (i == 2) aotigen_weights_changed(&model);
    begin_run();
    saved s = launch(f, NULL, 0, false);
    end_run();
    assert_memory_equal(s.elements[0], FLOATS(f), ALL * sizeof(float));
    assert_memory_equal(s.elements[1], FLOATS(f), ALL * sizeof(float));
    free_saved(&s);
  }
  fake_free(f);
}

/* A file has the tensor's shape and strides, too. */
TEST(another_form_of_the_same_memory) {
  fake *f = new_tensor();
  begin_run();
  saved first = launch(f, NULL, 0, false);
  f->sizes[0] = COLUMNS;
  f->sizes[1] = ROWS;
  f->strides[0] = ROWS;
  saved flat = launch(f, NULL, 0, false);
  f->strides[0] = 1; /* transposed: in memory as before */
  f->strides[1] = COLUMNS;
  saved across = launch(f, NULL, 0, false);
  end_run();
  assert_int_not_equal(first.inode[0], flat.inode[0]);
  assert_int_not_equal(flat.inode[0], across.inode[0]);
  assert_int_equal(across.inode[0], across.inode[1]);
  assert_memory_equal(across.elements[1], FLOATS(f), ALL * sizeof(float));
  free_saved(&first);
  free_saved(&flat);
  free_saved(&across);
  fake_free(f);
}

/* Whatever happened to the earlier file, the new one is whole. */
TEST(an_earlier_file_that_is_no_more) {
  fake *f = new_tensor();
  for (int how = 0; how < 4; how++) {
    begin_run();
    saved first = launch(f, NULL, 0, false);
    if (how < 2) assert_false(unlink(first.name[0]) || unlink(first.name[1]));
    if (how == 1) assert_false(symlink("/dev/zero", first.name[0]));
    if (how == 2) assert_false(truncate(first.name[0], 100));
    if (how == 3) {
      int fd = open(first.name[0], O_WRONLY);
      assert_int_equal(pwrite(fd, "X", 1, 30), 1);
      close(fd);
    }
    saved s = launch(f, NULL, 0, false);
    end_run();
    assert_int_equal(s.inode[0], s.inode[1]);
    assert_memory_equal(s.elements[0], FLOATS(f), ALL * sizeof(float));
    if (how > 1) assert_int_not_equal(s.inode[0], first.inode[0]);
    free_saved(&first);
    free_saved(&s);
  }
  fake_free(f);
}

TEST(a_file_system_without_links) {
  static const int errors[] = {EMLINK, ENOSPC, EPERM, EXDEV, EOPNOTSUPP};
  fake *f = new_tensor();
  capture(2);
  begin_run();
  for (int i = 0; i < 5; i++) {
    link_error = errors[i];
    saved s = launch(f, NULL, 0, false);
    assert_int_not_equal(s.inode[0], s.inode[1]);
    assert_memory_equal(s.elements[0], FLOATS(f), ALL * sizeof(float));
    assert_memory_equal(s.elements[1], FLOATS(f), ALL * sizeof(float));
    free_saved(&s);
  }
  end_run();
  char *text = captured(2), *said = strstr(text, "has the bytes of an earlier file");
  assert_non_null(said);
  assert_has(said, "cannot be a hard link to it (Operation not permitted): it is written");
  assert_null(strstr(said + 1, "has the bytes of an earlier file"));
  free(text);
  fake_free(f);
}

/* What has no room is said, and leaves no file; what needs none is saved. */
TEST(a_full_disk) {
  static const struct rlimit none = {65536, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
  fake *f = new_tensor();
  const aotigen_value v[] = {handle(f)};
  begin_run();
  saved first = launch(f, NULL, 0, false);
  capture(2);
  assert_false(setrlimit(RLIMIT_FSIZE, &none));
  saved same = launch(f, NULL, 0, false);
  FLOATS(f)[3] = -1;
  run.launch++;
  assert_null(aotigen_before(&run, 0, v, 1));
  assert_null(aotigen_after(&run, 0, NULL, 0));
  ag_async_saver_settle();
  assert_false(setrlimit(RLIMIT_FSIZE, &all));
  char *text = captured(2), name[700];
  end_run();
  assert_int_equal(first.inode[0], same.inode[1]);
  assert_has(text, "cannot save '");
  snprintf(name, sizeof name, "%s/run%04llu_launch000003_1_before_K_buf0.pt", dir,
           (unsigned long long)run.number);
  assert_int_equal(access(name, F_OK), -1);
  free(text);
  free_saved(&first);
  free_saved(&same);
  fake_free(f);
}
