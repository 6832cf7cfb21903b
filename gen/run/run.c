/* run.c - see run.h. */
#include "run/run.h"
#include "base/file.h"
#include "base/shown.h"
#include "run/child.h"
#include "run/core_dump.h"
#include "run/debug_package.h"
#include "run/diagnosis.h"
#include "run/environment.h"
#include "run/event_log.h"
#include "run/static_check.h"
#include "run/wrapper_text.h"
#include "system/budget.h"
#include "system/cleanup.h"
#include "system/own_path.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
  const options *o;
  arena *a;
  const char *dir; /* private */
  environment environment;
  debug_package packages[AG_RUN_MODELS];
  static_check checks[AG_RUN_MODELS];
  run_sequel sequel; /* tell: NULL for none */
};

void run_add_sequel(run *r, const run_sequel *sequel) { r->sequel = *sequel; }

/* The directory of --keep. */
static bool make_keep(const char *dir, diags *d) {
  char real[PATH_MAX], odd[PATH_MAX];
  if (!own_path_follow(dir, real, odd) && errno == EPERM)
    diag_error(d, STATUS_INPUT, dir, "is not written to: '%s' is a link of another user's", odd);
  else if (!file_make_dirs(dir, 0777))
    diag_error(d, STATUS_INPUT, dir,
               "is not a directory that can be written to, as --keep wants one: %s",
               strerror(errno));
  else
    return true;
  return false;
}

run *run_prepare(const options *o, char *const *given, arena *a, diags *d) {
  run *r = arena_alloc(a, sizeof *r);
  *r = (run){.o = o, .a = a};
  if (o->run.keep && !make_keep(o->run.keep, d)) return NULL;
  for (size_t i = 0; i < o->run.nmodels; i++)
    if (!debug_package_make(&r->packages[i], i, o, a, d)) return NULL;
  for (size_t i = 0; i < o->run.nmodels && !o->run.watch; i++)
    static_check_make(&r->checks[i], o, &r->packages[i], a);
  r->dir = cleanup_private_dir(d);
  bool ok = r->dir && environment_make(&r->environment, given, o, r->dir, r->packages, a, d);
  return ok ? r : NULL;
}

/* ---- after the command */

/* The notes are links that lead nowhere. */
static bool is_noted(const run *r, char what, size_t i) {
  const char *notes = environment_notes_directory(r->dir, r->a);
  struct stat s;
  return lstat(arena_printf(r->a, "%s/%c%zu", notes, what, i), &s) == 0;
}

/* The first package that is the same file: the library's notes name that one. */
static size_t find_noted(const run *r, size_t i) {
  const struct stat *s = &r->packages[i].original;
  for (size_t k = 0; k < i; k++)
    if (r->packages[k].original.st_dev == s->st_dev && r->packages[k].original.st_ino == s->st_ino)
      return k;
  return i;
}

static void find_uses(const run *r, model_use uses[AG_RUN_MODELS]) {
  for (size_t i = 0; i < r->o->run.nmodels; i++) {
    const size_t k = find_noted(r, i);
    uses[i] = (model_use){.model = r->packages[i].model,
                          .root = r->packages[i].root,
                          .wrapper = r->packages[i].wrapper,
                          .kind = r->o->run.watch ? "watch" : "debug",
                          .opened = is_noted(r, 'o', k),
                          .loaded = is_noted(r, 'd', k),
                          .read = is_noted(r, 'r', k),
                          .failed = is_noted(r, 'f', k),
                          .written = is_noted(r, 'w', k),
                          .changed = is_noted(r, 'c', k),
                          .missing = is_noted(r, 'm', k)};
  }
}

/* A shell exits with 128 + the number of the signal that ended its command. */
static const char *find_signal(int status, arena *a) {
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
  const char *name = number > 0 && number < NSIG ? sigabbrev_np(number) : NULL;
  if (name) return arena_printf(a, "SIG%s", name);
  return WIFSIGNALED(status) ? arena_printf(a, "signal %d", number) : NULL;
}

/* Copies a file that the run left to the directory of --keep, and names it there. */
static void keep_file(const run *r, const char *path, const char *name) {
  char buffer[64 << 10];
  const char *to = arena_printf(r->a, "%s/%s", r->o->run.keep, name);
  int in = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (in < 0) return;
  unlink(to); /* it may be another user's */
  int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool ok = out >= 0;
  for (ssize_t n; ok && (n = read(in, buffer, sizeof buffer)) != 0;)
    ok = n > 0 && file_write(out, buffer, (size_t)n);
  int error = errno;
  if (out >= 0 && close(out) != 0 && ok) {
    ok = false;
    error = errno;
  }
  close(in);
  if (ok)
    fprintf(stderr, "aotigen: kept '%s'\n", shown_text(to, r->a));
  else
    fprintf(stderr, "aotigen: '%s' could not be kept: %s\n", shown_text(to, r->a), strerror(error));
}

static void keep_files(const run *r, const core_dump *core) {
  if (!r->o->run.keep) return;
  if (r->environment.own_log) keep_file(r, r->environment.log, "events.jsonl");
  if (r->environment.printed) keep_file(r, r->environment.printed, "printed.txt");
  if (core->file) keep_file(r, core->file, file_name(core->file));
}

/* Of a watched program the log has the findings, and the capsules have all else. */
static bool tell_alone(const run *r, const child *c, const log_files *files) {
  event_log *log = arena_alloc(r->a, sizeof *log);
  model_use uses[AG_RUN_MODELS];
  log->a = r->a;
  log_files_read(files, log);
  find_uses(r, uses);
  const evidence e = {.o = r->o,
                      .log = log,
                      .models = uses,
                      .nmodels = r->o->run.nmodels,
                      .pid = c->pid,
                      .status = c->status,
                      .signal = find_signal(c->status, r->a)};
  return r->sequel.tell(r->sequel.data, &e, NULL, r->a);
}

/* False if there is nothing to diagnose. */
static bool diagnose(const run *r, const child *c, const log_files *files) {
  event_log *log = arena_alloc(r->a, sizeof *log);
  core_dump core = {0};
  model_use uses[AG_RUN_MODELS];
  log->a = r->a;
  log_files_read(files, log);
  if (r->environment.finds_gpu_cores)
    core_dump_find(&core, environment_cores_directory(r->dir, r->a), r->a);
  find_uses(r, uses);
  evidence e = {.o = r->o,
                .log = log,
                .log_name = r->environment.log,
                .core = &core,
                .has_gpu_cores = r->environment.has_gpu_cores,
                .refuses_gpu_cores = r->environment.refuses_gpu_cores,
                .models = uses,
                .nmodels = r->o->run.nmodels,
                .checks = r->checks,
                .narrowed = r->environment.narrowed,
                .printer_to = r->environment.printer_to,
                .pid = c->pid,
                .status = c->status,
                .signal = find_signal(c->status, r->a)};
  e.source = diagnosis_source(&e);
  if (e.source) e.wrapper = wrapper_text_find(e.source, r->packages, r->o->run.nmodels, r->o, r->a);
  diagnosis_notes notes = {.facts = r->o->json ? cJSON_CreateObject() : NULL};
  if (r->sequel.tell && !r->sequel.tell(r->sequel.data, &e, &notes, r->a)) return false;
  e.notes = &notes;
  diagnosis_print(&e, r->o->json ? stdout : stderr, r->a);
  cJSON_Delete(notes.facts);
  keep_files(r, &core);
  return true;
}

int run_command(run *r) {
  const environment *e = &r->environment;
  log_files files;
  child c;
  budget_begin(&(process_limits){0}); /* the packages' budget does not apply */
  log_files_note(&files, e->log, !e->own_log, r->a);
  fflush(NULL);
  if (!child_run(&c, r->o->run.command, e->at)) {
    fprintf(stderr, "aotigen: error: '%s' cannot be run: %s\n",
            shown_text(r->o->run.command[0], r->a), strerror(c.error));
    return child_error_status(&c);
  }
  if (!(r->sequel.alone ? tell_alone(r, &c, &files) : diagnose(r, &c, &files))) return STATUS_INPUT;
  fflush(NULL);
  if (WIFEXITED(c.status)) return WEXITSTATUS(c.status);
  cleanup_run();
  child_die_alike(&c);
  return 128 + WTERMSIG(c.status);
}
