/* edit.c - see edit.h. */
#include "emit/edit.h"
#include <string.h>

/* Does the next edit stand at the same place: then one #line, behind the last of them, serves both.
 */
static bool shares_line(const edits *e, size_t i) {
  return i + 1 < e->n && e->at[i + 1].at == e->at[i].at && e->at[i + 1].resume &&
         !*e->at[i + 1].before && !*e->at[i].after && e->at[i].resume;
}

strbuf edit_apply(const edits *e, const char *source, size_t n, arena *a) {
  strbuf out = {0};
  size_t copied = 0;
  for (size_t i = 0; i < e->n; i++) {
    const edit *x = &e->at[i];
    strbuf_add(&out, source + copied, x->at - copied);
    copied = x->at;
    strbuf_puts(&out, x->before);
    strbuf_puts(&out, x->line);
    if (!x->top && x->resume) strbuf_puts(&out, "\n");
    if (x->resume && !shares_line(e, i)) {
      const slot slots[] = {{"line", arena_printf(a, "%u", x->resume)}};
      strbuf_puts(&out, template_fill("line", slots, 1, a));
      strbuf_puts(&out, "\n");
    }
    strbuf_puts(&out, x->after);
  }
  strbuf_add(&out, source + copied, n - copied);
  return out;
}

void edit_dump(const edits *e, const facts *f, FILE *to) {
  for (size_t i = 0; i < e->n; i++) {
    unsigned line, column;
    facts_position(f, e->at[i].at, &line, &column);
    if (!e->at[i].top)
      fprintf(to, "%u:%u %s%s\n", line, column, *e->at[i].before == '{' ? "{ " : "",
              e->at[i].line + strspn(e->at[i].line, " "));
  }
}
