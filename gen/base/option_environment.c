/* option_environment.c - see option_table.h. */
#include "base/option_table.h"
#include "base/option_value.h"
#include "base/shown.h"
#include "shared/variables.h"

/* A copy: process.c wipes the environment of a confined process. */
static const char *get_variable(const option_environment *p, const char *name) {
  const char *value = p->env(name);
  return value && *value ? arena_strdup(p->a, value) : NULL;
}

static void report_variable(const option_environment *p, const char *name, const char *value,
                            const char *wants) {
  if (diags_status(p->d) != STATUS_OK) return;
  diag_error(p->d, STATUS_USAGE, NULL, "value '%.200s' of the environment variable '%s' must be %s",
             value, name, wants);
  diag_note(p->d, NULL, "try 'aotigen --help'");
}

/* PyTorch's own variables are the defaults of a rewrite; a build takes the wrapper's levels. */
static void take_levels(options *o, const option_environment *p) {
  for (unsigned i = 0; i < LEVEL_ROWS; i++) {
    const level *l = &level_table[i];
    const char *value = l->variable && !(o->levels_set & 1u << i) ? get_variable(p, l->variable)
                                                                  : NULL;
    if (value && !level_read_variable(&o->levels, l, value, p->a))
      report_variable(p, l->variable, value, level_variable_wants(l, p->a));
  }
}

/* The path that a variable holds, or NULL where it is not an absolute one. */
static const char *get_path_variable(const option_environment *p, const char *name) {
  const char *value = get_variable(p, name);
  return value && option_value_is_absolute(value) ? value : NULL;
}

/* The first variable that is set of those that lead a compiler elsewhere. */
static const char *find_set(const option_environment *p) {
  static const char *const names[] = {"GCC_EXEC_PREFIX", "COMPILER_PATH", "LD_LIBRARY_PATH"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (p->env(names[i])) return names[i];
  return NULL;
}

void option_environment_take(options *o, const option_environment *p) {
  if (o->verb == VERB_REWRITE || o->verb == VERB_REPLAY || (o->verb == VERB_RUN && o->run.nmodels))
    take_levels(o, p);
  const char *home = get_path_variable(p, "HOME"), *xdg = get_path_variable(p, "XDG_CACHE_HOME"),
             *cuda = get_path_variable(p, "CUDA_HOME");
  o->env.packages_only = o->env.cache != NULL; /* --no-cache */
  if (o->env.packages_only && !o->output.cached)
    o->env.cache = NULL;
  else if (xdg)
    o->env.cache = arena_printf(p->a, "%s/aotigen", xdg);
  else
    o->env.cache = home ? arena_printf(p->a, "%s/.cache/aotigen", home) : NULL;
  o->env.cuda_home = cuda ? cuda : get_path_variable(p, "CUDA_PATH");
  if (get_path_variable(p, "TMPDIR")) o->env.tmpdir = get_path_variable(p, "TMPDIR");
  o->env.path = get_variable(p, "PATH");
  o->env.libraries = get_variable(p, "LD_LIBRARY_PATH");
  o->env.malloc_fill = get_variable(p, "MALLOC_PERTURB_");
  o->env.no_color = get_variable(p, "NO_COLOR");
  o->env.term = get_variable(p, "TERM");
  o->env.home = home;
  o->env.parts_from = find_set(p);
  o->env.python = get_variable(p, "PYTHON");
  o->env.cxx = get_variable(p, "CXX");
  const char *date = get_variable(p, "SOURCE_DATE_EPOCH"); /* the compilers read it */
  if (date && !option_value_is_date(date))
    report_variable(p, "SOURCE_DATE_EPOCH", date, "a number of seconds up to the year 9999");
  if (o->env.cxx && !option_value_is_program(o->env.cxx))
    report_variable(p, "CXX", o->env.cxx,
                    "a compiler's name or absolute path, without arguments and without blanks: a "
                    "link to it can "
                    "have another name");
}

void options_warn_misspelt(char *const *environment, arena *a, diags *d) {
  for (char *const *at = environment; *at; at++) {
    size_t n;
    const char *meant = ag_variable_meant(*at, &n);
    if (meant)
      diag_warning(d, NULL,
                   "the environment variable '%s' has no meaning; the nearest that has is '%s'",
                   shown_name(arena_strndup(a, *at, n), a), meant);
  }
}
