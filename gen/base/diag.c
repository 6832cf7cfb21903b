/* diag.c - see diag.h. */
#include "base/diag.h"
#include "base/shown.h"

/* More errors than this are counted only, so that an input cannot fill the screen. */
enum { ERRORS_SHOWN = 20 };

typedef struct diag {
  enum diag_kind kind;
  const char *file;
  unsigned line, column;
  const char *text;
} diag;

struct diags {
  arena *a;
  arena_list(diag) list;
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

void diag_add(diags *d, enum diag_kind kind, enum status status, const char *file, unsigned line,
              unsigned column, const char *format, ...) {
  if (status > d->status) d->status = status;
  if (kind == DIAG_ERROR) d->hidden += ++d->errors > ERRORS_SHOWN;
  if (kind != DIAG_NOTE) d->last_hidden = kind == DIAG_ERROR && d->errors > ERRORS_SHOWN;
  if (d->last_hidden) return;
  va_list args;
  va_start(args, format);
  *arena_push(d->a, &d->list) = (diag){kind, file ? arena_strdup(d->a, file) : NULL, line, column,
                                       arena_vprintf(d->a, format, args)};
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
    if (g->kind != DIAG_NOTE) d->last_quiet = quiet && g->kind == DIAG_WARNING;
    if (!d->last_quiet) print_message(d, g, to);
  }
  if (d->hidden)
    fprintf(to, "aotigen: error: and %zu more error%s\n", d->hidden, d->hidden == 1 ? "" : "s");
  d->hidden = 0;
  fflush(to);
}

enum status diags_status(const diags *d) { return d->status; }

const char *diags_first_error(const diags *d) {
  for (size_t i = 0; i < d->list.n; i++)
    if (d->list.at[i].kind == DIAG_ERROR) return d->list.at[i].text;
  return NULL;
}

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

void diags_take(diags *d, record *r) {
  uint64_t status = record_number(r), hidden = record_number(r), n = record_number(r);
  for (uint64_t i = 0; i < n && !r->failed; i++) {
    uint64_t kind = record_number(r);
    unsigned line = (unsigned)record_number(r), column = (unsigned)record_number(r);
    const char *file = record_string(r, d->a), *text = record_string(r, d->a);
    if (!text || kind > DIAG_NOTE) r->failed = true;
    if (!r->failed)
      diag_add(d, (enum diag_kind)kind, kind == DIAG_ERROR ? STATUS_INPUT : STATUS_OK, file, line,
               column, "%s", text);
  }
  if (status > STATUS_INPUT) r->failed = true;
  if (r->failed) return;
  if (status > d->status) d->status = (enum status)status;
  d->hidden += hidden;
}
