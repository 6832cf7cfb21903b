/* json.c - see json.h. */
#include "base/json.h"

int ag_json_measure_utf8(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  int n = 0;
  if (s[0] < 0x80) return 1;
  if (s[0] >= 0xc2 && s[0] < 0xe0) n = 2;
  if (s[0] >= 0xe0 && s[0] < 0xf0) n = 3;
  if (s[0] >= 0xf0 && s[0] < 0xf5) n = 4;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  /* overlong forms, surrogates, and code points beyond U+10FFFF */
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
  return n;
}

void ag_json_add_name(ag_text *t, const char *field) {
  ag_text_add(t, ",");
  ag_json_add_string(t, field);
  ag_text_add(t, ":");
}

void ag_json_add_string(ag_text *t, const char *s) {
  if (!s) {
    ag_text_add(t, "null");
    return;
  }
  ag_text_add(t, "\"");
  while (*s) {
    int n = ag_json_measure_utf8(s);
    if (!n)
      ag_text_add(t, "\\ufffd");
    else if (*s == '"' || *s == '\\')
      ag_text_addf(t, "\\%c", *s);
    else if ((unsigned char)*s < 0x20)
      ag_text_addf(t, "\\u%04x", (unsigned)*s);
    else
      ag_text_add_bytes(t, s, (size_t)n);
    s += n ? n : 1;
  }
  ag_text_add(t, "\"");
}

void ag_json_add_number(ag_text *t, int64_t x) { ag_text_add_int(t, x); }

void ag_json_add_list(ag_text *t, const int64_t *list, int64_t n) {
  ag_text_add_list(t, list, n, "[", ",", "]");
}
