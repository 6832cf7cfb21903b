/* repackage.c - see repackage.h. Knows the order of the steps for one model, and which members
 * change. */
#include "package/repackage.h"
#include "package/archive.h"
#include "build/assemble.h"
#include "build/include_audit.h"
#include "emit/emit.h"
#include "model/list.h"
#include "system/atomic_output.h"
#include "package/package.h"
#include "build/companions.h"
#include "parse/clang_pch.h"
#include "system/progress.h"
#include "emit/rewrite.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXTS_MAX = 64 << 20 };

typedef struct work {
  options o; /* ours with `closed` */
  arena *a;
  diags *d;
  archive archive;
  packages models;
  replacement *with; /* one a member */
  additions more;
  progress progress;
  const char *dir; /* private */
  const char *runtime, *runtime_include;
  plan total;       /* the counts of all models */
  uint64_t texts;   /* bytes of source text read */
  uint64_t weights; /* bytes taken over */
  strings pchs;     /* precompiled headers of libclang's: kept where all goes well */
} work;

/* One model on its way. */
typedef struct making {
  work *w;
  const packaged *m;
  const char *dir; /* its own */
  rewriting r;
  size_t kernel_size; /* of r.beside.kernel */
  assembly x;         /* unit 0 is the wrapper */
  strbuf text;        /* instrumented */
  process pch_child;  /* precompiles libclang's headers for the next time */
  const char *pch;    /* what it makes */
  bool pch_tried;
} making;

static void step(work *w, const packaged *m, const char *what) {
  progress_step(&w->progress, arena_printf(w->a, "%s: %s", m->name, what));
}

/* They stay in memory to the end. */
static const char *text_of(work *w, size_t member, size_t *n) {
  w->texts += w->archive.members.at[member].size;
  if (w->texts <= TEXTS_MAX || w->archive.members.at[member].size > TEXTS_MAX)
    return archive_text(&w->archive, member, n, w->a, w->d);
  diag_error(w->d, STATUS_INPUT, archive_name(&w->archive, member, w->a), 0, 0,
             "is more source text than a package holds: all of it together takes more than %d MiB",
             TEXTS_MAX >> 20);
  return NULL;
}

/* ---- reading */

/* The wrapper's text, its command, and what stands beside it. */
static bool read_wrapper(making *x) {
  work *w = x->w;
  size_t n;
  x->r = (rewriting){
      .o = &w->o, .a = w->a, .d = w->d, .path = archive_name(&w->archive, x->m->wrapper, w->a)};
  x->r.source = text_of(w, x->m->wrapper, &x->r.n);
  if (!x->r.source || !rewrite_command(&x->r) ||
      !depend_check_text(x->r.path, x->r.source, x->r.n, w->a, w->d))
    return false;
  if (x->m->ops != NO_MEMBER) {
    x->r.beside.ops_packaged = true;
    x->r.beside.ops_path = archive_name(&w->archive, x->m->ops, w->a);
    x->r.beside.ops = text_of(w, x->m->ops, &n);
    if (!x->r.beside.ops) return false;
  }
  if (x->m->kernels.n != 1) return true;
  x->r.beside.kernel_path = archive_name(&w->archive, x->m->kernels.at[0], w->a);
  x->r.beside.kernel = text_of(w, x->m->kernels.at[0], &x->kernel_size);
  return x->r.beside.kernel != NULL;
}

static bool read_units(making *x) {
  work *w = x->w;
  options same = w->o; /* one torch for all, and python3 is not asked again */
  same.torch = x->r.command.torch;
  x->x = (assembly){.o = &w->o,
                    .a = w->a,
                    .d = w->d,
                    .dir = x->dir,
                    .runtime = w->runtime,
                    .runtime_include = w->runtime_include};
  if (!assembly_take(&x->x, x->r.path, x->r.source, x->r.n, &x->r.command)) return false;
  for (size_t i = 0; i < x->m->kernels.n; i++) {
    size_t n = x->kernel_size, member = x->m->kernels.at[i];
    const char *at = x->r.beside.kernel ? x->r.beside.kernel : text_of(w, member, &n);
    unit *u = at ? assembly_add(&x->x, archive_name(&w->archive, member, w->a), at, n, &same)
                 : NULL;
    if (!u) return false;
    u->in_memory = true;
  }
  return true;
}

static bool instrument(making *x) {
  work *w = x->w;
  if (!rewrite_parse(&x->r)) return false;
  x->text = rewrite_emit(&x->r);
  for (size_t i = 0; i < sizeof w->total.counts / sizeof *w->total.counts; i++)
    w->total.counts[i] += x->r.plan.counts[i];
  w->total.left_alone += x->r.plan.left_alone;
  return true;
}

/* The instrumented text takes the member's place; it is kept until the archive is written. */
static void replace_wrapper(making *x) {
  const size_t n = x->text.n;
  const char *text = arena_strndup(x->w->a, x->text.at, n);
  strbuf_free(&x->text);
  x->w->with[x->m->wrapper] = (replacement){.text = text, .n = n};
  unit *u = &x->x.units.at[0];
  u->at = text;
  u->n = n;
  u->in_memory = true;
  u->instrumented = x->r.model.sites.n > 0;
  if (!u->instrumented) x->x.runtime = NULL;
}

/* ---- a package that holds the .so */

static bool take_weights(making *x, const char *old) {
  work *w = x->w;
  weights_declared want;
  const char *name = archive_name(&w->archive, x->m->so, w->a);
  enum weights_place place = weights_place(&x->x.units.at[0].command.compile);
  weights_declare(&want, x->r.source, x->r.n);
  if (!archive_extract(&w->archive, x->m->so, old, w->a, w->d)) return false;
  if (!weights_take(&x->x.weights, old, arena_printf(w->a, "%s/weights.o", x->dir), place, name,
                    w->a, w->d))
    return false;
  if (x->x.weights.object == x->x.weights.from) {
    diag_error(w->d, STATUS_INPUT, name, 0, 0, "is no shared object, but an object file");
    return false;
  }
  if (!weights_fit(&x->x.weights, &want, place, name, w->d)) return false;
  if (place == WEIGHTS_APPENDED)
    w->weights += x->x.weights.tail;
  else if (place == WEIGHTS_LINKED && x->x.weights.size > 1)
    w->weights += x->x.weights.size;
  return true;
}

/* What was linked in beside the weights, by what the compiled objects want. */
static bool take_embedded(making *x, const char *old) {
  const strings objects = assembly_objects(&x->x);
  return weights_embedded(old, archive_name(&x->w->archive, x->m->so, x->w->a), &objects, x->dir,
                          &x->x.objects, x->w->a, x->w->d);
}

static bool link_so(making *x, const char *old) {
  work *w = x->w;
  const char *name = archive_name(&w->archive, x->m->so, w->a);
  const char *so = arena_printf(w->a, "%s/result.so", x->dir);
  if (!take_embedded(x, old) || !assembly_link(&x->x, so) ||
      !weights_complete(so, old, name, w->a, w->d))
    return false;
  unlink(old); /* gigabytes, maybe */
  if (x->x.weights.object) unlink(x->x.weights.object);
  w->with[x->m->so] = (replacement){.file = so};
  return true;
}

/* libclang's headers: for the next time, while the compiler runs; or for this one too, where the
 * processors have enough to do. What libclang holds is given back first. */
static void precompile(making *x) {
  if (x->pch_tried) return;
  x->pch_tried = true;
  rewrite_free(&x->r);
  x->pch = tu_precompile(&x->pch_child, x->r.path, x->r.source, x->r.n, &x->r.command, &x->w->o,
                         x->w->a);
}

static void precompile_now(making *x) {
  precompile(x);
  if (x->pch && process_wait(&x->pch_child)) *arena_push(x->w->a, &x->w->pchs) = x->pch;
}

/* What is made for the next time may take longer than this model does. */
static void keep_made(making *x) {
  step(x->w, x->m, "keep what was compiled");
  if (x->pch && process_wait(&x->pch_child)) *arena_push(x->w->a, &x->w->pchs) = x->pch;
  assembly_keep(&x->x);
}

static bool make_so(making *x) {
  work *w = x->w;
  const char *old = arena_printf(w->a, "%s/old.so", x->dir);
  bool ok = assembly_ready(&x->x);
  if (ok) assembly_precompile(&x->x);
  for (size_t i = 1; ok && i < x->x.units.n; i++) ok = assembly_start(&x->x, i);
  step(w, x->m, "rewrite");
  if (ok && assembly_few_processors()) precompile_now(x);
  ok = ok && instrument(x);
  if (ok) replace_wrapper(x);
  if (ok) assembly_separate(&x->x, x->r.source, x->r.n);
  ok = ok && assembly_start(&x->x, 0);
  step(w, x->m, "weights"); /* while the compiler runs */
  ok = ok && take_weights(x, old);
  step(w, x->m, "compile");
  if (ok) precompile(x);
  if (!assembly_wait(&x->x) || !ok) return false;
  step(w, x->m, "link");
  if (!link_so(x, old)) return false;
  keep_made(x);
  return true;
}

/* ---- a package that holds sources only: who loads it compiles and links them */

static bool take_object(making *x, size_t member, const char *old) {
  work *w = x->w;
  if (!archive_extract(&w->archive, member, old, w->a, w->d)) return false;
  if (weights_defines(old)) return true;
  diag_error(w->d, STATUS_INPUT, archive_name(&w->archive, member, w->a), 0, 0,
             "is no object file with the model's weights for this machine");
  return false;
}

/* The object file with the weights, to which the runtime is added: so every way to link the package
 * links that too. */
static bool merge_runtime(making *x, size_t member, const char *old) {
  work *w = x->w;
  const char *merged = arena_printf(w->a, "%s/weights.o", x->dir);
  job j = {.what = archive_name(&w->archive, member, w->a),
           .log = arena_printf(w->a, "%s/merge.log", x->dir)};
  const char *const words[] = {"-r",
                               "-nostdlib",
                               "-fno-lto",
                               "-o",
                               merged,
                               old,
                               "-Wl,--whole-archive",
                               w->runtime,
                               "-Wl,--no-whole-archive"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) *arena_push(w->a, &j.argv) = words[i];
  if (!job_start(&j, &x->x.compiler, w->a, w->d) ||
      !job_wait(&j, &x->x.compiler, "linked with the runtime", w->a, w->d))
    return false;
  unlink(old);
  w->with[member] = (replacement){.file = merged};
  return true;
}

/* The headers that the instrumented text includes, beside it. */
static bool add_headers(making *x) {
  work *w = x->w;
  strings list = {0};
  parts_headers(&list, w->runtime_include, w->a);
  for (size_t i = 0; i < list.n; i++) {
    const addition h = {.name = arena_printf(w->a, "%s%s", x->m->dir, strrchr(list.at[i], '/') + 1),
                        .file = list.at[i],
                        .after = x->m->wrapper};
    for (size_t k = 0; k < w->archive.members.n; k++) {
      if (strcmp(w->archive.members.at[k].name, h.name) != 0) continue;
      diag_error(
          w->d, STATUS_INPUT, archive_name(&w->archive, k, w->a), 0, 0,
          "is there already, where a header of ours must stand: no package of torch's holds it");
      return false;
    }
    *arena_push(w->a, &w->more) = h;
  }
  return true;
}

static bool make_sources(making *x) {
  work *w = x->w;
  if (x->m->objects.n != 1) {
    diag_error(w->d, STATUS_INPUT, x->r.path, 0, 0,
               x->m->objects.n ? "has more than one object file beside it: which of them holds the "
                                 "weights cannot be told"
                               : "has neither a '.so' nor an object file with its weights beside "
                                 "it: torch itself cannot load such a package");
    return false;
  }
  step(w, x->m, "rewrite");
  if (!assembly_ready(&x->x) || !instrument(x)) return false;
  replace_wrapper(x);
  step(w, x->m, "weights");
  const char *old = arena_printf(w->a, "%s/old.o", x->dir);
  if (!take_object(x, x->m->objects.at[0], old)) return false;
  if (!x->x.runtime) return true;
  return add_headers(x) && merge_runtime(x, x->m->objects.at[0], old);
}

/* ---- the whole */

static bool make_directory(making *x) {
  if (mkdir(x->dir, 0700) == 0) return true;
  diag_error(x->w->d, STATUS_INPUT, x->dir, 0, 0,
             "this directory for temporary files cannot be made: %s", strerror(errno));
  return false;
}

static bool make_model(work *w, size_t i) {
  making x = {.w = w,
              .m = &w->models.at[i],
              .dir = arena_printf(w->a, "%s/%zu", w->dir, i),
              .x = {.o = &w->o, .a = w->a, .d = w->d}};
  bool ok = make_directory(&x) && read_wrapper(&x);
  if (ok && w->o.dump != DUMP_NONE) {
    if (w->o.dump != DUMP_COMMAND && instrument(&x)) strbuf_free(&x.text);
  } else {
    ok = ok && read_units(&x) && (x.m->so == NO_MEMBER ? make_sources(&x) : make_so(&x));
  }
  if (!ok) assembly_wait(&x.x); /* what still runs */
  process_kill(&x.pch_child);
  strbuf_free(&x.text);
  rewrite_free(&x.r);
  return ok;
}

static const char *bytes(uint64_t n, arena *a) {
  return n < 10000      ? arena_printf(a, "%llu bytes", (unsigned long long)n)
         : n < 10000000 ? arena_printf(a, "%.1f kB", (double)n / 1e3)
                        : arena_printf(a, "%.1f MB", (double)n / 1e6);
}

static void say(work *w) {
  strings names = {0};
  if (w->o.verbosity < 0) return;
  for (size_t i = 0; i < w->models.n; i++) *arena_push(w->a, &names) = w->models.at[i].name;
  fprintf(stderr, "aotigen: '%s': %s %s: %s", w->o.output, names.n == 1 ? "model" : "models",
          strings_join(w->a, &names, ", "), emit_summary(&w->total, w->a));
  if (w->weights) fprintf(stderr, ", %s of weights linked again", bytes(w->weights, w->a));
  fprintf(stderr, ", %.1f s\n", progress_seconds(&w->progress));
}

static bool open_package(work *w, const options *o, arena *a, diags *d) {
  *w = (work){.o = *o, .a = a, .d = d};
  w->o.closed = true;
  progress_begin(&w->progress, o->verbosity);
  return archive_open(&w->archive, o->input, a, d) &&
         package_find(&w->models, &w->archive, o->model, a, d);
}

static bool make_all(work *w) {
  if (w->o.dump == DUMP_NONE &&
      !parts_runtime(&w->runtime, &w->runtime_include, w->o.input, w->a, w->d))
    return false;
  w->with = arena_alloc(w->a, w->archive.members.n * sizeof *w->with);
  for (size_t i = 0; i < w->models.n; i++)
    if (!make_model(w, i)) return false;
  return diags_status(w->d) == STATUS_OK;
}

static void keep_headers(work *w) {
  for (size_t i = 0; i < w->pchs.n; i++) pch_keep(w->pchs.at[i], &w->o, w->a);
}

void repackage(const options *o, arena *a, diags *d) {
  work w;
  bool wanted = o->dump == DUMP_NONE;
  if (wanted && !strcmp(o->output, "-")) {
    diag_error(d, STATUS_USAGE, NULL, 0, 0, "the output of a package must be a file");
    return;
  }
  if (wanted && (!output_check(o->output, o->input, d) || !output_check_regular(o->output, d)))
    return;
  bool ok = open_package(&w, o, a, d) && (w.dir = output_private_dir(d)) && make_all(&w);
  if (ok && wanted) {
    progress_step(&w.progress, "write the package");
    ok = archive_write(&w.archive, w.with, &w.more, o->output, a, d);
  }
  progress_step(&w.progress, NULL);
  archive_close(&w.archive);
  if (!ok || !wanted) return;
  keep_headers(&w);
  say(&w);
}

void repackage_list(const options *o, arena *a, diags *d) {
  work w;
  bool ok = open_package(&w, o, a, d);
  for (size_t i = 0; ok && i < w.models.n; i++) {
    making x = {.w = &w, .m = &w.models.at[i]};
    ok = read_wrapper(&x) && rewrite_parse(&x.r) &&
         list_print(&x.r.model, &x.r.beside, &w.o, x.m->name, stdout, a, d);
    rewrite_free(&x.r);
  }
  archive_close(&w.archive);
}
