/* options.c - see options.h. The parser of the command line; the table is in option_table.c. */
#include "base/file.h"
#include "base/option_table.h"
#include "base/option_value.h"
#include "shared/nearest.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
  options *o;
  arena *a;
  diags *d;
  arena_list(const option *) used;
  strings operands;
  bool failed;
} parser;

/* ---- the parser */

__attribute__((format(printf, 2, 3))) static void report_usage(parser *p, const char *format, ...) {
  if (p->failed) return; /* only the first error is reported */
  p->failed = true;
  va_list args;
  va_start(args, format);
  diag_error(p->d, STATUS_USAGE, NULL, "%s", arena_vprintf(p->a, format, args));
  va_end(args);
  diag_note(p->d, NULL, "try 'aotigen --help'");
}

static const option *find_long(const char *name, size_t n) {
  for (size_t i = 0; i < option_table_n; i++)
    if (strlen(option_table[i].name) == n && !memcmp(option_table[i].name, name, n))
      return &option_table[i];
  return NULL;
}

static const option *find_letter(char letter) {
  for (size_t i = 0; i < option_table_n; i++)
    if (option_table[i].letter && option_table[i].letter == letter) return &option_table[i];
  return NULL;
}

static void report_value(parser *p, const option *t, const char *value, const char *wants) {
  report_usage(p, "value '%.200s' of option '--%s' must be %s", value, t->name, wants);
}

static void set_option(parser *p, const option *t, const char *value) {
  *arena_push(p->a, &p->used) = t;
  const level *l = t->set ? NULL : level_of_option(t->name);
  if (l) p->o->levels_set |= 1u << (l - level_table);
  if (l && !level_read(&p->o->levels, l, value, p->a))
    report_value(p, t, value, level_wants(l, p->a));
  else if (!l && !t->set(p->o, value))
    report_value(p, t, value, t->wants ? t->wants : "the name of a file");
}

/* The option whose name is the nearest to a word of n bytes, or NULL. */
static const char *find_near_option(const char *name, size_t n) {
  ag_nearest s;
  ag_nearest_begin_word(&s, name, n);
  for (size_t i = 0; i < option_table_n; i++)
    ag_nearest_add(&s, option_table[i].name, strlen(option_table[i].name));
  return s.count ? s.best[0].name : NULL;
}

static void report_unknown(parser *p, const char *arg, const char *name, size_t n) {
  const char *near = find_near_option(name, n);
  report_usage(p, "unknown option '%.200s'%s", arg,
               near ? arena_printf(p->a, "; the nearest is '--%s'", near) : "");
}

/* --name, --name=value, --name value. */
static void parse_long(parser *p, const char *arg, char *const **next) {
  const char *name = arg + 2, *equals = strchr(name, '=');
  const size_t n = equals ? (size_t)(equals - name) : strlen(name);
  const option *t = find_long(name, n);
  if (!t)
    report_unknown(p, arg, name, n);
  else if (!t->value && equals)
    report_usage(p, "option '--%s' takes no value", t->name);
  else if (!t->value)
    set_option(p, t, NULL);
  else if (equals)
    set_option(p, t, equals + 1);
  else if (!**next)
    report_usage(p, "option '--%s' needs a value: --%s=%s", t->name, t->name, t->value);
  else
    set_option(p, t, *(*next)++);
}

/* -qv, -p3, -p 3. */
static void parse_letters(parser *p, const char *arg, char *const **next) {
  for (const char *s = arg + 1; *s && !p->failed; s++) {
    const option *t = find_letter(*s);
    if (!t && s == arg + 1)
      report_usage(p, "unknown option '%.200s'", arg);
    else if (!t)
      report_usage(p, "unknown option '-%c' in '%.200s'", *s, arg);
    else if (!t->value)
      set_option(p, t, NULL);
    else if (s[1]) {
      set_option(p, t, s + 1);
      return;
    } else if (!**next)
      report_usage(p, "option '-%c' needs a value: -%c %s", *s, *s, t->value);
    else
      set_option(p, t, *(*next)++);
  }
}

/* With its value, where that is the next word. */
static void parse_option(parser *p, char *const **next) {
  char *const *begin = (*next)++;
  if ((*begin)[1] == '-')
    parse_long(p, *begin, next);
  else
    parse_letters(p, *begin, next);
  while (begin < *next) *arena_push(p->a, &p->o->run.given) = *begin++;
}

/* Behind the verb run stands a command, whose options are its own. */
static bool begins_command(parser *p, char *const *argv, bool only_operands) {
  return p->operands.n == 1 && !strcmp(p->operands.at[0], "run") &&
         (only_operands || **argv != '-' || !(*argv)[1]);
}

static void parse_arguments(parser *p, char *const *argv) {
  bool only_operands = false;
  while (*argv && !p->failed) {
    if (begins_command(p, argv, only_operands)) {
      p->o->run.command = argv;
      return;
    }
    const char *arg = *argv;
    if (only_operands || arg[0] != '-' || !arg[1]) {
      *arena_push(p->a, &p->operands) = arg;
      argv++;
    } else if (!strcmp(arg, "--")) {
      only_operands = true;
      argv++;
    } else {
      parse_option(p, &argv);
    }
  }
}

/* ---- the verb */

static const char *const verb_names[] = {"",
                                         [VERB_LIST] = "list",
                                         [VERB_CHECK] = "check",
                                         [VERB_BUILD] = "build",
                                         [VERB_RUN] = "run",
                                         [VERB_WATCH] = "watch",
                                         [VERB_REPLAY] = "replay",
                                         [VERB_DIFF] = "diff",
                                         [VERB_REPORT] = "report",
                                         [VERB_COMPARE] = "compare",
                                         [VERB_BISECT] = "bisect",
                                         NULL};

/* The verb that is the nearest to a word, or NULL. A name with a dot or a slash is a file's. */
static const char *find_near_verb(const char *word) {
  ag_nearest s;
  ag_nearest_begin_word(&s, word, strlen(word));
  for (int i = VERB_LIST; verb_names[i] && !strpbrk(word, "./"); i++)
    ag_nearest_add(&s, verb_names[i], strlen(verb_names[i]));
  return s.count ? s.best[0].name : NULL;
}

/* The first operand may be a verb; a file of that name is given as './list'. */
static void take_verb(parser *p) {
  int verb = p->operands.n ? strings_index(verb_names, p->operands.at[0]) : -1;
  if (verb <= VERB_REWRITE) return;
  p->o->verb = (enum verb)verb;
  p->operands.at++;
  p->operands.n--;
}

/* Where a rewrite cannot be meant, the first operand is taken for a verb. */
static void check_verb(parser *p) {
  const options *o = p->o;
  bool rewrites = p->operands.n == 1 && (o->output.path || o->output.cached || o->dump);
  const char *near = o->verb == VERB_REWRITE && p->operands.n && !rewrites
                         ? find_near_verb(p->operands.at[0])
                         : NULL;
  if (near) report_usage(p, "unknown verb '%.200s'; the nearest is '%s'", p->operands.at[0], near);
}

static void check_options(parser *p) {
  for (size_t i = 0; i < p->used.n; i++)
    if (!(p->used.at[i]->verbs >> p->o->verb & 1))
      report_usage(p, "option '--%s' does not go with %s", p->used.at[i]->name,
                   p->o->verb == VERB_REWRITE
                       ? "rewriting: it wants the verb list, check, build, run, watch, replay, "
                         "diff, report, compare or bisect before INPUT"
                       : arena_printf(p->a, "the verb '%s'", verb_names[p->o->verb]));
}

static void check_input(parser *p) {
  const char *input = p->o->input;
  if (!strcmp(input, "-"))
    report_usage(p, "the input must be a file: standard input is not read");
  else if (!*input)
    report_usage(p, "the name of the input is empty");
  else if (strlen(input) > PATH_MAX - 32)
    report_usage(p, "the name of the input is too long");
  else if (p->o->verb == VERB_BUILD && file_ends_with(input, ".pt2"))
    report_usage(
        p,
        "the verb 'build' takes a wrapper: a package is rewritten and built by 'aotigen %.200s "
        "-o OUTPUT'",
        input);
}

static void check_objects(parser *p) {
  for (size_t i = 1; i < p->operands.n; i++) {
    const char *file = p->operands.at[i];
    if (!file_ends_with(file, ".cpp") && !file_ends_with(file, ".o") && !file_ends_with(file, ".a"))
      report_usage(p, "operand '%.200s' is neither a kernel's '.cpp' nor an object '.o'", file);
    *arena_push(p->a, &p->o->objects) = file;
  }
}

static bool makes_package(const option *t) {
  return (t->verbs & REWRITE) && t->verbs != ANY && strcmp(t->name, "model") != 0;
}

/* Without a package there is none to be made another way. */
static void check_run(parser *p) {
  options *o = p->o;
  const char *program = o->run.command ? *o->run.command : "";
  if (file_ends_with(program, ".pt2"))
    report_usage(p,
                 "the command of 'run' begins with a package: aotigen run --model=%.200s -- "
                 "COMMAND [ARG]...",
                 program);
  if (!o->run.command)
    report_usage(p, "no command for the verb 'run': aotigen run [OPTION]... -- COMMAND [ARG]...");
  if (o->run.nmodels > AG_RUN_MODELS)
    report_usage(p, "more than %d packages: 'run' takes so many --model=PACKAGE", AG_RUN_MODELS);
  if (o->run.watch && !o->run.nmodels)
    report_usage(p, "option '--watch' watches a package: name the one that the program opens with "
                    "--model=PACKAGE");
  for (size_t i = 0; i < p->used.n && (o->run.watch || !o->run.nmodels); i++)
    if (makes_package(p->used.at[i]))
      report_usage(p,
                   o->run.watch
                       ? "option '--%s' is for a debug package, and '--watch' makes none: leave "
                         "out one of the two, or give it to 'aotigen replay'"
                       : "option '--%s' is for a debug package, and none is made: name the package "
                         "that the program opens with --model=PACKAGE",
                   p->used.at[i]->name);
}

/* A launch is made a program, which repeats it by itself. */
static void check_launch(parser *p) {
  const options *o = p->o;
  const char *output = o->output.path;
  if (!o->replay.launch && output)
    report_usage(p, "option '--output' of 'replay' is the directory of a launch: name that with "
                    "--launch=N");
  else if (o->replay.launch && (!output || !strcmp(output, "-")))
    report_usage(p, "no output: '--launch' writes a directory, -o DIR");
  else if (o->replay.launch && o->json)
    report_usage(p, "option '--json' does not go with '--launch', which writes a program");
  else if (o->replay.launch && o->replay.repeat != 1)
    report_usage(p, "option '--repeat' does not go with '--launch': the program that is made of "
                    "the launch has one of its own");
}

/* Its only operand is the capsule. */
static void take_capsule(parser *p) {
  options *o = p->o;
  if (!p->operands.n)
    report_usage(p, "no capsule for the verb 'replay': aotigen replay [OPTION]... CAPSULE");
  else if (p->operands.n > 1)
    report_usage(p, "more than one capsule: '%.200s' and '%.200s'", p->operands.at[0],
                 p->operands.at[1]);
  else if (!option_value_is_path(p->operands.at[0]))
    report_usage(p, "the name of the capsule is empty, too long, or of several lines");
  else if (o->run.nmodels > 1)
    report_usage(p, "more than one package: 'replay' runs the model of one, --model=PACKAGE");
  else
    o->replay.capsule = p->operands.at[0];
  if (!p->failed) check_launch(p);
}

static void take_recordings(parser *p, const char **files) {
  for (size_t i = 0; i < p->operands.n && !p->failed; i++) {
    files[i] = p->operands.at[i];
    if (!option_value_is_path(files[i]))
      report_usage(p, "the name of a recording is empty, too long, or of several lines");
  }
}

static void take_diff(parser *p) {
  if (p->operands.n != 2)
    report_usage(p, "'diff' compares two recordings: aotigen diff [OPTION]... A B");
  take_recordings(p, p->o->diff.files);
}

static bool is_used(const parser *p, const char *name) {
  for (size_t i = 0; i < p->used.n; i++)
    if (!strcmp(p->used.at[i]->name, name)) return true;
  return false;
}

/* JSON and text go to standard output where no file is named. */
static void take_report(parser *p) {
  options *o = p->o;
  if (p->operands.n < 1 || p->operands.n > 2)
    report_usage(
        p, "'report' shows one recording or two: aotigen report [OPTION]... RECORDING [B] -o PAGE");
  if (p->operands.n == 2 && o->report.format == REPORT_TEXT)
    report_usage(p, "'--format=text' is of one recording: 'aotigen diff' tells of two");
  if (p->operands.n == 1 && (is_used(p, "run") || is_used(p, "bound")))
    report_usage(p, "options '--run' and '--bound' compare two recordings: name the other one");
  if (!o->output.path && o->report.format == REPORT_HTML)
    report_usage(p, "no output: name the page with -o FILE");
  take_recordings(p, o->report.files);
  if (!o->output.path) o->output.path = "-";
}

static void take_compared(parser *p) {
  options *o = p->o;
  if (p->operands.n != 1)
    report_usage(p, "'compare' takes one package: aotigen compare [OPTION]... --exported=FILE "
                    "PACKAGE");
  else if (!option_value_is_path(p->operands.at[0]))
    report_usage(p, "the name of the package is empty, too long, or of several lines");
  else if (!o->files.exported)
    report_usage(p, "'compare' wants the exported program that the package was made of: "
                    "--exported=FILE, which torch.export.save() wrote");
  else if (o->run.nmodels > 1)
    report_usage(p, "more than one model: 'compare' runs one, --model=NAME");
  else
    o->compare.package = p->operands.at[0];
}

static void take_builds(parser *p) {
  options *o = p->o;
  for (size_t i = 0; i < p->operands.n && !p->failed; i++)
    if (!option_value_is_path(p->operands.at[i]))
      report_usage(p, "the name of the package is empty, too long, or of several lines");
  if (p->operands.n != 2)
    report_usage(p, "'bisect' takes two packages: aotigen bisect [OPTION]... GOOD BAD");
  else if (!o->compare.inputs && !o->files.exported)
    report_usage(p, "'bisect' wants the model's inputs: --inputs=FILE, a capsule or what "
                    "torch.save() wrote, or --exported=FILE, a program that has samples");
  else if (o->run.nmodels > 1)
    report_usage(p, "more than one model: 'bisect' runs one, --model=NAME");
  o->compare.good = p->operands.n ? p->operands.at[0] : NULL;
  o->compare.package = p->operands.n > 1 ? p->operands.at[1] : NULL;
}

static void check_output(parser *p) {
  const options *o = p->o;
  if (o->output.cached && o->output.path)
    report_usage(p, "option '--output' does not go with '--cached', which names the result itself");
  else if (o->output.cached && o->dump)
    report_usage(p, "option '--dump' does not go with '--cached', which makes a package");
  else if (o->verb != VERB_LIST && o->verb != VERB_CHECK && !o->output.path && !o->output.cached &&
           !o->dump)
    report_usage(p, "no output: name it with -o FILE");
  else if (o->verb == VERB_BUILD && o->output.path && !strcmp(o->output.path, "-"))
    report_usage(p, "the output of build must be a file");
}

static void check_here(parser *p) {
  if (p->o->here && p->o->kernel)
    report_usage(p, "option '--kernel' does not go with '--here', which prints no kernel");
  if (p->o->here && p->o->levels_set)
    report_usage(p, "option '--kernels' does not go with '--here', which prints no launches");
}

static void report_operands(parser *p) {
  const char *first = p->operands.at[0], *second = p->operands.at[1];
  if (p->o->verb == VERB_REWRITE && strings_index(verb_names, second) > VERB_REWRITE)
    report_usage(p, "the verb '%s' goes before the input '%.200s'", second, first);
  else
    report_usage(p, "more than one input: '%.200s' and '%.200s'", first, second);
}

/* Of the verbs that read a wrapper or a package. */
static void take_input(parser *p) {
  options *o = p->o;
  if (!p->operands.n) {
    report_usage(p,
                 o->verb == VERB_REWRITE ? "no input: aotigen [OPTION]... INPUT -o OUTPUT"
                                         : "no input for the verb '%s'",
                 verb_names[o->verb]);
    return;
  }
  o->input = p->operands.at[0];
  if (o->verb == VERB_BUILD)
    check_objects(p);
  else if (p->operands.n > 1)
    report_operands(p);
  if (!p->failed) check_input(p);
  check_here(p);
  check_output(p);
}

static void take_operands(parser *p) {
  static void (*const takers[])(parser *) = {
      [VERB_REWRITE] = take_input,    [VERB_LIST] = take_input,   [VERB_CHECK] = take_input,
      [VERB_BUILD] = take_input,      [VERB_RUN] = check_run,     [VERB_WATCH] = take_input,
      [VERB_REPLAY] = take_capsule,   [VERB_DIFF] = take_diff,    [VERB_REPORT] = take_report,
      [VERB_COMPARE] = take_compared, [VERB_BISECT] = take_builds};
  check_verb(p);
  check_options(p);
  takers[p->o->verb](p);
}

void options_parse(options *o, int argc, char *const *argv, const char *(*env)(const char *name),
                   arena *a, diags *d) {
  *o = (options){.verb = VERB_REWRITE,
                 .limits = limits_default,
                 .python = "python3",
                 .env.tmpdir = "/tmp",
                 .replay.repeat = 1,
                 .diff.bound = -1};
  levels_default(&o->levels);
  parser p = {.o = o, .a = a, .d = d};
  if (argc > 0) parse_arguments(&p, argv + 1);
  if (p.failed || o->verb != VERB_REWRITE) return; /* --help or --version */
  take_verb(&p);
  take_operands(&p);
  const option_environment from = {.env = env, .a = a, .d = d};
  if (!p.failed) option_environment_take(o, &from);
  if (!p.failed && o->verb != VERB_BUILD) levels_warn_unexplained(&o->levels, a, d);
}
