/* exported_check.c - see exported.h. */
#include "model/exported.h"
#include "model/node_flow.h"
#include <stdlib.h>
#include <string.h>

typedef struct checker {
  const exported *x;
  const model *m;
  const char *path;
  arena *a;
  diags *d;
} checker;

/* The numbers of things that the wrapper names, and of those that an exported program has. */
typedef struct shares {
  size_t nodes, known_nodes, weights, known_weights, inputs, known_inputs, ops, known_ops;
  const char *missing;
} shares;

static void count_nodes(const checker *f, shares *s) {
  string_map *seen = string_map_create(f->a);
  for (size_t i = 0; i < f->m->sites.n; i++) {
    const site *x = &f->m->sites.at[i];
    for (size_t k = 0; !(x->flags & AOTIGEN_NAMES_GUESSED) && k < x->nodes.n; k++) {
      const char *name = x->nodes.at[k];
      if (!string_map_put(seen, name, name)) continue;
      s->nodes++;
      if (exported_find(f->x, name, false, NULL) != EXPORTED_NONE ||
          exported_find(f->x, name, true, x->graph) != EXPORTED_NONE)
        s->known_nodes++;
      else if (!s->missing)
        s->missing = name;
    }
  }
}

/* Counts the operators in a kernel's name that the program has. */
static void count_operators(const checker *f, shares *s) {
  string_map *ops = string_map_create(f->a), *seen = string_map_create(f->a);
  for (size_t i = 0; i < f->x->nodes.n; i++)
    string_map_put(ops, f->x->nodes.at[i].op, f->x->nodes.at[i].op);
  for (size_t i = 0; i < f->m->sites.n; i++) {
    const site *x = &f->m->sites.at[i];
    for (size_t k = 0; x->flags & AOTIGEN_NAMES_GUESSED && k < x->nodes.n; k++) {
      const char *token = x->nodes.at[k];
      if (!string_map_put(seen, token, token)) continue;
      s->ops++;
      if (node_flow_has_token(ops, token, f->a)) s->known_ops++;
    }
  }
}

/* "16, 64" and "16L, 64L" are the same. */
static bool are_equal_sizes(const char *x, const char *y) {
  while (*x && *y) {
    char *after_x, *after_y;
    if (strtoll(x, &after_x, 10) != strtoll(y, &after_y, 10) || after_x == x || after_y == y)
      return false;
    x = after_x + strspn(after_x, ", L");
    y = after_y + strspn(after_y, ", L");
  }
  return *x == *y;
}

/* Counts the weights. One that constant folding makes, or that was frozen, has another name. */
static void count_weights(const checker *f, shares *s) {
  for (size_t i = 0; i < f->m->weights.n; i++) {
    const weight *w = &f->m->weights.at[i];
    if (w->from_folded || !w->fqn || !*w->fqn || *w->fqn == '_') continue;
    const char *sizes = string_map_get(f->x->weights, w->fqn);
    s->weights++;
    s->known_weights += sizes &&
                        (!*sizes || !w->shape || !*w->shape || are_equal_sizes(sizes, w->shape));
  }
}

/* True if the inputs differ. Torch has an input for each tensor, and omits some that are none. A
 * JIT wrapper receives its weights as inputs. */
static bool has_other_inputs(const checker *f) {
  size_t n = f->m->inputs.n;
  return !f->m->jit && (n < f->x->tensors.n || n > f->x->ninputs);
}

static bool are_sizes_of(const exported_input *input, const model_input *in) {
  if (input->ndim < 0 || in->ndim < 0) return true;
  if (in->unranked ? input->ndim < in->ndim : input->ndim != in->ndim) return false;
  for (int i = 0; i < in->ndim; i++) {
    const aotigen_dim *d = &in->dims[i];
    if (input->dims[i] < 0) continue;
    if (d->min != AOTIGEN_ANY && input->dims[i] < d->min) return false;
    if (d->max != AOTIGEN_ANY && input->dims[i] > d->max) return false;
  }
  return true;
}

/* Compares the inputs by their places, which are not known where some inputs are no tensors. */
static void count_inputs(const checker *f, shares *s) {
  if (f->m->jit || f->m->inputs.n != f->x->tensors.n) return;
  s->inputs = f->x->tensors.n;
  for (size_t i = 0; i < s->inputs; i++)
    s->known_inputs += are_sizes_of(&f->x->tensors.at[i], &f->m->inputs.at[i]);
}

static bool refuse(const checker *f, const char *why) {
  diag_error(f->d, STATUS_INPUT, f->path,
             "is the exported program of another model: %s; give the one that the package was "
             "compiled from with --exported=FILE",
             why);
  return false;
}

static bool check_model(const checker *f) {
  shares s = {0};
  count_nodes(f, &s);
  count_weights(f, &s);
  count_inputs(f, &s);
  count_operators(f, &s);
  if (s.known_nodes * 2 < s.nodes)
    return refuse(f, arena_printf(f->a,
                                  "of the %zu source nodes that the wrapper names it has %zu, and "
                                  "not '%.200s'",
                                  s.nodes, s.known_nodes, s.missing));
  if (s.known_weights * 2 < s.weights)
    return refuse(f, arena_printf(f->a,
                                  "of the wrapper's %zu weights it has %zu with the same name and "
                                  "sizes",
                                  s.weights, s.known_weights));
  if (has_other_inputs(f))
    return refuse(f, arena_printf(f->a, "it takes %zu inputs, the wrapper %zu", f->x->ninputs,
                                  f->m->inputs.n));
  if (s.known_inputs * 2 < s.inputs)
    return refuse(f,
                  arena_printf(f->a, "of the wrapper's %zu inputs it has %zu with the same sizes",
                               s.inputs, s.known_inputs));
  if (s.ops && !s.known_ops && !s.nodes && !s.weights)
    diag_warning(f->d, f->path,
                 "may be the exported program of another model: it has none of the operators that "
                 "the names of the wrapper's kernels have");
  return true;
}

static bool check_lines(const checker *f) {
  for (size_t i = 0; i < f->x->nodes.n; i++)
    if (f->x->nodes.at[i].line.line) return true;
  diag_error(f->d, STATUS_INPUT, f->path,
             "has no lines: none of its %zu nodes has a 'stack_trace'; give the program as "
             "torch.export.export() made it with --exported=FILE",
             f->x->nodes.n);
  return false;
}

bool exported_check(const exported *x, const model *m, bool lines, const char *path, arena *a,
                    diags *d) {
  const checker f = {.x = x, .m = m, .path = path, .a = a, .d = d};
  return check_model(&f) && (!lines || check_lines(&f));
}
