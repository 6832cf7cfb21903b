/* flags.c - see flags.h. */
#include "command/flags.h"
#include <string.h>

enum how {
  WHOLE,  /* takes no value */
  JOINED, /* the value follows in the same word */
  EITHER  /* the value follows in the same word, or is the next */
};

typedef struct rule {
  const char *name;
  enum how how;
  bool (*value)(const char *value); /* true where it accepts the value; otherwise it is refused */
  enum flag_action compile, link;
  const char *why; /* for the error message: why it is refused */
} rule;

/* ---- values */

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGIT "0123456789"
#define ALNUM LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGIT

static bool has_only(const char *s, const char *set) { return s[strspn(s, set)] == '\0'; }

static bool is_anything(const char *s) {
  (void)s;
  return true;
}

static bool is_library(const char *s) { return *s && has_only(s + (*s == ':'), ALNUM "_.+-"); }
/* C++11 or later: lex.c knows raw strings, which came with C++11. */
static bool is_standard(const char *s) {
  size_t n = !strncmp(s, "c++", 3) ? 3 : !strncmp(s, "gnu++", 5) ? 5 : 0;
  return n && (s[n] == '1' || s[n] == '2') && has_only(s + n, ALNUM);
}
static bool is_level(const char *s) { return has_only(s, LOWER DIGIT) && strlen(s) <= 4; }
static bool is_debug(const char *s) { return has_only(s, LOWER DIGIT "-="); }
static bool is_machine(const char *s) { return *s && has_only(s, ALNUM "_=.,+-"); }
static bool is_warning(const char *s) { return has_only(s, ALNUM "_=+-"); }
static bool is_cplusplus(const char *s) { return !strcmp(s, "c++"); }
static bool is_linker(const char *s) { return *s && has_only(s, LOWER); }
static bool is_symbol(const char *s) { return *s && has_only(s, ALNUM "_.@"); }

/* As part of a macro's value these words reach the compiler, and not the check of the source's
 * text. */
static bool has_hidden_word(const char *value) {
  static const char *const words[] = {"asm", "section", "symver", "weakref", "import", "include"};
  for (size_t n; *value; value += n + (value[n] != '\0')) {
    n = strspn(value, ALNUM "_");
    if (*value == '_') return true; /* __has_include, _Pragma, __asm__ */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (n == strlen(words[i]) && !memcmp(value, words[i], n)) return true;
  }
  return false;
}

/* NAME or NAME=value: a value is a number, a name, or a string without escapes. */
static bool is_macro(const char *s) {
  size_t n = strspn(s, ALNUM "_");
  if (n == 0 || (*s >= '0' && *s <= '9')) return false;
  if (s[n] != '=') return s[n] == '\0';
  const char *value = s + n + 1;
  return (has_only(value, ALNUM "_.+-:") && !has_hidden_word(value)) ||
         (value[0] == '"' && strlen(value) > 1 && value[strlen(value) - 1] == '"' &&
          has_only(value, ALNUM "_.+-:/ \""));
}

bool flags_is_cache_file(const char *path, const char *suffix) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t n = strspn(name, LOWER DIGIT);
  return *path == '/' && *name == 'c' && n >= 40 && n <= 64 && !strcmp(name + n, suffix) &&
         !strstr(path, "/../");
}

static bool is_cached_header(const char *s) { return flags_is_cache_file(s, ".h"); }

/* ---- the tables of flags.def */

static const char loads[] = "loads code into the compiler", tool[] = "names another tool",
                  linker[] = "hands the linker a file or a command of its own",
                  writes[] = "writes files of its own", reads[] = "reads files of its own",
                  hidden[] = "hands flags past the compiler";

#define RULE(name, how, value, compile, link, why)                                                 \
  {name, how, value, FLAG_##compile, FLAG_##link, why},
#define REFUSE(name, why) RULE(name, JOINED, is_anything, REFUSE, REFUSE, why)
#define DROP(name, how) RULE(name, how, is_anything, DROP, DROP, NULL)
static const rule rules[] = {
#include "command/flags.def"
};
#undef RULE
#undef REFUSE
#undef DROP

#define F_FLAG(name) name,
static const char *const f_flags[] = {
#include "command/flags.def"
};
#undef F_FLAG

static bool is_known_f(const char *name) {
  if (!strncmp(name, "no-", 3)) name += 3;
  size_t n = strcspn(name, "=");
  if (!has_only(name + n, ALNUM "=,_+-")) return false;
  for (size_t i = 0; i < sizeof f_flags / sizeof *f_flags; i++)
    if (strlen(f_flags[i]) == n && !memcmp(f_flags[i], name, n)) return true;
  return false;
}

/* ---- -Wl, */

#define LINKER_WORD(word) word,
static const char *const linker_words[] = {
#include "command/flags.def"
};
#undef LINKER_WORD

/* The words after "-Wl,": refused unless all of them are known. */
static flag read_linker(const char *list, arena *a) {
  flag f = {FLAG_KEEP, arena_printf(a, "-Wl,%s", list), NULL, 1};
  bool joined = !strncmp(list, "-rpath=", 7);
  if (joined || !strncmp(list, "-rpath,", 7)) {
    const char *dir = list + 7;
    if (strpbrk(dir, ",")) return (flag){FLAG_REFUSE, linker, NULL, 1};
    return (flag){FLAG_RPATH, arena_strdup(a, dir), NULL, 1};
  }
  if (!strncmp(list, "-u,", 3) && is_symbol(list + 3)) return f;
  if (!strncmp(list, "-soname,", 8) || !strncmp(list, "-soname=", 8))
    return (flag){FLAG_DROP, f.text, NULL, 1};
  while (*list) {
    size_t n = !strncmp(list, "-z,", 3) ? 3 + strcspn(list + 3, ",") : strcspn(list, ",");
    bool known = false;
    for (size_t i = 0; i < sizeof linker_words / sizeof *linker_words && !known; i++)
      known = strlen(linker_words[i]) == n && !memcmp(linker_words[i], list, n);
    if (!known) return (flag){FLAG_REFUSE, linker, NULL, 1};
    list += n;
    if (*list == ',') list++;
  }
  return f;
}

/* ---- reading a flag */

static bool is_input(const char *word) {
  static const char *const ends[] = {".cpp", ".cc", ".cxx", ".c", ".C", ".o",
                                     ".lo",  ".a",  ".so",  ".s", ".S", NULL};
  const char *slash = strrchr(word, '/'), *dot = strrchr(slash ? slash : word, '.');
  return dot && strings_index(ends, dot) >= 0;
}

static bool matches_rule(const rule *r, const char *word) {
  size_t n = strlen(r->name);
  if (r->how == WHOLE) return !strcmp(word, r->name);
  return !strncmp(word, r->name, n);
}

static flag apply_rule(const rule *r, const char *word, const char *next, enum flag_phase phase,
                       arena *a) {
  flag f = {phase == FLAG_COMPILE ? r->compile : r->link, word, r->name, 1};
  const char *value = word + strlen(r->name);
  if (r->how == EITHER && !*value) {
    if (!next) return (flag){FLAG_REFUSE, "is the last word, and needs a value", NULL, 1};
    value = next;
    f.words = 2;
  }
  if (f.action == FLAG_REFUSE || !r->value(value)) {
    f.action = FLAG_REFUSE;
    f.text = r->why ? r->why : "has a value that is not accepted";
  } else if (f.action == FLAG_INCLUDE || f.action == FLAG_LIBRARY) {
    f.text = arena_strdup(a, value);
  } else if (f.words == 2) {
    f.text = arena_printf(a, f.action == FLAG_KEEP ? "%s%s" : "%s %s", word, value);
  }
  return f;
}

static flag read_f_flag(const char *word) {
  if (is_known_f(word + 2)) return (flag){FLAG_KEEP, word, NULL, 1};
  if (strpbrk(word, "/@\\"))
    return (flag){FLAG_REFUSE, "is an unknown flag that names a file", NULL, 1};
  return (flag){FLAG_UNKNOWN, word, NULL, 1};
}

flag flags_read(const char *word, const char *next, enum flag_phase phase, arena *a) {
  if (*word == '@') return (flag){FLAG_REFUSE, "is a response file", NULL, 1};
  if (*word != '-' || !word[1]) {
    if (is_input(word)) return (flag){FLAG_SKIP, word, NULL, 1};
    return (flag){FLAG_REFUSE, "is neither a flag nor a source, object or library", NULL, 1};
  }
  if (!strncmp(word, "-Wl,", 4)) {
    flag f = read_linker(word + 4, a);
    if (phase == FLAG_COMPILE && f.action != FLAG_REFUSE) f = (flag){FLAG_DROP, word, NULL, 1};
    return f;
  }
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (matches_rule(&rules[i], word)) return apply_rule(&rules[i], word, next, phase, a);
  if (!strncmp(word, "-f", 2)) return read_f_flag(word);
  if (has_only(word, ALNUM "_=.,+-")) return (flag){FLAG_UNKNOWN, word, NULL, 1};
  return (flag){FLAG_REFUSE, "is an unknown flag that names a file", NULL, 1};
}

bool flags_is_compiler(const char *word, bool *clang) {
  static const struct {
    const char *name;
    bool clang;
  } known[] = {{"clang++", true}, {"clang", true}, {"g++", false}, {"gcc", false}, {"c++", false}};
  const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
  size_t n = strlen(name), version = n;
  while (version > 0 && strchr(DIGIT ".", name[version - 1])) version--;
  if (version < n && version > 0 && name[version - 1] == '-') n = version - 1; /* -12, -19.1 */
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t k = strlen(known[i].name);
    if (n < k || memcmp(name + n - k, known[i].name, k) != 0) continue;
    size_t prefix = n - k;
    if (prefix == 0 ||
        (prefix > 1 && name[prefix - 1] == '-' && strspn(name, ALNUM "_.-") >= prefix)) {
      *clang = known[i].clang;
      return true;
    }
  }
  return false;
}
