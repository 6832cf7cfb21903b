/* site_tables.c - see tables.h. */
#include "emit/tables.h"
#include "model/custom_ops.h"
#include "model/op_table.h"
#include "model/streams.h"
#include <string.h>

static const char *const forms[] = {AOTIGEN_FORMS(TABLE_NAME)},
                         *const roles[] = {AOTIGEN_ROLES(TABLE_NAME)},
                         *const kinds[] = {AOTIGEN_KINDS(TABLE_NAME)},
                         *const scopes[] = {AOTIGEN_SCOPES(TABLE_NAME)},
                         *const promise_kinds[] = {AOTIGEN_PROMISE_KINDS(TABLE_NAME)};

typedef struct flag_name {
  unsigned flag;
  const char *name;
} flag_name;

static const flag_name param_flags[] = {AOTIGEN_PARAM_FLAGS(TABLE_FLAG){0, NULL}},
                       site_flags[] = {AOTIGEN_SITE_FLAGS(TABLE_FLAG){0, NULL}},
                       input_flag_names[] = {{AOTIGEN_ALIGN16, "AOTIGEN_ALIGN16"},
                                             AOTIGEN_INPUT_FLAGS(TABLE_FLAG){0, NULL}};

static unsigned input_flags(const model_input *in) {
  unsigned flags = in->aligned ? AOTIGEN_ALIGN16 : 0;
  if (in->any_strides) flags |= AOTIGEN_ANY_STRIDES;
  if (in->use.only_read) flags |= AOTIGEN_ONLY_READ;
  return in->use.vectors ? flags | AOTIGEN_WHOLE_VECTORS : flags;
}

/* "AOTIGEN_FRESH | AOTIGEN_INT32"; "0" for none. */
static const char *format_flags(unsigned value, const flag_name *names, arena *a) {
  strings words = {0};
  for (const flag_name *n = names; n->name; n++)
    if (value & n->flag) *arena_push(a, &words) = n->name;
  return words.n ? strings_join(a, &words, " | ") : "0";
}

static const char *format_bound(int64_t n, arena *a) {
  return n == AOTIGEN_ANY ? "AOTIGEN_ANY" : arena_printf(a, "%lld", (long long)n);
}

/* Adds the table of n dimensions. `name` makes its name unique. */
static const char *add_dims(strbuf *to, const aotigen_dim *dims, int n, const char *name,
                            arena *a) {
  strbuf rows = {0};
  for (int i = 0; i < n; i++) {
    const aotigen_dim *d = &dims[i];
    const slot slots[] = {{"min", format_bound(d->min, a)},
                          {"max", format_bound(d->max, a)},
                          {"stride", format_bound(d->stride, a)},
                          {"symbol", table_quote(d->symbol, a)}};
    TABLE_ADD_INLINE(&rows, "row_dim", slots);
  }
  bool any = rows.n > 0;
  if (any) {
    const slot slots[] = {{"name", name}, {"rows", rows.at}};
    TABLE_ADD(to, "table_dims", slots);
  }
  strbuf_free(&rows);
  return any ? arena_printf(a, "aotigen_dims_%s_", name) : "nullptr";
}

/* Adds what is expected of argument `number` of a site. */
static const char *add_expected(strbuf *to, const expected *e, const char *number, arena *a) {
  strbuf aliases = {0}, rows = {0};
  if (!e) return "nullptr";
  for (size_t i = 0; i < e->aliases.n; i++) {
    const slot slots[] = {{"param", arena_printf(a, "%u", e->aliases.at[i].param)},
                          {"writer", arena_printf(a, "%u", e->aliases.at[i].writer)},
                          {"site", arena_printf(a, "%u", e->aliases.at[i].site)},
                          {"reads", e->aliases.at[i].reads ? "1" : "0"}};
    TABLE_ADD(&aliases, "row_alias", slots);
  }
  const char *naliases = arena_printf(a, "%zu", e->aliases.n);
  const slot slots[] = {
      {"dtype", table_quote(e->dtype, a)},
      {"device", table_quote(e->device, a)},
      {"dims", add_dims(to, e->dims, e->ndim, number, a)},
      {"aliases",
       table_define(to, "aotigen_alias", arena_printf(a, "aotigen_aliases_%s_", number), &aliases)},
      {"least", arena_printf(a, "%lld", (long long)e->least)},
      {"least_of", table_quote(e->least_of, a)},
      {"sizes_of", table_quote(e->sizes_of, a)},
      {"ndim", arena_printf(a, "%d", e->ndim)},
      {"user", arena_printf(a, "%d", e->user)},
      {"naliases", naliases}};
  TABLE_ADD(&rows, "row_expected", slots);
  return table_define(to, "aotigen_expected", arena_printf(a, "aotigen_expected_%s_", number),
                      &rows);
}

/* Adds what the kernel's text says of an argument. */
static const char *add_text(strbuf *to, const aotigen_text *text, const char *number, arena *a) {
  strbuf rows = {0};
  if (!text) return "nullptr";
  const slot slots[] = {
      {"reached_by", arena_printf(a, "0x%llx", (unsigned long long)text->reached_by)},
      {"of_nan", arena_printf(a, "0x%llx", (unsigned long long)text->selected_by[0])},
      {"of_plus", arena_printf(a, "0x%llx", (unsigned long long)text->selected_by[1])},
      {"of_minus", arena_printf(a, "0x%llx", (unsigned long long)text->selected_by[2])},
      {"least", arena_printf(a, "%lld", (long long)text->least)},
      {"least_of", table_quote(text->least_of, a)},
      {"loads_all", table_quote(text->loads_all, a)},
      {"stored", text->stored ? "1" : "0"},
      {"moves", text->moves ? "1" : "0"},
      {"constants", arena_printf(a, "%d", text->constants)}};
  TABLE_ADD(&rows, "row_text", slots);
  return table_define(to, "aotigen_text", arena_printf(a, "aotigen_text_%s_", number), &rows);
}

/* The kernel's parameter for the argument of a Triton kernel: call_K() has the kernel's own
 * names. */
static const char *name_parameter(const site *s, const argument *arg) {
  bool known = s->form == AOTIGEN_TRITON && arg->param >= 0 &&
               (size_t)arg->param < s->call->params.n;
  return known ? s->call->params.at[arg->param].name : NULL;
}

static const char *add_params(strbuf *to, const site *s, const char *number, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    const slot slots[] = {
        {"name", table_quote(x->name, a)},
        {"python_name", table_quote(x->python_name, a)},
        {"dtype", table_quote(x->dtype, a)},
        {"role", roles[x->role]},
        {"kind", kinds[x->kind]},
        {"flags", format_flags(x->flags, param_flags, a)},
        {"maker", arena_printf(a, "%d", x->maker + 1)},
        {"writer", x->writer == WRITER_UNKNOWN ? "AOTIGEN_UNKNOWN_WRITER"
                                               : arena_printf(a, "%d", x->writer + 1)},
        {"expected", add_expected(to, x->expected, arena_printf(a, "%s_%zu", number, i), a)},
        {"text",
         add_text(to, x->text ? &x->text->told : NULL, arena_printf(a, "%s_%zu", number, i), a)},
        {"parameter", table_quote(name_parameter(s, x), a)}};
    TABLE_ADD(&rows, "row_param", slots);
  }
  return table_define(to, "aotigen_param", arena_printf(a, "aotigen_params_%s_", number), &rows);
}

static const char *add_lines(strbuf *to, const site *s, const char *number, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < s->lines.n; i++) {
    const aotigen_line *x = &s->lines.at[i];
    const slot slots[] = {{"file", table_quote(x->file, a)},
                          {"line", arena_printf(a, "%u", x->line)},
                          {"text", table_quote(x->text, a)},
                          {"module", table_quote(x->module, a)}};
    TABLE_ADD(&rows, "row_line", slots);
  }
  return table_define(to, "aotigen_line", arena_printf(a, "aotigen_lines_%s_", number), &rows);
}

static void add_op_values(strbuf *rows, const custom_values *values, arena *a) {
  for (size_t i = 0; i < values->n; i++) {
    const custom_value *x = &values->at[i];
    const slot slots[] = {{"name", table_quote(x->name, a)},
                          {"kind", table_quote(x->kind, a)},
                          {"text", table_quote(x->text, a)},
                          {"tensors", arena_printf(a, "%d", x->tensors)}};
    TABLE_ADD_INLINE(rows, "row_op_value", slots);
  }
}

/* Adds what the package's wrapper.json says of the op that site `number` calls through the proxy
 * executor. */
static const char *add_op(strbuf *to, const site *s, const char *number, arena *a) {
  const custom_op *op = s->op;
  if (!op || !strstr(op->target, "::")) return "nullptr";
  const char *name = arena_printf(a, "aotigen_op_%s_", number), *dot = strchr(op->target, '.');
  const char *op_name = dot ? arena_strndup(a, op->target, (size_t)(dot - op->target)) : op->target;
  strbuf rows = {0};
  add_op_values(&rows, &op->inputs, a);
  add_op_values(&rows, &op->outputs, a);
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

/* The row's last fields, which the site of a model with one stream has not. */
static const char *format_stream(const model *m, const site *s, arena *a) {
  if (!streams_are_several(m) || s->stream == STREAM_NONE) return "";
  const char *kind = s->passed_stream ? "AOTIGEN_STREAM_PASSED" : "AOTIGEN_STREAM_CURRENT";
  if (op_table_is_product(s->call->callee))
    kind = arena_printf(a, "%s | AOTIGEN_STREAM_PRODUCT", kind);
  const slot slots[] = {{"name", table_quote(stream_name(m, s->stream, a), a)}, {"kind", kind}};
  return template_fill("site_stream", slots, sizeof slots / sizeof *slots, a);
}

static const char *name_scope(int index, arena *a) {
  return index < 0 ? "nullptr" : arena_printf(a, "&aotigen_scopes_[%d]", index);
}

static void add_scopes(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->scopes.n; i++) {
    const scope *s = &m->scopes.at[i];
    const slot slots[] = {{"is", scopes[s->kind]},
                          {"line", arena_printf(a, "%u", s->line)},
                          {"name", table_quote(s->name, a)},
                          {"outer", name_scope(s->outer, a)},
                          {"loop", arena_printf(a, "%u", s->loop)}};
    TABLE_ADD(&rows, "row_scope", slots);
  }
  table_define(to, "aotigen_scope", "aotigen_scopes_", &rows);
}

static const char *add_sites(strbuf *to, const model *m, const kernel_tables *kernels, arena *a) {
  strbuf rows = {0};
  add_scopes(to, m, a);
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    const char *number = arena_printf(a, "%zu", i);
    const bound_table bounds = bound_tables_add(kernels->bounds, to, s);
    const slot slots[] = {{"site", number},
                          {"function", table_quote(s->function, a)},
                          {"kernel", table_quote(s->kernel, a)},
                          {"nodes", table_quote(strings_join(a, &s->nodes, ", "), a)},
                          {"aten", table_quote(strings_join(a, &s->aten, ", "), a)},
                          {"params", add_params(to, s, number, a)},
                          {"line", arena_printf(a, "%u", s->line)},
                          {"nparams", arena_printf(a, "%zu", s->args.n)},
                          {"form", forms[s->form]},
                          {"flags", format_flags(s->flags, site_flags, a)},
                          {"number", arena_printf(a, "%u", s->number)},
                          {"scope", name_scope(s->scope, a)},
                          {"heads", s->heads ? "1" : "0"},
                          {"lines", add_lines(to, s, number, a)},
                          {"nlines", arena_printf(a, "%zu", s->lines.n)},
                          {"graph", graph_tables_add(kernels->graphs, to, s, number, a)},
                          {"bounds", bounds.name},
                          {"nbounds", arena_printf(a, "%zu", bounds.n)},
                          {"nopen", arena_printf(a, "%zu", bounds.nopen)},
                          {"op", add_op(to, s, number, a)},
                          {"stream", format_stream(m, s, a)}};
    TABLE_ADD(&rows, "row_site", slots);
  }
  return table_define(to, "aotigen_site", "aotigen_sites_", &rows);
}

static const char *add_input_dims(strbuf *to, const model_input *in, const char *number, arena *a) {
  aotigen_dim dims[MODEL_DIMS_MAX];
  for (int i = 0; i < in->ndim; i++) {
    dims[i] = model_input_dim(in, i);
    if (in->derived_least >> i & 1) dims[i].min = AOTIGEN_ANY; /* a promise has it */
  }
  return add_dims(to, dims, in->ndim, number, a);
}

static const char *add_inputs(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->inputs.n; i++) {
    const model_input *in = &m->inputs.at[i];
    const slot slots[] = {{"name", table_quote(in->name, a)},
                          {"python_name", table_quote(in->python_name, a)},
                          {"dtype", table_quote(in->dtype, a)},
                          {"device", table_quote(in->device, a)},
                          {"dims", add_input_dims(to, in, arena_printf(a, "%zu", i), a)},
                          {"ndim", arena_printf(a, "%d", in->unranked ? -1 : in->ndim)},
                          {"flags", format_flags(input_flags(in), input_flag_names, a)}};
    TABLE_ADD(&rows, "row_input", slots);
  }
  return table_define(to, "aotigen_input", "aotigen_inputs_", &rows);
}

static const char *add_promises(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->promises.n; i++) {
    const model_promise *p = &m->promises.at[i];
    const slot slots[] = {{"text", table_quote(p->text, a)},
                          {"code", table_quote(p->code, a)},
                          {"input", arena_printf(a, "%u", p->input)},
                          {"dim", arena_printf(a, "%u", p->dim)},
                          {"kind", promise_kinds[p->kind]}};
    TABLE_ADD(&rows, "row_promise", slots);
  }
  return table_define(to, "aotigen_promise", "aotigen_promises_", &rows);
}

static const char *add_weights(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->weights.n; i++) {
    const weight *w = &m->weights.at[i];
    const char *number = arena_printf(a, "%zu", i);
    const slot shapes[] = {{"weight", number},
                           {"shape", w->ndim ? w->shape : "0"},
                           {"stride", w->ndim ? w->stride : "0"}};
    TABLE_ADD(to, "table_weight", shapes);
    const slot slots[] = {{"name", table_quote(w->name, a)},
                          {"fqn", table_quote(w->fqn, a)},
                          {"dtype", table_quote(w->dtype, a)},
                          {"device", table_quote(w->device ? w->device : m->device, a)},
                          {"shape", arena_printf(a, "aotigen_shape_%s_", number)},
                          {"stride", arena_printf(a, "aotigen_stride_%s_", number)},
                          {"bytes", arena_printf(a, "%lld", (long long)w->bytes)},
                          {"ndim", arena_printf(a, "%d", w->ndim)},
                          {"from_folded", w->from_folded ? "1" : "0"},
                          {"is_buffer", w->is_buffer ? "1" : "0"},
                          {"only_read", w->use.only_read ? "1" : "0"},
                          {"vectors", w->use.vectors ? "1" : "0"}};
    TABLE_ADD(&rows, "row_weight", slots);
  }
  return table_define(to, "aotigen_weight", "aotigen_weights_", &rows);
}

static const char *add_buffers(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->buffers.n; i++) {
    const model_buffer *b = &m->buffers.at[i];
    const slot slots[] = {{"name", table_quote(b->name, a)},
                          {"line", arena_printf(a, "%u", b->line)},
                          {"handed_over", arena_printf(a, "%d", b->end)},
                          {"reuse", b->reuse ? "1" : "0"},
                          {"vectors", b->vectors ? "1" : "0"}};
    TABLE_ADD(&rows, "row_buffer", slots);
  }
  return table_define(to, "aotigen_buffer", "aotigen_buffers_", &rows);
}

static const char *add_cubins(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->cubins.n; i++)
    strbuf_printf(&rows, "%s    \"%s\",", i ? "\n" : "",
                  template_quote(m->cubins.at[i], a)); /* a file that is opened, not shown */
  return table_define(to, "char *const", "aotigen_cubins_", &rows);
}

void site_tables_make(site_tables *t, const model *m, const kernel_tables *kernels, arena *a) {
  strbuf out = {0};
  arena *scratch = arena_new(); /* holds the values of the slots */
  t->source = table_quote(m->facts->path, a);
  t->device = table_quote(m->device, a);
  t->sites = arena_strdup(a, add_sites(&out, m, kernels, scratch));
  t->inputs = arena_strdup(a, add_inputs(&out, m, scratch));
  t->weights = arena_strdup(a, add_weights(&out, m, scratch));
  t->cubins = arena_strdup(a, add_cubins(&out, m, scratch));
  t->buffers = arena_strdup(a, add_buffers(&out, m, scratch));
  t->promises = arena_strdup(a, add_promises(&out, m, scratch));
  arena_free(scratch);
  t->text = arena_strndup(a, out.at ? out.at : "", out.n);
  strbuf_free(&out);
}
