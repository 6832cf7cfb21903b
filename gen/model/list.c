/* list.c - see list.h. */
#include "model/list.h"
#include "model/cpp_functions.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

const char *const list_guards[] = {"defined", "data",  "storage", "alignment", "dtype",
                                   "device",  "int32", "grid",    NULL};

/* What guards a site: the tests that at least one of its arguments gets. */
static bool guarded(const site *s, int guard) {
  bool tensor = false, aligned = false, int32 = false;
  for (size_t i = 0; i < s->args.n; i++) {
    tensor = tensor || s->args.at[i].kind != KIND_SCALAR;
    aligned = aligned || s->args.at[i].flags & ARG_ALIGN16;
    int32 = int32 || s->args.at[i].flags & ARG_INT32;
  }
  if (s->skipped) return false;
  switch (guard) {
    case 3: return aligned;
    case 4:
    case 5: return tensor && s->flags & SITE_KERNEL;
    case 6: return int32;
    case 7: return s->form == FORM_TRITON;
    default: return tensor;
  }
}

/* At how many sites each kernel is launched, in the order of their first launch. */
typedef struct use {
  const char *kernel;
  enum form form;
  unsigned sites;
} use;
typedef struct uses {
  use *at;
  size_t n, cap;
} uses;

static void count_uses(uses *u, const model *m, arena *a) {
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    size_t k = 0;
    while (k < u->n && (u->at[k].form != s->form || strcmp(u->at[k].kernel, s->kernel) != 0)) k++;
    if (k == u->n) *arena_push(a, u) = (use){.kernel = s->kernel, .form = s->form};
    u->at[k].sites++;
  }
}

/* Where the wrapper says nothing of an input (torch 2.6) a kernel that reads it may. */
static const char *input_dtype(const model *m, const model_input *in) {
  for (size_t i = 0; !in->dtype && i < m->sites.n; i++)
    for (size_t k = 0; k < m->sites.at[i].args.n; k++) {
      const argument *x = &m->sites.at[i].args.at[k];
      if (x->kind == KIND_INPUT && x->dtype && !strcmp(x->name, in->name)) return x->dtype;
    }
  return in->dtype;
}

/* The input that an output hands back, or NULL. */
static const model_input *handed_back(const model *m, const model_output *out) {
  for (size_t i = 0; out->buffer && !out->dtype && i < m->inputs.n; i++)
    if (!strcmp(m->inputs.at[i].name, out->buffer)) return &m->inputs.at[i];
  return NULL;
}

static const char *size_text(const dim *d, arena *a) {
  if (d->min != ANY && d->min == d->max) return arena_printf(a, "%lld", (long long)d->min);
  return d->symbol ? d->symbol : "?";
}

/* "s77, 10". */
static const char *sizes_text(const model_input *in, arena *a) {
  const char *out = "";
  for (int i = 0; i < in->ndim; i++)
    out = arena_printf(a, "%s%s%s", out, i ? ", " : "", size_text(&in->dims[i], a));
  return out;
}

/* ---- JSON Lines ----------------------------------------------------------------------------- */

static void print_line(cJSON *json, FILE *to) {
  char *line = cJSON_PrintUnformatted(json);
  fprintf(to, "%s\n", line ? line : "{}");
  free(line);
  cJSON_Delete(json);
}

static void add(cJSON *to, const char *key, const char *value) {
  value ? cJSON_AddStringToObject(to, key, value) : cJSON_AddNullToObject(to, key);
}

static void add_bound(cJSON *to, const char *key, int64_t value) {
  value == ANY ? cJSON_AddNullToObject(to, key) : cJSON_AddNumberToObject(to, key, (double)value);
}

static void add_strings(cJSON *to, const char *key, const strings *s) {
  cJSON *list = cJSON_AddArrayToObject(to, key);
  for (size_t i = 0; i < s->n; i++) cJSON_AddItemToArray(list, cJSON_CreateString(s->at[i]));
}

static cJSON *json_input(const model *m, const model_input *in) {
  cJSON *x = cJSON_CreateObject();
  add(x, "name", in->name);
  add(x, "python_name", in->python_name);
  add(x, "dtype", input_dtype(m, in));
  add(x, "device", in->device);
  cJSON *dims = in->ndim >= 0 ? cJSON_AddArrayToObject(x, "dims")
                              : cJSON_AddNullToObject(x, "dims");
  if (in->open && in->ndim >= 0) cJSON_AddFalseToObject(x, "rank_known");
  for (int i = 0; i < in->ndim; i++) {
    cJSON *d = cJSON_CreateObject();
    add_bound(d, "min", in->dims[i].min);
    add_bound(d, "max", in->dims[i].max);
    add_bound(d, "stride", in->dims[i].stride);
    add(d, "symbol", in->dims[i].symbol);
    cJSON_AddItemToArray(dims, d);
  }
  return x;
}

static cJSON *numbers(const char *list) {
  cJSON *x = cJSON_CreateArray();
  for (char *after; *list; list = after + strspn(after, ", L")) {
    long long n = strtoll(list, &after, 10);
    if (after == list) break;
    cJSON_AddItemToArray(x, cJSON_CreateNumber((double)n));
  }
  return x;
}

static void json_uses(cJSON *x, const model *m, arena *a) {
  uses u = {0};
  count_uses(&u, m, a);
  cJSON *list = cJSON_AddArrayToObject(x, "kernels");
  for (size_t i = 0; i < u.n; i++) {
    cJSON *item = cJSON_CreateObject();
    add(item, "kernel", u.at[i].kernel);
    add(item, "form", form_names[u.at[i].form]);
    cJSON_AddNumberToObject(item, "sites", u.at[i].sites);
    cJSON_AddItemToArray(list, item);
  }
}

static void json_model(const model *m, const char *name, FILE *to, arena *a) {
  cJSON *x = cJSON_CreateObject(), *list;
  add(x, "type", "model");
  if (name) add(x, "model", name);
  add(x, "device", m->device);
  list = m->inputs.n || !m->jit ? cJSON_AddArrayToObject(x, "inputs")
                                : cJSON_AddNullToObject(x, "inputs");
  for (size_t i = 0; i < m->inputs.n; i++)
    cJSON_AddItemToArray(list, json_input(m, &m->inputs.at[i]));
  list = m->jit ? cJSON_AddNullToObject(x, "outputs") : cJSON_AddArrayToObject(x, "outputs");
  for (size_t i = 0; i < m->outputs.n; i++) {
    cJSON *item = cJSON_CreateObject();
    add(item, "name", m->outputs.at[i].name);
    add(item, "buffer", m->outputs.at[i].buffer);
    const model_output *out = &m->outputs.at[i];
    const model_input *in = handed_back(m, out);
    add(item, "dtype", in ? input_dtype(m, in) : out->dtype);
    add(item, "sizes", in && in->ndim >= 0 && !in->open ? sizes_text(in, a) : out->sizes);
    cJSON_AddItemToArray(list, item);
  }
  list = cJSON_AddArrayToObject(x, "weights");
  for (size_t i = 0; i < m->weights.n; i++) {
    const weight *w = &m->weights.at[i];
    cJSON *item = cJSON_CreateObject();
    add(item, "name", w->name);
    add(item, "python_name", w->fqn);
    add(item, "dtype", w->dtype);
    add(item, "device", w->device ? w->device : m->device);
    cJSON_AddItemToObject(item, "shape", numbers(w->shape));
    cJSON_AddItemToObject(item, "stride", numbers(w->stride));
    cJSON_AddNumberToObject(item, "bytes", (double)w->bytes);
    cJSON_AddBoolToObject(item, "from_folded", w->from_folded);
    cJSON_AddItemToArray(list, item);
  }
  json_uses(x, m, a);
  print_line(x, to);
}

static void json_kernel(const char *name, const triton *k, const char *cpp, FILE *to) {
  cJSON *x = cJSON_CreateObject();
  add(x, "type", "kernel");
  add(x, "kernel", name);
  add(x, "language", k ? "triton" : cpp ? "c++" : NULL);
  add(x, "source", k ? k->source : cpp);
  cJSON *params = k ? cJSON_AddArrayToObject(x, "params") : NULL;
  for (size_t i = 0; k && i < k->params.n; i++) {
    const triton_param *p = &k->params.at[i];
    cJSON *param = cJSON_CreateObject();
    add(param, "name", p->name);
    add(param, "type", p->type);
    cJSON_AddBoolToObject(param, "divisible_by_16", p->divisible16);
    cJSON_AddBoolToObject(param, "mutated", p->mutated);
    cJSON_AddItemToArray(params, param);
  }
  print_line(x, to);
}

static void json_site(const model *m, size_t index, const char *name, FILE *to) {
  const site *s = &m->sites.at[index];
  cJSON *x = cJSON_CreateObject();
  add(x, "type", "site");
  if (name) add(x, "model", name);
  cJSON_AddNumberToObject(x, "site", (double)index);
  add(x, "function", s->function);
  cJSON_AddNumberToObject(x, "line", s->line);
  cJSON_AddNumberToObject(x, "column", s->column);
  add(x, "form", form_names[s->form]);
  add(x, "kernel", s->kernel);
  add_strings(x, "nodes", &s->nodes);
  add_strings(x, "aten", &s->aten);
  if (s->flags & SITE_NAMES_GUESSED) cJSON_AddTrueToObject(x, "names_guessed");
  cJSON *args = cJSON_AddArrayToObject(x, "args");
  for (size_t i = 0; i < s->args.n; i++) {
    cJSON *arg = cJSON_CreateObject();
    add(arg, "name", s->args.at[i].name);
    add(arg, "python_name", s->args.at[i].python_name);
    add(arg, "role", role_names[s->args.at[i].role]);
    add(arg, "kind", kind_names[s->args.at[i].kind]);
    add(arg, "dtype", s->args.at[i].dtype);
    cJSON_AddItemToArray(args, arg);
  }
  cJSON *guards = cJSON_AddArrayToObject(x, "guards");
  for (int g = 0; list_guards[g]; g++)
    if (guarded(s, g)) cJSON_AddItemToArray(guards, cJSON_CreateString(list_guards[g]));
  add(x, "skipped", s->skipped);
  print_line(x, to);
}

/* ---- text ----------------------------------------------------------------------------------- */

static const char *shape_text(const model_input *in, arena *a) {
  if (in->ndim < 0) return "[?]";
  return arena_printf(a, "[%s%s]", sizes_text(in, a), in->open ? ", ..." : "");
}

static void print_ranges(const model_input *in, FILE *to) {
  for (int i = 0; i < in->ndim; i++) {
    const dim *d = &in->dims[i];
    if ((d->min == ANY && d->max == ANY) || d->min == d->max) continue;
    fprintf(to, "  %s:", d->symbol ? d->symbol : "?");
    if (d->min != ANY) fprintf(to, " >= %lld", (long long)d->min);
    if (d->max != ANY) fprintf(to, "%s <= %lld", d->min != ANY ? "," : "", (long long)d->max);
  }
}

static const char *or_unknown(const char *s) { return s ? s : "?"; }

static void print_model(const model *m, const char *name, FILE *to, arena *a) {
  int64_t bytes = 0;
  if (name) fprintf(to, "model %s\n", name);
  fprintf(to, "%s\n  device   %s%s\n", m->facts->path, or_unknown(m->device),
          m->jit ? ", torch.compile's cpp-wrapper mode" : "");
  for (size_t i = 0; i < m->inputs.n; i++) {
    const model_input *in = &m->inputs.at[i];
    fprintf(to, "  input    %s%s%s%s  %s %s", in->name, in->python_name ? " (" : "",
            in->python_name ? in->python_name : "", in->python_name ? ")" : "",
            or_unknown(input_dtype(m, in)), shape_text(in, a));
    print_ranges(in, to);
    fputs("\n", to);
  }
  for (size_t i = 0; i < m->outputs.n; i++) {
    const model_output *out = &m->outputs.at[i];
    const model_input *in = handed_back(m, out);
    fprintf(to, "  output   %s%s%s  %s", out->name, out->buffer ? " = " : "",
            out->buffer ? out->buffer : "", or_unknown(in ? input_dtype(m, in) : out->dtype));
    if (in)
      fprintf(to, " %s\n", shape_text(in, a));
    else
      fprintf(to, out->sizes ? " [%s]\n" : " [?]\n", out->sizes);
  }
  for (size_t i = 0; i < m->weights.n; i++) {
    const weight *w = &m->weights.at[i];
    bytes += w->bytes;
    fprintf(to, "  weight   %s  %s [%s]%s\n", *w->fqn ? w->fqn : w->name, or_unknown(w->dtype),
            w->shape, w->from_folded ? "  folded at load" : "");
  }
  if (m->weights.n) fprintf(to, "  weights  %zu, %lld bytes\n", m->weights.n, (long long)bytes);
  uses u = {0};
  count_uses(&u, m, a);
  for (size_t i = 0; i < u.n; i++)
    fprintf(to, "  kernel   %s  %s, launched at %u site%s\n", u.at[i].kernel,
            form_names[u.at[i].form], u.at[i].sites, u.at[i].sites == 1 ? "" : "s");
}

static void print_site(const model *m, size_t index, FILE *to, arena *a) {
  const site *s = &m->sites.at[index];
  const char *mark = s->flags & SITE_NAMES_GUESSED ? " (guessed from the name)" : "";
  fprintf(to, "%4zu  %-10s %s  %s:%u:%u\n", index, form_names[s->form], s->kernel, s->function,
          s->line, s->column);
  if (s->nodes.n || s->aten.n)
    fprintf(to, "      nodes [%s]  aten [%s]%s\n", strings_join(a, &s->nodes, ", "),
            strings_join(a, &s->aten, ", "), mark);
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    fprintf(to, "      %-7s %-7s %s%s%s%s%s%s\n", role_names[x->role], kind_names[x->kind], x->name,
            x->python_name ? " = " : "", x->python_name ? x->python_name : "", x->dtype ? "  " : "",
            x->dtype ? x->dtype : "", x->flags & ARG_ALIGN16 ? "  aligned 16" : "");
  }
  if (s->skipped) {
    fprintf(to, "      left alone: %s\n", s->skipped);
    return;
  }
  fprintf(to, "      guards ");
  for (int g = 0; list_guards[g]; g++)
    if (guarded(s, g)) fprintf(to, " %s", list_guards[g]);
  fprintf(to, "\n");
}

/* ---- one kernel ----------------------------------------------------------------------------- */

/* The definition of C++ kernel `name` in `source`, from its first line to its closing brace; NULL
 * where it is not there. */
static const char *cpp_source(const char *source, const char *name, arena *a) {
  definitions all;
  definitions_read(&all, source, source ? strlen(source) : 0, a);
  const definition *x = definitions_named(&all, name);
  return x ? arena_strndup(a, source + x->lines.begin, x->lines.end - x->lines.begin) : NULL;
}

static void print_triton(const triton *k, FILE *to) {
  for (size_t i = 0; i < k->params.n; i++) {
    const triton_param *p = &k->params.at[i];
    fprintf(to, "  %-16s %-10s%s%s%s%s\n", p->name, p->type,
            p->divisible16 ? " divisible by 16" : "", p->mutated ? " mutated" : "",
            p->loaded ? " loaded" : "", p->stored ? " stored" : "");
  }
  fprintf(to, "%s\n", k->source);
}

/* Its source and metadata; an error where there is no such kernel. */
static bool print_kernel(const model *m, const companions *beside, const options *o, FILE *to,
                         arena *a, diags *d) {
  const triton *k = NULL;
  const char *cpp = cpp_source(beside->kernel, o->kernel, a);
  if (!cpp) cpp = cpp_source(m->facts->text, o->kernel, a);
  size_t launches = 0;
  for (size_t i = 0; i < m->kernels.n; i++)
    if (strcmp(m->kernels.at[i].name, o->kernel) == 0) k = &m->kernels.at[i];
  for (size_t i = 0; i < m->sites.n; i++) launches += strcmp(m->sites.at[i].kernel, o->kernel) == 0;
  if (!launches && !k && !cpp) {
    diag_error(d, STATUS_INPUT, m->facts->path,
               "has no kernel '%s': 'aotigen list %s' names those there are", o->kernel,
               m->facts->path);
    return false;
  }
  if (o->json) {
    json_kernel(o->kernel, k, cpp, to);
    return true;
  }
  fprintf(to, "%s\n", o->kernel);
  if (k)
    print_triton(k, to);
  else
    fprintf(to, "%s\n",
            cpp ? cpp : "  its source is neither in the wrapper nor in a kernel file beside it");
  return true;
}

bool list_print(const model *m, const companions *beside, const options *o, const char *name,
                FILE *to, arena *a, diags *d) {
  if (o->kernel) {
    if (!print_kernel(m, beside, o, to, a, d)) return false;
  } else if (o->json) {
    json_model(m, name, to, a);
  } else {
    print_model(m, name, to, a);
  }
  for (size_t i = 0; i < m->sites.n; i++) {
    if (o->kernel && strcmp(m->sites.at[i].kernel, o->kernel) != 0) continue;
    if (o->json)
      json_site(m, i, name, to);
    else
      print_site(m, i, to, a);
  }
  return true;
}
