/* processor.c - see processor.h. Knows how GCC and Linux spell the extensions of x86: the same but for '-', '_' and '.'. */
#include "processor.h"
#include "file.h"
#include <string.h>

enum { CPUINFO_MAX = 4 << 20 };

/* Families of extensions: any other -m flag asks for no instruction. */
static const char *const families[] = {"avx", "amx", "sse", "ssse", "fma", "f16c", "bmi", "popcnt", "lzcnt", "aes", "pclmul", "vaes", "vpclmulqdq", "gfni", "sha", "adx", "movbe"};

/* Where Linux has another word for it. */
static const char *const other_names[][2] = {{"lzcnt", "abm"}, {"pclmul", "pclmulqdq"}, {"sse3", "pni"}, {"sha", "shani"}};

static bool is_extension(const char *name) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (!strncmp(name, families[i], strlen(families[i]))) return !strchr(name, '=');
  return false;
}

static size_t plain(char *to, size_t max, const char *s, size_t n) {
  size_t k = 0;
  for (size_t i = 0; i < n && k + 1 < max; i++)
    if (s[i] != '-' && s[i] != '_' && s[i] != '.') to[k++] = s[i];
  to[k] = '\0';
  return k;
}

static bool named(const char *has, const char *name) {
  char want[64], word[64];
  plain(want, sizeof want, name, strlen(name));
  for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
    if (!strcmp(want, other_names[i][0])) strcpy(want, other_names[i][1]);
  for (const char *s = has; *s;) {
    size_t n = strcspn(s, " \t\n");
    plain(word, sizeof word, s, n);
    if (n && !strcmp(word, want)) return true;
    s += n + (s[n] != '\0');
  }
  return false;
}

const char *processor_lacks(const strings *compile, const char *has, arena *a) {
  strings missing = {0};
  for (size_t i = 0; i < compile->n; i++) {
    const char *flag = compile->at[i];
    bool wanted = !strncmp(flag, "-m", 2) && is_extension(flag + 2) && !named(has, flag + 2);
    for (size_t k = 0; wanted && k < missing.n; k++) wanted = strcmp(missing.at[k], flag) != 0;
    if (wanted) *arena_push(a, &missing) = flag;
  }
  return missing.n ? strings_join(a, &missing, ", ") : NULL;
}

void processor_warn(const char *file, const strings *compile, arena *a, diags *d) {
  strbuf t = {0};
  if (!file_slurp("/proc/cpuinfo", CPUINFO_MAX, &t)) return;
  char *flags = strstr(t.at, "\nflags");
  const char *lacks = flags && (flags = strchr(flags, ':')) ? processor_lacks(compile, arena_strndup(a, flags + 1, strcspn(flags + 1, "\n")), a) : NULL;
  if (lacks) diag_warning(d, file, 0, 0, "was emitted for a processor with what %s ask for, which this one lacks: the result runs on such a one only", lacks);
  strbuf_free(&t);
}
