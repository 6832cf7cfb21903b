/* raw_text.c - see raw_text.h. It calls only functions of signal-safety(7), and sigtimedwait(),
 * which is a plain system call. */
#define _GNU_SOURCE
#include "base/raw_text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM_WAIT_MS = 1000 };

static void add_bytes(ag_raw_text *t, const char *s, size_t n) {
  if (n > AG_RAW_MOST - t->length) n = AG_RAW_MOST - t->length;
  memcpy(t->bytes + t->length, s, n);
  t->length += n;
}

void ag_raw_add(ag_raw_text *t, const char *s) { add_bytes(t, s, strlen(s)); }

void ag_raw_add_some(ag_raw_text *t, const char *s, size_t most) {
  size_t n = s ? strnlen(s, most + 1) : 0;
  if (n) add_bytes(t, s, n > most ? most : n);
  if (n > most) add_bytes(t, "...", 3);
}

void ag_raw_add_path(ag_raw_text *t, const char *s, size_t most) {
  static const char cut[] = "...";
  size_t n = s ? strlen(s) : 0;
  if (n > most) {
    ag_raw_add(t, cut);
    s += n - most + sizeof cut - 1;
  }
  if (n) ag_raw_add(t, s);
}

void ag_raw_add_number(ag_raw_text *t, int64_t x) {
  char s[24], *at = s + sizeof s;
  uint64_t left = x < 0 ? -(uint64_t)x : (uint64_t)x;
  do *--at = (char)('0' + left % 10);
  while (left /= 10);
  if (x < 0) *--at = '-';
  add_bytes(t, at, (size_t)(s + sizeof s - at));
}

void ag_raw_add_hex(ag_raw_text *t, uint64_t x) {
  char s[16], *at = s + sizeof s;
  do *--at = "0123456789abcdef"[x % 16];
  while (x /= 16);
  add_bytes(t, "0x", 2);
  add_bytes(t, at, (size_t)(s + sizeof s - at));
}

char ag_raw_json_byte(char c) { return c < ' ' || c > '~' || c == '"' || c == '\\' ? '?' : c; }

static void add_name(ag_raw_text *t, const char *field) {
  ag_raw_add(t, ",\"");
  ag_raw_add(t, field);
  ag_raw_add(t, "\":");
}

/* Returns where the string begins. */
static size_t begin_string(ag_raw_text *t, const char *field) {
  add_name(t, field);
  ag_raw_add(t, "\"");
  return t->length;
}

static void end_string(ag_raw_text *t, size_t from) {
  for (size_t i = from; i < t->length; i++) t->bytes[i] = ag_raw_json_byte(t->bytes[i]);
  ag_raw_add(t, "\"");
}

void ag_raw_add_string_field(ag_raw_text *t, const char *field, const char *s, size_t most) {
  size_t from = begin_string(t, field);
  ag_raw_add_some(t, s, most);
  end_string(t, from);
}

void ag_raw_add_path_field(ag_raw_text *t, const char *field, const char *s, size_t most) {
  size_t from = begin_string(t, field);
  ag_raw_add_path(t, s, most);
  end_string(t, from);
}

void ag_raw_add_number_field(ag_raw_text *t, const char *field, int64_t x) {
  add_name(t, field);
  ag_raw_add_number(t, x);
}

/* A full pipe that nobody reads must not keep a process from dying. */
static bool has_room(int fd) {
  struct pollfd p = {fd, POLLOUT, 0};
  return poll(&p, 1, ROOM_WAIT_MS) > 0 && p.revents & POLLOUT;
}

void ag_raw_write(int fd, const ag_raw_text *t) {
  static const struct timespec now = {0, 0};
  sigset_t raised, before, pending;
  int saved = errno;
  sigemptyset(&raised);
  sigaddset(&raised, SIGPIPE);
  sigaddset(&raised, SIGXFSZ);
  sigprocmask(SIG_BLOCK, &raised, &before);
  sigemptyset(&pending);
  sigpending(&pending);
  if (sigismember(&pending, SIGPIPE)) sigdelset(&raised, SIGPIPE);
  if (sigismember(&pending, SIGXFSZ)) sigdelset(&raised, SIGXFSZ);
  for (size_t done = 0; done < t->length && has_room(fd);) {
    ssize_t n = write(fd, t->bytes + done, t->length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += (size_t)n;
  }
  if (errno == EPIPE || errno == EFBIG)
    while (sigtimedwait(&raised, NULL, &now) < 0 && errno == EINTR) continue;
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = saved;
}
