/* compile.c - see compile.h. Knows how a compiler is started and how it reports errors, not what is
 * compiled. */
#include "toolchain/compile.h"
#include "base/file.h"
#include "base/shown.h"
#include "command/flags.h"
#include "system/budget.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG_MAX = 64 << 20, LOG_LINES = 60 };
/* The free bytes that a compilation may need, and those with which few succeed. */
enum { SPACE_SMALL = 128 << 20, SPACE_NONE = 16 << 20 };

static bool compiler_runs(const char *name, const char *log) {
  char version[] = "--version", *argv[] = {(char *)name, version, NULL};
  process p;
  return process_start(&p, argv, log, &(process_setting){0}) && process_wait(&p);
}

static bool take_compiler(compiler *x, const char *name, const char *log, arena *a) {
  x->name = name;
  if (!flags_is_compiler(name, &x->clang)) x->clang = false;
  if (!compiler_runs(name, log)) return false;
  strbuf t = {0};
  x->version = file_read(log, LOG_MAX, &t) ? arena_strdup(a, t.at) : "";
  x->own_assembler = strstr(x->version, "clang") != NULL;
  strbuf_free(&t);
  return true;
}

const char *compiler_flag(const compiler *x, const char *spelling) {
  static const char *const pairs[][2] = {{"-fno-tree-loop-vectorize", "-fno-vectorize"},
                                         {"-ftree-loop-vectorize", "-fvectorize"}};
  for (size_t i = 0; x->clang && i < sizeof pairs / sizeof *pairs; i++)
    if (!strcmp(spelling, pairs[i][0])) return pairs[i][1];
  return spelling;
}

bool compiler_pick(compiler *x, const options *o, const command *c, arena *a, diags *d) {
  static const char *const names[] = {"g++", "clang++"};
  const char *log = arena_printf(a, "%s/version.log", x->tmpdir);
  x->verbosity = o->verbosity;
  x->closed = c->untrusted;
  if (o->env.cxx) {
    if (take_compiler(x, o->env.cxx, log, a)) return true;
    diag_error(d, STATUS_INPUT, NULL, "the compiler '%s', which $CXX names, does not run",
               o->env.cxx);
    return false;
  }
  for (int i = 0; i < 2; i++) {
    if (take_compiler(x, names[i ^ (c->clang ? 1 : 0)], log, a)) return true;
  }
  diag_error(d, STATUS_INPUT, NULL,
             "no C++ compiler: neither 'g++' nor 'clang++' is on PATH; install one (apt-get "
             "install g++), or name it with $CXX");
  return false;
}

void compiler_include_dirs(const compiler *x, strings *dirs, arena *a) {
  char c_plus_plus[] = "-xc++", preprocess[] = "-E", verbose[] = "-v", null[] = "/dev/null",
       *argv[] = {(char *)x->name, c_plus_plus, preprocess, verbose, null, NULL};
  const char *log = arena_printf(a, "%s/include-dirs.log", x->tmpdir);
  process p;
  strbuf t = {0};
  if (!process_start(&p, argv, log, &(process_setting){.tmpdir = x->tmpdir, .closed = x->closed}) ||
      !process_wait(&p) || !file_read(log, LOG_MAX, &t))
    return;
  const char *s = strstr(t.at, "#include <...>");
  for (s = s ? strchr(s, '\n') : NULL; s && s[1] == ' '; s = strchr(s + 1, '\n'))
    *arena_push(a, dirs) = arena_strndup(a, s + 2, strcspn(s + 2, "\n"));
  strbuf_free(&t);
}

static void show_command(const char *name, const strings *argv) {
  FILE *to = shown_open(stderr);
  fprintf(to, "%s", name);
  for (size_t i = 0; i < argv->n; i++)
    fprintf(to, strpbrk(argv->at[i], " \t\"'\\$&;|<>()*?[]#~`") ? " '%s'" : " %s", argv->at[i]);
  fputc('\n', to);
  fclose(to);
}

static bool start_process(job *j, const compiler *x, char *const argv[]) {
  confine rules;
  process_setting how = {.tmpdir = j->dir, .closed = x->closed};
  bool ok = mkdir(j->dir, 0700) == 0 || errno == EEXIST;
  if (x->closed) how.dir = j->dir; /* debug information then does not name the user's directory */
  if (ok && x->confined) {
    how.confine = &rules;
    how.seconds = x->seconds;
    ok = confine_outputs(&rules, &x->confine, j->dir);
  }
  j->process = (process){.error = ok ? 0 : errno};
  ok = ok && process_start(&j->process, argv, j->log, &how);
  if (how.confine) confine_end_outputs(&rules);
  return ok;
}

/* GCC's driver passes its flags to the compiler proper in one environment variable, each in quotes
 * and some as two words. Linux limits a variable to 32 pages. */
static bool check_flags(const job *j, const compiler *x, diags *d) {
  enum { OWN = 256, QUOTES = 6, QUOTED = 3 };
  size_t n = OWN, most = 32 * (size_t)sysconf(_SC_PAGESIZE);
  if (x->own_assembler) return true;
  for (size_t i = 0; i < j->argv.n; i++) {
    const char *word = j->argv.at[i];
    n += *word == '-' ? strlen(word) + QUOTES : 0;
    for (; *word; word++) n += *word == '\'' ? QUOTED : 0;
  }
  if (n <= most) return true;
  diag_error(d, STATUS_INPUT, j->what,
             "the flags of the recorded command are too long for '%s': they take %zu bytes, and "
             "the system lets it pass on %zu",
             x->name, n, most);
  return false;
}

bool job_start(job *j, const compiler *x, arena *a, diags *d) {
  char **argv = arena_alloc(a, (j->argv.n + 2) * sizeof *argv);
  argv[0] = (char *)x->name;
  for (size_t i = 0; i < j->argv.n; i++) argv[i + 1] = (char *)j->argv.at[i];
  if (x->verbosity > 0) show_command(x->name, &j->argv);
  if (!check_flags(j, x, d)) return false;
  if (x->at_once) process_wait_below(x->at_once);
  if (start_process(j, x, argv)) return true;
  const char *why = j->process.error == E2BIG ? "the recorded command is too long"
                                              : strerror(j->process.error);
  diag_error(d, STATUS_INPUT, j->what, "'%s' cannot be started: %s", x->name, why);
  return false;
}

/* The compiler's own messages: up to the line "FILE: Assembler messages:". */
static strbuf before_assembler(const strbuf *log) {
  static const char mark[] = ": Assembler messages:";
  const size_t k = sizeof mark - 1;
  size_t i = 0;
  for (size_t n; i < log->n; i += n + 1) {
    n = strcspn(log->at + i, "\n");
    if (n >= k && !memcmp(log->at + i + n - k, mark, k)) break;
  }
  return (strbuf){.at = log->at, .n = i < log->n ? i : log->n};
}

/* Prints a compiler's messages, which quote the source. Control characters are replaced. */
static void print_log(const strbuf *log) {
  FILE *to = shown_open(stderr);
  size_t lines = 0, i = 0;
  while (i < log->n && lines < LOG_LINES) {
    size_t n = strcspn(log->at + i, "\n");
    fwrite(log->at + i, 1, n, to);
    fputc('\n', to);
    lines++;
    i += n + 1;
  }
  if (i < log->n) fprintf(to, "(and more)\n");
  fclose(to);
}

/* True if the line states an error. "collect2" only says that the linker failed. */
static bool is_error(const char *line, size_t n) {
  static const char *const marks[] = {"error: ", "undefined reference", "multiple definition"};
  static const char driver[] = "collect2: ";
  if (n > sizeof driver && !strncmp(line, driver, sizeof driver - 1)) return false;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (memmem(line, n, marks[i], strlen(marks[i]))) return true;
  return false;
}

/* The text without the name of the private directory, which tells nothing. */
static const char *shorten_paths(const char *text, const char *dir, arena *a) {
  size_t n = strlen(dir);
  strbuf t = {0};
  for (const char *at; (at = strstr(text, dir)); text = at + n + (at[n] == '/'))
    strbuf_add(&t, text, (size_t)(at - text));
  strbuf_puts(&t, text);
  const char *copy = arena_strndup(a, t.at ? t.at : "", t.n);
  strbuf_free(&t);
  return copy;
}

/* The first line with an error, else, with `any`, the first line; NULL if there is none. */
static const char *find_error(const compiler *x, const strbuf *log, bool any, arena *a) {
  enum { LINE_MAX_BYTES = 500 };
  const char *found = NULL;
  size_t found_n = 0;
  for (size_t i = 0, n; i < log->n; i += n + 1) {
    const char *line = log->at + i;
    n = strcspn(line, "\n");
    bool error = is_error(line, n);
    if (!n || (!error && (found || !any))) continue;
    found = line;
    found_n = n < LINE_MAX_BYTES ? n : LINE_MAX_BYTES;
    if (error) break;
  }
  return found ? shorten_paths(arena_strndup(a, found, found_n), x->tmpdir, a) : NULL;
}

/* A compiler cannot report that the disk is full if its messages go to the same disk. It removed
 * its own files when it failed, so a little space is free by now. */
static void note_lack_of_space(const compiler *x, const strbuf *log, const char *what, diags *d) {
  struct statvfs s;
  if (!x->tmpdir || statvfs(x->tmpdir, &s) != 0) return;
  unsigned long long left = (unsigned long long)s.f_bavail * s.f_frsize;
  bool silent = log->n == 0 || memmem(log->at, log->n, "No space left", 13);
  if (left < (silent ? SPACE_SMALL : SPACE_NONE))
    diag_note(d, what,
              "the file system of the temporary directory '%s' is full, or nearly so: %llu KiB are "
              "left; TMPDIR=DIR chooses another directory",
              x->tmpdir, left >> 10);
}

/* The limit of --limits that a compiler, or a program that it started, reports as reached; "" if it
 * only reports that something was refused, NULL if it reports neither. */
static const char *find_limit(const strbuf *log) {
  static const char *const marks[][2] = {{"out of memory", "memory"},
                                         {"memory exhausted", "memory"},
                                         {"Cannot allocate memory", "memory"},
                                         {"CPU time limit", "cpu"},
                                         {"File size limit", "file"},
                                         {"File too large", "file"},
                                         {"Resource temporarily unavailable", "processes"},
                                         {"Permission denied", ""},
                                         {"Operation not permitted", ""},
                                         {"Killed signal", ""}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (log->n && memmem(log->at, log->n, marks[i][0], strlen(marks[i][0]))) return marks[i][1];
  return NULL;
}

static void note_confinement(const compiler *x, const strbuf *log, const job *j, diags *d) {
  const char *limit = j->process.error == ETIMEDOUT ? "" : find_limit(log);
  if (x->confined && limit && *limit)
    diag_note(d, j->what, "it met a limit of its own: --limits=%s=N allows more", limit);
  if (x->confined && limit)
    diag_note(
        d, j->what,
        "the compiler ran confined, within limits: a package of your own can be rewritten with "
        "--confine=off");
}

static const char *how_it_ended(const process *p, const compiler *x, arena *a) {
  if (p->error == ETIMEDOUT)
    return arena_printf(
        a, "it was ended after %u s by the clock: --limits=clock=SECONDS allows more", x->seconds);
  if (p->error) return strerror(p->error);
  if (WIFSIGNALED(p->status))
    return arena_printf(a, "it died of signal %d (%s)", WTERMSIG(p->status),
                        strsignal(WTERMSIG(p->status)));
  return arena_printf(a, "exit status %d", WEXITSTATUS(p->status));
}

static void report_assembler(const job *j, const compiler *x, const char *verb, const char *how,
                             diags *d) {
  diag_error(d, STATUS_INPUT, j->what,
             "cannot be %s: the assembler that '%s' starts fails (%s): the source makes assembler "
             "text, which AOTInductor never emits, or the assembler is older than the compiler; "
             "its messages may quote other files and are not shown: 'aotigen build' shows those of "
             "your own sources",
             verb, x->name, how);
}

/* A package's sources may make a compiler write any number of lines, so only one is shown. `log`
 * has no messages of the assembler, if there were any. */
static void report_failure(const job *j, const compiler *x, const char *verb, const strbuf *log,
                           bool assembler, arena *a, diags *d) {
  const char *how = how_it_ended(&j->process, x, a),
             *error = x->closed && log->n ? find_error(x, log, !assembler, a) : NULL;
  if (error)
    diag_error(d, STATUS_INPUT, j->what, "cannot be %s: '%s' says (%s): %s", verb, x->name, how,
               error);
  else if (assembler)
    report_assembler(j, x, verb, how, d);
  else if (log->n)
    diag_error(d, STATUS_INPUT, j->what, "cannot be %s: '%s' says (%s):", verb, x->name, how);
  else
    diag_error(d, STATUS_INPUT, j->what, "cannot be %s: '%s' failed (%s) and said nothing", verb,
               x->name, how);
}

bool job_wait(job *j, const compiler *x, const char *verb, arena *a, diags *d) {
  if (process_wait(&j->process)) return !budget_is_spent(true) || !budget_report(j->what, d);
  if (budget_report(j->what, d)) return false;
  strbuf log = {0};
  file_read(j->log, LOG_MAX, &log);
  const strbuf own = x->closed ? before_assembler(&log) : log;
  report_failure(j, x, verb, &own, own.n < log.n, a, d);
  note_lack_of_space(x, &log, j->what, d);
  note_confinement(x, &log, j, d);
  diags_print(d, stderr, x->verbosity < 0);
  if (!x->closed || x->verbosity > 0) print_log(&own);
  strbuf_free(&log);
  return false;
}
