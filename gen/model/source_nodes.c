/* source_nodes.c - see parts.h. */
#include "model/parts.h"
#include "base/string_map.h"
#include "model/op_table.h"
#include "parse/lex.h"
#include <ctype.h>
#include <string.h>

/* "a, b, c" */
static void split_names(strings *to, const char *at, size_t n, arena *a) {
  for (const char *end = at + n; at < end;) {
    while (at < end && (*at == ' ' || *at == ',')) at++;
    size_t w = 0;
    while (at + w < end && at[w] != ',') w++;
    if (w) *arena_push(a, to) = arena_strndup(a, at, w);
    at += w;
  }
}

/* Reads the names of "LABEL[a, b]", which *at moves past. False if there is no such list. */
static bool read_list(const char **at, const char *end, const char *label, strings *to, arena *a) {
  size_t n = strlen(label);
  const char *p = *at;
  while (p + n < end && memcmp(p, label, n) != 0) p++;
  if (p + n >= end) return false;
  const char *close = memchr(p + n, ']', (size_t)(end - p) - n);
  if (!close) return false;
  split_names(to, p + n, (size_t)(close - p) - n, a);
  *at = close + 1;
  return true;
}

/* False for a comment that Inductor did not write about a launch. */
static bool read_comment(const char *at, const char *end, strings *nodes, strings *aten, arena *a) {
  *nodes = *aten = (strings){0};
  return read_list(&at, end, "Source Nodes: [", nodes, a) &&
         read_list(&at, end, "Original ATen: [", aten, a);
}

/* "faults.scale" for "faults::scale", without an overload, as torch's comments name it; and
 * "_c10d_functional.all_reduce" for each of its forms. NULL for an op of torch's own. */
static const char *name_custom_op(const site *s, arena *a) {
  const char *kernel = s->kernel, *collective = s->completion.collective;
  if (s->completion.kind == COMPLETE_AT_WAIT) {
    size_t n = strcspn(collective, ".");
    if (n > 1 && collective[n - 1] == '_') n--;
    return arena_printf(a, "_c10d_functional.%.*s", (int)n, collective);
  }
  if (!strstr(kernel, "::") || strncmp(kernel, "aten::", 6) == 0) return NULL;
  size_t space = (size_t)(strstr(kernel, "::") - kernel), name = strcspn(kernel + space, ".");
  return arena_printf(a, "%.*s.%.*s", (int)space, kernel, (int)name - 2, kernel + space + 2);
}

/* The custom ops that the wrapper calls, each once. */
static strings find_custom_ops(const model *m, arena *a) {
  strings ops = {0};
  string_map *seen = string_map_create(a);
  for (size_t i = 0; i < m->sites.n; i++) {
    const char *op = name_custom_op(&m->sites.at[i], a);
    if (!op) continue;
    if (!string_map_get(seen, op)) *arena_push(a, &ops) = op;
    string_map_put(seen, op, op);
  }
  return ops;
}

/* The length of the longest name of a custom op that `name` begins with, and the op in *op: 5 and
 * "faults.scale" for "scale_1". 0 for none. */
static size_t measure_custom_op(const strings *ops, const char *name, const char **op) {
  size_t best = 0;
  for (size_t i = 0; i < ops->n; i++) {
    const char *own = strrchr(ops->at[i], '.') + 1;
    size_t n = strlen(own);
    if (n <= best || strncmp(name, own, n) != 0 || (name[n] != '_' && name[n])) continue;
    best = n;
    *op = ops->at[i];
  }
  return best;
}

/* "cpp_fused_add_native_layer_norm_0" means [add, native_layer_norm]. Underscores join the names,
 * and some names contain underscores. */
static void guess_names(const strings *libraries, site *s, arena *a) {
  static const char prefix[] = "fused_";
  const char *at = strstr(s->kernel, prefix);
  if (!at) return;
  at += sizeof prefix - 1;
  const char *end = at + strlen(at);
  while (end > at && isdigit((unsigned char)end[-1])) end--;
  if (end > at && end[-1] == '_') end--;
  while (at < end) {
    const char *custom = NULL;
    size_t n = measure_custom_op(libraries, at, &custom);
    if (!custom) n = op_table_measure_op(at);
    if (n == 0 || n > (size_t)(end - at)) {
      custom = NULL;
      n = at[0] == '_';
      while (at + n < end && at[n] != '_') n++;
    }
    const char *op = arena_strndup(a, at, n);
    *arena_push(a, &s->nodes) = op;
    *arena_push(a, &s->aten) = custom ? custom : arena_printf(a, "aten.%s", op);
    at += n;
    if (at < end && *at == '_') at++;
  }
  s->flags |= AOTIGEN_NAMES_GUESSED;
}

site *source_nodes_next_site(const model *m, size_t begin, size_t end) {
  size_t i;
  arena_bound(i, m->sites.n, m->sites.at[i].call->offset < begin);
  return i < m->sites.n && m->sites.at[i].call->offset < end ? &m->sites.at[i] : NULL;
}

static void give_to_next_site(model *m, const fact_function *f, size_t comment,
                              const strings *nodes, const strings *aten) {
  site *s = source_nodes_next_site(m, comment, f->body.end);
  if (s && s->form != AOTIGEN_CPU) s->nodes = *nodes, s->aten = *aten;
}

void source_nodes_read(model *m, arena *a) {
  const facts *f = m->facts;
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    if (x->kind != FUNCTION_RUN && x->kind != FUNCTION_FOLD && x->kind != FUNCTION_OTHER) continue;
    for (size_t at = x->body.begin; at < x->body.end;) {
      size_t next = lex_skip_token(f->text, at, x->body.end);
      strings nodes, aten;
      if (f->text[at] == '/' && f->text[at + 1] == '/' &&
          read_comment(f->text + at, f->text + next, &nodes, &aten, a))
        give_to_next_site(m, x, at, &nodes, &aten);
      at = next;
    }
  }
}

void source_nodes_guess(model *m, arena *a) {
  const strings libraries = find_custom_ops(m, a);
  for (size_t i = 0; i < m->sites.n; i++)
    if (m->sites.at[i].form == AOTIGEN_CPU || (m->sites.at[i].form == AOTIGEN_TRITON &&
                                               !m->sites.at[i].nodes.n && !m->sites.at[i].aten.n))
      guess_names(&libraries, &m->sites.at[i], a);
}
