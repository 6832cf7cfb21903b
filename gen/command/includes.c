/* includes.c - see includes.h. */
#include "command/includes.h"
#include "base/string_map.h"
#include <ctype.h>
#include <string.h>

static bool is_line_space(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

/* The length of a "#" at `at`, however it is spelled, or 0. */
static size_t hash_length(const includes_scan *s, size_t at) {
  size_t left = s->n - at;
  if (s->text[at] == '#') return 1;
  if (left > 1 && !memcmp(s->text + at, "%:", 2)) return 2;
  return left > 2 && !memcmp(s->text + at, "?\?=", 3) ? 3 : 0;
}

/* Past blanks and spliced lines. */
static size_t skip_blanks(const includes_scan *s, size_t at) {
  for (;;) {
    bool splice = at + 1 < s->n && s->text[at] == '\\' &&
                  (is_line_space(s->text[at + 1]) || s->text[at + 1] == '\n');
    if (splice)
      at += 2;
    else if (at < s->n && is_line_space(s->text[at]))
      at++;
    else
      return at;
  }
}

/* The first `c` from `at` on, or the end. `known` is the answer to the last call for this `c`: a
 * text is searched once for each, however many directives ask. */
static size_t find_next(const includes_scan *s, size_t *known, size_t at, char c) {
  if (*known >= at && *known < s->n && s->text[*known] == c) return *known;
  if (*known == s->n && *known >= at) return *known;
  const char *found = at < s->n ? memchr(s->text + at, c, s->n - at) : NULL;
  return *known = found ? (size_t)(found - s->text) : s->n;
}

static bool includes_file(const includes_scan *s, const directive *d) {
  static const char *const names[] = {"include", "include_next", "import", "embed"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (includes_is_named(s, d, names[i])) return true;
  return false;
}

static void read_path(includes_scan *s, directive *d) {
  if (d->rest >= s->n || (s->text[d->rest] != '"' && s->text[d->rest] != '<')) return;
  d->quote = s->text[d->rest];
  d->path = d->rest + 1;
  size_t end = d->quote == '"' ? find_next(s, &s->quote, d->path, '"')
                               : find_next(s, &s->angle, d->path, '>'),
         line_end = find_next(s, &s->line_end, d->path, '\n');
  d->closed = end < line_end;
  d->path_n = (d->closed ? end : line_end) - d->path;
}

static void read_directive(includes_scan *s, directive *d, size_t at, size_t hash) {
  *d = (directive){.offset = at, .name = skip_blanks(s, at + hash)};
  size_t end = d->name;
  while (end < s->n && (isalnum((unsigned char)s->text[end]) || s->text[end] == '_')) end++;
  d->name_n = end - d->name;
  d->rest = skip_blanks(s, end);
  d->includes = includes_file(s, d);
  if (d->includes) read_path(s, d);
}

bool includes_next(includes_scan *s, directive *d) {
  while (s->offset < s->n) {
    size_t at = s->offset++, hash = s->in_line ? 0 : hash_length(s, at);
    char c = s->text[at];
    bool comment_end = c == '/' && at > 0 && s->text[at - 1] == '*';
    if (c == '\n' || comment_end)
      s->in_line = false;
    else if (!is_line_space(c) && (unsigned char)c < 0x80)
      s->in_line = true;
    if (!hash) continue;
    read_directive(s, d, at, hash);
    return true;
  }
  return false;
}

bool includes_is_named(const includes_scan *s, const directive *d, const char *name) {
  return strlen(name) == d->name_n && !memcmp(s->text + d->name, name, d->name_n);
}

bool includes_next_path(includes_scan *s, directive *d) {
  while (includes_next(s, d)) {
    if (!d->closed || d->path < s->paths_end || !includes_is_named(s, d, "include")) continue;
    s->paths_end = d->path + d->path_n;
    return true;
  }
  return false;
}

bool includes_read(includes *list, const char *text, size_t n, arena *a) {
  includes_scan s = {.text = text, .n = n};
  strbuf path = {0};
  string_map *seen = string_map_create(a);
  bool ok = true;
  for (directive d; ok && includes_next_path(&s, &d);) {
    path.n = 0;
    strbuf_add(&path, text + d.path, d.path_n);
    if (string_map_index(seen, path.at) != STRING_MAP_NONE) continue;
    ok = list->n < INCLUDES_MAX;
    if (!ok) break;
    const char *kept = arena_strndup(a, path.at, path.n);
    string_map_put_index(seen, kept, list->n);
    *arena_push(a, list) = kept;
  }
  strbuf_free(&path);
  return ok;
}

bool includes_text_has(const char *text, size_t n, const char *path) {
  includes_scan s = {.text = text, .n = n};
  for (directive d; includes_next_path(&s, &d);)
    if (d.path_n == strlen(path) && !memcmp(text + d.path, path, d.path_n)) return true;
  return false;
}

bool includes_has(const includes *list, const char *path) {
  size_t n = strlen(path);
  for (size_t i = 0; i < list->n; i++)
    if (n && path[n - 1] == '/' ? !strncmp(list->at[i], path, n) : !strcmp(list->at[i], path))
      return true;
  return false;
}

bool includes_python(const includes *list) {
  return includes_has(list, "Python.h") || includes_has(list, "pybind11/") ||
         includes_has(list, "torch/csrc/inductor/cpp_wrapper/") ||
         includes_has(list, "torch/extension.h");
}
