/* operands.c - see scan_parts.h. */
#include "parse/scan_parts.h"
#include "parse/lex.h"
#include <string.h>

static const char *strip_const(arena *a, const char *type) {
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

enum holds operands_type_holds(CXType type, arena *a, const char **canonical) {
  CXType c = clang_getCanonicalType(type);
  if (c.kind == CXType_LValueReference || c.kind == CXType_RValueReference)
    c = clang_getCanonicalType(clang_getPointeeType(c));
  const char *name = strip_const(a, translation_unit_string(a, clang_getTypeSpelling(c)));
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

/* The variable that `declaration` declares, or -1 if the wrapper does not declare it. */
static int find_declared(const operand_reader *reader, CXCursor declaration) {
  enum CXCursorKind kind = clang_getCursorKind(declaration);
  size_t at;
  if ((kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) ||
      !translation_unit_offset(reader->t, clang_getCursorLocation(declaration), &at))
    return -1;
  size_t i; /* they are declared in source order */
  arena_bound(i, reader->f->vars.n, reader->f->vars.at[i].declared < at);
  return i < reader->f->vars.n && reader->f->vars.at[i].declared == at ? (int)i : -1;
}

typedef struct first_variable {
  const operand_reader *r;
  int found;
} first_variable;

static enum CXChildVisitResult find_variable(CXCursor e, CXCursor parent, CXClientData data) {
  (void)parent;
  first_variable *k = data;
  if (clang_getCursorKind(e) == CXCursor_DeclRefExpr)
    k->found = find_declared(k->r, clang_getCursorReferenced(e));
  return k->found >= 0 ? CXChildVisit_Break : CXChildVisit_Recurse;
}

int operands_first_variable(const operand_reader *reader, CXCursor e) {
  first_variable k = {reader, -1};
  if (clang_Cursor_isNull(e)) return -1;
  find_variable(e, e, &k);
  if (k.found < 0) clang_visitChildren(e, find_variable, &k);
  return k.found;
}

bool operands_is_pure(const char *text, span s) {
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
      if (strings_index(casts, name) < 0) return false;
    }
    at = next;
  }
  return true;
}

/* ---- collecting */

typedef struct collector {
  const operand_reader *r;
  operand_list *to;
  bool consumed;
} collector;

static void collect_operands(collector *k, CXCursor e);

static enum CXChildVisitResult collect_child(CXCursor child, CXCursor parent, CXClientData data) {
  (void)parent;
  collect_operands(data, child);
  return CXChildVisit_Continue;
}

static void add_operand(collector *k, operand x) {
  x.param = -1;
  x.consumed = k->consumed;
  *arena_push(k->r->a, k->to) = x;
}

/* reinterpret_tensor_wrapper(base, ndim, sizes, strides, offset) */
static bool collect_view(collector *k, CXCursor call) {
  if (clang_Cursor_getNumArguments(call) != 5) return false;
  span *view = arena_alloc(k->r->a, 5 * sizeof *view);
  operand x = {.kind = OPERAND_VIEW, .var = -1, .view = view};
  if (!translation_unit_span(k->r->t, call, &x.text)) return false;
  for (unsigned i = 0; i < 5; i++)
    if (!translation_unit_span(k->r->t, clang_Cursor_getArgument(call, i), &view[i])) return false;
  operand_list base = {0};
  operands_collect(k->r, clang_Cursor_getArgument(call, 0), &base);
  if (base.n == 1 && base.at[0].kind == OPERAND_TENSOR) x.var = base.at[0].var;
  add_operand(k, x);
  return true;
}

static bool is_handle_constructor(CXCursor callee, arena *a) {
  return clang_getCursorKind(callee) == CXCursor_Constructor &&
         strcmp(translation_unit_string(a, clang_getCursorSpelling(callee)),
                "RAIIAtenTensorHandle") == 0;
}

static void collect_call(collector *k, CXCursor call) {
  static const char *const keeps[] = {"data_ptr", "get",     "data",  "cbegin",
                                      "begin",    "release", "value", NULL};
  CXCursor callee = clang_getCursorReferenced(call);
  const char *name = translation_unit_string(k->r->a, clang_getCursorSpelling(callee));
  if (strcmp(name, "reinterpret_tensor_wrapper") == 0 && collect_view(k, call)) return;
  if (clang_getCursorKind(callee) == CXCursor_CXXMethod && strncmp(name, "operator", 8) != 0 &&
      strings_index(keeps, name) < 0)
    return;
  bool before = k->consumed;
  if (is_handle_constructor(callee, k->r->a) || strcmp(name, "release") == 0) k->consumed = true;
  clang_visitChildren(call, collect_child, k);
  k->consumed = before;
}

static void collect_variable(collector *k, CXCursor reference) {
  int i = find_declared(k->r, clang_getCursorReferenced(reference));
  if (i < 0) return;
  const fact_var *v = &k->r->f->vars.at[i];
  operand x = {.kind = OPERAND_TENSOR, .var = i};
  if (!translation_unit_span(k->r->t, reference, &x.text)) return;
  if (v->holds == HOLDS_HANDLE || v->holds == HOLDS_OBJECT || v->holds == HOLDS_ARRAYREF) {
    add_operand(k, x);
    return;
  }
  for (size_t n = 0; n < v->sources.n; n++) {
    x.var = v->sources.at[n];
    add_operand(k, x);
  }
}

/* &x for an empty x: the call stores a tensor or a number there. */
static bool collect_output(collector *k, CXCursor address) {
  operand x = {.kind = OPERAND_OUTPUT};
  if (!translation_unit_span(k->r->t, address, &x.text) || k->r->t->text[x.text.begin] != '&')
    return false;
  size_t name = lex_skip_space(k->r->t->text, x.text.begin + 1, x.text.end);
  /* the innermost declaration of a name is the last one before its use */
  for (size_t i = k->r->f->vars.n; i-- > 0;) {
    const fact_var *v = &k->r->f->vars.at[i];
    if (v->declared >= x.text.begin || strlen(v->name) != x.text.end - name ||
        memcmp(v->name, k->r->t->text + name, x.text.end - name) != 0)
      continue;
    if (v->made != MADE_EMPTY || (v->holds != HOLDS_HANDLE && v->holds != HOLDS_SCALAR))
      return false;
    x.var = (int)i;
    add_operand(k, x);
    return true;
  }
  return false;
}

static void collect_operands(collector *k, CXCursor e) {
  switch ((int)clang_getCursorKind(e)) {
    case CXCursor_CallExpr: collect_call(k, e); break;
    case CXCursor_DeclRefExpr: collect_variable(k, e); break;
    case CXCursor_UnaryOperator:
      if (!collect_output(k, e)) clang_visitChildren(e, collect_child, k);
      break;
    case CXCursor_LambdaExpr: break;
    default: clang_visitChildren(e, collect_child, k);
  }
}

void operands_collect(const operand_reader *reader, CXCursor e, operand_list *to) {
  collector k = {.r = reader, .to = to};
  collect_operands(&k, e);
}
