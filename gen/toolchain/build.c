/* build.c - see build.h. Knows the operands of the verb, and where the result goes. assemble.c
 * makes it. */
#include "toolchain/build.h"
#include "toolchain/assemble.h"
#include "command/wrapper_kind.h"
#include "system/input.h"
#include "system/atomic_output.h"
#include "toolchain/companions.h"
#include "system/cleanup.h"
#include "command/torch_version.h"
#include <string.h>

typedef struct work {
  const options *o;
  arena *a;
  diags *d;
  companion_files parts;
  assembly assembly; /* the wrapper is its first unit */
  weights_declared declared;
} work;

/* ---- reading */

static unit *read_unit(work *w, const char *path) {
  size_t n;
  const char *at = input_read(path, &n, w->a, w->d);
  return at ? assembly_add(&w->assembly, path, at, n) : NULL;
}

static bool is_wrapper(const unit *u) { return wrapper_kind_read(u->at, u->n) != WRAPPER_NONE; }

static bool read_units(work *w) {
  unit *wrapper = read_unit(w, w->o->input);
  if (!wrapper) return false;
  if (!is_wrapper(wrapper)) {
    wrapper_kind_refuse(w->o->input, w->d);
    return false;
  }
  if (!input_is_of_abi(w->o->input, wrapper->at, wrapper->n, w->d)) return false;
  if (!companions_find(&w->parts, w->o, wrapper->at, wrapper->n, w->a, w->d)) return false;
  wrapper->instrumented = w->parts.runtime != NULL;
  weights_declared_by_text(&w->declared, wrapper->at, wrapper->n, w->a);
  torch_version_warn(&wrapper->command, w->o->input, w->a, w->d);
  for (size_t i = 0; i < w->parts.kernels.n; i++)
    if (!read_unit(w, w->parts.kernels.at[i])) return false;
  w->assembly.objects = w->parts.objects;
  w->assembly.runtime = w->parts.runtime;
  w->assembly.runtime_include = w->parts.runtime_include;
  return true;
}

/* ---- weights */

static bool take_weights(work *w) {
  const char *made = arena_printf(w->a, "%s/weights.o", w->assembly.dir);
  const weights_declared *want = &w->declared;
  enum weights_place place = weights_find_place(&w->assembly.units.at[0].command.compile);
  if (w->o->files.weights)
    return weights_extract(&w->assembly.weights, w->o->files.weights, made, place,
                           w->o->files.weights, w->a, w->d) &&
           weights_check_size(&w->assembly.weights, want, place, w->d);
  for (size_t i = 0; i < w->parts.objects.n; i++)
    if (weights_are_defined(w->parts.objects.at[i])) return true;
  if (!want->has_constructor) return true;
  if (want->bytes == 0 || want->left_out)
    return weights_make_empty(&w->assembly.weights, made, w->d);
  diag_error(w->d, STATUS_INPUT, w->o->input,
             "has %llu bytes of weights, which are not in its text: name the model's old '.so', or "
             "an object file with them, with --weights=FILE",
             (unsigned long long)want->bytes);
  return false;
}

/* ---- the result */

/* torch's runner looks for the names of custom ops in "X.json" next to "X.so". */
static bool copy_ops(work *w) {
  const char *so = w->o->output.path, *slash = strrchr(so, '/'),
             *dot = strrchr(slash ? slash : so, '.');
  size_t n;
  if (!w->parts.ops) return true;
  const char *target =
      arena_printf(w->a, "%.*s.json", (int)(dot ? dot - so : (ptrdiff_t)strlen(so)), so);
  const char *at = input_read(w->parts.ops, &n, w->a, w->d);
  return at && atomic_output_write(target, at, n, w->d);
}

static void say_built(const work *w) {
  const weights *taken = &w->assembly.weights;
  size_t kernels = w->assembly.units.n - 1;
  if (w->o->verbosity < 0) return;
  fprintf(stderr, "aotigen: '%s' linked of the wrapper, %zu kernel file%s", w->o->output.path,
          kernels, kernels == 1 ? "" : "s");
  if (taken->from && (taken->tail || taken->size > 1))
    fprintf(stderr, " and %llu bytes of weights",
            (unsigned long long)(taken->tail ? taken->tail : taken->size));
  fprintf(stderr, "%s\n", w->parts.runtime ? "" : "; the wrapper is not instrumented");
}

static bool check_output(work *w) {
  const options *o = w->o;
  bool ok = atomic_output_check(o->output.path, o->input, w->d) &&
            (!o->files.weights || atomic_output_check(o->output.path, o->files.weights, w->d));
  for (size_t i = 0; ok && i < o->objects.n; i++)
    ok = atomic_output_check(o->output.path, o->objects.at[i], w->d);
  return ok;
}

static void warn_unexplained(const work *w) {
  levels built = w->o->levels;
  levels_take_text(&built, w->o->levels_set, w->assembly.units.at[0].at, w->a);
  levels_warn_unexplained(&built, w->a, w->d);
}

void build_run(const options *o, arena *a, diags *d) {
  work w = {.o = o, .a = a, .d = d, .assembly = {.o = o, .a = a, .d = d}};
  assembly *x = &w.assembly;
  if (!check_output(&w) || !(x->dir = cleanup_private_dir(d)) || !read_units(&w)) return;
  if (o->levels_set && !w.parts.runtime)
    diag_warning(d, o->input, "is not instrumented: the levels given have no effect");
  else
    warn_unexplained(&w);
  if (!assembly_ready(x) || !take_weights(&w)) return;
  bool ok = true;
  for (size_t i = 0; ok && i < x->units.n; i++) ok = assembly_start(x, i);
  const char *so = assembly_wait(x) && ok ? assembly_link(x) : NULL;
  if (so && atomic_output_move(so, o->output.path, d) && copy_ops(&w)) say_built(&w);
}
