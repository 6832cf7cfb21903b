/* atoms.c - see atoms.h. */
#include "parse/operands.h"
#include "parse/lex.h"
#include <string.h>

static bool one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

const char *atoms_spelled(arena *a, CXString s) {
  const char *text = clang_getCString(s);
  char *copy = arena_strdup(a, text ? text : "");
  clang_disposeString(s);
  return copy;
}

static const char *without_const(arena *a, const char *type) {
  if (strncmp(type, "const ", 6) == 0) type += 6;
  size_t n = strlen(type);
  if (n > 6 && strcmp(type + n - 6, " const") == 0) return arena_strndup(a, type, n - 6);
  if (n > 6 && strcmp(type + n - 6, "*const") == 0) return arena_strndup(a, type, n - 5);
  return type;
}

static bool is_class(const char *type, const char *name) {
  const char *at = strstr(type, name);
  return at && (at == type || (at[-1] == ':' && strncmp(type, "std::", 5) != 0)) &&
         !strchr(at, '*');
}

static enum holds holds_class(const char *type) {
  if (is_class(type, "RAIIAtenTensorHandle") || is_class(type, "ConstantHandle"))
    return HOLDS_OBJECT;
  if (is_class(type, "ArrayRefTensor<")) return HOLDS_ARRAYREF;
  return HOLDS_OTHER;
}

enum holds atoms_holds(CXType type, arena *a, const char **canonical) {
  CXType c = clang_getCanonicalType(type);
  if (c.kind == CXType_LValueReference || c.kind == CXType_RValueReference)
    c = clang_getCanonicalType(clang_getPointeeType(c));
  const char *name = without_const(a, atoms_spelled(a, clang_getTypeSpelling(c)));
  *canonical = name;
  if (strcmp(name, "AtenTensorOpaque *") == 0) return HOLDS_HANDLE;
  if (strcmp(name, "AtenTensorOpaque **") == 0 || strcmp(name, "AtenTensorOpaque *const *") == 0)
    return HOLDS_HANDLES;
  if (c.kind == CXType_Pointer) return HOLDS_POINTER;
  if (c.kind == CXType_Record) return holds_class(name);
  if ((c.kind >= CXType_FirstBuiltin && c.kind <= CXType_LastBuiltin && c.kind != CXType_Void &&
       c.kind != CXType_Dependent && c.kind != CXType_Overload) ||
      c.kind == CXType_Enum)
    return HOLDS_SCALAR;
  return HOLDS_OTHER;
}

bool atoms_span(const tu *t, CXCursor c, span *s) {
  CXSourceRange range = clang_getCursorExtent(c);
  return tu_offset(t, clang_getRangeStart(range), &s->begin) &&
         tu_offset(t, clang_getRangeEnd(range), &s->end) && s->begin <= s->end;
}

int atoms_variable(const atoms *s, CXCursor declaration) {
  enum CXCursorKind kind = clang_getCursorKind(declaration);
  size_t at;
  if ((kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) ||
      !tu_offset(s->t, clang_getCursorLocation(declaration), &at))
    return -1;
  size_t low = 0, high = s->f->vars.n; /* declared in source order */
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->f->vars.at[middle].declared < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->f->vars.n && s->f->vars.at[low].declared == at ? (int)low : -1;
}

typedef struct first_variable {
  const atoms *s;
  int found;
} first_variable;

static enum CXChildVisitResult find_variable(CXCursor e, CXCursor parent, CXClientData data) {
  (void)parent;
  first_variable *k = data;
  if (clang_getCursorKind(e) == CXCursor_DeclRefExpr)
    k->found = atoms_variable(k->s, clang_getCursorReferenced(e));
  return k->found >= 0 ? CXChildVisit_Break : CXChildVisit_Recurse;
}

int atoms_first_variable(const atoms *s, CXCursor e) {
  first_variable k = {s, -1};
  if (clang_Cursor_isNull(e)) return -1;
  find_variable(e, e, &k);
  if (k.found < 0) clang_visitChildren(e, find_variable, &k);
  return k.found;
}

bool atoms_pure(const char *text, span s) {
  static const char *const casts[] = {"static_cast", "int64_t", "int32_t", "int",    "long",
                                      "float",       "double",  "bool",    "sizeof", NULL};
  size_t word = s.begin, at = s.begin;
  bool qualified = false;
  while (at < s.end) {
    char c = text[at];
    size_t next = lex_skip_token(text, at, s.end);
    if (c == '{' ||
        (c == '=' && text[at + 1] != '=' && (at == s.begin || !strchr("=!<>", text[at - 1]))))
      return false;
    if ((c == '+' || c == '-') && text[at + 1] == c) return false;
    if (lex_is_identifier(c)) {
      qualified = at >= s.begin + 2 && text[at - 1] == ':' && text[at - 2] == ':';
      word = at;
    } else if (c == '(' && at > s.begin && lex_is_identifier(text[at - 1]) && !qualified) {
      char name[32] = "";
      if (at - word < sizeof name) memcpy(name, text + word, at - word);
      if (!one_of(name, casts)) return false;
    }
    at = next;
  }
  return true;
}

/* ---- collecting ----------------------------------------------------------------------------- */

typedef struct collecting {
  const atoms *s;
  atom_list *to;
  bool consumed;
} collecting;

static void collect(collecting *k, CXCursor e);

static enum CXChildVisitResult each_child(CXCursor child, CXCursor parent, CXClientData data) {
  (void)parent;
  collect(data, child);
  return CXChildVisit_Continue;
}

static void push(collecting *k, atom x) {
  x.param = -1;
  x.consumed = k->consumed;
  *arena_push(k->s->a, k->to) = x;
}

/* reinterpret_tensor_wrapper(base, ndim, sizes, strides, offset), in all its overloads */
static bool collect_view(collecting *k, CXCursor call) {
  if (clang_Cursor_getNumArguments(call) != 5) return false;
  atom x = {.is = ATOM_VIEW, .var = -1};
  if (!atoms_span(k->s->t, call, &x.text)) return false;
  for (unsigned i = 0; i < 5; i++)
    if (!atoms_span(k->s->t, clang_Cursor_getArgument(call, i), &x.view[i])) return false;
  atom_list base = {0};
  atoms_collect(k->s, clang_Cursor_getArgument(call, 0), &base);
  if (base.n == 1 && base.at[0].is == ATOM_TENSOR) x.var = base.at[0].var;
  push(k, x);
  return true;
}

static bool is_constructor_of_handle(CXCursor callee, arena *a) {
  return clang_getCursorKind(callee) == CXCursor_Constructor &&
         strcmp(atoms_spelled(a, clang_getCursorSpelling(callee)), "RAIIAtenTensorHandle") == 0;
}

static void collect_call(collecting *k, CXCursor call) {
  static const char *const keeps[] = {"data_ptr", "get",     "data",  "cbegin",
                                      "begin",    "release", "value", NULL};
  CXCursor callee = clang_getCursorReferenced(call);
  const char *name = atoms_spelled(k->s->a, clang_getCursorSpelling(callee));
  if (strcmp(name, "reinterpret_tensor_wrapper") == 0 && collect_view(k, call)) return;
  if (clang_getCursorKind(callee) == CXCursor_CXXMethod && strncmp(name, "operator", 8) != 0 &&
      !one_of(name, keeps))
    return;
  bool before = k->consumed;
  if (is_constructor_of_handle(callee, k->s->a) || strcmp(name, "release") == 0) k->consumed = true;
  clang_visitChildren(call, each_child, k);
  k->consumed = before;
}

static void collect_variable(collecting *k, CXCursor reference) {
  int i = atoms_variable(k->s, clang_getCursorReferenced(reference));
  if (i < 0) return;
  const fact_var *v = &k->s->f->vars.at[i];
  atom x = {.is = ATOM_TENSOR, .var = i};
  if (!atoms_span(k->s->t, reference, &x.text)) return;
  if (v->holds == HOLDS_HANDLE || v->holds == HOLDS_OBJECT || v->holds == HOLDS_ARRAYREF) {
    push(k, x);
    return;
  }
  for (size_t n = 0; n < v->sources.n; n++) {
    x.var = v->sources.at[n];
    push(k, x);
  }
}

/* &x, where x is still empty: the call puts a tensor or a number there */
static bool collect_output(collecting *k, CXCursor address) {
  atom x = {.is = ATOM_OUTPUT};
  if (!atoms_span(k->s->t, address, &x.text) || k->s->t->text[x.text.begin] != '&') return false;
  size_t name = lex_skip_space(k->s->t->text, x.text.begin + 1, x.text.end);
  for (size_t i = k->s->f->vars.n;
       i-- > 0;) { /* the innermost declaration of that name is the last one before it */
    const fact_var *v = &k->s->f->vars.at[i];
    if (v->declared >= x.text.begin || strlen(v->name) != x.text.end - name ||
        memcmp(v->name, k->s->t->text + name, x.text.end - name) != 0)
      continue;
    if (v->made != MADE_EMPTY || (v->holds != HOLDS_HANDLE && v->holds != HOLDS_SCALAR))
      return false;
    x.var = (int)i;
    push(k, x);
    return true;
  }
  return false;
}

static void collect(collecting *k, CXCursor e) {
  switch ((int)clang_getCursorKind(e)) {
    case CXCursor_CallExpr: collect_call(k, e); break;
    case CXCursor_DeclRefExpr: collect_variable(k, e); break;
    case CXCursor_UnaryOperator:
      if (!collect_output(k, e)) clang_visitChildren(e, each_child, k);
      break;
    case CXCursor_LambdaExpr: break;
    default: clang_visitChildren(e, each_child, k);
  }
}

void atoms_collect(const atoms *s, CXCursor e, atom_list *to) {
  collecting k = {.s = s, .to = to};
  collect(&k, e);
}
