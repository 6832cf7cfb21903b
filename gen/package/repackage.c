/* repackage.c - see repackage.h. Knows the order of a model's steps, and which members change. */
#include "package/repackage.h"
#include "base/shown.h"
#include "base/file.h"
#include "toolchain/assemble.h"
#include "toolchain/companions.h"
#include "toolchain/confined_compiler.h"
#include "toolchain/elf_file.h"
#include "toolchain/include_audit.h"
#include "emit/emit.h"
#include "stages/rewrite.h"
#include "package/archive_write.h"
#include "package/package.h"
#include "parse/clang_pch.h"
#include "system/atomic_output.h"
#include "system/budget.h"
#include "system/cleanup.h"
#include "system/confine_policy.h"
#include "system/progress.h"
#include <string.h>
#include <unistd.h>

enum { TEXTS_MAX = 64 << 20 };

/* What is on disk at once: the weights are extracted, made an object, and linked. */
enum { PACKAGES_ON_DISK = 4 };

/* The state while one package is rewritten. */
typedef struct repackaging {
  const options *o;
  arena *a;
  diags *d;
  archive archive;
  package_models models;
  archive_replacement *with; /* one for each member */
  archive_additions more;
  progress progress;
  const char *dir; /* private */
  const char *runtime, *runtime_include;
  plan total;              /* the counts of all models */
  companion_texts origins; /* --exported and --provenance */
  bool origins_read;
  uint64_t texts_size;   /* bytes of source text read, which stay in memory to the end */
  uint64_t weights_size; /* bytes of weights linked again */
  /* What was compiled from torch's own text, for the cache once the package is written. */
  strings clang_pchs;
  headers_begun headers_begun;
  arena_list(assembly) builds;
} repackaging;

/* The state while one of its models is rewritten. */
typedef struct model_rebuild {
  repackaging *w;
  const package_model *m;
  const char *dir; /* its own */
  rewriting r;
  size_t kernel_size; /* the size of r.companions.kernel */
  assembly build;     /* unit 0 is the wrapper */
  process pch_child;  /* makes clang_pch */
  const char *clang_pch;
  bool clang_pch_tried;
} model_rebuild;

static void show_step(repackaging *w, const package_model *m, const char *what) {
  progress_step(&w->progress, arena_printf(w->a, "%s: %s", shown_text(m->name, w->a), what));
}

static const char *member_path(const repackaging *w, size_t member) {
  return archive_member_path(&w->archive, member, w->a);
}

static bool refuse_member(repackaging *w, size_t member, const char *why) {
  diag_error(w->d, STATUS_INPUT, member_path(w, member), "%s", why);
  return false;
}

static const char *read_text(repackaging *w, size_t member, size_t *n) {
  const uint64_t size = w->archive.members.at[member].size;
  w->texts_size += size;
  if (w->texts_size <= TEXTS_MAX || size > TEXTS_MAX)
    return archive_read_text(&w->archive, member, n, w->a, w->d);
  const char *why = "is more source text than a package holds: all source texts together take "
                    "more than %d MiB";
  refuse_member(w, member, arena_printf(w->a, why, TEXTS_MAX >> 20));
  return NULL;
}

/* ---- reading */

/* Reads the model's own lines, first of its companions; the files that the user names once. */
static bool read_origins(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  companion_texts *to = &rebuild->r.companions;
  if (!w->origins_read && !origin_files_read(&w->origins, w->o, w->a, w->d)) return false;
  w->origins_read = true;
  *to = w->origins;
  if (!origin_files_read_packaged(to, &w->archive, rebuild->m->name, w->a, w->d)) return false;
  if (to->provenance || rebuild->m->origins == PACKAGE_NO_MEMBER) return true;
  to->provenance_packaged = true;
  to->provenance_path = member_path(w, rebuild->m->origins);
  to->provenance = read_text(w, rebuild->m->origins, &to->provenance_n);
  return to->provenance != NULL;
}

/* The headers that the wrapper may include from beside it, checked as its own text is. */
static bool read_headers(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  for (size_t i = 0; i < rebuild->m->headers.n; i++) {
    size_t n, member = rebuild->m->headers.at[i];
    const char *path = member_path(w, member), *text = read_text(w, member, &n);
    if (!text || !include_audit_check_text(path, text, n, w->a, w->d)) return false;
    *arena_push(w->a, &rebuild->r.command.headers_beside) = file_name(path);
    *arena_push(w->a, &rebuild->r.command.headers_beside_text) = text;
  }
  return true;
}

/* The wrapper's text, its command, and the texts that belong to it. */
static bool read_wrapper(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  size_t n;
  rebuild->r = (rewriting){.o = w->o,
                           .a = w->a,
                           .d = w->d,
                           .untrusted = true,
                           .path = member_path(w, rebuild->m->wrapper)};
  rebuild->r.source = read_text(w, rebuild->m->wrapper, &rebuild->r.n);
  if (!rebuild->r.source || !rewrite_command(&rebuild->r) ||
      !include_audit_check_text(rebuild->r.path, rebuild->r.source, rebuild->r.n, w->a, w->d))
    return false;
  if (!read_headers(rebuild) || !read_origins(rebuild)) return false;
  if (rebuild->m->ops != PACKAGE_NO_MEMBER) {
    rebuild->r.companions.ops_packaged = true;
    rebuild->r.companions.ops_path = member_path(w, rebuild->m->ops);
    rebuild->r.companions.ops = read_text(w, rebuild->m->ops, &n);
    if (!rebuild->r.companions.ops) return false;
  }
  if (rebuild->m->kernels.n != 1) return true;
  rebuild->r.companions.kernel_path = member_path(w, rebuild->m->kernels.at[0]);
  rebuild->r.companions.kernel = read_text(w, rebuild->m->kernels.at[0], &rebuild->kernel_size);
  return rebuild->r.companions.kernel != NULL;
}

static bool read_units(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  rebuild->build = (assembly){.o = w->o,
                              .a = w->a,
                              .d = w->d,
                              .dir = rebuild->dir,
                              .runtime = w->runtime,
                              .runtime_include = w->runtime_include};
  if (!assembly_take(&rebuild->build, rebuild->r.path, rebuild->r.source, rebuild->r.n,
                     &rebuild->r.command) ||
      (rebuild->m->so != PACKAGE_NO_MEMBER && !rebuild->m->kernels.n &&
       companions_lack_kernel(rebuild->r.path, rebuild->r.source, rebuild->r.n, w->d)))
    return false;
  for (size_t i = 0; i < rebuild->m->kernels.n; i++) {
    size_t n = rebuild->kernel_size, member = rebuild->m->kernels.at[i];
    const char *at = rebuild->r.companions.kernel ? rebuild->r.companions.kernel
                                                  : read_text(w, member, &n);
    unit *u = at ? assembly_add(&rebuild->build, member_path(w, member), at, n) : NULL;
    if (!u) return false;
    u->in_memory = true;
  }
  return true;
}

static bool instrument_wrapper(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  const rewritten *r = &rebuild->r.result;
  if (!rewrite_run(&rebuild->r) ||
      !include_audit_check_instrumented(rebuild->r.path, r->text, r->n, w->a, w->d))
    return false;
  for (size_t i = 0; i < sizeof w->total.counts / sizeof *w->total.counts; i++)
    w->total.counts[i] += r->counts[i];
  w->total.left_alone += r->left_alone;
  return true;
}

/* The instrumented text replaces the member. */
static void replace_wrapper(model_rebuild *rebuild) {
  const rewritten *r = &rebuild->r.result;
  rebuild->w->with[rebuild->m->wrapper] = (archive_replacement){.text = r->text, .n = r->n};
  unit *u = &rebuild->build.units.at[0];
  u->at = r->text;
  u->n = r->n;
  u->in_memory = true;
  u->instrumented = r->sites > 0;
  if (!u->instrumented) rebuild->build.runtime = NULL;
}

/* ---- a package with a '.so' */

static bool take_weights(model_rebuild *rebuild, const char *old_so) {
  repackaging *w = rebuild->w;
  weights *taken = &rebuild->build.weights;
  const weights_declared *declared = &rebuild->r.result.weights;
  const char *name = member_path(w, rebuild->m->so),
             *made = arena_printf(w->a, "%s/weights.o", rebuild->dir);
  enum weights_place place = weights_find_place(&rebuild->build.units.at[0].command.compile);
  if (!archive_extract(&w->archive, rebuild->m->so, old_so, w->a, w->d) ||
      !weights_extract(taken, old_so, made, place, name, w->a, w->d))
    return false;
  if (taken->object == taken->from)
    return refuse_member(w, rebuild->m->so, "is an object file, not a shared object");
  if (!weights_check_size(taken, declared, place, w->d)) return false;
  if (place == WEIGHTS_APPENDED)
    w->weights_size += taken->tail;
  else if (place == WEIGHTS_LINKED && taken->size > 1)
    w->weights_size += taken->size;
  return true;
}

/* The kernels that the compiled objects refer to. */
static bool take_embedded_kernels(model_rebuild *rebuild, const char *old_so) {
  repackaging *w = rebuild->w;
  const strings objects = assembly_objects(&rebuild->build);
  return embedded_kernels_extract(old_so, member_path(w, rebuild->m->so), &objects, rebuild->dir,
                                  &rebuild->build.objects, w->a, w->d);
}

static bool link_so(model_rebuild *rebuild, const char *old_so) {
  repackaging *w = rebuild->w;
  const char *so = take_embedded_kernels(rebuild, old_so) ? assembly_link(&rebuild->build) : NULL;
  if (!so || !embedded_kernels_check(so, old_so, member_path(w, rebuild->m->so), w->d))
    return false;
  unlink(old_so); /* it may have gigabytes */
  if (rebuild->build.weights.object) unlink(rebuild->build.weights.object);
  w->with[rebuild->m->so] = (archive_replacement){.file = so};
  return true;
}

/* Starts to precompile libclang's headers, once. */
static void start_precompiling(model_rebuild *rebuild) {
  if (rebuild->clang_pch_tried) return;
  rebuild->clang_pch_tried = true;
  const translation_unit_input in = {.path = rebuild->r.path,
                                     .text = rebuild->r.source,
                                     .n = rebuild->r.n,
                                     .command = &rebuild->r.command,
                                     .options = rebuild->w->o};
  rebuild->clang_pch = translation_unit_precompile(&rebuild->pch_child, &in, rebuild->w->a);
}

static void note_precompiled(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  if (!rebuild->clang_pch) return;
  bool ok = process_wait(&rebuild->pch_child);
  budget_take_parser(rebuild->pch_child.cpu_ms);
  if (ok) *arena_push(w->a, &w->clang_pchs) = rebuild->clang_pch;
}

static bool build_so(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  const char *old_so = arena_printf(w->a, "%s/old.so", rebuild->dir);
  bool ok = !package_refuse_watched(rebuild->m, &w->archive, w->a, w->d) &&
            assembly_ready(&rebuild->build);
  if (ok) assembly_precompile(&rebuild->build, &w->headers_begun);
  for (size_t i = 1; ok && i < rebuild->build.units.n; i++) ok = assembly_start(&rebuild->build, i);
  show_step(w, rebuild->m, "rewrite");
  if (ok && assembly_few_processors()) {
    start_precompiling(rebuild);
    note_precompiled(rebuild);
  }
  ok = ok && instrument_wrapper(rebuild);
  if (ok) replace_wrapper(rebuild);
  if (ok) assembly_separate(&rebuild->build, rebuild->r.source, rebuild->r.n);
  ok = ok && assembly_start(&rebuild->build, 0);
  show_step(w, rebuild->m, "weights"); /* while the compiler runs */
  ok = ok && take_weights(rebuild, old_so);
  show_step(w, rebuild->m, "compile");
  if (ok) start_precompiling(rebuild);
  if (!assembly_wait(&rebuild->build) || !ok) return false;
  show_step(w, rebuild->m, "link");
  if (!link_so(rebuild, old_so)) return false;
  note_precompiled(rebuild);
  confined_compiler_end(&rebuild->build.compiler);
  *arena_push(w->a, &w->builds) = rebuild->build;
  return true;
}

/* ---- a package of sources: the program that loads it compiles and links them */

static bool take_object(model_rebuild *rebuild, size_t member, const char *old_object) {
  repackaging *w = rebuild->w;
  if (!archive_extract(&w->archive, member, old_object, w->a, w->d)) return false;
  const char *why = "is not an object file with the model's weights for this machine";
  if (weights_are_defined(old_object)) return true;
  return refuse_member(w, member, budget_why() ? budget_why() : why);
}

/* Adds the runtime to the object file with the weights, which any way of linking takes. */
static bool merge_runtime(model_rebuild *rebuild, size_t member, const char *old_object) {
  repackaging *w = rebuild->w;
  job j = {.what = member_path(w, member),
           .log = arena_printf(w->a, "%s/merge.log", rebuild->dir),
           .dir = arena_printf(w->a, "%s/merge", rebuild->dir)};
  const char *merged = arena_printf(w->a, "%s/weights.o", j.dir);
  confined_compiler_grow(&rebuild->build.compiler, file_size(old_object));
  const char *const words[] = {"-r",
                               "-nostdlib",
                               "-fno-lto",
                               "-o",
                               merged,
                               old_object,
                               "-Wl,--whole-archive",
                               w->runtime,
                               "-Wl,--no-whole-archive"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) *arena_push(w->a, &j.argv) = words[i];
  if (!job_start(&j, &rebuild->build.compiler, w->a, w->d) ||
      !job_wait(&j, &rebuild->build.compiler, "linked with the runtime", w->a, w->d))
    return false;
  unlink(old_object);
  w->with[member] = (archive_replacement){.file = merged};
  return true;
}

/* Adds the headers that the instrumented text includes, next to it. */
static bool add_headers(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  strings list = {0};
  companions_list_headers(&list, w->runtime_include, w->a);
  for (size_t i = 0; i < list.n; i++) {
    const char *name = arena_printf(w->a, "%s%s", rebuild->m->dir, strrchr(list.at[i], '/') + 1);
    for (size_t k = 0; k < w->archive.members.n; k++)
      if (!strcmp(w->archive.members.at[k].name, name))
        return refuse_member(w, k, "has the name of a header that aotigen adds to the package");
    *arena_push(w->a, &w->more) =
        (archive_addition){.name = name, .file = list.at[i], .after = rebuild->m->wrapper};
  }
  return true;
}

static bool build_sources(model_rebuild *rebuild) {
  repackaging *w = rebuild->w;
  if (rebuild->m->objects.n > 1)
    return refuse_member(w, rebuild->m->wrapper,
                         "has more than one object file beside it: aotigen cannot tell which "
                         "one holds the weights");
  if (rebuild->m->objects.n == 0)
    return refuse_member(w, rebuild->m->wrapper,
                         "has neither a '.so' nor an object file with its weights beside it: torch "
                         "itself cannot load such a package");
  show_step(w, rebuild->m, "rewrite");
  if (!assembly_ready(&rebuild->build) || !instrument_wrapper(rebuild)) return false;
  replace_wrapper(rebuild);
  show_step(w, rebuild->m, "weights");
  const char *old_object = arena_printf(w->a, "%s/old.o", rebuild->dir);
  if (!take_object(rebuild, rebuild->m->objects.at[0], old_object)) return false;
  if (!rebuild->build.runtime) return true;
  return add_headers(rebuild) && merge_runtime(rebuild, rebuild->m->objects.at[0], old_object);
}

/* ---- all models */

/* One process may rewrite several packages. */
static const char *make_package_directory(arena *a, diags *d) {
  static unsigned packages;
  const char *all = cleanup_private_dir(d), *dir;
  if (!all) return NULL;
  dir = arena_printf(a, "%s/package%u", all, packages++);
  return cleanup_make_dir(dir, d) ? dir : NULL;
}

static bool rebuild_model(repackaging *w, size_t i) {
  model_rebuild x = {.w = w,
                     .m = &w->models.at[i],
                     .dir = arena_printf(w->a, "%s/%zu", w->dir, i),
                     .build = {.o = w->o, .a = w->a, .d = w->d}};
  bool ok = cleanup_make_dir(x.dir, w->d) && read_wrapper(&x);
  if (ok && w->o->dump != DUMP_NONE) {
    if (w->o->dump != DUMP_COMMAND) instrument_wrapper(&x);
  } else {
    ok = ok && read_units(&x) && (x.m->so == PACKAGE_NO_MEMBER ? build_sources(&x) : build_so(&x));
  }
  if (!ok) assembly_wait(&x.build); /* kills the jobs that still run */
  process_kill(&x.pch_child);
  confined_compiler_end(&x.build.compiler);
  return ok;
}

/* "models 'decoder', 'encoder': "; nothing for torch's own name of an only model. */
static const char *format_names(const repackaging *w) {
  strings names = {0};
  for (size_t i = 0; i < w->models.n; i++)
    *arena_push(w->a, &names) = arena_printf(w->a, "'%s'", shown_text(w->models.at[i].name, w->a));
  if (names.n == 1 && !strcmp(w->models.at[0].name, "model")) return "";
  return arena_printf(w->a, "%s %s: ", names.n == 1 ? "model" : "models",
                      strings_join(w->a, &names, ", "));
}

static void print_summary(repackaging *w) {
  if (w->o->verbosity < 0) return;
  const char *output = w->o->output.shown ? w->o->output.shown : w->o->output.path;
  fprintf(stderr, "aotigen: '%s': %s%s", shown_text(output, w->a), format_names(w),
          emit_summary(&w->total, w->a));
  if (w->weights_size)
    fprintf(stderr, ", %s of weights linked again", byte_count_format(w->weights_size, w->a));
  fprintf(stderr, ", %.1f s\n", progress_seconds(&w->progress));
}

static bool open_package(repackaging *w, const options *o, arena *a, diags *d) {
  *w = (repackaging){.o = o, .a = a, .d = d};
  progress_begin(&w->progress, o->verbosity);
  if (o->confining != CONFINING_OFF) budget_begin(&o->limits);
  bool opened = archive_open(&w->archive, o->input, o, a, d);
  if (o->input_as) w->archive.path = o->input_as;
  return opened && confine_policy_check_kernel(o, d) &&
         package_find_models(&w->models, &w->archive, o->model, a, d);
}

static bool rebuild_models(repackaging *w) {
  if (w->o->dump == DUMP_NONE &&
      !companions_find_runtime(&w->runtime, &w->runtime_include, w->archive.path, w->a, w->d))
    return false;
  w->with = arena_alloc(w->a, w->archive.members.n * sizeof *w->with);
  if (w->o->confining != CONFINING_OFF)
    budget_watch(w->dir, PACKAGES_ON_DISK * file_size(w->o->input));
  for (size_t i = 0; i < w->models.n; i++)
    if (!rebuild_model(w, i) || budget_report(w->archive.path, w->d)) return false;
  return diags_status(w->d) == STATUS_OK;
}

/* What is made for the next run may take longer than this package does. */
static void keep_made(repackaging *w) {
  progress_step(&w->progress, "keep what was compiled");
  for (size_t i = 0; i < w->clang_pchs.n; i++) clang_pch_keep(w->clang_pchs.at[i], w->o, w->a);
  for (size_t i = 0; i < w->builds.n; i++) assembly_keep(&w->builds.at[i]);
  progress_step(&w->progress, NULL);
}

static void drop_made(repackaging *w) {
  for (size_t i = 0; i < w->builds.n; i++) assembly_drop(&w->builds.at[i]);
}

void repackage_rewrite(const options *o, arena *a, diags *d) {
  repackaging w;
  bool wanted = o->dump == DUMP_NONE;
  if (wanted && !strcmp(o->output.path, "-")) {
    diag_error(d, STATUS_USAGE, NULL, "the output of a package must be a file");
    return;
  }
  if (wanted && (!atomic_output_check(o->output.path, o->input, d) ||
                 !atomic_output_check_regular(o->output.path, d)))
    return;
  bool ok = open_package(&w, o, a, d) && (w.dir = make_package_directory(a, d)) &&
            rebuild_models(&w);
  if (ok && wanted) {
    progress_step(&w.progress, "write the package");
    ok = archive_write(&w.archive, w.with, &w.more, o->output.path, a, d);
  }
  progress_step(&w.progress, NULL);
  archive_close(&w.archive);
  if (ok && wanted) {
    keep_made(&w);
    print_summary(&w);
  } else {
    drop_made(&w);
  }
}

static void write_model(const rewriting *r, FILE *to) {
  cJSON *line = cJSON_CreateObject();
  shown_add_json(line, "type", "model");
  shown_add_json(line, "source", r->path);
  cJSON_AddNumberToObject(line, "left_alone", r->result.left_alone);
  shown_print_json(line, to);
}

bool repackage_check(const options *o, FILE *to, arena *a, diags *d) {
  options of_check = *o;
  repackaging w;
  of_check.verb = VERB_CHECK;
  of_check.json = true;
  bool ok = open_package(&w, &of_check, a, d);
  for (size_t i = 0; ok && i < w.models.n; i++) {
    model_rebuild x = {.w = &w, .m = &w.models.at[i]};
    show_step(&w, x.m, "static check");
    ok = read_wrapper(&x);
    x.r.to = to;
    ok = ok && rewrite_list(&x.r, x.m->name) && !budget_report(w.archive.path, d);
    if (ok) write_model(&x.r, to);
  }
  progress_step(&w.progress, NULL);
  archive_close(&w.archive);
  return ok && !ferror(to);
}

void repackage_list(const options *o, arena *a, diags *d) {
  repackaging w;
  bool ok = open_package(&w, o, a, d);
  size_t refuted = 0;
  for (size_t i = 0; ok && i < w.models.n; i++) {
    model_rebuild x = {.w = &w, .m = &w.models.at[i]};
    ok = read_wrapper(&x) && rewrite_list(&x.r, x.m->name) && !budget_report(w.archive.path, d);
    refuted += x.r.result.refuted;
  }
  rewrite_report_refuted(o, refuted, d);
  archive_close(&w.archive);
}
