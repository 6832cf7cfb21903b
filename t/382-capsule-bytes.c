/* 382-capsule-bytes - AOTIGEN_CAPSULE_BYTES: which capsules are written and which are removed where
 * all of them would have more bytes. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/syscall.h>

#include "watched.h"

static int link_error; /* what the file system says to a link; 0: what it does */

int link(const char *from, const char *to) {
  if (!link_error) return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
  errno = link_error;
  return -1;
}

/* A finding of a run whose input has that number; the text is the caller's. */
static char *find_nan(float number) {
  FLOATS(out)[0] = NAN;
  ag_output_report_forget(); /* each is the first one: none replaces another by its number */
  return run_once(number, number);
}

static size_t size_of(const char *name) {
  struct stat st;
  return stat(name, &st) ? 0 : (size_t)st.st_size;
}

/* The bytes of one. */
static size_t measure(void) {
  free(find_nan(0));
  const size_t bytes = size_of(capsule);
  assert_in_range(bytes, 1000, 100000);
  unlink(capsule);
  ag_capsule_forget();
  return bytes;
}

static void allow(size_t bytes) {
  char text[32];
  snprintf(text, sizeof text, "%zu", bytes);
  environment("AOTIGEN_CAPSULE_BYTES", text);
}

static bool holds(const char *name, float number) {
  char *bytes;
  const size_t n = read_capsule(name, &bytes);
  const bool found = has(bytes, n, &number, sizeof number);
  free(bytes);
  return found;
}

/* Of one model AOTIGEN_CAPSULES - 1 stay, and the last is the newest. */
static char *again(float number) {
  FLOATS(out)[0] = NAN;
  return run_once(number, number);
}

TEST(the_first_and_the_newest_have_room) {
  char second[700];
  const size_t bytes = measure();
  snprintf(second, sizeof second, "%s.2", capsule);
  environment("AOTIGEN_CAPSULES", "2");
  allow(2 * bytes + bytes / 2);
  free(find_nan(1001));
  free(again(1002));
  free(again(1003)); /* has none: its number is no power of two */
  char *text = again(1004);
  assert_has(text, "; capsule "); /* in the place of the second one, as without a bound */
  free(text);
  assert_int_equal(count_files(), 2);
  assert_true(holds(capsule, 1001));
  assert_true(holds(second, 1004));
}

/* The newest was written, and another that would stay comes. */
TEST(one_more_takes_the_place_of_the_newest) {
  char second[700];
  const size_t bytes = measure();
  snprintf(second, sizeof second, "%s.2", capsule);
  environment("AOTIGEN_CAPSULES", "2");
  allow(2 * bytes + bytes / 2);
  free(find_nan(1001));
  free(again(1002));
  char *text = find_nan(1003);
  assert_has(text,
             "  removed       the newest capsule before this one, by AOTIGEN_CAPSULE_BYTES\n");
  free(text);
  assert_int_equal(count_files(), 2);
  assert_true(holds(capsule, 1001));
  assert_true(holds(second, 1003));
}

TEST(one_that_has_no_room_is_not_written) {
  char expected[800];
  const size_t bytes = measure();
  allow(bytes + bytes / 2);
  free(find_nan(1001));
  char *text = find_nan(1002);
  snprintf(expected, sizeof expected, "  no capsule    '%s': it is beyond AOTIGEN_CAPSULE_BYTES\n",
           capsule);
  assert_has(text, expected);
  free(text);
  assert_int_equal(count_files(), 1);
  assert_true(holds(capsule, 1001));
}

TEST(none_at_all_and_all) {
  const size_t bytes = measure();
  allow(bytes / 2);
  char *text = find_nan(1001);
  assert_has(text, ": it is beyond AOTIGEN_CAPSULE_BYTES\n");
  free(text);
  assert_int_equal(count_files(), 0);
  environment("AOTIGEN_CAPSULE_BYTES", "all");
  for (int i = 0; i < 10; i++) free(find_nan((float)i));
  assert_int_equal(count_files(), 10);
}

/* The disk had no room for the first one; then another process of the model wrote its own. */
TEST(a_capsule_that_was_not_written_has_no_name) {
  char second[700];
  snprintf(second, sizeof second, "%s.2", capsule);
  environment("AOTIGEN_CAPSULES", "1");
  link_error = ENOSPC;
  char *text = find_nan(1001);
  assert_has(text, "No space left on device");
  free(text);
  link_error = 0;
  assert_int_equal(count_files(), 0);
  const int fd = open(capsule, O_WRONLY | O_CREAT | O_EXCL, 0600);
  assert_int_equal(write(fd, "theirs", 6), 6);
  close(fd);
  free(again(1002));
  assert_int_equal(size_of(capsule), 6);
  assert_true(holds(second, 1002));
}
