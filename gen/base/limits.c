/* limits.c - see limits.h. */
#include "base/limits.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const process_limits limits_default = {.parser_seconds = 40,
                                       .parser_total = 300,
                                       .parser_mib = 768,
                                       .cpu_seconds = 900,
                                       .clock_seconds = 1800,
                                       .memory_mib = LIMITS_OF_MACHINE,
                                       .file_mib = 512,
                                       .processes = 2048,
                                       .disk_mib = 8192,
                                       .total_seconds = 7200};

enum { DIGITS = 7 };

/* The limit that "NAME=" begins, or NULL; `n` is the length of the name. */
static unsigned *find_limit(process_limits *l, const char *name, size_t n) {
  const struct {
    const char *name;
    unsigned *value;
  } all[] = {{"parser", &l->parser_seconds},
             {"parser-total", &l->parser_total},
             {"parser-memory", &l->parser_mib},
             {"cpu", &l->cpu_seconds},
             {"clock", &l->clock_seconds},
             {"memory", &l->memory_mib},
             {"file", &l->file_mib},
             {"processes", &l->processes},
             {"disk", &l->disk_mib},
             {"total", &l->total_seconds}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strlen(all[i].name) == n && !memcmp(all[i].name, name, n)) return all[i].value;
  return NULL;
}

bool limits_read(process_limits *l, const char *text) {
  for (const char *s = text;; s++) {
    size_t name = strcspn(s, "=,");
    unsigned *value = s[name] == '=' ? find_limit(l, s, name) : NULL;
    if (!value) return false;
    s += name + 1;
    size_t digits = strspn(s, "0123456789");
    if (digits == 0 || digits > DIGITS) return false;
    *value = (unsigned)strtoul(s, NULL, 10);
    s += digits;
    if (!*s) return true;
    if (*s != ',') return false;
  }
}
