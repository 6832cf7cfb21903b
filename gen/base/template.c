/* template.c - see template.h. */
#include "base/template.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `n`: the length of slot_name, or -1 where a NUL ends it. */
static _Noreturn void report_bug(const char *name, const char *what, const char *slot_name, int n) {
  fprintf(stderr, "aotigen: error: template '%s': %s '%.*s'\n", name, what, n, slot_name);
  exit(3);
}

static const template_file *find_template(const char *name) {
  for (unsigned i = 0; i < template_files_n; i++)
    if (strcmp(template_files[i].name, name) == 0) return &template_files[i];
  report_bug(name, "is not among", "templates/", -1);
}

static const slot *find_slot(const char *at, size_t n, const slot *slots, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strlen(slots[i].name) == n && memcmp(slots[i].name, at, n) == 0) return &slots[i];
  return NULL;
}

_Static_assert(TEMPLATE_SLOTS_MAX <= sizeof(unsigned) * 8, "`used` has a bit for each slot");

void template_add(strbuf *to, const char *name, const slot *slots, size_t n) {
  const char *at = find_template(name)->text, *open;
  const size_t begin = to->n;
  unsigned used = 0;
  if (n > TEMPLATE_SLOTS_MAX)
    report_bug(name, "has too many slots:", slots[TEMPLATE_SLOTS_MAX].name, -1);
  while ((open = strstr(at, "@{"))) {
    size_t length = strcspn(open + 2, "}");
    const slot *s = find_slot(open + 2, length, slots, n);
    if (!s) report_bug(name, "nothing fills", open + 2, (int)length);
    used |= 1u << (s - slots);
    strbuf_add(to, at, (size_t)(open - at));
    strbuf_puts(to, s->value);
    at = open + length + 3;
  }
  strbuf_puts(to, at);
  for (size_t i = 0; i < n; i++)
    if (!(used & 1u << i)) report_bug(name, "has no slot", slots[i].name, -1);
  while (to->n > begin && to->at[to->n - 1] == '\n') to->at[--to->n] = '\0';
}

char *template_fill(const char *name, const slot *slots, size_t n, arena *a) {
  strbuf out = {0};
  template_add(&out, name, slots, n);
  return strbuf_take(&out, a);
}

const char *template_sha256(const char *name) { return find_template(name)->sha256; }

char *template_quote(const char *s, arena *a) {
  char *out = arena_alloc(a, 4 * strlen(s) + 1), *to = out;
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\' || c == '?') {
      *to++ = '\\';
      *to++ = (char)c;
    } else if (c == '\n') {
      *to++ = '\\';
      *to++ = 'n';
    } else if (c < 0x20 || c == 0x7f) {
      to += sprintf(to, "\\%03o", c);
    } else {
      *to++ = (char)c;
    }
  }
  return out;
}
