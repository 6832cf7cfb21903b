/* table.c - see tables.h. */
#include "emit/tables.h"
#include "base/shown.h"

const char *table_quote(const char *s, arena *a) {
  return s ? arena_printf(a, "\"%s\"", template_quote(shown_text(s, a), a)) : "nullptr";
}

void table_add(strbuf *to, const char *template_name, const slot *slots, size_t n) {
  if (to->n) strbuf_puts(to, "\n");
  template_add(to, template_name, slots, n);
}

void table_add_inline(strbuf *to, const char *template_name, const slot *slots, size_t n) {
  if (to->n) strbuf_puts(to, ", ");
  template_add(to, template_name, slots, n);
}

const char *table_define(strbuf *to, const char *type, const char *name, strbuf *rows) {
  bool any = rows->n > 0;
  if (any) {
    const slot slots[] = {{"type", type}, {"name", name}, {"rows", rows->at}};
    TABLE_ADD(to, "table", slots);
  }
  strbuf_free(rows);
  return any ? name : "nullptr";
}
