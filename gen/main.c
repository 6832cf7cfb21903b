/* main.c - reads the options and runs the verb. A wrapper's way: options -> command -> translation
 * unit -> scan -> model -> plan -> emit -> edit -> output. stages.c has those in the middle.
 */
#include "toolchain/build.h"
#include "base/file.h"
#include "system/input.h"
#include "system/atomic_output.h"
#include "toolchain/companions.h"
#include "package/package.h"
#include "package/repackage.h"
#include "package/uncompiled.h"
#include "package/unpacked.h"
#include "package/watched.h"
#include "stages/rewrite.h"
#include "run/debug_library.h"
#include "run/debug_package.h"
#include "replay/replay.h"
#include "replay/watched_run.h"
#include "run/run.h"
#include "diff/diff.h"
#include "compare/compare.h"
#include "here/here.h"
#include "report/report.h"
#include "system/cache.h"
#include "toolchain/elf_reader.h"
#include "system/crash_guard.h"
#include "system/cleanup.h"
#include "system/confine.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct work {
  const options *o;
  arena *a;
  diags *d;
  char *const *environment; /* the one that this process was started with */
  run *run;                 /* prepared, or NULL */
  bool differs;             /* what the verb diff compared */
} work;

extern char **environ;

static void find_companions(rewriting *w) {
  const options *o = w->o;
  w->companions.ops_path = o->files.ops ? o->files.ops
                                        : input_sibling(o->input, companions_ops_names, w->a);
  w->companions.ops_asked_for = o->files.ops != NULL;
  w->companions.kernel_path = companions_find_kernel(o->input, w->source, w->n, w->a);
  w->companions.ops = input_read_beside(w->companions.ops_path, w->a, w->d);
  w->companions.kernel = input_read_beside(w->companions.kernel_path, w->a, w->d);
}

/* Reads the input and its command. False on an error, and if --dump=command asks for no more. */
static bool read_texts(rewriting *w) {
  w->source = input_read(w->path, &w->n, w->a, w->d);
  if (!w->source || !rewrite_command(w) || w->o->dump == DUMP_COMMAND) return false;
  find_companions(w);
  return origin_files_read(&w->companions, w->o, w->a, w->d);
}

static void rewrite_wrapper(work *x) {
  const options *o = x->o;
  rewriting w = {.o = o, .a = x->a, .d = x->d, .path = o->input};
  bool wanted = o->dump == DUMP_NONE;
  if (wanted && !atomic_output_check(o->output.path, o->input, x->d)) return;
  if (read_texts(&w) && rewrite_run(&w) && wanted &&
      atomic_output_write(o->output.path, w.result.text, w.result.n, x->d) && o->verbosity >= 0)
    fprintf(stderr, "aotigen: %s\n", rewrite_summary(&w));
}

static void list_wrapper(work *x) {
  rewriting w = {.o = x->o, .a = x->a, .d = x->d, .path = x->o->input};
  if (read_texts(&w) && rewrite_list(&w, NULL))
    rewrite_report_refuted(x->o, w.result.refuted, x->d);
}

static void rewrite(work *x, bool package) {
  if (x->o->output.library_of)
    debug_library_write(x->o, x->a, x->d);
  else if (x->o->output.cached)
    debug_package_print(x->o, x->a, x->d);
  else if (package)
    repackage_rewrite(x->o, x->a, x->d);
  else
    rewrite_wrapper(x);
}

static void list_here(work *x, bool package) {
  const char *path = x->o->input;
  if (package)
    here_list(x->o, x->a, x->d);
  else if (access(path, R_OK) != 0)
    diag_error(x->d, STATUS_INPUT, path, "cannot be read: %s", strerror(errno));
  else
    diag_error(x->d, STATUS_USAGE, path, "--here needs a .pt2 package: give the model's");
}

static const char *get_variable(const char *name) { return getenv(name); }

static void print_version(void) {
  int landlock = confine_kernel_version();
  options_version(stdout);
  if (landlock)
    printf("parser and compilers of packages run confined: Landlock %d, seccomp\n", landlock);
  else
    printf("parser and compilers of packages do not run confined: this kernel has no Landlock\n");
}

static bool wants_package(const options *o) {
  return o->verb == VERB_REWRITE || o->verb == VERB_LIST || o->verb == VERB_CHECK ||
         o->verb == VERB_BUILD;
}

/* A '.so' or a directory is packed first, and x->o gets the package's options. False if that
 * is the whole answer. */
static bool take_unpacked(work *x) {
  const options *o = x->o;
  unpacked u;
  if (!wants_package(o) || !o->input || o->output.cached || !unpacked_detect(o->input)) return true;
  if (o->verb == VERB_REWRITE && o->output.path && file_ends_with(o->output.path, ".so")) {
    diag_error(x->d, STATUS_USAGE, o->output.path,
               "would be a package: 'aotigen build INPUT -o OUTPUT' makes a '.so'");
    return false;
  }
  if (o->verb == VERB_BUILD && (o->files.weights || o->objects.n)) {
    diag_error(x->d, STATUS_USAGE, o->input,
               "is a model with its weights and kernels: other files go with a wrapper's '.cpp'");
    return false;
  }
  if (o->output.path && !atomic_output_check(o->output.path, o->input, x->d)) return false;
  if (!unpacked_pack(&u, o->input, x->a, x->d)) return false;
  options *packed = arena_alloc(x->a, sizeof *packed);
  *packed = *o;
  packed->input = u.package;
  packed->input_as = u.root;
  packed->input_below = u.below;
  x->o = packed;
  if (o->verb != VERB_BUILD) return true;
  unpacked_build(packed, &u, x->a, x->d);
  return false;
}

/* A rewritten wrapper has the lines of its model in it. */
static void build_wrapper(work *x) {
  const options *o = x->o;
  const char *option = o->files.exported     ? "--exported"
                       : o->files.provenance ? "--provenance"
                                             : NULL;
  if (option)
    diag_error(x->d, STATUS_USAGE, o->input,
               "is a wrapper, which is rewritten before 'build': give '%s' to its rewrite, "
               "'aotigen %s=FILE WRAPPER -o OUTPUT'",
               option, option);
  else
    build_run(o, x->a, x->d);
}

static void run_verb(void *data) {
  work *x = data;
  if (!take_unpacked(x)) return;
  bool package = x->o->input && archive_detect(x->o->input);
  if (package && x->o->files.ops) {
    diag_error(x->d, STATUS_USAGE, x->o->input,
               "--ops is for a wrapper: a package holds its custom operators itself");
    return;
  }
  if (x->o->input && !package && uncompiled_refuse_file(x->o->input, x->d)) return;
  switch (x->o->verb) {
    case VERB_HELP: options_help(stdout); break;
    case VERB_VERSION: print_version(); break;
    case VERB_BUILD: build_wrapper(x); break;
    case VERB_LIST:
      if (x->o->here) {
        list_here(x, package);
        break;
      }
      /* fall through */
    case VERB_CHECK: package ? repackage_list(x->o, x->a, x->d) : list_wrapper(x); break;
    case VERB_RUN:
      x->run =
          (x->o->run.watch ? watched_run_prepare : run_prepare)(x->o, x->environment, x->a, x->d);
      break;
    case VERB_WATCH: watched_make(x->o, package, x->a, x->d); break;
    case VERB_REPLAY: x->run = replay_prepare(x->o, x->environment, x->a, x->d); break;
    case VERB_DIFF: x->differs = !diff_recordings(x->o, x->a, x->d); break;
    case VERB_COMPARE:
    case VERB_BISECT: x->run = compare_prepare(x->o, x->environment, x->a, x->d); break;
    case VERB_REPORT: report_write(x->o, x->a, x->d); break;
    case VERB_REWRITE: rewrite(x, package); break;
  }
}

/* Opens closed standard streams: a file that is opened in the place of one would be used as that
 * stream. */
static void open_standard_files(void) {
  int fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd >= 0) close(fd);
}

/* Opens packages themselves in a process that `aotigen run` started: libaotigen-open.so would
 * give it debug packages. */
static void open_packages_themselves(void) {
  void (*open_nothing)(void) =
      (void (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "aotigen_open_nothing");
  if (open_nothing) open_nothing();
}

/* Later changes of the environment are not for the command of the verb run. */
static char *const *copy_environment(arena *a) {
  size_t n = 0;
  while (environ[n]) n++;
  char **copy = arena_alloc(a, (n + 1) * sizeof *copy);
  for (size_t i = 0; i < n; i++) copy[i] = environ[i];
  return copy;
}

int main(int argc, char **argv) {
  open_standard_files();
  open_packages_themselves();
  arena *a = arena_new();
  char *const *environment = copy_environment(a);
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0);
  diags *d = diags_new(a);
  options o;
  work x = {.o = &o, .a = a, .d = d, .environment = environment};
  cleanup_catch_signals();
  options_parse(&o, argc, argv, get_variable, a, d);
  options_warn_misspelt(environment, a, d);
  cleanup_use_tmpdir(o.env.tmpdir);
  elf_reader_limit(&o);
  if (o.env.cache && !cache_is_own(o.env.cache, d)) o.env.cache = NULL;
  if (diags_status(d) == STATUS_OK) crash_guard_run(run_verb, &x, &o.input);
  if (fflush(stdout) != 0 || ferror(stdout))
    diag_error(d, STATUS_INPUT, NULL, "cannot write to standard output");
  diags_print(d, stderr, o.verbosity < 0);
  int status = (int)diags_status(d);
  const bool compares = o.verb == VERB_COMPARE || o.verb == VERB_BISECT;
  if (compares && status == STATUS_INPUT) status = STATUS_USAGE; /* 1: they differ */
  if (status == STATUS_OK && x.run) status = run_command(x.run);
  if (status == STATUS_OK && x.differs) status = STATUS_INPUT;
  arena_free(a);
  return status;
}
