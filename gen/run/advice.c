/* advice.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include "base/shown.h"
#include <ctype.h>
#include <string.h>

/* The program's own command is known to who typed it: more of it would fill the screen. */
enum { ADVICE_MOST = 2, COMMAND_MOST = 400 };

#define OF(cause) (1u << (cause))

enum {
  BAD_VALUES = OF(CAUSE_BORN) | OF(CAUSE_UNKNOWN),
  CRASHES = OF(CAUSE_CRASH) | OF(CAUSE_ABORT),
  OF_LAUNCH = BAD_VALUES | CRASHES | OF(CAUSE_DEVICE) | OF(CAUSE_GUARD) | OF(CAUSE_MEMORY) |
              OF(CAUSE_UNWRITTEN) | OF(CAUSE_BESIDE) | OF(CAUSE_RELEASED) | OF(CAUSE_RACE) |
              OF(CAUSE_COLLECTIVE) | OF(CAUSE_STREAM) | OF(CAUSE_OPERATOR) | OF(CAUSE_HANG) |
              OF(CAUSE_FAILED) | OF(CAUSE_ARRIVED) | OF(CAUSE_INTERRUPTED)
};

/* What a piece of advice is decided by. */
typedef struct facts {
  const evidence *e;
  const verdict *v;
  const char *kernel; /* or NULL */
  arena *a;
} facts;

static bool has_level(const facts *f, unsigned bit) { return f->e->o->levels_set & bit; }

static bool wants_values(const facts *f) {
  return f->kernel && f->e->o->levels.printer == 0 && !has_level(f, LEVEL_KERNELS);
}
static bool has_launch(const facts *f) {
  const event *x = f->v->event;
  return f->e->nmodels && x && x->place.run > 0 && x->place.launch > 0;
}
static bool wants_values_of_launch(const facts *f) {
  return wants_values(f) && has_launch(f) && !f->e->printer_to;
}
static bool wants_values_there(const facts *f) {
  return wants_values(f) && has_launch(f) && f->e->printer_to;
}
static bool wants_values_of_kernel(const facts *f) { return wants_values(f) && !has_launch(f); }
static bool is_sent(const event *x) { return x && event_is_request(x); }
/* True for an explained value, and for a division: they need no other reason. */
static bool has_own_reason(const event *x) {
  return x && (x->value.how || (x->end.signal && !strcmp(x->end.signal, "SIGFPE")));
}
/* A package may not be made by `run`: then the event says which guards it was built with. */
static bool wants_guard(const facts *f) {
  if (has_own_reason(f->v->event)) return false;
  const char *built = f->v->event ? f->v->event->end.guards : NULL;
  const bool watched =
      built && (strstr(built, "canary") || (strstr(built, "page") && !strstr(built, ":NAMES")));
  return f->e->log->found && !f->e->o->levels.guard && !watched && !is_sent(f->v->event);
}
static bool is_before_buffer(const event *x) {
  return x && x->memory.element != EVENT_NO_ELEMENT && x->memory.element < 0;
}
static bool wants_page_before(const facts *f) {
  return is_before_buffer(f->v->event) && !(f->e->o->levels.guard & AOTIGEN_GUARD_PAGE_BEFORE);
}
static bool wants_page(const facts *f) {
  const char *buffer = f->v->event ? f->v->event->memory.buffer : NULL;
  if (is_before_buffer(f->v->event)) return false;
  return buffer && strspn(buffer, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(buffer) &&
         !(f->e->o->levels.guard & (AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE));
}
static bool wants_names(const facts *f) { return f->e->o->levels.printer == 0; }
static bool wants_dump(const facts *f) { return !f->e->has_gpu_cores && !f->e->refuses_gpu_cores; }
static bool wants_sync(const facts *f) {
  return f->e->log->found && !f->e->o->levels.sync && !f->e->has_gpu_cores;
}
static bool wants_infinity(const facts *f) {
  return f->v->event->value.made_of && !has_level(f, LEVEL_NAN_ASSERTS) &&
         !infinity_report_has_suspect(f->e, f->v->event);
}
static bool wants_filled(const facts *f) {
  const event *x = f->v->event;
  return x->value.unwritten && event_is_on_cpu(x) &&
         !malloc_fill_is_finite(f->e->o->env.malloc_fill);
}
static bool wants_launch(const facts *f) {
  return f->e->log->found && f->e->has_gpu_cores &&
         !device_report_knows_launch(f->e, f->v->event, f->a);
}
static bool wants_lines(const facts *f) {
  return !f->e->o->files.exported && f->v->event && !f->v->event->place.model_lines.n;
}
/* True if the program failed, and not before a run was begun. */
static bool failed_beside_runs(const facts *f) {
  return event_log_has_run(f->e->log) && f->e->status != 0;
}
static bool wants_guard_then(const facts *f) { return failed_beside_runs(f) && wants_guard(f); }
static bool wants_all(const facts *f) {
  return failed_beside_runs(f) && !has_level(f, LEVEL_NAN_ASSERTS | LEVEL_SYNC);
}
static bool wants_package(const facts *f) { return !f->e->log->found && !f->e->nmodels; }
static bool has_package(const facts *f) { return f->e->nmodels > 0; }
/* True if aotigen check can prove the bounds of the launch. It cannot see what an operator does. */
static bool is_checked(const facts *f) {
  const char *is = f->v->event->place.launch_is;
  return has_package(f) && !f->v->event->value.maker && (!is || strcmp(is, "operator") != 0);
}
/* A capsule's inputs are all that its replay is passed. */
static bool has_caller(const facts *f) { return !f->e->o->replay.capsule; }
static bool is_refuted(const facts *f) { return static_report_is_refuted(f->e); }
static bool always(const facts *f) {
  (void)f;
  return true;
}

/* Excludes --core-dump. */
static const char no_dump[] = "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=0";

/* The first rows that fit are shown. Of `how` --model and --core-dump are for the run, another
 * option for the debug package, a variable for the program, and all else a command; {kernel},
 * {buffer} and {package} are filled in. */
static const struct {
  unsigned causes;
  bool (*fits)(const facts *f);
  const char *text, *how;
} rows[] = {
    {OF(CAUSE_NONE), is_refuted, "see what is refuted, and for which sizes",
     "aotigen check {package}"},
    {OF(CAUSE_NONE) | OF(CAUSE_DEVICE), wants_package, "name the package that the program opens",
     "--model=PACKAGE"},
    {OF(CAUSE_MEMORY), wants_page_before, "end the program at the very access",
     "--guard=page-before"},
    {OF(CAUSE_MEMORY), wants_page,
     "end the program at the very access, if it is 64 bytes (on a GPU 512) or more behind the end",
     "--guard=page:{buffer}"},
    {OF(CAUSE_DEVICE), wants_launch, "name the launch: without a core dump it is the first unended",
     no_dump},
    {OF(CAUSE_DEVICE), wants_dump, "have the driver tell the block, the thread and the line",
     "--core-dump"},
    {CRASHES | OF(CAUSE_DEVICE) | OF(CAUSE_OUTSIDE), wants_guard,
     "find out whether a launch writes beside its buffers", "--guard=canary"},
    {OF(CAUSE_DEVICE), wants_sync, "wait for each launch, so that the error belongs to one",
     "--sync"},
    {OF(CAUSE_UNKNOWN), wants_filled,
     "have malloc() fill memory with numbers: what is then no longer bad was left unwritten",
     "MALLOC_PERTURB_=192"},
    {BAD_VALUES, wants_infinity, "search for Inf as well, of which the launch may have made it",
     "--nan-asserts=all"},
    {BAD_VALUES | CRASHES | OF(CAUSE_FAILED), wants_values_of_launch,
     "print the values that this launch reads and writes, to printed.txt",
     "AOTIGEN_RUNS={run} AOTIGEN_LAUNCHES={launch} --printer=2 --printer-to=printed.txt"},
    {BAD_VALUES | CRASHES | OF(CAUSE_FAILED), wants_values_there,
     "print the values that this launch reads and writes, to the printer's file",
     "AOTIGEN_RUNS={run} AOTIGEN_LAUNCHES={launch} --printer=2"},
    {BAD_VALUES | CRASHES | OF(CAUSE_FAILED), wants_values_of_kernel,
     "print the values that this launch reads and writes", "--printer=2 --kernels={kernel}"},
    {OF(CAUSE_GUARD), is_checked, "look for it in all launches and for all sizes, without a run",
     "aotigen check {package}"},
    {OF(CAUSE_ARRIVED), has_caller, "end the run at it, to see who passed that tensor",
     "AOTIGEN_ON_FAULT=throw"},
    {OF(CAUSE_FAILED), always, "show the C++ stack of the exception",
     "TORCH_SHOW_CPP_STACKTRACES=1"},
    {OF(CAUSE_INTERRUPTED), always, "have a launch that takes longer named, with its stack",
     "AOTIGEN_WATCHDOG=60"},
    {OF(CAUSE_INTERRUPTED) | OF(CAUSE_HANG), wants_names, "name each launch as it is made",
     "--printer=3"},
    {OF(CAUSE_SELECTION), has_package, "list the names that a filter can select",
     "aotigen list {package}"},
    {OF_LAUNCH, wants_lines,
     "name the model's own lines: FILE is what torch.export.save() wrote of the model",
     "--exported=FILE"},
    {~OF(CAUSE_NONE), is_refuted, "see what is refuted, and for which sizes",
     "aotigen check {package}"},
    {OF(CAUSE_NONE), wants_guard_then, "find out whether a launch writes beside its buffers",
     "--guard=canary"},
    {OF(CAUSE_NONE), wants_all, "search for Inf as well, and wait for each launch of a GPU",
     "--nan-asserts=all --sync"},
};

/* ---- the command */

/* A text with characters that a terminal does not show: $'...', as bash, ksh and zsh read it. */
static void add_escaped(strbuf *t, const char *word) {
  strbuf_puts(t, "$'");
  for (size_t n; *word; word += n ? n : 1) {
    n = shown_length(word);
    if (*word == '\n')
      strbuf_puts(t, "\\n");
    else if (*word == '\\')
      strbuf_puts(t, "\\\\");
    else if (!n || *word == '\'')
      strbuf_printf(t, "\\x%02x", (unsigned char)*word);
    else
      strbuf_add(t, word, n);
  }
  strbuf_puts(t, "'");
}

static void add_quoted(strbuf *t, const char *word) {
  strbuf_puts(t, "'");
  for (; *word; word++)
    if (*word == '\'')
      strbuf_puts(t, "'\\''");
    else
      strbuf_add(t, word, 1);
  strbuf_puts(t, "'");
}

void advice_add_word(strbuf *t, const char *word, arena *a) {
  static const char plain[] = "@%+=:,./-_";
  bool bare = *word != '\0';
  for (const char *c = word; *c && bare; c++)
    bare = isalnum((unsigned char)*c) || strchr(plain, *c);
  if (t->n) strbuf_puts(t, " ");
  if (bare)
    strbuf_puts(t, word);
  else if (shown_text(word, a) == word)
    add_quoted(t, word);
  else
    add_escaped(t, word);
}

/* The package of the event, if it is known; else the only one. */
static const char *find_package(const facts *f) {
  const evidence *e = f->e;
  const char *source = f->v->event ? f->v->event->place.source : NULL;
  const model_use *of = source ? model_use_find(e->models, e->nmodels, source) : NULL;
  if (of) return of->model;
  return e->nmodels == 1 ? e->models[0].model : "PACKAGE";
}

static const char *name_number(long long number, arena *a) {
  return arena_printf(a, "%lld", number);
}

/* Adds words of `how`, with placeholders filled in. */
static void add_words(strbuf *t, const char *how, const facts *f, arena *a) {
  while (*how) {
    size_t n = strcspn(how, " ");
    char *word = arena_strndup(a, how, n), *slot = strchr(word, '{');
    const char *value = slot && !strcmp(slot, "{run}") ? name_number(f->v->event->place.run, a)
                        : slot && !strcmp(slot, "{launch}")
                            ? name_number(f->v->event->place.launch, a)
                        : slot && !strcmp(slot, "{kernel}") ? f->kernel
                        : slot && !strcmp(slot, "{buffer}") ? f->v->event->memory.buffer
                        : slot                              ? find_package(f)
                                                            : "";
    if (slot) *slot = '\0';
    advice_add_word(t, arena_printf(a, "%s%s", word, value), a);
    how += n;
    how += strspn(how, " ");
  }
}

/* Whose command it is: of a replay the capsule is. */
static void add_command(strbuf *t, const options *o, arena *a) {
  const size_t most = t->n + COMMAND_MOST;
  char *const *p = o->run.command;
  if (o->replay.capsule) {
    advice_add_word(t, o->replay.capsule, a);
    return;
  }
  strbuf_puts(t, " --");
  for (; *p && t->n < most; p++) advice_add_word(t, *p, a);
  if (*p) strbuf_puts(t, " ...");
}

/* The same run again, with more options. --core-dump stays only with `dumps`. */
static void add_run(strbuf *t, const char *more, bool dumps, const facts *f, arena *a) {
  const evidence *e = f->e;
  size_t begin = t->n;
  strbuf_printf(t, "%saotigen %s", begin ? " " : "", e->o->replay.capsule ? "replay" : "run");
  for (size_t i = 0; i < e->o->run.given.n; i++)
    if (dumps || strcmp(e->o->run.given.at[i], "--core-dump") != 0)
      advice_add_word(t, e->o->run.given.at[i], a);
  add_words(t, more, f, a);
  add_command(t, e->o, a);
}

static bool is_of_run(const char *option) {
  return !strncmp(option, "--model=", 8) || !strcmp(option, "--core-dump");
}

static bool is_variable(const char *how) { return isupper((unsigned char)*how) != 0; }

/* The words behind those that set variables. */
static const char *skip_variables(const char *how) {
  while (is_variable(how)) {
    how += strcspn(how, " ");
    how += strspn(how, " ");
  }
  return how;
}

static const char *make_command(const char *how, const facts *f, arena *a) {
  strbuf t = {0};
  const char *rest = skip_variables(how);
  if (is_variable(how)) {
    add_words(&t, arena_strndup(a, how, (size_t)(rest - how)), f, a);
    add_run(&t, rest, how != no_dump, f, a);
  } else if (!strncmp(how, "--", 2) && (f->e->nmodels || is_of_run(how))) {
    add_run(&t, how, true, f, a);
  } else if (!strncmp(how, "--", 2)) {
    strbuf_puts(&t, "aotigen");
    add_words(&t, how, f, a);
    strbuf_puts(&t, " PACKAGE -o DEBUG_PACKAGE");
  } else {
    add_words(&t, how, f, a);
  }
  return strbuf_take(&t, a);
}

enum { LONG_NAME = 128 /* from here on the log's line of the launch in flight cuts it */ };

void advice_add(screen *s, const evidence *e, const verdict *v) {
  const char *kernel = v->event ? v->event->place.kernel : v->launch ? v->launch->kernel : NULL;
  /* Names the kernel only if a pattern can: patterns have no other characters than kernels'
   * names. */
  for (const char *c = kernel; kernel && *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("_:.", *c)) kernel = NULL;
  if (kernel && strlen(kernel) >= LONG_NAME) kernel = arena_printf(s->a, "%.80s*", kernel);
  const facts f = {.e = e, .v = v, .kernel = kernel, .a = s->a};
  const unsigned cause = OF(v->launch ? CAUSE_INTERRUPTED : v->cause);
  int n = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && n < ADVICE_MOST; i++) {
    if (!(rows[i].causes & cause) || !rows[i].fits(&f)) continue;
    screen_whole(s, n++ ? "" : "try next", "%s:", rows[i].text);
    screen_command(s, make_command(rows[i].how, &f, s->a));
    s->spare = true;
  }
}
