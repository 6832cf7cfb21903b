/* kernel_mutations.h - changes of a kernel_sample, one at a time: each number of the kernel, each
 * symbol, operator and mask, and each length and size that the wrapper passes. */
#ifndef T_KERNEL_MUTATIONS_H
#define T_KERNEL_MUTATIONS_H

#include "base/arena.h"
#include "check/kernel_samples.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct mutation {
  const char *what; /* "x0 + 6*x1 -> x0 + 7*x1" */
  const char *params, *body;
} mutation;

typedef struct mutations {
  mutation *at;
  size_t n, cap;
} mutations;

/* `text` with n bytes at p replaced. */
static char *replace_at(arena *in, const char *text, const char *p, size_t n, const char *by) {
  return arena_printf(in, "%.*s%s%s", (int)(p - text), text, by, p + n);
}

static const char *describe_change(arena *in, const char *text, const char *p, size_t n,
                                   const char *by) {
  const char *begin = p, *end = p + n;
  while (begin > text && p - begin < 30 && begin[-1] != '\n') begin--;
  while (*end && end - p < 40 && *end != '\n') end++;
  return arena_printf(in, "'%.*s': '%.*s' -> '%s'", (int)(end - begin), begin, (int)n, p, by);
}

static void change_body(mutations *m, arena *in, const kernel_sample *s, const char *p, size_t n,
                        const char *by) {
  *arena_push(in, m) = (mutation){.what = describe_change(in, s->body, p, n, by),
                                  .params = s->params,
                                  .body = replace_at(in, s->body, p, n, by)};
}

static void change_params(mutations *m, arena *in, const kernel_sample *s, const char *p, size_t n,
                          const char *by) {
  *arena_push(in, m) = (mutation){.what = describe_change(in, s->params, p, n, by),
                                  .params = replace_at(in, s->params, p, n, by),
                                  .body = s->body};
}

static bool follows(const char *text, const char *p, const char *word) {
  size_t n = strlen(word);
  return (size_t)(p - text) >= n && memcmp(p - n, word, n) == 0;
}

/* A number that is no part of a name, of a float, of a shape, a type or a message; nor the step of
 * a loop, which says how long a vector is. */
static bool is_changeable(const kernel_sample *s, const char *p) {
  static const char *const words[] = {
      "program_id(", "program_id(axis=", "arange(", "+=static_cast<int64_t>(", "size_t(", NULL};
  if (p > s->body && (isalnum((unsigned char)p[-1]) || strchr("_.", p[-1]))) return false;
  for (const char *const *w = words; *w; w++)
    if (follows(s->body, p, *w)) return false;
  int quotes = 0, brackets = 0, angles = 0;
  for (const char *q = p; q > s->body && q[-1] != '\n'; q--) {
    quotes += q[-1] == '"';
    if (q[-1] == ']') brackets--;
    if (q[-1] == '[') brackets++;
    angles += strncmp(q - 1, "<int64_t,", 9) == 0 || strncmp(q - 1, "<float,", 7) == 0;
    if (q[-1] == '>') angles -= follows(s->body, q - 1, "2") || follows(s->body, q - 1, "16");
  }
  const char *end = p;
  while (isdigit((unsigned char)*end)) end++;
  bool float_or_name = *end == '.' || (isalpha((unsigned char)*end) && *end != 'L') || *end == '_';
  return !float_or_name && quotes % 2 == 0 && angles <= 0 && !(s->python && brackets > 0);
}

static void change_numbers(mutations *m, arena *in, const kernel_sample *s) {
  for (const char *p = s->body; *p; p++) {
    if (!isdigit((unsigned char)*p)) continue;
    char *end;
    long long n = strtoll(p, &end, 10);
    end += *end == 'L';
    if (is_changeable(s, p)) {
      const long long to[] = {n + 1, n - 1, 2 * n};
      for (int i = 0; i < 3; i++)
        if (to[i] != n)
          change_body(m, in, s, p, (size_t)(end - p),
                      arena_printf(in, to[i] < 0 ? "(%lld%s)" : "%lld%s", to[i],
                                   end[-1] == 'L' ? "L" : ""));
    }
    p = end - 1;
  }
}

static void change_symbols(mutations *m, arena *in, const kernel_sample *s) {
  static const char *const by[] = {"(%.*s + 1)", "(%.*s - 1)", "(2*%.*s)"};
  for (const char *p = s->body; (p = strstr(p, "ks")); p++) {
    if (!isdigit((unsigned char)p[2]) || follows(s->body, p, "ma")) continue;
    for (int i = 0; i < 3; i++) change_body(m, in, s, p, 3, arena_printf(in, by[i], 3, p));
  }
}

static void change_words(mutations *m, arena *in, const kernel_sample *s) {
  static const char *const words[][2] = {{" & xmask", ""},
                                         {" & ymask", ""},
                                         {"r0_mask & ", ""},
                                         {"xmask & ", ""},
                                         {", xmask)", ", None)"},
                                         {", xmask,", ", None,"},
                                         {"mask=mask", "mask=None"},
                                         {" | ~(xmask)", ""},
                                         {" < ", " <= "},
                                         {" >= ", " > "},
                                         {" <= ", " < "},
                                         {" // ", " % "},
                                         {" % ", " // "},
                                         {"minimum(", "maximum("},
                                         {" + ((-1)*", " + ((1)*"},
                                         {" && ", " || "},
                                         {"r0_mask", "xmask"},
                                         {"abs(", "("},
                                         {"xmask", "r0_mask"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    bool reduces = strstr(s->params, "r0_numel") != NULL;
    if (!reduces && strstr(words[i][1], "r0_mask")) continue;
    for (const char *p = s->body; (p = strstr(p, words[i][0])); p++) {
      bool declares = strncmp(p, "xmask =", 7) == 0 || strncmp(p, "r0_mask =", 9) == 0;
      if (declares || (!s->python && strchr("%/", words[i][0][1]))) continue;
      change_body(m, in, s, p, strlen(words[i][0]), words[i][1]);
    }
  }
}

/* "tmp4 & xmask": without tmp4. */
static void drop_conditions(mutations *m, arena *in, const kernel_sample *s) {
  for (const char *p = s->body; (p = strstr(p, "tmp")); p++) {
    size_t n = 3 + strspn(p + 3, "0123456789");
    size_t more = strncmp(p + n, " & ", 3) == 0 ? 3 : strncmp(p + n, " && ", 4) == 0 ? 4 : 0;
    if (more) change_body(m, in, s, p, n + more, "");
  }
}

/* A length less 1 and halved, a size and an argument one more and one less. */
static void change_arguments(mutations *m, arena *in, const kernel_sample *s) {
  static const char *const lengths[] = {"(%.*s)-1", "(%.*s)/2", "(%.*s)+1"};
  static const char *const numbers[] = {"(%.*s)+1", "(%.*s)-1", "2*(%.*s)"};
  for (const char *p = s->params; (p = strchr(p, ':')); p++) {
    char type = p[1];
    const char *begin = p + 3;
    int n = (int)strcspn(begin, " ");
    p = begin;
    for (int i = 0; i < 3 && type != 'c'; i++)
      change_params(m, in, s, begin, (size_t)n,
                    arena_printf(in, strchr("fl", type) ? lengths[i] : numbers[i], n, begin));
  }
}

/* The kernel as it is, and all its changes. */
static void mutations_make(mutations *m, arena *in, const kernel_sample *s) {
  *arena_push(in, m) = (mutation){.what = "as it is", .params = s->params, .body = s->body};
  change_numbers(m, in, s);
  change_symbols(m, in, s);
  change_words(m, in, s);
  drop_conditions(m, in, s);
  change_arguments(m, in, s);
}

#endif
