/* take.c - see take.h. */
#include "taken/take.h"
#include "base/file.h"
#include "base/shown.h"
#include "shared/variables.h"
#include "system/cleanup.h"
#include "run/diagnosis_parts.h"
#include "run/environment.h"
#include "taken/program.h"
#include <string.h>

char *const *take_make_environment(take *t, char *const *given, arena *a, diags *d) {
  const char *private = cleanup_private_dir(d);
  if (!private) return NULL;
  t->dir = arena_printf(a, "%s/taken", private);
  if (!cleanup_make_dir(t->dir, d)) return NULL;
  char *const settings[] = {
      arena_printf(a, "%s=%s", variable_name(VARIABLE_AOTIGEN_OUTPUT_DIR), t->dir),
      arena_printf(a, "%s=%u", variable_name(VARIABLE_AOTIGEN_TAKE_LAUNCH), t->o->replay.launch),
      NULL};
  return environment_apart(given, settings, a);
}

/* ---- the launch */

__attribute__((format(printf, 3, 4))) static bool refuse(const take *t, diags *d,
                                                         const char *format, ...) {
  va_list args;
  arena *a = arena_new();
  va_start(args, format);
  diag_error(d, STATUS_INPUT, t->o->replay.capsule, "launch %u cannot be taken: %s",
             t->o->replay.launch, arena_vprintf(a, format, args));
  va_end(args);
  arena_free(a);
  return false;
}

static bool read_launch(const take *t, taken *x, const char *signal, arena *a, diags *d) {
  const char *why;
  if (!taken_read(x, t->dir, &why, a)) {
    if (why) return refuse(t, d, "%s", why);
    if (signal) return refuse(t, d, "the run was ended by %s before it", signal);
    return refuse(t, d,
                  "the run had no such launch that is checked; 'aotigen list %s' shows what the "
                  "model launches",
                  shown_text(t->package, a));
  }
  if (!x->is_cpp)
    return refuse(t, d,
                  "it is one of '%s', and only kernels that Inductor wrote in C++ are made a "
                  "program; 'aotigen list --json' shows them by '\"form\":\"cpu\"'",
                  x->kernel);
  if (x->lack) return refuse(t, d, "the argument '%s' of '%s': %s", x->lacking, x->kernel, x->lack);
  return true;
}

/* "4 tensors in 3 memories, 1 number". */
static const char *describe(const taken *x, arena *a) {
  size_t tensors = 0;
  for (size_t i = 0; i < x->arguments.n; i++) tensors += x->arguments.at[i].kind == TAKEN_TENSOR;
  const size_t numbers = x->arguments.n - tensors;
  return arena_printf(a, "%zu tensor%s in %zu memor%s, %zu number%s", tensors,
                      tensors == 1 ? "" : "s", x->memories.n, x->memories.n == 1 ? "y" : "ies",
                      numbers, numbers == 1 ? "" : "s");
}

/* "make -C DIR && DIR/launch", as a shell takes it. */
static const char *make_commands(const char *dir, arena *a) {
  strbuf t = {0};
  strbuf_puts(&t, "make -C");
  advice_add_word(&t, dir, a);
  strbuf_puts(&t, " &&");
  advice_add_word(&t, arena_printf(a, "%s%s/launch", strchr(dir, '/') ? "" : "./", dir), a);
  return strbuf_take(&t, a);
}

static void tell(const take *t, const program *p, arena *a) {
  const char *dir = t->o->output.path;
  const strings functions = kernel_build_torch_functions(p->build, a);
  if (t->o->verbosity < 0) return;
  fprintf(stderr, "aotigen: '%s' has launch %u, %s: %s\n", shown_text(dir, a), p->launch,
          p->taken->kernel, describe(p->taken, a));
  fprintf(stderr, "  %s\n", make_commands(dir, a));
  if (!p->taken->returned)
    fprintf(stderr, "aotigen: the launch did not return: there is nothing to compare with\n");
  if (functions.n)
    fprintf(stderr, "aotigen: it needs torch's library, for '%s'%s\n", functions.at[0],
            functions.n > 1 ? " and others" : "");
}

bool take_write(const take *t, const char *signal, arena *a, diags *d) {
  taken x;
  kernel_text text;
  kernel_build build;
  if (!read_launch(t, &x, signal, a, d) ||
      !kernel_text_read(&text, t->package, t->model, x.kernel, t->o, a, d))
    return false;
  program p = {.taken = &x,
               .text = &text,
               .build = &build,
               .launch = t->o->replay.launch,
               .package = t->package};
  const char *why = program_explain_mismatch(&p, a);
  if (why) return refuse(t, d, "'%s' in '%s': %s", x.kernel, text.member, why);
  if (!kernel_build_try(&build, &text, t->o, a, d) || !program_write(&p, t->o->output.path, a, d))
    return false;
  tell(t, &p, a);
  return true;
}
