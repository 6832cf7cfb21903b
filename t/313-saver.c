/* 313-saver - level 1: names of files, what is in them, and where they cannot be. That torch.load()
 * opens them is shown end to end; here the bytes are read as the formats define them. */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../runtime/output/save_format.h"
#include "../runtime/output/async_saver.h"
#include "shim.h"

static const aotigen_param params[] = {{.name = "buf0", .role = AOTIGEN_OUT},
                                       {.name = "arg0_1", .role = AOTIGEN_IN},
                                       {.name = "arg0_1", .role = AOTIGEN_IN}};
static const aotigen_site site = EXTERN_SITE("lab::op/x", params, 1);
static const aotigen_input input = {.name = "arg0_1", .ndim = -1};
static aotigen_model model;
static char dir[512];

BEFORE_EACH {
  model = MODEL(.printer = 1, .device = fake_device(), .sites = &site, .nsites = 1,
                .inputs = &input, .ninputs = 1);
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
}

static int each_file(const char *under, bool count) {
  DIR *d = opendir(under);
  char path[1024];
  int n = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    n++;
    snprintf(path, sizeof path, "%s/%s", under, e->d_name);
    if (!count) unlink(path);
  }
  if (d) closedir(d);
  return n;
}

AFTER_EACH {
  char below[600];
  ag_async_saver_settle(); /* what is written later goes where the variable says then */
  environment("AOTIGEN_OUTPUT_DIR", NULL);
  environment("AOTIGEN_SAVE_FORMAT", NULL);
  snprintf(below, sizeof below, "%s/a/b", dir);
  each_file(below, false);
  rmdir(below);
  snprintf(below, sizeof below, "%s/a", dir);
  rmdir(below);
  each_file(dir, false);
  rmdir(dir);
}

TEST(names) {
  char below[600], path[1024];
  snprintf(below, sizeof below, "%s/a/b", dir);
  environment("AOTIGEN_OUTPUT_DIR", below);
  fake *f = fake_new("float32", 2, -1);
  const aotigen_value values[] = {handle(f), handle(f), handle(f)};
  const void *handles[] = {f};
  aotigen_run run;
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_check_inputs(&run, handles);
  run.launch = 12;
  assert_null(aotigen_before(&run, 0, values, 3));
  assert_null(aotigen_after(&run, 0, NULL, 0));
  static const char *const files[] = {
      "launch000000_0_input_arg0_1.pt", "launch000012_1_before_lab__op_x_arg0_1.pt",
      "launch000012_1_before_lab__op_x_arg0_1_2.pt", "launch000012_2_after_lab__op_x_buf0.pt"};
  ag_async_saver_settle();
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/run%04llu_%s", below, (unsigned long long)run.number, files[i]);
    if (access(path, R_OK)) fail_msg("no '%s'", path);
  }
  assert_int_equal(each_file(below, true), 4);
  aotigen_run_end(&run, 0);
  fake_free(f);
}

static char *written(fake *f, bool npy, size_t *n) {
  char name[512];
  static ag_view v;
  ag_reader r;
  struct stat s;
  int64_t data;
  int fd = mkstemp(temporary(name, sizeof name));
  unlink(name);
  ag_view_of_handle(&v, f);
  assert_null(ag_reader_open(&r, &v, NULL));
  assert_null(npy ? ag_save_npy(fd, &r, &v, &data) : ag_save_pt(fd, &r, &v, &data));
  ag_reader_close(&r);
  fstat(fd, &s);
  char *bytes = malloc((size_t)s.st_size + 1);
  assert_int_equal(pread(fd, bytes, (size_t)s.st_size, 0), s.st_size);
  bytes[s.st_size] = 0;
  *n = (size_t)s.st_size;
  close(fd);
  return bytes;
}

TEST(npy) {
  size_t n;
  fake *f = fake_new("float32", 2, 3, -1);
  for (int i = 0; i < 6; i++) FLOATS(f)[i] = (float)i;
  f->sizes[0] = 3; /* transposed: out in row-major order */
  f->sizes[1] = 2;
  f->strides[0] = 1;
  f->strides[1] = 3;
  char *bytes = written(f, true, &n);
  assert_int_equal(n, 128 + 24);
  assert_memory_equal(
      bytes, "\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", 69);
  assert_int_equal(bytes[127], '\n');
  const float expected[] = {0, 3, 1, 4, 2, 5};
  assert_memory_equal(bytes + 128, expected, 24);
  free(bytes);
  fake_free(f);
}

static uint32_t u32(const char *p) {
  uint32_t x;
  memcpy(&x, p, 4);
  return x;
}

static uint32_t crc_of(const char *p, size_t n) {
  uint32_t c = ~0u;
  for (size_t i = 0; i < n; i++) {
    c ^= (unsigned char)p[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}

/* The data of a member, by the ZIP's own directory; its CRC is right and it stands on 64 bytes. */
static const char *member(const char *zip, size_t n, const char *name, uint32_t *size) {
  const char *end = zip + n - 22, *entry = zip + u32(end + 16);
  assert_int_equal(u32(end), 0x06054b50);
  for (int i = 0; i < 4; i++) {
    uint32_t length = u32(entry + 28) & 0xffff, extra = u32(entry + 30) & 0xffff;
    assert_int_equal(u32(entry), 0x02014b50);
    if (length == strlen(name) && !memcmp(entry + 46, name, length)) {
      const char *local = zip + u32(entry + 42);
      assert_int_equal(u32(local), 0x04034b50);
      const char *data = local + 30 + (u32(local + 26) & 0xffff) + (u32(local + 26) >> 16);
      *size = u32(entry + 24);
      assert_int_equal(crc_of(data, *size), u32(entry + 16));
      assert_int_equal(u32(local + 14), u32(entry + 16));
      assert_int_equal((data - zip) % 64, 0);
      return data;
    }
    entry += 46 + length + extra;
  }
  fail_msg("no member '%s'", name);
  return NULL;
}

TEST(pt) {
  size_t n;
  uint32_t size;
  fake *f = fake_new("float32", 2, 3, -1);
  for (int i = 0; i < 6; i++) FLOATS(f)[i] = (float)i;
  f->sizes[0] = 3;
  f->sizes[1] = 2;
  f->strides[0] = 1;
  f->strides[1] = 3;
  char *bytes = written(f, false, &n);
  const char *data = member(bytes, n, "archive/data/0", &size);
  assert_int_equal(size, 24);
  assert_memory_equal(data, f->data, 24); /* in memory's order, the strides are in the pickle */
  data = member(bytes, n, "archive/data.pkl", &size);
  static const char pickle[] =
      "\x80\2ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"
      "0X\3\0\0\0cpuJ\6\0\0\0tQJ\0\0\0\0"
      "(J\3\0\0\0J\2\0\0\0t(J\1\0\0\0J\3\0\0\0t\x89"
      "ccollections\nOrderedDict\n)RtR.";
  assert_int_equal(size, sizeof pickle - 1);
  assert_memory_equal(data, pickle, size);
  data = member(bytes, n, "archive/version", &size);
  assert_memory_equal(data, "3\n", 2);
  data = member(bytes, n, "archive/byteorder", &size);
  assert_memory_equal(data, "little", 6);
  free(bytes);
  fake_free(f);
}

static int writes;

/* In place of the C library's. */
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset) {
  writes++;
  return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

/* Parts that are written at once, and parts that are not. */
TEST(pt_of_each_size) {
  static const int sizes[] = {1, 65000, 65400, 65536, 65537, 131072, 262144, 262145, 600000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t n;
    uint32_t size;
    fake *f = fake_new("float32", sizes[i], -1);
    for (int k = 0; k < sizes[i]; k++) FLOATS(f)[k] = (float)k;
    writes = 0;
    char *bytes = written(f, false, &n);
    if (sizes[i] <= 65000) assert_int_equal(writes, 1);
    const char *data = member(bytes, n, "archive/data/0", &size);
    assert_int_equal(size, sizes[i] * 4);
    assert_memory_equal(data, f->data, size);
    member(bytes, n, "archive/data.pkl", &size);
    data = member(bytes, n, "archive/version", &size);
    assert_memory_equal(data, "3\n", 2);
    free(bytes);
    fake_free(f);
  }
}

/* Gaps between elements are not ours to read. */
TEST(gaps) {
  size_t n;
  uint32_t size;
  fake *f = fake_new("float32", 7, -1);
  for (int i = 0; i < 7; i++) FLOATS(f)[i] = 1 + (float)i;
  f->sizes[0] = 3;
  f->strides[0] = 2;
  char *bytes = written(f, false, &n);
  const char *data = member(bytes, n, "archive/data/0", &size);
  const float expected[] = {1, 0, 3, 0, 5};
  assert_int_equal(size, 20);
  assert_memory_equal(data, expected, 20);
  free(bytes);
  fake_free(f);
}

TEST(cannot) {
  fake *f = fake_new("float32", 2, -1);
  const aotigen_value values[] = {handle(f), handle(f), handle(f)};
  aotigen_run run;
  environment("AOTIGEN_OUTPUT_DIR", "/proc/nowhere");
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_null(aotigen_before(&run, 0, values, 3));
  assert_null(aotigen_after(&run, 0, NULL, 0));
  aotigen_run_end(&run, 0);
  ag_async_saver_settle();
  char *text = captured(2);
  assert_has(text, "aotigen: warning: cannot save '/proc/nowhere/run");
  assert_has(text, "this is said once\n");
  assert_null(strstr(strstr(text, "cannot save") + 1, "cannot save"));
  free(text);
  fake_free(f);
}

/* In a directory that others write to, a link has the name that ours would get. */
TEST(a_directory_that_another_user_laid) {
  static char shared[64];
  char link[96], found[96];
  fake *f = fake_new("float32", 2, -1);
  const aotigen_value values[] = {handle(f), handle(f), handle(f)};
  aotigen_run run;
  if (geteuid()) skip();
  assert_non_null(mkdtemp(temporary(shared, sizeof shared)));
  snprintf(link, sizeof link, "%s/out", shared);
  assert_true(!symlink(".", link) && !lchown(link, 12345, 12345));
  environment("AOTIGEN_OUTPUT_DIR", link);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_null(aotigen_before(&run, 0, values, 3));
  assert_null(aotigen_after(&run, 0, NULL, 0));
  aotigen_run_end(&run, 0);
  ag_async_saver_settle();
  snprintf(found, sizeof found, "%s/run*", shared);
  glob_t all = {0};
  assert_int_equal(glob(found, 0, NULL, &all), GLOB_NOMATCH);
  globfree(&all);
  unlink(link);
  rmdir(shared);
  fake_free(f);
}

TEST(full_disk) {
  fake *f = fake_new("float32", 2, -1);
  static ag_view v;
  ag_reader r;
  int64_t data;
  int fd = open("/dev/full", O_WRONLY);
  ag_view_of_handle(&v, f);
  assert_null(ag_reader_open(&r, &v, NULL));
  assert_string_equal(ag_save_pt(fd, &r, &v, &data), "No space left on device");
  assert_string_equal(ag_save_npy(fd, &r, &v, &data), "No space left on device");
  ag_reader_close(&r);
  close(fd);
  fake_free(f);
}
