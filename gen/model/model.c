/* model.c - see model.h. Joins the results of the parts of the stage, and reads what belongs to
 * none of them: devices, alignment, outputs. */
#include "base/string_map.h"
#include "command/wrapper_kind.h"
#include "model/parts.h"
#include "model/completions.h"
#include "model/expected.h"
#include "model/kernel_graphs.h"
#include "model/kernel_sources.h"
#include "model/provenance.h"
#include "model/streams.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

#define WORD(name, word) word,
const char *const form_names[] = {AOTIGEN_FORMS(WORD)};
const char *const role_names[] = {AOTIGEN_ROLES(WORD)};
const char *const kind_names[] = {AOTIGEN_KINDS(WORD)};
const char *const scope_names[] = {AOTIGEN_SCOPES(WORD)};
#undef WORD

/* CACHE_TORCH_DEVICE(cuda): a device other than the CPU if the wrapper uses one. */
static void read_device(model *m, arena *a) {
  static const char macro[] = "CACHE_TORCH_DEVICE";
  const facts *f = m->facts;
  for (size_t at = 0; (at = lex_find_word(f->text, at, f->n, macro)) < f->n; at++) {
    size_t name = at + sizeof macro,
           n = name < f->n ? lex_measure_word(f->text + name, f->n - name) : 0;
    if (n && (!m->device || strcmp(m->device, "cpu") == 0))
      m->device = arena_strndup(a, f->text + name, n);
  }
}

/* "(arg0_1.data_ptr()) & (16": the wrapper tests the alignment of an input. */
static void read_alignment(model *m, arena *a) {
  static const char test[] = ".data_ptr()) & (16";
  const char *text = m->facts->text, *at = text;
  string_map *inputs = string_map_create(a);
  for (size_t i = 0; i < m->inputs.n; i++)
    string_map_put(inputs, m->inputs.at[i].name, &m->inputs.at[i]);
  for (; (at = strstr(at, test)); at++) {
    const char *begin = at;
    while (begin > text && begin[-1] != '(' && begin[-1] != '\n') begin--;
    model_input *in = begin > text && begin[-1] == '('
                          ? string_map_get(inputs, arena_strndup(a, begin, (size_t)(at - begin)))
                          : NULL;
    if (in) in->aligned = true;
  }
}

/* A JIT wrapper has no constructor: its inputs are those that the run function unpacks, scalars
 * among them. */
static void read_jit_inputs(model *m, arena *a) {
  enum { INPUTS_MAX = 100000 };
  const facts *f = m->facts;
  size_t at = lex_find_word(f->text, 0, f->n, "steal_from_raw_handles_to_raii_handles");
  size_t comma = at < f->n ? lex_find(f->text, lex_find(f->text, at, f->n, '(') + 1, f->n, ',')
                           : f->n;
  long n = comma < f->n ? strtol(f->text + comma + 1, NULL, 10) : 0;
  for (long i = 0; i < n && i < INPUTS_MAX; i++)
    *arena_push(a, &m->inputs) =
        (model_input){.name = arena_printf(a, "inputs[%ld]", i), .ndim = -1};
  for (size_t i = 0; i < f->vars.n; i++) {
    const fact_var *v = &f->vars.at[i];
    if (v->made == MADE_INPUT && v->from >= 0 && v->from < (int)m->inputs.n &&
        v->holds == HOLDS_OBJECT)
      m->inputs.at[v->from].name = v->name;
  }
}

/* Describes the variable that an output hands over at offset `at`. */
static void describe_output(model_output *out, const facts *f, storage *st, size_t at) {
  int v = storage_find(st, out->buffer, strlen(out->buffer), at);
  if (v < 0) return;
  int root = storage_root(st, v);
  out->dtype = storage_at(st, root)->dtype;
  if (f->vars.at[v].made == MADE_ALIAS || v == root) out->sizes = storage_at(st, root)->sizes;
}

static void read_outputs(model *m, const fact_function *function, storage *st, arena *a) {
  handed_over out = {.offset = function->body.begin};
  for (; storage_next_output(m->facts, &out, function->body.end); out.offset = out.name.end) {
    if (out.index >= m->outputs.n) continue;
    model_output *o = &m->outputs.at[out.index];
    o->buffer = arena_strndup(a, m->facts->text + out.name.begin, out.name.end - out.name.begin);
    describe_output(o, m->facts, st, out.offset);
  }
}

/* Reads inputs, outputs and weights, except for what only the sites show. */
static void read_interface(model *m, arena *a) {
  const facts *f = m->facts;
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    if (x->kind == FUNCTION_CONSTRUCTOR && m->class_name && !strcmp(x->name, m->class_name))
      constructor_read(m, x, a);
  }
  if (m->jit) read_jit_inputs(m, a);
  input_checks_read(m, a);
  read_device(m, a);
  read_alignment(m, a);
}

bool model_build(model *m, const facts *f, const companion_texts *companions, arena *a, diags *d) {
  custom_ops ops;
  enum wrapper_kind kind = wrapper_kind_read(f->text, f->n);
  *m = (model){
      .facts = f, .jit = kind == WRAPPER_JIT, .class_name = wrapper_model_class(f->text, f->n, a)};
  if (kind == WRAPPER_NONE) {
    wrapper_kind_refuse(f->path, d);
    return false;
  }
  read_interface(m, a);
  custom_ops_read(&ops, companions, a, d);
  kernels_read(m, a);
  storage *st = m->storage = storage_create(f, a);
  sites_read(m, st, &ops, a);
  for (size_t i = 0; i < f->functions.n; i++)
    if (f->functions.at[i].kind == FUNCTION_RUN) read_outputs(m, &f->functions.at[i], st, a);
  source_nodes_read(m, a);
  completions_recognise(m, a);
  source_nodes_guess(m, a);
  completions_read(m, a);
  streams_read(m, a);
  input_strides_read(m, st, a);
  if (m->sites.n > AOTIGEN_MAX_SITES) {
    diag_error(d, STATUS_INPUT, f->path,
               "has %zu launches, more than the %d that the runtime counts", m->sites.n,
               AOTIGEN_MAX_SITES);
    return false;
  }
  m->sources = kernel_sources_read(m, companions, a);
  m->graphs = kernel_graphs_begin(m, a);
  kernels_read_texts(m, a);
  unwritten_read(m, st);
  scopes_read(m, a);
  buffers_read(m, a);
  given_uses_find(m, a);
  expected_read(m, st, a); /* after the kernels' texts and the scopes */
  if (!provenance_read(m, companions, a, d)) return false;
  kernels_read_launches(m, a);
  kernels_read_cubins(m, a);
  return true;
}
