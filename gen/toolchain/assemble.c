/* assemble.c - see assemble.h. Knows the order of a compiler's words; how a compiler is run is
 * compile.c's, which flag is taken over command.c's.
 */
#include "toolchain/assemble.h"
#include "toolchain/confined_compiler.h"
#include "toolchain/container.h"
#include "toolchain/include_audit.h"
#include "base/file.h"
#include "command/includes.h"
#include "parse/pch_headers.h"
#include "system/atomic_output.h"
#include "system/cache.h"
#include "command/cpu_features.h"
#include "base/template.h"
#include "system/cleanup.h"
#include <inttypes.h>
#include <sched.h>
#include <string.h>

/* All are compiled at once. They are fewer than the register of children holds. */
enum { UNITS = 32 };

static void push_word(assembly *w, strings *list, const char *s) { *arena_push(w->a, list) = s; }

static void push_flags(assembly *w, strings *to, const strings *from) {
  for (size_t i = 0; i < from->n; i++) push_word(w, to, compiler_flag(&w->compiler, from->at[i]));
}

/* ---- reading */

/* A job with the places of its log and its directory. */
static job make_job(assembly *w, const char *what, const char *name) {
  return (job){.what = what,
               .log = arena_printf(w->a, "%s/%s.log", w->dir, name),
               .dir = arena_printf(w->a, "%s/%s", w->dir, name)};
}

static void place_unit(assembly *w, unit *u, const char *name) {
  u->job = make_job(w, u->name, name);
  u->copy = arena_printf(w->a, "%s/%s.o.cpp", w->dir, name);
  u->object = arena_printf(w->a, "%s/%s.o", u->job.dir, name);
}

unit *assembly_take(assembly *w, const char *name, const char *at, size_t n, const command *c) {
  size_t i = w->units.n;
  if (i == UNITS) {
    diag_error(w->d, STATUS_INPUT, name,
               "too many source files: a model has a wrapper and its kernels");
    return NULL;
  }
  unit *u = arena_push(w->a, &w->units);
  *u = (unit){.name = name, .at = at, .n = n, .command = *c};
  place_unit(w, u, arena_printf(w->a, "unit%zu", i));
  return u;
}

unit *assembly_add(assembly *w, const char *name, const char *at, size_t n) {
  command c;
  command_input in = {.file = name, .at = at, .n = n, .options = w->o};
  if (w->units.n) {
    in.torch = w->units.at[0].command.torch;
    in.untrusted = w->units.at[0].command.untrusted;
  }
  if (!command_read(&c, &in, w->a, w->d) ||
      (in.untrusted && !include_audit_check_text(name, at, n, w->a, w->d)))
    return NULL;
  if (w->units.n) c.torch_links = w->units.at[0].command.torch_links;
  return assembly_take(w, name, at, n, &c);
}

static bool in_dirs(assembly *w, const strings *flags, const char *library) {
  static const char *const system[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                       "/usr/lib64", "/usr/lib", "/usr/local/lib"};
  for (size_t i = 0; i < flags->n; i++)
    if (!strncmp(flags->at[i], "-L", 2) &&
        file_is_file(arena_printf(w->a, "%s/%s", flags->at[i] + 2, library)))
      return true;
  for (size_t i = 0; i < sizeof system / sizeof *system; i++)
    if (file_is_file(arena_printf(w->a, "%s/%s", system[i], library))) return true;
  return false;
}

/* The paths that a source may read besides the include directories of its command.
 * include_audit_roots() skips NULL. */
static strings readable_dirs(assembly *w, const char *const *own, size_t n) {
  strings list = {0};
  for (size_t i = 0; i < w->system.n; i++) push_word(w, &list, w->system.at[i]);
  for (size_t i = 0; i < n; i++) push_word(w, &list, own[i]);
  return list;
}

/* The directories that the units' sources, and the linker, may read. */
static bool confine_compiler(assembly *w) {
  const char *torch = w->units.at[0].command.torch;
  const char *const own[] = {w->runtime_include, w->runtime,
                             torch ? arena_printf(w->a, "%s/../nvidia", torch) : NULL};
  const strings none = {0}, more = readable_dirs(w, own, sizeof own / sizeof *own);
  strings read = {0};
  for (size_t i = 0; i < w->units.n; i++) {
    const command *c = &w->units.at[i].command;
    const strings roots = include_audit_roots(c, i == 0 ? &more : &none, w->a);
    for (size_t k = 0; k < roots.n; k++) push_word(w, &read, roots.at[k]);
    for (size_t k = 0; k < c->link.n; k++)
      if (!strncmp(c->link.at[k], "-L/", 3)) push_word(w, &read, c->link.at[k] + 2);
  }
  const confined_files files = {&read, cleanup_private_dir(w->d)};
  return confined_compiler_begin(&w->compiler, &files, w->o, w->a, w->d);
}

bool assembly_ready(assembly *w) {
  const unit *u = &w->units.at[0];
  const command *c = &u->command;
  w->compiler.tmpdir = w->dir;
  if (c->windows) {
    diag_error(w->d, STATUS_INPUT, u->name,
               "was compiled for Windows: 'list' and 'check' work on its text, and no debug model "
               "can be built of it here");
    return false;
  }
  if (!compiler_pick(&w->compiler, w->o, c, w->a, w->d)) return false;
  if (c->untrusted) {
    compiler_include_dirs(&w->compiler, &w->system, w->a);
    if (!confine_compiler(w)) return false;
  }
  cpu_features_warn(u->name, &c->compile, w->a, w->d);
  if (!strings_has(&c->link, "-ltorch_cuda") || in_dirs(w, &c->link, "libtorch_cuda.so"))
    return true;
  diag_error(w->d, STATUS_INPUT, u->name,
             "is for CUDA, and the torch in '%s' was built without it: name one that has it with "
             "--torch=DIR",
             c->torch);
  return false;
}

/* ---- compiling */

static void push_levels(assembly *w, strings *argv) {
  bool given = false; /* the option of this part was given */
  for (unsigned i = 0; i < LEVEL_ROWS; i++) {
    const level *l = &level_table[i];
    if (l->option) given = w->o->levels_set & 1u << i;
    if (given)
      push_word(
          w, argv,
          arena_printf(w->a, "-DAOTIGEN_%s=%s", l->macro, level_spell(&w->o->levels, l, w->a)));
  }
}

/* The text to compile, with torch's own files in place of vanished cache files; `#line` keeps its
 * name. */
static strbuf text_of(assembly *w, const unit *u) {
  const command *c = &u->command;
  includes_scan s = {.text = u->at, .n = u->n};
  strbuf t = {0};
  size_t done = 0;
  strbuf_printf(&t, "#line 1 \"%s\"\n", template_quote(u->name, w->a));
  for (directive d; c->includes_missing.n && includes_next_path(&s, &d);)
    for (size_t k = 0; k < c->includes_missing.n; k++) {
      if (strlen(c->includes_missing.at[k]) != d.path_n ||
          memcmp(u->at + d.path, c->includes_missing.at[k], d.path_n) != 0)
        continue;
      strbuf_add(&t, u->at + done, d.path - done);
      strbuf_puts(&t, c->includes_replacement.at[k]);
      done = d.path + d.path_n;
    }
  strbuf_add(&t, u->at + done, u->n - done);
  return t;
}

/* Makes a copy of the source; NULL if it cannot be written. */
static const char *copy_source(assembly *w, const unit *u) {
  strbuf t = text_of(w, u);
  bool ok = atomic_output_write(u->copy, t.at, t.n, w->d);
  strbuf_free(&t);
  return ok ? u->copy : NULL;
}

/* A path that no compiler takes for a flag or a response file. */
static const char *add_operand(assembly *w, const char *path) {
  return *path == '-' || *path == '@' ? arena_printf(w->a, "./%s", path) : path;
}

static const char *depend_file(const assembly *w, const unit *u) {
  return arena_printf(w->a, "%s.d", u->object);
}

void assembly_precompile(assembly *w, headers_begun *begun) {
  const unit *u = &w->units.at[0];
  strings flags = {0};
  push_flags(w, &flags, &u->command.compile);
  const wrapper_text text = {
      .original = u->at, .original_n = u->n, .at = u->at, .n = u->n, .name = u->name};
  strbuf list = {0};
  if (w->o->env.cache) list = container_apart_headers(&text, u->command.torch, w->a);
  w->container.headers = list.n != 0;
  if (!list.n) list = pch_headers_list(u->at, u->n);
  const headers_request r = {.compiler = &w->compiler,
                             .flags = &flags,
                             .list = &list,
                             .dir = w->dir,
                             .begun = begun,
                             .o = w->o};
  headers_begin(&w->headers, &r, w->a);
  strbuf_free(&list);
}

static const char *source_of(assembly *w, const unit *u) {
  return u->in_memory || u->command.includes_missing.n ? copy_source(w, u)
                                                       : add_operand(w, u->name);
}

/* Adds the flags for a source, except for the files that are read and written. */
static void push_unit_flags(assembly *w, const unit *u, strings *argv) {
  push_flags(w, argv, &u->command.compile);
  if (u->instrumented) push_word(w, argv, arena_printf(w->a, "-I%s", w->runtime_include));
  if (u->instrumented && !u->levels_fixed) push_levels(w, argv);
}

/* Adds the flags by which the files that an untrusted source read are listed, for a check before
 * linking. */
static void push_audit(assembly *w, const unit *u, strings *argv) {
  push_word(w, argv, "-MD");
  push_word(w, argv, arena_printf(w->a, "-MF%s", depend_file(w, u)));
  if (w->compiler.own_assembler) push_word(w, argv, "-fno-integrated-as");
  const char *const list[] = {"-Xassembler", "--MD", "-Xassembler",
                              include_audit_assembler_list(depend_file(w, u), w->a)};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) push_word(w, argv, list[k]);
}

static bool start_unit(assembly *w, unit *u, const char *source, const char *first) {
  strings *argv = &u->job.argv;
  argv->n = 0;
  if (first) {
    push_word(w, argv, "-include");
    push_word(w, argv, first);
  }
  if (!u->in_memory && u->command.includes_missing.n)
    push_word(w, argv, arena_printf(w->a, "-iquote%s", file_dir(w->a, u->name)));
  push_unit_flags(w, u, argv);
  if (u->in_memory)
    push_word(w, argv,
              arena_printf(w->a, "-ffile-prefix-map=%s=.",
                           w->dir)); /* debug information names the copy, the same way every time */
  if (u->command.untrusted) push_audit(w, u, argv);
  const char *const rest[] = {"-fdiagnostics-color=never", "-c", "-o", u->object, source};
  for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) push_word(w, argv, rest[k]);
  return job_start(&u->job, &w->compiler, w->a, w->d);
}

/* ---- the container */

static unit container_unit_of(assembly *w, const unit *wrapper, const strbuf *text) {
  unit u = {.name = "wrapper.cpp",
            .at = arena_strndup(w->a, text->at, text->n),
            .n = text->n,
            .in_memory = true,
            .instrumented = wrapper->instrumented,
            .levels_fixed = true,
            .command = wrapper->command};
  place_unit(w, &u, "container");
  u.job.what = wrapper->name;
  return u;
}

void assembly_separate(assembly *w, const char *original, size_t n) {
  const unit *u = &w->units.at[0];
  container_unit *c = &w->container;
  const wrapper_text text = {.original = original,
                             .original_n = n,
                             .at = u->at,
                             .n = u->n,
                             .instrumented = u->instrumented,
                             .on = levels_any_on(&w->o->levels),
                             .name = u->name};
  container_cut cut = {0};
  if (w->o->env.cache && u->in_memory && container_separate(&cut, &text, u->command.torch, w->a)) {
    c->unit = container_unit_of(w, u, &cut.container);
    c->rest = arena_strndup(w->a, cut.rest.at, cut.rest.n);
    c->rest_n = cut.rest.n;
  }
  strbuf_free(&cut.container);
  strbuf_free(&cut.rest);
}

/* ---- objects that are kept */

static bool find_object(assembly *w, unit *u, const char *kind) {
  strings flags = {0};
  strbuf text = text_of(w, u), bytes = {0};
  push_unit_flags(w, u, &flags);
  build_cache_open(&u->cache, kind, &w->compiler, &flags, text.at, w->o, w->a);
  bool ok = build_cache_read(&u->cache, ".o", &bytes) && file_make_dirs(u->job.dir, 0700) &&
            atomic_output_write(u->object, bytes.at, bytes.n, diags_new(w->a));
  strbuf_free(&text);
  strbuf_free(&bytes);
  return ok;
}

/* Compiled without the precompiled headers: the object must not depend on a file of the cache. */
static bool find_or_start(assembly *w, unit *u, const char *kind) {
  if (find_object(w, u, kind)) return true;
  const char *source = copy_source(w, u);
  u->made = true;
  return source && start_unit(w, u, source, NULL);
}

static void keep_object(assembly *w, unit *u) {
  const product object = {u->object, ".o"};
  if (u->made) build_cache_keep(&u->cache, &object, 1, depend_file(w, u), u->copy, w->dir);
}

/* ---- all of them */

bool assembly_few_processors(void) {
  cpu_set_t usable;
  return sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) < 4;
}

/* True once fewer jobs run than may. */
static bool can_start(assembly *w) {
  if (w->compiler.at_once) process_wait_below(w->compiler.at_once);
  for (size_t i = 0; i < w->units.n; i++)
    if (process_has_failed(&w->units.at[i].job.process)) return false;
  return true;
}

bool assembly_start(assembly *w, size_t i) {
  unit *u = &w->units.at[i];
  unit rest = *u;
  if (!can_start(w)) return false;
  if (i > 0 && u->in_memory) return find_or_start(w, u, "kernel");
  if (i == 0 && w->container.unit.object) {
    if (!find_or_start(w, &w->container.unit, "container")) return false;
    rest.at = w->container.rest;
    rest.n = w->container.rest_n;
  }
  const char *source = source_of(w, &rest);
  if (i == 0 && assembly_few_processors()) headers_wait(&w->headers);
  return source && start_unit(w, u, source, i == 0 ? w->headers.include : NULL);
}

/* Compiles the wrapper once more, whole and without precompiled headers. If that succeeds, they and
 * the container are dropped. */
static bool finish_whole(assembly *w, unit *u) {
  const char *source = source_of(w, u);
  process_kill(&w->container.unit.job.process);
  if (!source || !start_unit(w, u, source, NULL) ||
      !job_wait(&u->job, &w->compiler, "compiled", w->a, w->d))
    return false;
  headers_drop(&w->headers);
  if (w->container.unit.object) build_cache_forget(&w->container.unit.cache);
  w->container = (container_unit){0};
  return true;
}

static bool finish_wrapper(assembly *w, unit *u) {
  container_unit *c = &w->container;
  if (!w->headers.precompiled && !c->unit.object && !c->headers)
    return job_wait(&u->job, &w->compiler, "compiled", w->a, w->d);
  bool ok = process_wait(&u->job.process) &&
            (!c->unit.made || process_wait(&c->unit.job.process)) &&
            (!c->headers || container_is_apart(u->object));
  return ok || finish_whole(w, u);
}

/* Checks the object of an untrusted source, and the files that the source read. Only the wrapper
 * may read the user's cache, and there only the precompiled headers. */
static bool audit_unit(assembly *w, const unit *u) {
  const char *pch = u == w->units.at ? w->headers.include : NULL;
  if (!u->command.untrusted) return true;
  w->text_bytes += u->n;
  w->object_bytes += file_size(u->object);
  const char *const own[] = {w->runtime_include, w->dir, cleanup_private_dir(w->d), pch,
                             pch ? arena_printf(w->a, "%s.gch", pch) : NULL};
  const strings more = readable_dirs(w, own, sizeof own / sizeof *own);
  return object_audit_check(u->object, u->name, w->d) &&
         object_audit_check_size(w->object_bytes, w->text_bytes, 0, u->name, w->d) &&
         include_audit_check_files(depend_file(w, u), u->name, &u->command, &more, w->dir, w->a,
                                   w->d);
}

static bool finish_unit(assembly *w, unit *u) {
  if (u != w->units.at)
    return job_wait(&u->job, &w->compiler, "compiled", w->a, w->d) && audit_unit(w, u);
  return finish_wrapper(w, u) && audit_unit(w, u) &&
         (!w->container.unit.made || audit_unit(w, &w->container.unit));
}

bool assembly_wait(assembly *w) {
  bool ok = diags_status(w->d) == STATUS_OK;
  for (size_t i = 0; i < w->units.n; i++) {
    unit *u = &w->units.at[i];
    if (!u->job.process.pid) continue;
    if (ok)
      ok = finish_unit(w, u);
    else
      process_kill(&u->job.process); /* one file's messages are enough */
  }
  if (!ok) {
    process_kill(&w->container.unit.job.process);
    process_kill(&w->headers.job.process);
  }
  return ok;
}

void assembly_keep(assembly *w) {
  keep_object(w, &w->container.unit);
  for (size_t i = 1; i < w->units.n; i++) keep_object(w, &w->units.at[i]);
  headers_keep(&w->headers);
}

void assembly_drop(assembly *w) { process_kill(&w->headers.job.process); }

strings assembly_objects(assembly *w) {
  strings list = {0};
  for (size_t i = 0; i < w->units.n; i++) push_word(w, &list, w->units.at[i].object);
  if (w->container.unit.object) push_word(w, &list, w->container.unit.object);
  return list;
}

/* ---- linking */

/* Without a driver, its library is missing: an empty library of that name is linked instead. It is
 * needed, though nothing in it is used. */
static bool stand_in(assembly *w, const command *c, strings *argv) {
  if (!strings_has(&c->link, "-lcuda") || in_dirs(w, &c->link, "libcuda.so")) return true;
  job j = make_job(w, "libcuda.so", "stand-in");
  const char *source = arena_printf(w->a, "%s/libcuda.cpp", w->dir),
             *library = arena_printf(w->a, "%s/libcuda.so", j.dir);
  const char *const words[] = {"-shared", "-Wl,-soname,libcuda.so.1", "-o", library, source};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) push_word(w, &j.argv, words[i]);
  for (size_t i = 0; i < 4; i++)
    push_word(w, argv,
              (const char *const[]){arena_printf(w->a, "-L%s", j.dir),
                                    "-Wl,--push-state,--no-as-needed", "-lcuda",
                                    "-Wl,--pop-state"}[i]);
  return atomic_output_write(source, "", 0, w->d) && job_start(&j, &w->compiler, w->a, w->d) &&
         job_wait(&j, &w->compiler, "linked", w->a, w->d);
}

/* Alignment and padding of an untrusted source's sections may be large, too. */
static bool check_linked(assembly *w, const command *c, const char *so) {
  uint64_t copied = w->object_bytes + (w->weights.object ? file_size(w->weights.object) : 0) +
                    (w->runtime ? file_size(w->runtime) : 0);
  for (size_t i = 0; i < w->objects.n; i++) copied += file_size(w->objects.at[i]);
  return !c->untrusted ||
         object_audit_check_size(file_size(so), 0, copied, w->units.at[0].name, w->d);
}

/* The linker's own ID is a SHA-1 of the whole file, and summing up weights takes it longer than all
 * else. This one tells apart what was compiled. */
static void push_build_id(assembly *w, strings *argv) {
  const strings compiled = assembly_objects(w);
  uint64_t id = CACHE_KEY, sum;
  if (w->weights.size <= 1) return;
  for (size_t i = 0; i < compiled.n; i++) {
    if (!cache_sum_file(compiled.at[i], &sum)) return;
    id = cache_key(id, arena_printf(w->a, "%016" PRIx64, sum));
  }
  push_word(w, argv, arena_printf(w->a, "-Wl,--build-id=0x%016" PRIx64, id));
}

const char *assembly_link(assembly *w) {
  const unit *u = &w->units.at[0];
  const command *c = &u->command;
  job j = make_job(w, u->name, "link");
  const char *so = arena_printf(w->a, "%s/result.so", j.dir);
  strings *argv = &j.argv;
  if (!stand_in(w, c, argv)) return NULL;
  if (!strings_has(&c->link, "-shared")) push_word(w, argv, "-shared");
  if (c->untrusted)
    push_word(
        w, argv,
        "-fno-lto"); /* an object's requests to the link-time compiler are an untrusted command */
  push_build_id(w, argv); /* before the recorded flags, which may ask for another */
  push_word(w, argv, "-o");
  push_word(w, argv, so);
  const strings compiled = assembly_objects(w);
  for (size_t i = 0; i < compiled.n; i++) push_word(w, argv, compiled.at[i]);
  for (size_t i = 0; i < w->objects.n; i++) push_word(w, argv, add_operand(w, w->objects.at[i]));
  if (w->weights.object) push_word(w, argv, add_operand(w, w->weights.object));
  if (w->runtime) push_word(w, argv, w->runtime);
  push_flags(w, argv, &c->link);
  for (size_t i = 0; w->runtime && i < 3; i++)
    push_word(w, argv, (const char *const[]){"-lm", "-ldl", "-lpthread"}[i]);
  if (w->weights.object) confined_compiler_grow(&w->compiler, w->weights.size);
  bool ok = job_start(&j, &w->compiler, w->a, w->d) &&
            job_wait(&j, &w->compiler, "linked", w->a, w->d) && check_linked(w, c, so) &&
            weights_append(&w->weights, so, w->d);
  return ok ? so : NULL;
}
