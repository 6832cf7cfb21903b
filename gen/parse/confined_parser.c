/* confined_parser.c - see confined_parser.h. */
#include "parse/confined_parser.h"
#include "system/budget.h"
#include "system/confine_policy.h"
#include <errno.h>
#include <string.h>

enum {
  SECONDS_OF_MIB = 15, /* for each MiB of text: several times what it takes */
  CLOCK_FACTOR = 3,    /* for the clock, since others use the processors too */
  DATA_OF_BYTE = 32,   /* the memory that a byte of text may take */
  DATA_TO_PRECOMPILE = 3
};

/* The directories in which libclang looks for headers of C++ and of the system. */
static const char *const system_dirs[] = {"/usr/include",   "/usr/local/include",
                                          "/usr/lib",       "/usr/lib64",
                                          "/usr/local/lib", "/lib",
                                          "/lib64",         "/opt/rh"};

/* The time that a text of this length may take, and no more than is left for all texts. */
static uint64_t find_seconds(const process_limits *l, size_t n) {
  uint64_t seconds = l->parser_seconds ? l->parser_seconds + SECONDS_OF_MIB * (n >> 20) : 0;
  budget_time left = budget_parser_left();
  uint64_t most = (uint64_t)(left.ms + 999) / 1000;
  if (left.limited && (!seconds || most < seconds)) seconds = most ? most : 1;
  return seconds;
}

/* With --confine=off a trusted wrapper has no limits. */
static confine_limits make_limits(const translation_unit_input *in, bool precompiles) {
  const process_limits *l = &in->options->limits;
  if (!in->command->untrusted && in->options->confining == CONFINING_OFF)
    return (confine_limits){0};
  uint64_t data = (uint64_t)l->parser_mib << 20, own = confine_own_data();
  if (precompiles) data *= DATA_TO_PRECOMPILE;
  return (confine_limits){.cpu_seconds = find_seconds(l, in->n),
                          .data_bytes = data && own ? own + data + DATA_OF_BYTE * (uint64_t)in->n
                                                    : 0};
}

/* False, with errno, at the first path that the kernel refuses a rule for. */
static bool allow_paths(confine *c, const translation_unit_input *in, const char *write, arena *a) {
  const command *used = in->command;
  strings dirs = command_include_dirs(used, a);
  if (used->clang_headers) *arena_push(a, &dirs) = used->clang_headers;
  if (in->pch) *arena_push(a, &dirs) = in->pch;
  for (size_t i = 0; i < sizeof system_dirs / sizeof *system_dirs; i++)
    *arena_push(a, &dirs) = system_dirs[i];
  if (write && !confine_allow(c, write, CONFINE_WRITE)) return false;
  if (!used->untrusted) return confine_allow(c, "/", CONFINE_READ);
  for (size_t i = 0; i < dirs.n; i++)
    if (strcmp(dirs.at[i], "/") != 0 && !confine_allow(c, dirs.at[i], CONFINE_READ)) return false;
  return true;
}

bool confined_parser_begin(confined_parser *p, const translation_unit_input *in, const char *write,
                           arena *a, diags *d) {
  const options *o = in->options;
  const confine_limits limits = make_limits(in, write != NULL);
  p->how = (process_setting){.confine = &p->rules,
                             .closed = in->command->untrusted,
                             .seconds = (unsigned)(CLOCK_FACTOR * limits.cpu_seconds)};
  confine_begin_limits(&p->rules, &limits);
  if (o->confining == CONFINING_OFF) return true;
  if (o->confining == CONFINING_REQUIRE && !confine_policy_check_kernel(o, d)) return false;
  if (!confine_begin(&p->rules, &limits, true, a, d)) return false;
  if (allow_paths(&p->rules, in, write, a)) return true;
  const char *why = arena_printf(a, "Landlock takes no rule: %s", strerror(errno));
  confine_end(&p->rules);
  confine_policy_refuse(arena_printf(a, "the parser's process cannot be confined: %s", why), d);
  return false;
}

void confined_parser_end(confined_parser *p) { confine_end(&p->rules); }
