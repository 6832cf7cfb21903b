/* list.c - see list.h. */
#include "model/list.h"
#include "base/shown.h"
#include "base/string_map.h"
#include "model/completions.h"
#include "model/cpp_functions.h"
#include "model/list_expected.h"
#include "model/list_values.h"
#include "model/provenance.h"
#include "model/selection.h"
#include "model/streams.h"
#include <stdlib.h>
#include <string.h>

/* What is printed, and to which stream. */
typedef struct listing {
  const model *m;
  const companion_texts *companions;
  const options *o;
  const char *name;
  FILE *to;
  arena *a;
  string_map *inputs; /* by name */
  string_map *dtypes; /* by input, as the kernels read it */
} listing;

/* A dump has no levels. */
static bool has_filter(const options *o) { return o->levels.kernels && *o->levels.kernels; }

/* The number of sites that launch a kernel. */
typedef struct kernel_use {
  const char *kernel;
  enum aotigen_form form;
  unsigned sites;
} kernel_use;

typedef arena_list(kernel_use) kernel_uses;

/* Counts the uses in the order of first launches. */
static void count_uses(kernel_uses *u, const listing *l) {
  string_map *indices[FORMS];
  for (int i = 0; i < FORMS; i++) indices[i] = string_map_create(l->a);
  for (size_t i = 0; i < l->m->sites.n; i++) {
    const site *s = &l->m->sites.at[i];
    if (string_map_put_index(indices[s->form], s->kernel, u->n))
      *arena_push(l->a, u) = (kernel_use){.kernel = s->kernel, .form = s->form};
    u->at[string_map_index(indices[s->form], s->kernel)].sites++;
  }
}

/* The dtypes of inputs by the kernels that read them: the wrapper of torch 2.6 does not state
 * them. */
static string_map *index_dtypes(const model *m, arena *a) {
  string_map *dtypes = string_map_create(a);
  for (size_t i = 0; i < m->sites.n; i++)
    for (size_t k = 0; k < m->sites.at[i].args.n; k++) {
      const argument *x = &m->sites.at[i].args.at[k];
      if (x->kind == AOTIGEN_INPUT && x->dtype) string_map_put(dtypes, x->name, x->dtype);
    }
  return dtypes;
}

static const char *find_dtype(const listing *l, const model_input *in) {
  return in->dtype ? in->dtype : string_map_get(l->dtypes, in->name);
}

/* The input that an output returns, or NULL. */
static const model_input *find_returned(const listing *l, const model_output *out) {
  return out->buffer && !out->dtype ? string_map_get(l->inputs, out->buffer) : NULL;
}

/* "s77, 10" */
static const char *format_sizes(const model_input *in, arena *a) {
  const char *out = "";
  for (int i = 0; i < in->ndim; i++) {
    const aotigen_dim d = model_input_dim(in, i);
    out = arena_printf(a, "%s%s%s", out, i ? ", " : "", list_format_size(&d, a));
  }
  return out;
}

/* ---- JSON Lines ----------------------------------------------------------------------------- */

static void add_strings(cJSON *to, const char *key, const strings *s) {
  cJSON *list = cJSON_AddArrayToObject(to, key);
  for (size_t i = 0; i < s->n; i++) cJSON_AddItemToArray(list, cJSON_CreateString(s->at[i]));
}

static cJSON *make_input(const listing *l, const model_input *in) {
  cJSON *x = cJSON_CreateObject();
  shown_add_json(x, "name", in->name);
  shown_add_json(x, "python_name", in->python_name);
  shown_add_json(x, "dtype", find_dtype(l, in));
  shown_add_json(x, "device", in->device);
  cJSON *dims = in->ndim >= 0 ? cJSON_AddArrayToObject(x, "dims")
                              : cJSON_AddNullToObject(x, "dims");
  if (in->unranked && in->ndim >= 0) cJSON_AddFalseToObject(x, "rank_known");
  for (int i = 0; i < in->ndim; i++) {
    const aotigen_dim d = model_input_dim(in, i);
    list_add_dim(dims, &d);
  }
  return x;
}

static cJSON *make_numbers(const char *list) {
  cJSON *x = cJSON_CreateArray();
  for (char *after; *list; list = after + strspn(after, ", L")) {
    long long n = strtoll(list, &after, 10);
    if (after == list) break;
    cJSON_AddItemToArray(x, cJSON_CreateNumber((double)n));
  }
  return x;
}

static cJSON *make_output(const listing *l, const model_output *out) {
  const model_input *in = find_returned(l, out);
  bool sized = in && in->ndim >= 0 && !in->unranked;
  cJSON *x = cJSON_CreateObject();
  shown_add_json(x, "name", out->name);
  shown_add_json(x, "buffer", out->buffer);
  shown_add_json(x, "dtype", in ? find_dtype(l, in) : out->dtype);
  shown_add_json(x, "sizes", sized ? format_sizes(in, l->a) : out->sizes);
  return x;
}

static cJSON *make_weight(const listing *l, const weight *w) {
  cJSON *x = cJSON_CreateObject();
  shown_add_json(x, "name", w->name);
  shown_add_json(x, "python_name", w->fqn);
  shown_add_json(x, "dtype", w->dtype);
  shown_add_json(x, "device", w->device ? w->device : l->m->device);
  cJSON_AddItemToObject(x, "shape", make_numbers(w->shape));
  cJSON_AddItemToObject(x, "stride", make_numbers(w->stride));
  cJSON_AddNumberToObject(x, "bytes", (double)w->bytes);
  cJSON_AddBoolToObject(x, "from_folded", w->from_folded);
  return x;
}

static void add_uses(cJSON *to, const listing *l) {
  kernel_uses u = {0};
  count_uses(&u, l);
  cJSON *list = cJSON_AddArrayToObject(to, "kernels");
  for (size_t i = 0; i < u.n; i++) {
    cJSON *item = cJSON_CreateObject();
    shown_add_json(item, "kernel", u.at[i].kernel);
    shown_add_json(item, "form", form_names[u.at[i].form]);
    cJSON_AddNumberToObject(item, "sites", u.at[i].sites);
    cJSON_AddItemToArray(list, item);
  }
}

/* A list, or null if the wrapper does not have it. */
static cJSON *add_list(cJSON *to, const char *key, bool known) {
  return known ? cJSON_AddArrayToObject(to, key) : cJSON_AddNullToObject(to, key);
}

static void print_model_json(const listing *l) {
  const model *m = l->m;
  cJSON *x = cJSON_CreateObject(), *list;
  shown_add_json(x, "type", "model");
  if (l->name) shown_add_json(x, "model", l->name);
  shown_add_json(x, "device", m->device);
  list = add_list(x, "inputs", m->inputs.n || !m->jit);
  for (size_t i = 0; i < m->inputs.n; i++)
    cJSON_AddItemToArray(list, make_input(l, &m->inputs.at[i]));
  list_add_promises(x, m);
  list = add_list(x, "outputs", !m->jit);
  for (size_t i = 0; i < m->outputs.n; i++)
    cJSON_AddItemToArray(list, make_output(l, &m->outputs.at[i]));
  list = add_list(x, "weights", true);
  for (size_t i = 0; i < m->weights.n; i++)
    cJSON_AddItemToArray(list, make_weight(l, &m->weights.at[i]));
  add_uses(x, l);
  if (has_filter(l->o))
    cJSON_AddNumberToObject(x, "selected", (double)selection_count(m, l->o->levels.kernels, l->a));
  shown_print_json(x, l->to);
}

static const char *name_language(const triton *k, const char *cpp) {
  if (k) return "triton";
  return cpp ? "c++" : NULL;
}

static void print_kernel_json(const listing *l, const triton *k, const char *cpp) {
  cJSON *x = cJSON_CreateObject();
  shown_add_json(x, "type", "kernel");
  shown_add_json(x, "kernel", l->o->kernel);
  shown_add_json(x, "language", name_language(k, cpp));
  shown_add_json(x, "source", k ? k->source : cpp);
  cJSON *params = k ? cJSON_AddArrayToObject(x, "params") : NULL;
  for (size_t i = 0; k && i < k->params.n; i++) {
    const triton_param *p = &k->params.at[i];
    cJSON *param = cJSON_CreateObject();
    shown_add_json(param, "name", p->name);
    shown_add_json(param, "type", p->type);
    cJSON_AddBoolToObject(param, "divisible_by_16", p->divisible16);
    cJSON_AddBoolToObject(param, "mutated", p->mutated);
    cJSON_AddItemToArray(params, param);
  }
  shown_print_json(x, l->to);
}

static cJSON *make_argument(const argument *x) {
  cJSON *arg = cJSON_CreateObject();
  shown_add_json(arg, "name", x->name);
  shown_add_json(arg, "python_name", x->python_name);
  shown_add_json(arg, "role", role_names[x->role]);
  shown_add_json(arg, "kind", kind_names[x->kind]);
  shown_add_json(arg, "dtype", x->dtype);
  if (x->expected) list_add_expected(arg, x->expected);
  return arg;
}

/* The innermost first. */
static cJSON *make_scopes(const model *m, int innermost) {
  cJSON *list = cJSON_CreateArray();
  for (int i = innermost; i >= 0; i = m->scopes.at[i].outer) {
    cJSON *x = cJSON_CreateObject();
    shown_add_json(x, "is", scope_names[m->scopes.at[i].kind]);
    cJSON_AddNumberToObject(x, "line", m->scopes.at[i].line);
    shown_add_json(x, "name", m->scopes.at[i].name);
    cJSON_AddItemToArray(list, x);
  }
  return list;
}

static void add_lines(cJSON *to, const model_lines *lines) {
  cJSON *list = cJSON_AddArrayToObject(to, "model_lines");
  for (size_t i = 0; i < lines->n; i++) {
    cJSON *x = cJSON_CreateObject();
    shown_add_json(x, "file", lines->at[i].file);
    cJSON_AddNumberToObject(x, "line", lines->at[i].line);
    shown_add_json(x, "text", lines->at[i].text);
    shown_add_json(x, "module", lines->at[i].module);
    cJSON_AddItemToArray(list, x);
  }
}

static void print_site_json(const listing *l, size_t index) {
  const site *s = &l->m->sites.at[index];
  const strings guards = guards_find(s, l->a);
  cJSON *x = cJSON_CreateObject();
  shown_add_json(x, "type", "site");
  if (l->name) shown_add_json(x, "model", l->name);
  if (s->number)
    cJSON_AddNumberToObject(x, "site", s->number);
  else
    cJSON_AddNullToObject(x, "site");
  shown_add_json(x, "function", s->function);
  cJSON_AddNumberToObject(x, "line", s->line);
  cJSON_AddNumberToObject(x, "column", s->column);
  shown_add_json(x, "form", form_names[s->form]);
  shown_add_json(x, "kernel", s->kernel);
  add_strings(x, "nodes", &s->nodes);
  add_strings(x, "aten", &s->aten);
  if (s->flags & AOTIGEN_NAMES_GUESSED) cJSON_AddTrueToObject(x, "names_guessed");
  if (s->lines.n) add_lines(x, &s->lines);
  if (s->flags & AOTIGEN_LINES_GUESSED) cJSON_AddTrueToObject(x, "lines_guessed");
  cJSON *args = cJSON_AddArrayToObject(x, "args");
  for (size_t i = 0; i < s->args.n; i++) cJSON_AddItemToArray(args, make_argument(&s->args.at[i]));
  if (s->op) list_add_values(x, s->op);
  completion_add_json(x, l->m, s);
  stream_add_json(x, l->m, s, l->a);
  add_strings(x, "guards", &guards);
  if (s->scope >= 0) cJSON_AddItemToObject(x, "within", make_scopes(l->m, s->scope));
  shown_add_json(x, "skipped", s->skipped);
  shown_print_json(x, l->to);
}

/* ---- text ----------------------------------------------------------------------------------- */

static const char *format_shape(const model_input *in, arena *a) {
  if (in->ndim < 0) return "[?]";
  return arena_printf(a, "[%s%s]", format_sizes(in, a), in->unranked ? ", ..." : "");
}

static void print_ranges(const model_input *in, FILE *to) {
  for (int i = 0; i < in->ndim; i++) {
    const aotigen_dim dim = model_input_dim(in, i), *d = &dim;
    if ((d->min == AOTIGEN_ANY && d->max == AOTIGEN_ANY) || d->min == d->max) continue;
    fprintf(to, "  %s:", d->symbol ? d->symbol : "?");
    if (d->min != AOTIGEN_ANY) fprintf(to, " >= %lld", (long long)d->min);
    if (d->max != AOTIGEN_ANY)
      fprintf(to, "%s <= %lld", d->min != AOTIGEN_ANY ? "," : "", (long long)d->max);
  }
}

/* A text of the wrapper's, shown so that it cannot look like lines of the listing. */
static const char *show(const listing *l, const char *s) { return s ? shown_text(s, l->a) : "?"; }

/* Prints `s` between two strings; nothing if `s` is NULL. */
static void print_optional(const listing *l, const char *before, const char *s, const char *after) {
  if (s) fprintf(l->to, "%s%s%s", before, show(l, s), after);
}

static void print_input(const listing *l, const model_input *in) {
  fprintf(l->to, "  input    %s", show(l, in->name));
  print_optional(l, " (", in->python_name, ")");
  fprintf(l->to, "  %s %s", show(l, find_dtype(l, in)), show(l, format_shape(in, l->a)));
  print_ranges(in, l->to);
  fputs("\n", l->to);
}

static void print_output(const listing *l, const model_output *out) {
  const model_input *in = find_returned(l, out);
  fprintf(l->to, "  output   %s", show(l, out->name));
  print_optional(l, " = ", out->buffer, "");
  fprintf(l->to, "  %s", show(l, in ? find_dtype(l, in) : out->dtype));
  if (in)
    fprintf(l->to, " %s\n", show(l, format_shape(in, l->a)));
  else
    fprintf(l->to, " [%s]\n", show(l, out->sizes));
}

static void print_weights(const listing *l) {
  const model *m = l->m;
  int64_t bytes = 0;
  for (size_t i = 0; i < m->weights.n; i++) {
    const weight *w = &m->weights.at[i];
    bytes += w->bytes;
    fprintf(l->to, "  %s   %s  %s [%s] on %s%s\n", w->is_buffer ? "buffer" : "weight",
            show(l, *w->fqn ? w->fqn : w->name), show(l, w->dtype), show(l, w->shape),
            show(l, w->device ? w->device : m->device), w->from_folded ? "  folded at load" : "");
  }
  if (m->weights.n) fprintf(l->to, "  weights  %zu, %lld bytes\n", m->weights.n, (long long)bytes);
}

static void print_model_text(const listing *l) {
  const model *m = l->m;
  kernel_uses u = {0};
  count_uses(&u, l);
  if (l->name) fprintf(l->to, "model '%s'\n", l->name);
  fprintf(l->to, "%s\n  device   %s%s\n", m->facts->path, show(l, m->device),
          m->jit ? ", torch.compile's cpp-wrapper mode" : "");
  for (size_t i = 0; i < m->inputs.n; i++) print_input(l, &m->inputs.at[i]);
  for (size_t i = 0; i < m->promises.n; i++)
    fprintf(l->to, "  promise  %s\n", show(l, list_format_promise(m, &m->promises.at[i], l->a)));
  for (size_t i = 0; i < m->outputs.n; i++) print_output(l, &m->outputs.at[i]);
  print_weights(l);
  for (size_t i = 0; i < u.n; i++)
    fprintf(l->to, "  kernel   %s  %s, launched at %u site%s\n", shown_name(u.at[i].kernel, l->a),
            form_names[u.at[i].form], u.at[i].sites, u.at[i].sites == 1 ? "" : "s");
  if (has_filter(l->o))
    fprintf(l->to, "  filter   '%s' selects %zu of %zu sites\n", show(l, l->o->levels.kernels),
            selection_count(m, l->o->levels.kernels, l->a), m->sites.n);
}

static void print_argument(const listing *l, const argument *arg) {
  fprintf(l->to, "      %-7s %-7s %s", role_names[arg->role], kind_names[arg->kind],
          show(l, arg->name));
  print_optional(l, " = ", arg->python_name, "");
  print_optional(l, "  ", arg->dtype, "");
  if (arg->expected)
    print_optional(l, "  taken for ", list_format_expected(arg->expected, l->a), "");
  fprintf(l->to, "%s\n", arg->flags & AOTIGEN_ALIGN16 ? "  aligned 16" : "");
}

static void print_scope(const listing *l, const scope *s) {
  FILE *to = l->to;
  if (s->kind == AOTIGEN_WHILE)
    fprintf(to, "      within the while_loop at line %u\n", s->line);
  else if (s->kind == AOTIGEN_FOR)
    fprintf(to, "      within the for loop at line %u\n", s->line);
  else if (s->kind == AOTIGEN_COPY_IF)
    fprintf(to, "      only where an input is not aligned, at line %u\n", s->line);
  else if (s->name)
    fprintf(to, "      within %s, a branch of the cond at line %u\n", show(l, s->name), s->line);
  else
    fprintf(to, "      within the '%s' branch of the 'if' at line %u\n", scope_names[s->kind],
            s->line);
}

/* The number of a launch. Constant folding and the run function are numbered separately. */
static const char *format_number(const site *s, arena *a) {
  return s->number ? arena_printf(a, "%u", s->number) : "-";
}

/* Names that were derived from the kernel's name may be as long as it is. */
static const char *show_names(const listing *l, const site *s, const strings *names) {
  const char *all = strings_join(l->a, names, ", ");
  return s->flags & AOTIGEN_NAMES_GUESSED ? shown_name(all, l->a) : show(l, all);
}

static void print_site_text(const listing *l, size_t index) {
  const site *s = &l->m->sites.at[index];
  const strings guards = guards_find(s, l->a);
  const char *mark = s->flags & AOTIGEN_NAMES_GUESSED ? " (guessed from the name)" : "";
  fprintf(l->to, "%4s  %-10s %s  %s:%u:%u\n", format_number(s, l->a), form_names[s->form],
          shown_name(s->kernel, l->a), show(l, s->function), s->line, s->column);
  for (int i = s->scope; i >= 0; i = l->m->scopes.at[i].outer) print_scope(l, &l->m->scopes.at[i]);
  if (s->nodes.n || s->aten.n)
    fprintf(l->to, "      nodes [%s]  aten [%s]%s\n", show_names(l, s, &s->nodes),
            show_names(l, s, &s->aten), mark);
  for (size_t i = 0; i < s->lines.n; i++)
    fprintf(l->to, "      model %s%s\n", provenance_format_line(&s->lines.at[i], l->a),
            s->flags & AOTIGEN_LINES_GUESSED ? "  (guessed)" : "");
  for (size_t i = 0; i < s->args.n; i++) print_argument(l, &s->args.at[i]);
  if (s->op) list_print_values(l->to, s->op, l->a);
  completion_print(l->to, l->m, s, l->a);
  stream_print(l->to, l->m, s, l->a);
  if (s->skipped)
    fprintf(l->to, "      left alone: %s\n", show(l, s->skipped));
  else
    fprintf(l->to, "      guards %s%s\n", guards.n ? " " : "", strings_join(l->a, &guards, " "));
}

/* ---- one kernel ----------------------------------------------------------------------------- */

/* The definition of C++ kernel `name` in `source`, from its first line to its closing brace; NULL
 * if there is none. */
static const char *find_cpp_source(const char *source, const char *name, arena *a) {
  cpp_functions all;
  cpp_functions_read(&all, source, source ? strlen(source) : 0, a);
  const cpp_function *x = cpp_functions_find(&all, name);
  return x ? arena_strndup(a, source + x->lines.begin, x->lines.end - x->lines.begin) : NULL;
}

static const triton *find_triton(const model *m, const char *name) {
  for (size_t i = m->kernels.n; i-- > 0;)
    if (strcmp(m->kernels.at[i].name, name) == 0) return &m->kernels.at[i];
  return NULL;
}

static bool is_launched(const model *m, const char *kernel) {
  for (size_t i = 0; i < m->sites.n; i++)
    if (strcmp(m->sites.at[i].kernel, kernel) == 0) return true;
  return false;
}

static void print_triton(const listing *l, const triton *k) {
  for (size_t i = 0; i < k->params.n; i++) {
    const triton_param *p = &k->params.at[i];
    fprintf(l->to, "  %-16s %-10s%s%s%s%s\n", show(l, p->name), show(l, p->type),
            p->divisible16 ? " divisible by 16" : "", p->mutated ? " mutated" : "",
            p->loaded ? " loaded" : "", p->stored ? " stored" : "");
  }
  fprintf(l->to, "%s\n", k->source);
}

static void print_kernel_text(const listing *l, const triton *k, const char *cpp) {
  fprintf(l->to, "%s\n", shown_name(l->o->kernel, l->a));
  if (k)
    print_triton(l, k);
  else
    fprintf(l->to, "%s\n",
            cpp ? cpp : "  its source is neither in the wrapper nor in a kernel file beside it");
}

/* Prints the source and the metadata of --kernel. False, with an error, if there is no such
 * kernel. */
static bool print_kernel(const listing *l, diags *d) {
  const model *m = l->m;
  const char *name = l->o->kernel;
  const triton *k = find_triton(m, name);
  const char *cpp = find_cpp_source(l->companions->kernel, name, l->a);
  if (!cpp) cpp = find_cpp_source(m->facts->text, name, l->a);
  if (!is_launched(m, name) && !k && !cpp) {
    diag_error(d, STATUS_INPUT, m->facts->path,
               "has no kernel '%s'%s: 'aotigen list %s' names those there are",
               shown_name(name, l->a), selection_nearest_kernels(m, name, l->a), m->facts->path);
    return false;
  }
  if (l->o->json)
    print_kernel_json(l, k, cpp);
  else
    print_kernel_text(l, k, cpp);
  return true;
}

static void print_model(const listing *l) {
  if (l->o->json)
    print_model_json(l);
  else
    print_model_text(l);
}

bool list_print(const model *m, const companion_texts *companions, const options *o,
                const char *name, FILE *to, arena *a, diags *d) {
  const char *filter = has_filter(o) ? o->levels.kernels : NULL;
  listing l = {.m = m, .companions = companions, .o = o, .name = name, .to = to, .a = a};
  l.inputs = string_map_create(a);
  for (size_t i = 0; i < m->inputs.n; i++)
    string_map_put(l.inputs, m->inputs.at[i].name, &m->inputs.at[i]);
  l.dtypes = index_dtypes(m, a);
  if (!o->kernel)
    print_model(&l);
  else if (!print_kernel(&l, d))
    return false;
  for (size_t i = 0; i < m->sites.n; i++) {
    if (o->kernel && strcmp(m->sites.at[i].kernel, o->kernel) != 0) continue;
    if (filter && !selection_has(&m->sites.at[i], filter, a)) continue;
    if (o->json)
      print_site_json(&l, i);
    else
      print_site_text(&l, i);
  }
  return true;
}
