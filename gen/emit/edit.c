/* edit.c - see emit.h. */
#include "emit/emit.h"
#include <string.h>

/* True if the next edit is at the same place: a single #line, behind the last of them, serves both.
 */
static bool shares_line(const edits *e, size_t i) {
  return i + 1 < e->n && e->at[i + 1].offset == e->at[i].offset && e->at[i + 1].resume &&
         !*e->at[i + 1].before && !*e->at[i].after && e->at[i].resume;
}

/* Where the edited text goes; while `to` is NULL, only its length is counted. */
typedef struct result {
  FILE *to;
  size_t n;
} result;

static void add_bytes(result *r, const char *at, size_t n) {
  if (r->to) fwrite(at, 1, n, r->to);
  r->n += n;
}

static void add_string(result *r, const char *s) { add_bytes(r, s, strlen(s)); }

static void add_line_directive(result *r, unsigned line, strbuf *scratch) {
  char number[16];
  snprintf(number, sizeof number, "%u", line);
  const slot slots[] = {{"line", number}};
  scratch->n = 0;
  template_add(scratch, "line", slots, 1);
  strbuf_puts(scratch, "\n");
  add_bytes(r, scratch->at, scratch->n);
}

static void apply_all(result *r, const edits *e, const char *source, size_t n) {
  strbuf scratch = {0};
  size_t copied = 0;
  for (size_t i = 0; i < e->n; i++) {
    const edit *x = &e->at[i];
    add_bytes(r, source + copied, x->offset - copied);
    copied = x->offset;
    add_string(r, x->before);
    add_string(r, x->line);
    if (!x->top && x->resume) add_string(r, "\n");
    if (x->resume && !shares_line(e, i)) add_line_directive(r, x->resume, &scratch);
    add_string(r, x->after);
  }
  add_bytes(r, source + copied, n - copied);
  strbuf_free(&scratch);
}

size_t edit_length(const edits *e, const char *source, size_t n) {
  result r = {0};
  apply_all(&r, e, source, n);
  return r.n;
}

void edit_apply(const edits *e, const char *source, size_t n, FILE *to) {
  apply_all(&(result){.to = to}, e, source, n);
}

void edit_dump(const edits *e, const facts *f, FILE *to) {
  for (size_t i = 0; i < e->n; i++) {
    unsigned line, column;
    facts_position(f, e->at[i].offset, &line, &column);
    if (!e->at[i].top)
      fprintf(to, "%u:%u %s%s\n", line, column, *e->at[i].before == '{' ? "{ " : "",
              e->at[i].line + strspn(e->at[i].line, " "));
  }
}
