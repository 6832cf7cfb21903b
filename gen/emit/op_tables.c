/* op_tables.c - see op_tables.h. */
#include "emit/op_tables.h"
#include "base/shown.h"
#include "base/template.h"
#include "model/custom_ops.h"
#include <string.h>

static const char *quote(const char *s, arena *a) {
  return arena_printf(a, "\"%s\"", template_quote(shown_text(s, a), a));
}

static void add_values(strbuf *rows, const custom_values *values, arena *a) {
  for (size_t i = 0; i < values->n; i++) {
    const custom_value *x = &values->at[i];
    const slot slots[] = {{"name", quote(x->name, a)},
                          {"kind", quote(x->kind, a)},
                          {"tensors", arena_printf(a, "%d", x->tensors)}};
    if (rows->n) strbuf_puts(rows, ", ");
    template_add(rows, "row_op_value", slots, sizeof slots / sizeof *slots);
  }
}

const char *op_tables_add(strbuf *to, const site *s, const char *number, arena *a) {
  const custom_op *op = s->op;
  if (!op || !strstr(op->target, "::")) return "nullptr";
  const char *dot = strchr(op->target, '.'), *name = arena_printf(a, "aotigen_op_%s_", number);
  strbuf rows = {0};
  add_values(&rows, &op->inputs, a);
  add_values(&rows, &op->outputs, a);
  if (!rows.n) strbuf_puts(&rows, "{}");
  const slot slots[] = {
      {"op", name},
      {"values", arena_printf(a, "aotigen_op_values_%s_", number)},
      {"rows", rows.at},
      {"name",
       quote(dot ? arena_strndup(a, op->target, (size_t)(dot - op->target)) : op->target, a)},
      {"overload", quote(dot ? dot + 1 : "", a)},
      {"ninputs", arena_printf(a, "%zu", op->inputs.n)},
      {"noutputs", arena_printf(a, "%zu", op->outputs.n)}};
  if (to->n) strbuf_puts(to, "\n");
  template_add(to, "table_op", slots, sizeof slots / sizeof *slots);
  strbuf_free(&rows);
  return arena_printf(a, "&%s", name);
}
