/* changes.c - see blocks.h. */
#include "sizes/blocks.h"
#include "parse/lex.h"
#include <string.h>

enum { NAMESAKES_MAX = 256 };

static bool stands(const char *text, size_t at, size_t end, const char *what) {
  size_t n = strlen(what);
  return at + n <= end && memcmp(text + at, what, n) == 0;
}

/* True if the name of n bytes at `at` is the one in "NAME.reset()" or "std::move(NAME)". */
static bool gives_up(const char *text, size_t at, size_t end, size_t n) {
  static const char move[] = "std::move(";
  size_t room = sizeof move - 1;
  if (stands(text, at + n, end, ".reset()") || stands(text, at + n, end, ".release()")) return true;
  return at >= room && memcmp(text + at - room, move, room) == 0 && text[at + n] == ')';
}

static bool assigns(const char *text, size_t p, size_t end) {
  return p + 1 < end && text[p] == '=' && text[p + 1] != '=';
}

/* `before` and `last`: the last bytes of the text before the name. */
static bool changes_in_place(const char *text, size_t p, size_t end, char before, char last) {
  bool twice = p + 1 < end && text[p] == text[p + 1];
  bool counts = (twice && (text[p] == '+' || text[p] == '-')) ||
                (last == before && (last == '+' || last == '-'));
  bool by = p + 1 < end && strchr("+-*/%&|^", text[p]) && text[p + 1] == '=';
  bool shifts = p + 2 < end && twice && strchr("<>", text[p]) && text[p + 2] == '=';
  return counts || by || shifts || (last == '&' && before != '&');
}

static void add_change(string_map *by_name, arena *a, const char *name, change x) {
  changes *list = string_map_get(by_name, name);
  if (!list) {
    list = arena_alloc(a, sizeof *list);
    string_map_put(by_name, name, list);
  }
  *arena_push(a, list) = x;
}

string_map *changes_read(const facts *f, arena *a) {
  string_map *by_name = string_map_create(a);
  char before = ';', last = ';';
  for (size_t at = 0, next; (at = lex_skip_space(f->text, at, f->n)) < f->n; at = next) {
    next = lex_skip_token(f->text, at, f->n);
    size_t p = lex_is_identifier(f->text[at]) ? lex_skip_space(f->text, next, f->n) : f->n;
    int kind = assigns(f->text, p, f->n)                                      ? CHANGE_ASSIGNS
               : p < f->n && gives_up(f->text, at, f->n, next - at)           ? CHANGE_GIVES_UP
               : p < f->n && changes_in_place(f->text, p, f->n, before, last) ? CHANGE_OTHER
                                                                              : -1;
    if (kind >= 0)
      add_change(by_name, a, arena_strndup(a, f->text + at, next - at),
                 (change){at, (enum change_kind)kind});
    before = next - at > 1 ? f->text[next - 2] : last;
    last = f->text[next - 1];
  }
  return by_name;
}

size_t changes_count(const changes *c, size_t to) {
  size_t low = 0, high = c ? c->n : 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (c->at[middle].offset < to)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int changes_find_variable(const blocks *b, const storage *s, const char *name, size_t at) {
  int here = blocks_find(b, at);
  for (int i = 0; i < NAMESAKES_MAX; i++) {
    int var = storage_find(s, name, strlen(name), at);
    size_t declared = var >= 0 ? b->f->vars.at[var].declared : 0;
    if (var < 0 || blocks_is_within(b, here, blocks_find(b, declared))) return var;
    if (declared == 0) break;
    at = declared - 1;
  }
  return -1;
}
