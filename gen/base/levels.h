/* levels.h - the levels of shared/wrapper/aotigen_levels.def: what the result checks and prints. A
 * level is read from its option or its environment variable, and becomes a macro of the wrapper.
 */
#ifndef GEN_LEVELS_H
#define GEN_LEVELS_H

#include "base/diag.h"

/* The ways to read a level's value. */
enum level_kind {
  LEVEL_WORDS,   /* one of a few words, the first is 0 */
  LEVEL_FLAG,    /* no value: 1 */
  LEVEL_PERCENT, /* 0 to 100 */
  LEVEL_GUARDS,  /* "canary,page:buf3": the sum of enum aotigen_guard, and the part behind it */
  LEVEL_FILTER,  /* a filter's patterns */
  LEVEL_ELEMENTS /* elements of launches */
};

/* Numbers of aotigen_model; no text is NULL. */
typedef struct levels {
#define LEVEL_NUMBER(field, ...) unsigned field;
#define LEVEL_TEXT(field, ...) const char *field;
#define LEVEL_PART(field, ...) const char *field;
#include "shared/wrapper/aotigen_levels.def"
} levels;

enum level_row {
#define LEVEL_NUMBER(field, MACRO, ...) LEVEL_ROW_##MACRO,
#define LEVEL_TEXT(field, MACRO, ...) LEVEL_ROW_##MACRO,
#define LEVEL_PART(field, MACRO, ...) LEVEL_ROW_##MACRO,
#include "shared/wrapper/aotigen_levels.def"
  LEVEL_ROWS
};

/* Sets of levels: LEVEL_PRINTER | LEVEL_SYNC. A part's bit is not used. */
enum level_bits {
#define LEVEL_NUMBER(field, MACRO, ...) LEVEL_##MACRO = 1 << LEVEL_ROW_##MACRO,
#define LEVEL_TEXT(field, MACRO, ...) LEVEL_##MACRO = 1 << LEVEL_ROW_##MACRO,
#include "shared/wrapper/aotigen_levels.def"
};

typedef struct level {
  const char *macro;  /* "CHECK_INPUTS" */
  const char *option; /* its long name; NULL: a part of the row before */
  char letter;        /* or 0 */
  const char *value;  /* its name in --help; NULL: a flag */
  enum level_kind kind;
  const char *words;    /* the words of LEVEL_WORDS */
  const char *fallback; /* the default, as --help has it */
  const char *variable; /* that gives the default, or NULL */
  const char *one;      /* what its 1 stands for, or NULL: it has the option's values */
  const char *meaning, *help;
  bool is_text;
  size_t offset; /* in `levels` */
} level;

extern const level level_table[LEVEL_ROWS];

/* The row whose option that is, NULL where none is. */
const level *level_of_option(const char *name);

/* The defaults, whatever the environment says. */
void levels_default(levels *l);

/* Reads a value, as of the option, into the level's field and its part's. False, with nothing set,
 * where it is none. What is kept of `value` is copied. */
bool level_read(levels *l, const level *which, const char *value, arena *a);

/* The same of its variable: 0 leaves what is there where the row says what 1 stands for. */
bool level_read_variable(levels *l, const level *which, const char *value, arena *a);

/* The values that a level, or its variable, may have: "0, 1, 2 or 3". */
const char *level_wants(const level *which, arena *a);
const char *level_variable_wants(const level *which, arena *a);

/* "$TORCHINDUCTOR_NAN_ASSERTS", "all if $... is 1, else nan": how --help names the default. */
const char *level_fallback(const level *which, arena *a);

/* As C++ has the value: 3, or "gelu,!b" with its quotes. */
const char *level_spell(const levels *l, const level *which, arena *a);

/* True if a number is not 0: AOTIGEN_ON. */
bool levels_any_on(const levels *l);

/* Reads the numbers that are not among `given` (enum level_bits) from a rewritten wrapper's text.
 */
void levels_take_text(levels *l, unsigned given, const char *text, arena *a);

/* Warns where elements are to be explained, and no level is on. */
void levels_warn_unexplained(const levels *l, arena *a, diags *d);

#endif
