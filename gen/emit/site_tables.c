/* tables.c - see tables.h. */
#include "emit/site_tables.h"
#include "base/template.h"
#include <string.h>

#define FILL(name, slots) template_fill(name, slots, sizeof(slots) / sizeof *(slots), a)

static const char *quoted(const char *s, arena *a) {
  return s ? arena_printf(a, "\"%s\"", template_quote(s, a)) : "nullptr";
}

/* The runtime's names: the same words as ours, in capitals. */
static const char *constant(const char *word, arena *a) {
  char *name = arena_printf(a, "AOTIGEN_%s", word);
  for (char *p = name; *p; p++)
    if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 32);
  return name;
}

static const char *flags(unsigned value, const char *const *names, arena *a) {
  const char *out = "";
  for (unsigned i = 0; names[i]; i++)
    if (value & 1u << i)
      out = arena_printf(a, "%s%s%s", out, *out ? " | " : "", constant(names[i], a));
  return *out ? out : "0";
}

static const char *const argument_flags[] = {"fresh",         "late",       "align16", "int32",
                                             "maybe_written", "unasserted", NULL};
static const char *const site_flags[] = {"kernel", "names_guessed", "makes_neg_inf",
                                         "makes_pos_inf", NULL};

static void row(strbuf *rows, const char *line) {
  if (rows->n) strbuf_puts(rows, "\n");
  strbuf_puts(rows, line);
}

/* Ends a table of rows; the name that refers to it, or nullptr where it has none. */
static const char *table(strbuf *to, const char *type, const char *name, strbuf *rows, arena *a) {
  bool any = rows->n > 0;
  if (any) {
    const slot slots[] = {{"type", type}, {"name", name}, {"rows", rows->at}};
    row(to, FILL("table", slots));
  }
  strbuf_free(rows);
  return any ? name : "nullptr";
}

static const char *params(strbuf *to, const site *s, const char *number, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    const slot slots[] = {{"name", quoted(x->name, a)},
                          {"python_name", quoted(x->python_name, a)},
                          {"dtype", quoted(x->dtype, a)},
                          {"role", constant(role_names[x->role], a)},
                          {"kind", constant(kind_names[x->kind], a)},
                          {"flags", flags(x->flags, argument_flags, a)}};
    row(&rows, FILL("row_param", slots));
  }
  return table(to, "aotigen_param", arena_printf(a, "aotigen_params_%s_", number), &rows, a);
}

static const char *sites(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    const char *number = arena_printf(a, "%zu", i);
    const slot slots[] = {{"site", number},
                          {"function", quoted(s->function, a)},
                          {"kernel", quoted(s->kernel, a)},
                          {"nodes", quoted(strings_join(a, &s->nodes, ", "), a)},
                          {"aten", quoted(strings_join(a, &s->aten, ", "), a)},
                          {"params", params(to, s, number, a)},
                          {"line", arena_printf(a, "%u", s->line)},
                          {"nparams", arena_printf(a, "%zu", s->args.n)},
                          {"form", constant(form_names[s->form], a)},
                          {"flags", flags(s->flags, site_flags, a)}};
    row(&rows, FILL("row_site", slots));
  }
  return table(to, "aotigen_site", "aotigen_sites_", &rows, a);
}

static const char *bound(int64_t n, arena *a) {
  return n == ANY ? "AOTIGEN_ANY" : arena_printf(a, "%lld", (long long)n);
}

static const char *dims(strbuf *to, const model_input *in, size_t number, arena *a) {
  strbuf rows = {0};
  for (int i = 0; i < in->ndim; i++) {
    const dim *d = &in->dims[i];
    const slot slots[] = {{"min", bound(d->min, a)},
                          {"max", bound(d->max, a)},
                          {"stride", bound(d->stride, a)},
                          {"symbol", quoted(d->symbol, a)}};
    if (rows.n) strbuf_puts(&rows, ", ");
    strbuf_puts(&rows, FILL("row_dim", slots));
  }
  bool any = rows.n > 0;
  const char *index = arena_printf(a, "%zu", number);
  if (any) {
    const slot slots[] = {{"input", index}, {"rows", rows.at}};
    row(to, FILL("table_dims", slots));
  }
  strbuf_free(&rows);
  return any ? arena_printf(a, "aotigen_dims_%s_", index) : "nullptr";
}

static const char *inputs(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->inputs.n; i++) {
    const model_input *in = &m->inputs.at[i];
    const slot slots[] = {{"name", quoted(in->name, a)},
                          {"python_name", quoted(in->python_name, a)},
                          {"dtype", quoted(in->dtype, a)},
                          {"device", quoted(in->device, a)},
                          {"dims", dims(to, in, i, a)},
                          {"ndim", arena_printf(a, "%d", in->open ? -1 : in->ndim)},
                          {"flags", in->aligned ? constant("align16", a) : "0"}};
    row(&rows, FILL("row_input", slots));
  }
  return table(to, "aotigen_input", "aotigen_inputs_", &rows, a);
}

static const char *weights(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->weights.n; i++) {
    const weight *w = &m->weights.at[i];
    const char *number = arena_printf(a, "%zu", i);
    const slot shapes[] = {{"weight", number},
                           {"shape", w->ndim ? w->shape : "0"},
                           {"stride", w->ndim ? w->stride : "0"}};
    row(to, FILL("table_weight", shapes));
    const slot slots[] = {{"name", quoted(w->name, a)},
                          {"fqn", quoted(w->fqn, a)},
                          {"dtype", quoted(w->dtype, a)},
                          {"device", quoted(w->device ? w->device : m->device, a)},
                          {"shape", arena_printf(a, "aotigen_shape_%s_", number)},
                          {"stride", arena_printf(a, "aotigen_stride_%s_", number)},
                          {"bytes", arena_printf(a, "%lld", (long long)w->bytes)},
                          {"ndim", arena_printf(a, "%d", w->ndim)},
                          {"from_folded", w->from_folded ? "1" : "0"},
                          {"is_buffer", w->is_buffer ? "1" : "0"}};
    row(&rows, FILL("row_weight", slots));
  }
  return table(to, "aotigen_weight", "aotigen_weights_", &rows, a);
}

static const char *cubins(strbuf *to, const model *m, arena *a) {
  strbuf rows = {0};
  for (size_t i = 0; i < m->cubins.n; i++)
    row(&rows, arena_printf(a, "    %s,", quoted(m->cubins.at[i], a)));
  return table(to, "char *const", "aotigen_cubins_", &rows, a);
}

void tables_make(tables *t, const model *m, arena *a) {
  strbuf out = {0};
  t->source = quoted(m->facts->path, a);
  t->device = quoted(m->device, a);
  t->sites = sites(&out, m, a);
  t->inputs = inputs(&out, m, a);
  t->weights = weights(&out, m, a);
  t->cubins = cubins(&out, m, a);
  t->text = arena_strndup(a, out.at ? out.at : "", out.n);
  strbuf_free(&out);
}
