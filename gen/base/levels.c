/* levels.c - see levels.h. */
#include "base/levels.h"
#include "shared/elements.h"
#include "base/option_value.h"
#include "base/template.h"
#include <stdlib.h>
#include <string.h>

const level level_table[LEVEL_ROWS] = {
#define LEVEL_NUMBER(field_, MACRO, option_, letter_, value_, kind_, words_, fallback_, variable_, \
                     one_, arguments, meaning_, help_)                                             \
  {.macro = #MACRO,                                                                                \
   .option = option_,                                                                              \
   .letter = letter_,                                                                              \
   .value = value_,                                                                                \
   .kind = kind_,                                                                                  \
   .words = words_,                                                                                \
   .fallback = fallback_,                                                                          \
   .variable = variable_,                                                                          \
   .one = one_,                                                                                    \
   .meaning = meaning_,                                                                            \
   .help = help_,                                                                                  \
   .offset = offsetof(levels, field_)},
#define LEVEL_TEXT(field_, MACRO, option_, letter_, value_, kind_, fallback_, variable_, meaning_, \
                   help_)                                                                          \
  {.macro = #MACRO,                                                                                \
   .option = option_,                                                                              \
   .letter = letter_,                                                                              \
   .value = value_,                                                                                \
   .kind = kind_,                                                                                  \
   .fallback = fallback_,                                                                          \
   .variable = variable_,                                                                          \
   .meaning = meaning_,                                                                            \
   .help = help_,                                                                                  \
   .is_text = true,                                                                                \
   .offset = offsetof(levels, field_)},
#define LEVEL_PART(field_, MACRO, meaning_)                                                        \
  {.macro = #MACRO, .meaning = meaning_, .is_text = true, .offset = offsetof(levels, field_)},
#include "shared/wrapper/aotigen_levels.def"
};

static unsigned *number_of(levels *l, const level *which) {
  return (unsigned *)(void *)((char *)l + which->offset);
}

static const char **text_of(levels *l, const level *which) {
  return (const char **)(void *)((char *)l + which->offset);
}

/* ---- one of a few words */

/* "off, model, launch or all" */
static const char *join_words(const char *words, arena *a) {
  const char *out = "";
  for (const char *at = words;;) {
    size_t length = strcspn(at, " ");
    bool last = !at[length];
    out = arena_printf(a, "%s%s%.*s", out,
                       at == words ? ""
                       : last      ? " or "
                                   : ", ",
                       (int)length, at);
    if (last) return out;
    at += length + 1;
  }
}

/* ---- each kind */

static bool read_words(levels *l, const level *which, const char *value, arena *a) {
  (void)a;
  unsigned n = ag_word_find(which->words, value, strncmp);
  if (n) *number_of(l, which) = n - 1;
  return n;
}

static bool read_flag(levels *l, const level *which, const char *value, arena *a) {
  (void)value;
  (void)a;
  *number_of(l, which) = 1;
  return true;
}

static bool read_percent(levels *l, const level *which, const char *value, arena *a) {
  (void)a;
  if (strcmp(value, "off") == 0) value = "0";
  size_t n = strspn(value, "0123456789");
  if (!n || value[n] || n > 3 || atoi(value) > 100) return false;
  *number_of(l, which) = (unsigned)atoi(value);
  return true;
}

static bool read_guards(levels *l, const level *which, const char *value, arena *a) {
  char buffers[256];
  unsigned guard;
  if (!option_value_read_guard(value, &guard, buffers, sizeof buffers)) return false;
  *number_of(l, which) = guard;
  *text_of(l, which + 1) = arena_strdup(a, buffers);
  return true;
}

static bool read_filter(levels *l, const level *which, const char *value, arena *a) {
  if (!option_value_is_filter(value)) return false;
  *text_of(l, which) = arena_strdup(a, value);
  return true;
}

static bool read_elements(levels *l, const level *which, const char *value, arena *a) {
  if (!option_value_is_elements(value)) return false;
  *text_of(l, which) = arena_strdup(a, value);
  return true;
}

static const struct {
  bool (*read)(levels *l, const level *which, const char *value, arena *a);
  const char *wants; /* NULL: one of its words; a flag refuses nothing */
} kinds[] = {[LEVEL_WORDS] = {read_words, NULL},
             [LEVEL_FLAG] = {read_flag, NULL},
             [LEVEL_PERCENT] = {read_percent, "off or a percentage, 0 to 100"},
             [LEVEL_GUARDS] = {read_guards, GUARD_WANTS},
             [LEVEL_FILTER] = {read_filter, FILTER_WANTS},
             [LEVEL_ELEMENTS] = {read_elements, AG_ELEMENTS_WANTED}};

/* ---- all of them */

const level *level_of_option(const char *name) {
  for (const level *x = level_table; x < level_table + LEVEL_ROWS; x++)
    if (x->option && !strcmp(x->option, name)) return x;
  return NULL;
}

void levels_default(levels *l) {
  *l = (levels){0};
  for (const level *x = level_table; x < level_table + LEVEL_ROWS; x++) {
    if (x->is_text) *text_of(l, x) = "";
    if (x->words) *number_of(l, x) = ag_word_find(x->words, x->fallback, strncmp) - 1;
  }
}

bool level_read(levels *l, const level *which, const char *value, arena *a) {
  return kinds[which->kind].read(l, which, value, a);
}

bool level_read_variable(levels *l, const level *which, const char *value, arena *a) {
  if (!which->one) return level_read(l, which, value, a);
  return !strcmp(value, "0") || (!strcmp(value, "1") && level_read(l, which, which->one, a));
}

const char *level_wants(const level *which, arena *a) {
  return which->words ? join_words(which->words, a) : kinds[which->kind].wants;
}

const char *level_variable_wants(const level *which, arena *a) {
  return which->one ? join_words("0 1", a) : level_wants(which, a);
}

const char *level_fallback(const level *which, arena *a) {
  if (!which->variable) return which->fallback;
  if (!which->one) return arena_printf(a, "$%s, else %s", which->variable, which->fallback);
  return arena_printf(a, "%s if $%s is 1, else %s", which->one, which->variable, which->fallback);
}

const char *level_spell(const levels *l, const level *which, arena *a) {
  const char *at = (const char *)l + which->offset;
  if (!which->is_text) return arena_printf(a, "%u", *(const unsigned *)(const void *)at);
  return arena_printf(a, "\"%s\"", template_quote(*(const char *const *)(const void *)at, a));
}

bool levels_any_on(const levels *l) {
#define LEVEL_NUMBER(field, ...)                                                                   \
  if (l->field) return true;
#include "shared/wrapper/aotigen_levels.def"
  return false;
}

void levels_take_text(levels *l, unsigned given, const char *text, arena *a) {
  for (unsigned i = 0; i < LEVEL_ROWS; i++) {
    const level *x = &level_table[i];
    const char *mark = arena_printf(a, "\n#define AOTIGEN_%s ", x->macro);
    const char *found = x->is_text || given & 1u << i ? NULL : strstr(text, mark);
    if (found) *number_of(l, x) = (unsigned)strtoul(found + strlen(mark), NULL, 10);
  }
}

void levels_warn_unexplained(const levels *l, arena *a, diags *d) {
  const char *options = "";
  if (!*l->explain || levels_any_on(l)) return;
  for (const level *x = level_table; x < level_table + LEVEL_ROWS; x++)
    if (!x->is_text) options = arena_printf(a, "%s --%s", options, x->option);
  diag_warning(d, NULL, "--explain has nothing to explain, since all levels are off: turn on %s",
               join_words(options + 1, a));
}
