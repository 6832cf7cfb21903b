/* names.c - see names.h. */
#include "model/source_nodes.h"
#include "parse/lex.h"
#include "model/op_table.h"
#include <cjson/cJSON.h>
#include <ctype.h>
#include <string.h>

/* "a, b, c" */
static void split(strings *to, const char *at, size_t n, arena *a) {
  for (const char *end = at + n; at < end;) {
    while (at < end && (*at == ' ' || *at == ',')) at++;
    size_t w = 0;
    while (at + w < end && at[w] != ',') w++;
    if (w) *arena_push(a, to) = arena_strndup(a, at, w);
    at += w;
  }
}

static bool bracketed(const char **at, const char *end, const char *label, strings *to, arena *a) {
  size_t n = strlen(label);
  const char *p = *at;
  while (p + n < end && memcmp(p, label, n) != 0) p++;
  if (p + n >= end) return false;
  const char *close = memchr(p + n, ']', (size_t)(end - p) - n);
  if (!close) return false;
  split(to, p + n, (size_t)(close - p) - n, a);
  *at = close + 1;
  return true;
}

/* A line comment of the form that Inductor writes; false for any other. */
static bool read_comment(const char *at, const char *end, strings *nodes, strings *aten, arena *a) {
  *nodes = *aten = (strings){0};
  return bracketed(&at, end, "Source Nodes: [", nodes, a) &&
         bracketed(&at, end, "Original ATen: [", aten, a);
}

/* "cpp_fused_add_native_layer_norm_0" tells [add, native_layer_norm]: names are joined by
 * underscores, which some hold too */
static void guess(site *s, arena *a) {
  static const char prefix[] = "fused_";
  const char *at = strstr(s->kernel, prefix);
  if (!at) return;
  at += sizeof prefix - 1;
  const char *end = at + strlen(at);
  while (end > at && isdigit((unsigned char)end[-1])) end--;
  if (end > at && end[-1] == '_') end--;
  while (at < end) {
    size_t n = shapes_op_prefix(at);
    if (n == 0 || n > (size_t)(end - at)) {
      n = at[0] == '_';
      while (at + n < end && at[n] != '_') n++;
    }
    const char *op = arena_strndup(a, at, n);
    *arena_push(a, &s->nodes) = op;
    *arena_push(a, &s->aten) = arena_printf(a, "aten.%s", op);
    at += n;
    if (at < end && *at == '_') at++;
  }
  s->flags |= SITE_NAMES_GUESSED;
}

static void give(model *m, const fact_function *f, size_t comment, const strings *nodes,
                 const strings *aten) {
  size_t low = 0, high = m->sites.n; /* in source order */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (m->sites.at[middle].call->at < comment)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == m->sites.n || m->sites.at[low].call->at >= f->body.end) return;
  site *s = &m->sites.at[low];
  if (s->form != FORM_CPU) s->nodes = *nodes, s->aten = *aten;
}

void names_read(model *m, arena *a) {
  const facts *f = m->facts;
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    if (x->is != FUNCTION_RUN && x->is != FUNCTION_FOLD && x->is != FUNCTION_OTHER) continue;
    for (size_t at = x->body.begin; at < x->body.end;) {
      size_t next = lex_skip_token(f->text, at, x->body.end);
      strings nodes, aten;
      if (f->text[at] == '/' && f->text[at + 1] == '/' &&
          read_comment(f->text + at, f->text + next, &nodes, &aten, a))
        give(m, x, at, &nodes, &aten);
      at = next;
    }
  }
  for (size_t i = 0; i < m->sites.n; i++)
    if (m->sites.at[i].form == FORM_CPU ||
        (m->sites.at[i].form == FORM_TRITON && !m->sites.at[i].nodes.n && !m->sites.at[i].aten.n))
      guess(&m->sites.at[i], a);
}

/* ---- wrapper.json --------------------------------------------------------------------------- */

static int tensors_in(const cJSON *arg) {
  int n = 0;
  const cJSON *item, *list;
  const cJSON *optional = cJSON_GetObjectItem(arg, "as_optional_tensor");
  if (cJSON_GetObjectItem(arg, "as_tensor") || cJSON_GetObjectItem(optional, "as_tensor")) return 1;
  if ((list = cJSON_GetObjectItem(arg, "as_tensors"))) return cJSON_GetArraySize(list);
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(arg, "as_optional_tensors"))
      n += cJSON_GetObjectItem(item, "as_tensor") != NULL;
  return n;
}

/* Python's json writes NaN, Infinity and -Infinity, which no other reader takes: each becomes a
 * null. */
static const char *without_python_numbers(const char *text, arena *a) {
  static const char *const words[] = {"-Infinity", "Infinity", "NaN", NULL};
  char *copy = arena_strdup(a, text);
  bool quoted = false;
  for (char *p = copy; *p; p++) {
    if (*p == '\\' && quoted && p[1])
      p++;
    else if (*p == '"')
      quoted = !quoted;
    for (const char *const *w = words; !quoted && *w; w++) {
      size_t n = strlen(*w);
      if (strncmp(p, *w, n) != 0) continue;
      memset(p, ' ', n);
      memcpy(p, n < 4 ? "0" : "null", n < 4 ? 1 : 4);
      break;
    }
  }
  return copy;
}

/* Each value takes cJSON 64 bytes and more, however short it is. */
static bool is_modest(const char *text) {
  enum { BYTES_MAX = 16 << 20, VALUES_MAX = 1 << 20 };
  size_t values = 0, n = 0;
  for (; text[n] && n <= BYTES_MAX && values <= VALUES_MAX; n++)
    values += text[n] == ',' || text[n] == '[' || text[n] == '{';
  return n <= BYTES_MAX && values <= VALUES_MAX;
}

void names_ops(op_nodes *ops, const companions *beside, arena *a, diags *d) {
  *ops = (op_nodes){0};
  if (!beside || !beside->ops) return;
  cJSON *json = is_modest(beside->ops) ? cJSON_Parse(without_python_numbers(beside->ops, a)) : NULL;
  const cJSON *node, *item, *nodes = cJSON_GetObjectItem(json, "nodes");
  if (!cJSON_IsArray(nodes) && beside->ops_packaged)
    diag_error(d, STATUS_INPUT, beside->ops_path,
               "is not the JSON of a model's custom ops, or nests deeper or holds more than such a "
               "one does");
  else if (!cJSON_IsArray(nodes) && beside->ops_asked_for)
    diag_error(d, STATUS_INPUT, beside->ops_path,
               "is not the 'wrapper.json' of a model: give the right file with --ops=FILE");
  else if (!cJSON_IsArray(nodes))
    diag_warning(d, beside->ops_path,
                 "is not the 'wrapper.json' of a model: custom ops are named by their numbers; "
                 "give the right file with --ops=FILE");
  cJSON_ArrayForEach(node, nodes) {
    const cJSON *inner = cJSON_GetObjectItem(node, "node");
    const char *target = cJSON_GetStringValue(cJSON_GetObjectItem(inner, "target"));
    op_node *x = arena_push(a, ops);
    *x = (op_node){.target = arena_strdup(a, target ? target : "")};
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(inner, "inputs"))
        x->inputs += tensors_in(cJSON_GetObjectItem(item, "arg"));
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(inner, "outputs")) x->outputs += tensors_in(item);
  }
  cJSON_Delete(json);
}
