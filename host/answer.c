/* answer.c - see answer.h. */
#include "host/answer.h"
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* The first one counts. */
static void set(char **to, const char *format, va_list args) {
  if (!*to && vasprintf(to, format, args) < 0) *to = NULL;
}

void answer_refuse(answer *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set(&to->refused, format, args);
  va_end(args);
}

void answer_fail(answer *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set(&to->failed, format, args);
  va_end(args);
}

static void write_string(FILE *f, const char *key, const char *text) {
  fprintf(f, "\"%s\":\"", key);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if (*c < ' ' || *c == 127)
      fprintf(f, "\\u%04x", *c);
    else
      fprintf(f, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  fputs("\"", f);
}

static void write_difference(FILE *f, const answer_output *x) {
  fputs("\"first\":[", f);
  for (int64_t i = 0; i < x->ndim; i++) fprintf(f, "%s%" PRId64, i ? "," : "", x->index[i]);
  fprintf(f, "],\"count\":%" PRId64 ",\"numel\":%" PRId64 ",", x->count, x->numel);
  write_string(f, "now", x->now);
  fputs(",", f);
  write_string(f, "kept", x->kept);
}

static void write_output(FILE *f, const answer_output *x) {
  fputs("{", f);
  if (x->skipped) {
    write_string(f, "skipped", x->skipped);
  } else {
    fprintf(f, "\"equal\":%s", x->equal ? "true" : "false");
    if (!x->equal) fputs(",", f);
    if (!x->equal && *x->why)
      write_string(f, "why", x->why);
    else if (!x->equal)
      write_difference(f, x);
  }
  fputs("}", f);
}

bool answer_write(const answer *from, const char *path) {
  char part[PATH_MAX];
  snprintf(part, sizeof part, "%s.part", path);
  FILE *f = fopen(part, "wxe");
  if (!f) return false;
  fprintf(f, "{\"runs\":%lld,\"alike\":%lld,\"as_kept\":%lld,\"outputs\":[", from->runs,
          from->alike, from->as_kept);
  for (size_t i = 0; i < from->noutputs; i++) {
    if (i) fputs(",", f);
    write_output(f, &from->outputs[i]);
  }
  fputs("]", f);
  if (*from->torch) {
    fputs(",", f);
    write_string(f, "torch", from->torch);
  }
  if (from->refused) {
    fputs(",", f);
    write_string(f, "refused", from->refused);
  }
  if (from->failed) {
    fputs(",", f);
    write_string(f, "failed", from->failed);
  }
  fputs("}\n", f);
  bool ok = !ferror(f);
  ok = fclose(f) == 0 && ok;
  return ok && rename(part, path) == 0;
}
