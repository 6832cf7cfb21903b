/* diag.c - see diag.h. */
#include "base/diag.h"
#include "base/shown.h"

enum aotigen_kind { ERROR, WARNING, NOTE };

/* More errors than this are counted only, so that an input cannot fill the screen. */
enum { ERRORS_SHOWN = 20 };

typedef struct diag {
  enum aotigen_kind kind;
  const char *file;
  unsigned line, column;
  const char *text;
} diag;

struct diags {
  arena *a;
  struct {
    diag *at;
    size_t n, cap;
  } list;
  size_t printed;        /* the number of messages in the list that were printed */
  size_t errors, hidden; /* hidden: those whose number is still to be printed */
  bool last_hidden;      /* the last error was counted only, so its notes are dropped */
  bool last_quiet;       /* while printing: the last warning was left out, so its notes are too */
  enum status status;
};

diags *diags_new(arena *a) {
  diags *d = arena_alloc(a, sizeof *d);
  d->a = a;
  return d;
}

typedef struct position {
  const char *file;
  unsigned line, column;
} position;

static void add_message(diags *d, enum aotigen_kind kind, position at, const char *format,
                        va_list args) {
  diag *g = arena_push(d->a, &d->list);
  *g = (diag){kind, at.file ? arena_strdup(d->a, at.file) : NULL, at.line, at.column,
              arena_vprintf(d->a, format, args)};
}

static void add_error(diags *d, enum status status, position at, const char *format, va_list args) {
  if (status > d->status) d->status = status;
  d->last_hidden = ++d->errors > ERRORS_SHOWN;
  if (d->last_hidden)
    d->hidden++;
  else
    add_message(d, ERROR, at, format, args);
}

static void add_warning(diags *d, position at, const char *format, va_list args) {
  d->last_hidden = false;
  add_message(d, WARNING, at, format, args);
}

static void add_note(diags *d, position at, const char *format, va_list args) {
  if (!d->last_hidden) add_message(d, NOTE, at, format, args);
}

void diag_error(diags *d, enum status status, const char *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_error(d, status, (position){file, 0, 0}, format, args);
  va_end(args);
}

void diag_warning(diags *d, const char *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_warning(d, (position){file, 0, 0}, format, args);
  va_end(args);
}

void diag_note(diags *d, const char *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_note(d, (position){file, 0, 0}, format, args);
  va_end(args);
}

void diag_error_at(diags *d, enum status status, const char *file, unsigned line, unsigned column,
                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_error(d, status, (position){file, line, column}, format, args);
  va_end(args);
}

void diag_warning_at(diags *d, const char *file, unsigned line, unsigned column, const char *format,
                     ...) {
  va_list args;
  va_start(args, format);
  add_warning(d, (position){file, line, column}, format, args);
  va_end(args);
}

void diag_note_at(diags *d, const char *file, unsigned line, unsigned column, const char *format,
                  ...) {
  va_list args;
  va_start(args, format);
  add_note(d, (position){file, line, column}, format, args);
  va_end(args);
}

/* A message quotes its input, which must not control the terminal. */
static void print_message(const diags *d, const diag *g, FILE *to) {
  static const char *const kinds[] = {"error", "warning", "note"};
  fputs(g->file ? shown_text(g->file, d->a) : "aotigen", to);
  if (g->file && g->line) fprintf(to, ":%u", g->line);
  if (g->file && g->line && g->column) fprintf(to, ":%u", g->column);
  fprintf(to, ": %s: ", kinds[g->kind]);
  fprintf(to, "%s\n", shown_text(g->text, d->a));
}

void diags_print(diags *d, FILE *to, bool quiet) {
  for (; d->printed < d->list.n; d->printed++) {
    const diag *g = &d->list.at[d->printed];
    if (g->kind != NOTE) d->last_quiet = quiet && g->kind == WARNING;
    if (!d->last_quiet) print_message(d, g, to);
  }
  if (d->hidden)
    fprintf(to, "aotigen: error: and %zu more error%s\n", d->hidden, d->hidden == 1 ? "" : "s");
  d->hidden = 0;
  fflush(to);
}

enum status diags_status(const diags *d) { return d->status; }

/* ---- from one process to another */

void diags_put(const diags *d, FILE *to) {
  record_put_number(to, d->status);
  record_put_number(to, d->hidden);
  record_put_number(to, d->list.n);
  for (size_t i = 0; i < d->list.n; i++) {
    const diag *g = &d->list.at[i];
    const uint64_t numbers[] = {g->kind, g->line, g->column};
    for (size_t k = 0; k < 3; k++) record_put_number(to, numbers[k]);
    record_put_string(to, g->file);
    record_put_string(to, g->text);
  }
}

static void add_text(diags *d, uint64_t kind, position at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (kind == ERROR)
    add_error(d, STATUS_INPUT, at, format, args);
  else if (kind == WARNING)
    add_warning(d, at, format, args);
  else
    add_note(d, at, format, args);
  va_end(args);
}

void diags_take(diags *d, record *r) {
  uint64_t status = record_number(r), hidden = record_number(r), n = record_number(r);
  for (uint64_t i = 0; i < n && !r->failed; i++) {
    uint64_t kind = record_number(r);
    unsigned line = (unsigned)record_number(r), column = (unsigned)record_number(r);
    position at = {.line = line, .column = column};
    at.file = record_string(r, d->a);
    const char *text = record_string(r, d->a);
    if (!text || kind > NOTE) r->failed = true;
    if (!r->failed) add_text(d, kind, at, "%s", text);
  }
  if (status > STATUS_INPUT) r->failed = true;
  if (r->failed) return;
  if (status > d->status) d->status = (enum status)status;
  d->hidden += hidden;
}
