/* rewritten.c - see rewritten.h. */
#include "stages/rewritten.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ---- what is printed: parts that follow their lengths, and a length of 0 -------------------- */

static ssize_t write_part(void *cookie, const char *at, size_t n) {
  if (n) record_put_text(cookie, at, n);
  return ferror((FILE *)cookie) ? 0 : (ssize_t)n;
}

static int end_parts(void *cookie) {
  record_put_number(cookie, 0);
  return 0;
}

FILE *rewritten_open_printed(FILE *to) {
  return fopencookie(to, "w", (cookie_io_functions_t){.write = write_part, .close = end_parts});
}

static FILE *make_file(const char *dir) {
  char name[PATH_MAX];
  if (snprintf(name, sizeof name, "%s/printed", dir) >= (int)sizeof name) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0) unlink(name);
  FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
  if (fd >= 0 && !file) close(fd);
  return file;
}

static size_t read_head(rewritten_reader *reader, const char *at, size_t n) {
  size_t k = sizeof reader->head - reader->head_n < n ? sizeof reader->head - reader->head_n : n;
  memcpy(reader->head + reader->head_n, at, k);
  reader->head_n += k;
  if (reader->head_n < sizeof reader->head) return k;
  reader->head_n = 0;
  memcpy(&reader->left, reader->head, sizeof reader->left);
  reader->printed_ends = reader->left == 0;
  return k;
}

bool rewritten_read(void *reader, const char *at, size_t n) {
  rewritten_reader *r = reader;
  for (size_t k; n > 0 && !r->printed_ends; at += k, n -= k) {
    k = r->left < n ? r->left : n;
    if (k == 0) {
      k = read_head(r, at, n);
      continue;
    }
    if (!r->printed && !(r->printed = make_file(r->dir))) return false;
    if (fwrite(at, 1, k, r->printed) != k) return false;
    r->left -= k;
  }
  if (n) strbuf_add(&r->rest, at, n);
  return true;
}

void rewritten_reader_free(rewritten_reader *reader) {
  if (reader->printed) fclose(reader->printed);
  strbuf_free(&reader->rest);
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* The instrumented text of a long wrapper is never whole in the child's memory. */
static void put_text(const rewritten *w, FILE *to) {
  if (!w->edits) {
    record_put_text(to, w->text, w->n);
  } else {
    record_put_number(to, edit_length(w->edits, w->text, w->n));
    edit_apply(w->edits, w->text, w->n, to);
  }
}

void rewritten_put(const rewritten *w, const diags *d, FILE *to) {
  diags_put(d, to);
  put_text(w, to);
  for (size_t i = 0; i < FORMS; i++) record_put_number(to, w->counts[i]);
  const uint64_t numbers[] = {
      w->left_alone, w->sites,  w->weights.bytes, w->weights.left_out, w->weights.has_constructor,
      w->pch_failed, w->refuted};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) record_put_number(to, numbers[i]);
}

bool rewritten_take(rewritten *w, const rewritten_reader *from, arena *a, diags *d) {
  record r = {.at = from->rest.at, .n = from->rest.n, .failed = !from->printed_ends};
  *w = (rewritten){0};
  diags_take(d, &r);
  w->text = record_text(&r, &w->n, a);
  for (size_t i = 0; i < FORMS; i++) w->counts[i] = (unsigned)record_number(&r);
  w->left_alone = (unsigned)record_number(&r);
  w->sites = record_number(&r);
  w->weights.bytes = record_number(&r);
  w->weights.left_out = record_number(&r) != 0;
  w->weights.has_constructor = record_number(&r) != 0;
  w->pch_failed = record_number(&r) != 0;
  w->refuted = record_number(&r);
  return !r.failed && r.n == 0 && strlen(w->text) == w->n;
}
