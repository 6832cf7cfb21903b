/* crash_lines.c - see crash_lines.h. */
#include "state/crash_lines.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>

enum { FILE_MOST = 160, TEXT_MOST = 160, MODULE_MOST = 100, SHOWN_MOST = 4 };
enum { REST_MOST = 80 }; /* the bytes behind the list of lines */

static uint64_t read_hex(const char *s) {
  static const char digits[] = "0123456789abcdef";
  uint64_t x = 0;
  for (const char *digit; *s && (digit = strchr(digits, *s)) != NULL; s++)
    x = x << 4 | (uint64_t)(digit - digits);
  return x;
}

uint64_t ag_site_lines_find(const aotigen_site *s, const char *key) {
  size_t n = strlen(key);
  const char *text = s->graph ? s->graph->lines : NULL;
  for (const char *at = text; at && *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
    if (!strncmp(at, key, n) && at[n] == ':') return read_hex(at + n + 1);
  return 0;
}

static uint64_t find_lines(const aotigen_site *s, int signal) {
  const uint64_t all = s->nlines >= 64 ? UINT64_MAX : (UINT64_C(1) << s->nlines) - 1;
  const bool asserts = signal == SIGABRT && s->graph && s->graph->asserted;
  const uint64_t found = asserts ? ag_site_lines_find(s, "!") & all : 0;
  return found ? found : all;
}

static bool is_about(uint64_t lines, uint16_t line) { return line >= 64 || lines >> line & 1; }

static int count(const aotigen_site *s, uint64_t lines) {
  int n = 0;
  for (uint16_t i = 0; i < s->nlines; i++) n += is_about(lines, i);
  return n;
}

static const char *name_file(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void ag_crash_lines_add(ag_raw_text *t, const aotigen_site *s, int signal) {
  const uint64_t lines = find_lines(s, signal);
  const int n = count(s, lines);
  int shown = 0;
  if (n) ag_raw_add(t, n == 1 ? ", model line " : ", one of model lines ");
  for (uint16_t i = 0; i < s->nlines && shown < SHOWN_MOST; i++) {
    const aotigen_line *x = &s->lines[i];
    if (!is_about(lines, i)) continue;
    if (shown++) ag_raw_add(t, ", ");
    ag_raw_add_some(t, name_file(x->file), FILE_MOST);
    ag_raw_add(t, ":");
    ag_raw_add_number(t, x->line);
    if (n > 1 || !x->module) continue;
    ag_raw_add(t, " (");
    ag_raw_add_some(t, x->module, FILE_MOST);
    ag_raw_add(t, ")");
  }
  if (n <= shown) return;
  ag_raw_add(t, " and ");
  ag_raw_add_number(t, n - shown);
  ag_raw_add(t, " more");
}

/* A string of JSON, with its quotes and backslashes. */
static void add_text_field(ag_raw_text *t, const char *field, const char *s, size_t most) {
  ag_raw_add(t, ",\"");
  ag_raw_add(t, field);
  ag_raw_add(t, "\":\"");
  for (size_t i = 0; s[i] && i < most; i++) {
    const bool escaped = s[i] == '"' || s[i] == '\\';
    const char bytes[3] = {escaped ? '\\' : ag_raw_json_byte(s[i]), escaped ? s[i] : '\0', '\0'};
    ag_raw_add(t, bytes);
  }
  ag_raw_add(t, "\"");
}

static void add_line(ag_raw_text *t, const aotigen_line *x) {
  ag_raw_add(t, "{\"line\":");
  ag_raw_add_number(t, x->line);
  ag_raw_add_path_field(t, "file", x->file, FILE_MOST);
  if (x->text) add_text_field(t, "text", x->text, TEXT_MOST);
  if (x->module) add_text_field(t, "module", x->module, MODULE_MOST);
  ag_raw_add(t, "}");
}

void ag_crash_lines_add_field(ag_raw_text *t, const aotigen_site *s, int signal) {
  const uint64_t lines = find_lines(s, signal);
  const int all = count(s, lines);
  int n = 0;
  for (uint16_t i = 0; i < s->nlines; i++) {
    const size_t before = t->length;
    if (!is_about(lines, i)) continue;
    ag_raw_add(t, n ? "," : ",\"model_lines\":[");
    add_line(t, &s->lines[i]);
    if (t->length + REST_MOST > AG_RAW_MOST) {
      t->length = before;
      break;
    }
    n++;
  }
  if (!n) return;
  ag_raw_add(t, "]");
  if (all > 1) ag_raw_add(t, ",\"lines_are_candidates\":true");
  if (all == s->nlines && s->flags & AOTIGEN_LINES_GUESSED)
    ag_raw_add(t, ",\"lines_guessed\":true");
}
