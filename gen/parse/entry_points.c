/* entry_points.c - see scan_parts.h. libclang tells what may throw and where a `try` is expanded;
 * where the text of a macro's `try` stands is found in the text. */
#include "parse/scan_parts.h"
#include "parse/lex.h"
#include <ctype.h>
#include <string.h>

typedef struct reader {
  facts *f;
  const translation_unit *t;
  arena *a;
  fact_entry *entry;
  bool in_try;
} reader;

static bool is_entry_name(const char *name) { return strncmp(name, "AOTInductor", 11) == 0; }

/* Disposes of the string. */
static bool is_entry_named(CXString s) {
  const char *text = clang_getCString(s);
  bool is_entry = text && is_entry_name(text);
  clang_disposeString(s);
  return is_entry;
}

/* With C linkage a function's mangled name is its name. */
static bool is_entry(CXCursor function) {
  return clang_getCursorKind(function) == CXCursor_FunctionDecl &&
         is_entry_named(clang_getCursorSpelling(function)) &&
         is_entry_named(clang_Cursor_getMangling(function));
}

/* ---- the text of a `try` -------------------------------------------------------------------- */

/* The offset past the line that begins at `at`, and past lines that a backslash joins to it. */
static size_t past_directive(const facts *f, size_t at) {
  for (; at < f->n; at++)
    if (f->text[at] == '\n' && f->text[at - 1] != '\\' &&
        (f->text[at - 1] != '\r' || f->text[at - 2] != '\\'))
      break;
  return at;
}

/* Finds the macro's last definition before `before`, and what follows its name. False if there
 * is none. */
static bool find_definition(const facts *f, const char *name, size_t before, span *definition) {
  bool fresh = true, found = false; /* fresh: only blanks since the line began */
  for (size_t at = 0; at < before;) {
    char c = f->text[at];
    size_t word = fresh && c == '#' ? lex_skip_space(f->text, at + 1, f->n) : before;
    if (word < before && lex_is_word(f->text, word, f->n, "define")) {
      size_t past = past_directive(f, word);
      word = lex_skip_space(f->text, word + strlen("define"), past);
      if (lex_is_word(f->text, word, past, name)) {
        *definition = (span){word + strlen(name), past};
        found = true;
      }
      at = past;
      continue;
    }
    fresh = c == '\n' || (fresh && isspace((unsigned char)c));
    at = lex_skip_token(f->text, at, f->n);
  }
  return found;
}

/* The block of the first `try` in `s`. */
static bool find_block(const facts *f, span s, fact_try *x) {
  size_t at = lex_find_word(f->text, s.begin, s.end, "try");
  if (at == s.end) return false;
  x->open = lex_find(f->text, at, s.end, '{');
  x->close = lex_match(f->text, x->open, s.end);
  return x->close < s.end;
}

static void add_try(reader *r, fact_try x) {
  for (size_t i = 0; i < r->f->tries.n; i++)
    if (r->f->tries.at[i].open == x.open) return;
  *arena_push(r->a, &r->f->tries) = x;
}

/* `at`: the place of the statement, or of the macro that expands to it. */
static void locate_try(reader *r, size_t at) {
  const facts *f = r->f;
  size_t past = lex_skip_token(f->text, at, f->n);
  const char *word = arena_strndup(r->a, f->text + at, past - at);
  span definition = {at, r->f->n};
  fact_try x;
  if (strcmp(word, "try") != 0 && !find_definition(f, word, at, &definition))
    r->entry->uncovered = arena_printf(
        r->a, "catches its exceptions by '%s', which is not defined in the wrapper", word);
  else if (!find_block(f, definition, &x))
    r->entry->uncovered =
        arena_printf(r->a, "catches its exceptions by '%s', which has no 'try' of its own", word);
  else
    add_try(r, x);
}

/* ---- what may throw ------------------------------------------------------------------------- */

static bool may_throw(CXCursor call) {
  CXCursor callee = clang_getCursorReferenced(call);
  if (clang_Cursor_isNull(callee)) return true;
  if (is_entry(callee)) return false;
  switch (clang_getCursorExceptionSpecificationType(callee)) {
    case CXCursor_ExceptionSpecificationKind_DynamicNone:
    case CXCursor_ExceptionSpecificationKind_BasicNoexcept:
    case CXCursor_ExceptionSpecificationKind_NoThrow: return false;
    default: return true;
  }
}

static enum CXChildVisitResult visit_body(CXCursor c, CXCursor parent, CXClientData data) {
  reader *r = data, saved = *r;
  size_t at;
  (void)parent;
  switch ((int)clang_getCursorKind(c)) {
    case CXCursor_CXXTryStmt:
      if (translation_unit_offset(r->t, clang_getCursorLocation(c), &at))
        locate_try(r, at);
      else
        r->entry->uncovered = "catches its exceptions in a header";
      r->in_try = true;
      break;
    case CXCursor_CXXCatchStmt: return CXChildVisit_Continue; /* calls there come after the `try` */
    case CXCursor_CXXDeleteExpr: r->entry->deletes = true; break;
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXThrowExpr: r->entry->throws |= !r->in_try; break;
    case CXCursor_CallExpr: r->entry->throws |= !r->in_try && may_throw(c); break;
    default: break;
  }
  clang_visitChildren(c, visit_body, r);
  *r = saved;
  return CXChildVisit_Continue;
}

void entry_points_add(facts *f, const translation_unit *t, CXCursor function, int index, arena *a) {
  if (!is_entry(function)) return;
  fact_entry e = {.function = index};
  reader r = {.f = f, .t = t, .a = a, .entry = &e};
  clang_visitChildren(function, visit_body, &r);
  *arena_push(a, &f->entries) = e;
}
