/* op_tables.c - see tables.h. */
#include "emit/tables.h"
#include "model/custom_ops.h"
#include <string.h>

static void add_values(strbuf *rows, const custom_values *values, arena *a) {
  for (size_t i = 0; i < values->n; i++) {
    const custom_value *x = &values->at[i];
    const slot slots[] = {{"name", table_quote(x->name, a)},
                          {"kind", table_quote(x->kind, a)},
                          {"tensors", arena_printf(a, "%d", x->tensors)}};
    TABLE_ADD_INLINE(rows, "row_op_value", slots);
  }
}

const char *op_tables_add(strbuf *to, const site *s, const char *number, arena *a) {
  const custom_op *op = s->op;
  if (!op || !strstr(op->target, "::")) return "nullptr";
  const char *name = arena_printf(a, "aotigen_op_%s_", number), *dot = strchr(op->target, '.');
  const char *op_name = dot ? arena_strndup(a, op->target, (size_t)(dot - op->target)) : op->target;
  strbuf rows = {0};
  add_values(&rows, &op->inputs, a);
  add_values(&rows, &op->outputs, a);
  if (!rows.n) strbuf_puts(&rows, "{}");
  const slot slots[] = {{"op", name},
                        {"values", arena_printf(a, "aotigen_op_values_%s_", number)},
                        {"rows", rows.at},
                        {"name", table_quote(op_name, a)},
                        {"overload", table_quote(dot ? dot + 1 : "", a)},
                        {"ninputs", arena_printf(a, "%zu", op->inputs.n)},
                        {"noutputs", arena_printf(a, "%zu", op->outputs.n)}};
  TABLE_ADD(to, "table_op", slots);
  strbuf_free(&rows);
  return arena_printf(a, "&%s", name);
}
