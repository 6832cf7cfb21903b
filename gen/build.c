/* build.c - see build.h. Knows the order of things: compile the wrapper and its kernels side by side, get the weights, link, put
 * the result in its place. The compiler is compile.c's, weights are weights.c's.
 */
#include "build.h"
#include "compile.h"
#include "file.h"
#include "includes.h"
#include "input.h"
#include "output.h"
#include "parts.h"
#include "templates.h"
#include "weights.h"
#include <string.h>

/* One source file on its way to an object. */
typedef struct unit {
  const char *path, *at;
  size_t n;
  command command;
  const char *object;
  job job;
} unit;

typedef struct work {
  const options *o;
  arena *a;
  diags *d;
  const char *dir; /* private */
  compiler compiler;
  parts parts;
  struct { unit *at; size_t n, cap; } units; /* the wrapper first */
  weights_declared declared;
  weights weights;
} work;

static void push(work *w, strings *list, const char *s) { *arena_push(w->a, list) = s; }

static void push_flags(work *w, strings *to, const strings *from) {
  for (size_t i = 0; i < from->n; i++) push(w, to, compiler_flag(&w->compiler, from->at[i]));
}

/* ---- reading */

static bool read_unit(work *w, const char *path, const options *o) {
  size_t i = w->units.n;
  unit *u = arena_push(w->a, &w->units);
  *u = (unit){.path = path};
  u->at = input_read(path, &u->n, w->a, w->d);
  if (!u->at || !command_read(&u->command, path, u->at, u->n, o, w->a, w->d)) return false;
  u->object = arena_printf(w->a, "%s/unit%zu.o", w->dir, i);
  u->job.what = path;
  u->job.log = arena_printf(w->a, "%s/unit%zu.log", w->dir, i);
  return true;
}

static bool is_wrapper(const unit *u) {
  return memmem(u->at, u->n, "AOTInductorModel::run_impl(", 27) || memmem(u->at, u->n, "inductor_entry_impl", 19);
}

static bool read_units(work *w) {
  if (!read_unit(w, w->o->input, w->o)) return false;
  const unit *wrapper = &w->units.at[0];
  if (!is_wrapper(wrapper)) {
    diag_error(w->d, STATUS_INPUT, w->o->input, 0, 0, "is no wrapper that AOTInductor emitted: no 'AOTInductorModel::run_impl' in it");
    return false;
  }
  if (!parts_find(&w->parts, w->o, wrapper->at, wrapper->n, w->a, w->d)) return false;
  options same = *w->o; /* the kernels see the wrapper's torch, and python3 is not asked again */
  same.torch = wrapper->command.torch;
  for (size_t i = 0; i < w->parts.kernels.n; i++)
    if (!read_unit(w, w->parts.kernels.at[i], &same)) return false;
  return true;
}

/* ---- compiling */

static void push_levels(work *w, strings *argv) {
  const levels *l = &w->o->levels;
  const struct { unsigned bit; const char *name; int value; } numbers[] = {{LEVEL_PRINTER, "PRINTER", l->printer},
                                                                           {LEVEL_CHECK_INPUTS, "CHECK_INPUTS", l->check_inputs},
                                                                           {LEVEL_NAN_ASSERTS, "NAN_ASSERTS", l->nan_asserts},
                                                                           {LEVEL_SYNC, "SYNC", l->sync}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (w->o->levels_set & numbers[i].bit) push(w, argv, arena_printf(w->a, "-DAOTIGEN_%s=%d", numbers[i].name, numbers[i].value));
  if (w->o->levels_set & LEVEL_KERNELS) push(w, argv, arena_printf(w->a, "-DAOTIGEN_KERNELS=\"%s\"", template_quote(l->kernels, w->a)));
}

/* A copy of the source in which vanished cache files are torch's own; `#line` keeps its name. NULL where it cannot be written. */
static const char *substitute(work *w, const unit *u) {
  const command *c = &u->command;
  includes list = {0};
  strbuf t = {0};
  size_t done = 0;
  includes_read(&list, u->at, u->n, w->a);
  strbuf_printf(&t, "#line 1 \"%s\"\n", template_quote(u->path, w->a));
  for (size_t i = 0; i < list.n; i++)
    for (size_t k = 0; k < c->includes_missing.n; k++) {
      if (strcmp(list.at[i].path, c->includes_missing.at[k]) != 0) continue;
      strbuf_add(&t, u->at + done, list.at[i].at - done);
      strbuf_puts(&t, c->includes_replacement.at[k]);
      done = list.at[i].at + strlen(list.at[i].path);
    }
  strbuf_add(&t, u->at + done, u->n - done);
  const char *copy = arena_printf(w->a, "%s.cpp", u->object);
  bool ok = output_write(copy, t.at, t.n, w->d);
  strbuf_free(&t);
  return ok ? copy : NULL;
}

/* A path that no compiler takes for a flag or a response file. */
static const char *operand(work *w, const char *path) { return *path == '-' || *path == '@' ? arena_printf(w->a, "./%s", path) : path; }

static bool start_unit(work *w, unit *u) {
  strings *argv = &u->job.argv;
  const char *source = operand(w, u->path);
  if (u->command.includes_missing.n) {
    source = substitute(w, u);
    if (!source) return false;
    push(w, argv, arena_printf(w->a, "-iquote%s", file_dir(w->a, u->path)));
  }
  push_flags(w, argv, &u->command.compile);
  if (u == w->units.at && w->parts.runtime) {
    push(w, argv, arena_printf(w->a, "-I%s", w->parts.runtime_include));
    push_levels(w, argv);
  }
  const char *const rest[] = {"-fdiagnostics-color=never", "-c", "-o", u->object, source};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) push(w, argv, rest[i]);
  return job_start(&u->job, &w->compiler, w->a, w->d);
}

static bool compile_units(work *w) {
  bool ok = true;
  size_t started = 0;
  while (ok && started < w->units.n) {
    ok = start_unit(w, &w->units.at[started]);
    started += ok;
  }
  for (size_t i = 0; i < started; i++) {
    unit *u = &w->units.at[i];
    if (ok) ok = job_wait(&u->job, &w->compiler, "compiled", &u->command, w->a, w->d);
    else process_wait(&u->job.process); /* one file's messages are enough */
  }
  return ok;
}

/* ---- weights */

static bool has_flag(const strings *list, const char *flag) {
  for (size_t i = 0; i < list->n; i++)
    if (!strcmp(list->at[i], flag)) return true;
  return false;
}

static bool take_weights(work *w) {
  const char *made = arena_printf(w->a, "%s/weights.o", w->dir);
  const weights_declared *want = &w->declared;
  bool appended = has_flag(&w->units.at[0].command.compile, "-DUSE_MMAP_SELF");
  if (w->o->weights) {
    if (!weights_take(&w->weights, w->o->weights, made, appended, w->a, w->d)) return false;
    if (appended || (w->weights.size <= 1 && want->left_out) || w->weights.size >= want->bytes) return true;
    diag_error(w->d, STATUS_INPUT, w->o->weights, 0, 0, "holds %llu bytes of weights, the wrapper's take %llu: it is another model's", (unsigned long long)w->weights.size,
               (unsigned long long)want->bytes);
    return false;
  }
  for (size_t i = 0; i < w->parts.objects.n; i++)
    if (weights_defines(w->parts.objects.at[i])) return true;
  if (!want->model) return true;
  if (want->bytes == 0 || want->left_out) return weights_none(&w->weights, made, w->d);
  diag_error(w->d, STATUS_INPUT, w->o->input, 0, 0, "has %llu bytes of weights, which are not in its text: name the model's old '.so', or an object file with them, with --weights=FILE",
             (unsigned long long)want->bytes);
  return false;
}

/* ---- linking */

static bool in_dirs(work *w, const strings *flags, const char *library) {
  static const char *const system[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"};
  for (size_t i = 0; i < flags->n; i++)
    if (!strncmp(flags->at[i], "-L", 2) && file_is_file(arena_printf(w->a, "%s/%s", flags->at[i] + 2, library))) return true;
  for (size_t i = 0; i < sizeof system / sizeof *system; i++)
    if (file_is_file(arena_printf(w->a, "%s/%s", system[i], library))) return true;
  return false;
}

/* The driver's library is not there without a driver: an empty one of its name stands in while linking, and is needed though
 * nothing of it is used. */
static bool stand_in(work *w, const strings *flags, strings *argv) {
  if (!has_flag(flags, "-lcuda") || in_dirs(w, flags, "libcuda.so")) return true;
  const char *source = arena_printf(w->a, "%s/libcuda.cpp", w->dir), *library = arena_printf(w->a, "%s/libcuda.so", w->dir);
  const char *const words[] = {"-shared", "-Wl,-soname,libcuda.so.1", "-o", library, source};
  job j = {.what = library, .log = arena_printf(w->a, "%s/libcuda.log", w->dir)};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) push(w, &j.argv, words[i]);
  for (size_t i = 0; i < 4; i++) push(w, argv, (const char *const[]){arena_printf(w->a, "-L%s", w->dir), "-Wl,--push-state,--no-as-needed", "-lcuda", "-Wl,--pop-state"}[i]);
  return output_write(source, "", 0, w->d) && job_start(&j, &w->compiler, w->a, w->d) &&
         job_wait(&j, &w->compiler, "linked", &w->units.at[0].command, w->a, w->d);
}

static bool check_libraries(work *w, const command *c) {
  if (!has_flag(&c->link, "-ltorch_cuda") || in_dirs(w, &c->link, "libtorch_cuda.so")) return true;
  diag_error(w->d, STATUS_INPUT, w->o->input, 0, 0, "is for CUDA, and the torch in '%s' was built without it: name one that has it with --torch=DIR", c->torch);
  return false;
}

static bool link_all(work *w, const char *so) {
  const command *c = &w->units.at[0].command;
  job j = {.what = w->o->output, .log = arena_printf(w->a, "%s/link.log", w->dir)};
  strings *argv = &j.argv;
  if (!stand_in(w, &c->link, argv)) return false;
  if (!has_flag(&c->link, "-shared")) push(w, argv, "-shared");
  push(w, argv, "-o");
  push(w, argv, so);
  for (size_t i = 0; i < w->units.n; i++) push(w, argv, w->units.at[i].object);
  for (size_t i = 0; i < w->parts.objects.n; i++) push(w, argv, operand(w, w->parts.objects.at[i]));
  if (w->weights.object) push(w, argv, operand(w, w->weights.object));
  if (w->parts.runtime) push(w, argv, w->parts.runtime);
  push_flags(w, argv, &c->link);
  for (size_t i = 0; w->parts.runtime && i < 3; i++) push(w, argv, (const char *const[]){"-lm", "-ldl", "-lpthread"}[i]);
  return job_start(&j, &w->compiler, w->a, w->d) && job_wait(&j, &w->compiler, "linked", c, w->a, w->d) && weights_append(&w->weights, so, w->d);
}

/* ---- the result */

/* torch's runner looks for the names of custom ops in "X.json" beside "X.so". */
static bool copy_ops(work *w) {
  const char *so = w->o->output, *slash = strrchr(so, '/'), *dot = strrchr(slash ? slash : so, '.');
  size_t n;
  if (!w->parts.ops) return true;
  const char *target = arena_printf(w->a, "%.*s.json", (int)(dot ? dot - so : (ptrdiff_t)strlen(so)), so);
  const char *at = input_read(w->parts.ops, &n, w->a, w->d);
  return at && output_write(target, at, n, w->d);
}

static void check_version(work *w) {
  const char *mismatch = command_mismatch(&w->units.at[0].command, w->a);
  if (mismatch) diag_warning(w->d, w->o->input, 0, 0, "%s", mismatch);
}

/* Flags name what the machine that emitted the model could do: here it would end in an illegal instruction. */
static void check_processor(work *w) {
#if defined __x86_64__
  const strings *flags = &w->units.at[0].command.compile;
  const char *lacks = has_flag(flags, "-mavx512f") && !__builtin_cpu_supports("avx512f") ? "AVX-512" : has_flag(flags, "-mavx2") && !__builtin_cpu_supports("avx2") ? "AVX2" : NULL;
  if (lacks) diag_warning(w->d, w->o->input, 0, 0, "was emitted for a processor with %s, which this one lacks: the result runs on such a one only", lacks);
#else
  (void)w;
#endif
}

static void say(const work *w) {
  if (w->o->verbosity < 0) return;
  fprintf(stderr, "aotigen: '%s' linked of the wrapper, %zu kernel file%s", w->o->output, w->units.n - 1, w->units.n == 2 ? "" : "s");
  if (w->weights.from && (w->weights.tail || w->weights.size > 1)) fprintf(stderr, " and %llu bytes of weights", (unsigned long long)(w->weights.tail ? w->weights.tail : w->weights.size));
  fprintf(stderr, "%s\n", w->parts.runtime ? "" : "; the wrapper is not instrumented");
}

static bool check_output(work *w) {
  const options *o = w->o;
  bool ok = output_check(o->output, o->input, w->d) && (!o->weights || output_check(o->output, o->weights, w->d));
  for (size_t i = 0; ok && i < o->objects.n; i++) ok = output_check(o->output, o->objects.at[i], w->d);
  return ok;
}

void build(const options *o, arena *a, diags *d) {
  work w = {.o = o, .a = a, .d = d};
  if (!check_output(&w) || !(w.dir = output_private_dir(d)) || !read_units(&w)) return;
  const unit *wrapper = &w.units.at[0];
  weights_declare(&w.declared, wrapper->at, wrapper->n);
  w.compiler.tmpdir = w.dir;
  if (o->levels_given && !w.parts.runtime) diag_warning(d, o->input, 0, 0, "is not instrumented: the levels given have no effect");
  if (!compiler_pick(&w.compiler, o, &wrapper->command, a, d) || !check_libraries(&w, &wrapper->command)) return;
  check_version(&w);
  check_processor(&w);
  const char *so = arena_printf(a, "%s/result.so", w.dir);
  if (!take_weights(&w) || !compile_units(&w) || !link_all(&w, so)) return;
  if (output_move(so, o->output, d) && copy_ops(&w)) say(&w);
}
