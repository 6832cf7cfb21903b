/* shown.c - see shown.h. */
#include "base/shown.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unictype.h>
#include "shared/name_cut.h"

/* The length of a UTF-8 sequence by its first byte; 0 where it cannot begin a longer one. */
static size_t sequence_length(unsigned char first) {
  if (first >= 0xc0 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf8 ? 4 : 0;
}

/* The character at `s` and its length; 0 where the bytes are none. */
static size_t decode_character(const unsigned char *s, uint32_t *c) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  *c = *s;
  if (*s < 0x80) return 1;
  size_t n = sequence_length(*s);
  *c = n ? *s & (0x7fu >> n) : 0;
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    *c = *c << 6 | (s[i] & 0x3f);
  }
  bool surrogate = *c >= 0xd800 && *c < 0xe000;
  return n && *c >= least[n] && *c < 0x110000 && !surrogate ? n : 0;
}

/* All of the kinds "other" and "separator", of which the blank alone is printable. */
static bool is_printable(uint32_t c) {
  static const uint32_t hidden = UC_CATEGORY_MASK_C | UC_CATEGORY_MASK_Z;
  return c == ' ' || (!uc_is_general_category_withtable(c, hidden) &&
                      !uc_is_property_default_ignorable_code_point(c));
}

size_t shown_length(const char *s) {
  uint32_t c;
  size_t n = decode_character((const unsigned char *)s, &c);
  return n && is_printable(c) ? n : 0;
}

bool shown_is_one_line(const char *text) {
  static const uint32_t breaks = UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp;
  uint32_t c;
  for (size_t n; *text; text += n) {
    n = decode_character((const unsigned char *)text, &c);
    if (!n || uc_is_general_category_withtable(c, breaks) || uc_is_property_bidi_control(c))
      return false;
  }
  return true;
}

static void add_escaped(strbuf *out, char c) {
  if (c == '\n' || c == '\t')
    strbuf_puts(out, c == '\n' ? "\\n" : "\\t");
  else
    strbuf_printf(out, "\\x%02x", (unsigned char)c);
}

const char *shown_text(const char *text, arena *a) {
  const char *s = text;
  for (size_t n; *s && (n = shown_length(s));) s += n;
  if (!*s) return text;
  strbuf out = {0};
  strbuf_add(&out, text, (size_t)(s - text));
  while (*s) {
    size_t n = shown_length(s);
    if (n)
      strbuf_add(&out, s, n);
    else
      add_escaped(&out, *s);
    s += n ? n : 1;
  }
  return strbuf_take(&out, a);
}

const char *shown_name(const char *name, arena *a) {
  char cut[AG_NAME_SHOWN + 1];
  return shown_text(ag_name_cut(cut, name) ? arena_strdup(a, cut) : name, a);
}

/* As JSON spells a character that UTF-16 may need two units for. */
static void print_json_escape(uint32_t c, FILE *to) {
  uint32_t above = c - 0x10000;
  if (c < 0x10000)
    fprintf(to, "\\u%04x", (unsigned)c);
  else
    fprintf(to, "\\u%04x\\u%04x", 0xd800u + (unsigned)(above >> 10),
            0xdc00u + (unsigned)(above & 0x3ff));
}

void shown_add_json(cJSON *to, const char *key, const char *text) {
  if (text)
    cJSON_AddStringToObject(to, key, text);
  else
    cJSON_AddNullToObject(to, key);
}

/* cJSON has escaped the control characters below 0x20. */
void shown_print_json(cJSON *json, FILE *to) {
  char *text = cJSON_PrintUnformatted(json);
  for (const unsigned char *s = (const unsigned char *)(text ? text : "{}"); *s;) {
    uint32_t c;
    size_t n = decode_character(s, &c);
    if (n && is_printable(c))
      fwrite(s, 1, n, to);
    else
      print_json_escape(n ? c : 0xfffd, to);
    s += n ? n : 1;
  }
  fputc('\n', to);
  free(text);
  cJSON_Delete(json);
}

/* ---- the stream ----------------------------------------------------------------------------- */

typedef struct shown_stream {
  FILE *to;
  char begun[4]; /* the bytes of a character whose other bytes are still to come, and a NUL */
  size_t n;
} shown_stream;

/* True where the bytes up to the end begin a character, and are not all of it. */
static bool is_begun(const char *s, size_t n) {
  size_t whole = sequence_length((unsigned char)*s);
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return false;
  return n < whole;
}

static void write_shown(shown_stream *stream, const char *at, size_t n, bool last) {
  for (const char *s = at, *end = at + n; s < end;) {
    size_t k = *s == '\n' || *s == '\t' ? 1 : shown_length(s);
    if (!k && !last && is_begun(s, (size_t)(end - s))) {
      stream->n = (size_t)(end - s);
      memcpy(stream->begun, s, stream->n);
      return;
    }
    if (k)
      fwrite(s, 1, k, stream->to);
    else
      fprintf(stream->to, "\\x%02x", (unsigned char)*s);
    s += k ? k : 1;
  }
}

static ssize_t write_stream(void *cookie, const char *at, size_t n) {
  shown_stream *x = cookie;
  strbuf all = {0};
  strbuf_add(&all, x->begun, x->n);
  strbuf_add(&all, at, n);
  x->n = 0;
  write_shown(x, all.at, all.n, false);
  strbuf_free(&all);
  return ferror(x->to) ? 0 : (ssize_t)n;
}

static int close_stream(void *cookie) {
  shown_stream *x = cookie;
  char rest[sizeof x->begun] = "";
  memcpy(rest, x->begun, x->n);
  write_shown(x, rest, x->n, true);
  free(x);
  return 0;
}

FILE *shown_open(FILE *to) {
  const cookie_io_functions_t functions = {.write = write_stream, .close = close_stream};
  shown_stream *x = calloc(1, sizeof *x);
  FILE *f = x ? fopencookie(x, "w", functions) : NULL;
  if (!f) {
    fputs("aotigen: error: out of memory\n", stderr);
    exit(3);
  }
  x->to = to;
  return f;
}

/* ---- numbers of bytes ----------------------------------------------------------------------- */

const char *byte_count_format(uint64_t n, arena *a) {
  if (n < 10000) return arena_printf(a, "%llu bytes", (unsigned long long)n);
  if (n < 10000000) return arena_printf(a, "%.1f kB", (double)n / 1e3);
  if (n < 10000000000) return arena_printf(a, "%.1f MB", (double)n / 1e6);
  return arena_printf(a, "%.1f GB", (double)n / 1e9);
}
