/* scan.c - see scan.h. statement.c finds the ends of statements, operands.c what a call is passed.
 */
#include "parse/scan.h"
#include "base/string_map.h"
#include "parse/scan_parts.h"
#include "parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct scanner {
  operand_reader r;
  int function;
  size_t statement;      /* offset of the innermost statement */
  size_t loop;           /* offset of the innermost loop, 0 for none */
  const char *skipped;   /* why no line can stand around a launch in this statement, or NULL */
  bool copied;           /* in a lambda that does not capture the run by reference */
  string_map *launchers; /* the launcher templates by name, to indices of functions */
} scanner;

static void add_param(const scanner *k, fact_param *p, CXCursor decl, CXType type) {
  p->name = translation_unit_string(k->r.a, clang_getCursorSpelling(decl));
  p->type = translation_unit_string(k->r.a, clang_getTypeSpelling(type));
  p->holds = operands_type_holds(type, k->r.a, &p->canonical);
}

/* ---- variables */

static enum CXChildVisitResult find_last_expression(CXCursor child, CXCursor parent,
                                                    CXClientData data) {
  (void)parent;
  if (clang_isExpression(clang_getCursorKind(child))) *(CXCursor *)data = child;
  return CXChildVisit_Continue;
}

/* "constants_->at(3)", "inputs[1]", "std::get<2>(inputs)",
 * "c_to_arrayref_tensor<float>(c_inputs[0])" */
static void read_origin(const facts *f, fact_var *var) {
  static const struct {
    const char *before;
    enum made made;
  } origins[] = {
      {"constants_->at(", MADE_WEIGHT}, {"inputs[", MADE_INPUT}, {"std::get<", MADE_INPUT}};
  char init[160] = "";
  size_t n = var->init.end - var->init.begin;
  memcpy(init, f->text + var->init.begin, n < sizeof init ? n : sizeof init - 1);
  for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
    const char *at = strstr(init, origins[i].before);
    if (!at || (origins[i].before[0] == 's' && !strstr(init, "inputs"))) continue;
    var->made = origins[i].made;
    var->from = atoi(at + strlen(origins[i].before));
    return;
  }
}

static void read_initializer(scanner *k, fact_var *var, CXCursor init) {
  operand_list found = {0};
  if (!translation_unit_span(k->r.t, init, &var->init)) return;
  operands_collect(&k->r, init, &found);
  bool tensor = var->holds == HOLDS_HANDLE || var->holds == HOLDS_OBJECT ||
                var->holds == HOLDS_ARRAYREF;
  var->made = MADE_UNKNOWN;
  if (tensor && found.n == 1 && found.at[0].kind != OPERAND_OUTPUT) {
    var->made = found.at[0].kind == OPERAND_VIEW ? MADE_VIEW : MADE_ALIAS;
    var->from = found.at[0].var;
    if (found.at[0].view) memcpy(var->view, found.at[0].view, sizeof var->view);
  } else if (tensor) {
    read_origin(k->r.f, var);
  } else {
    for (size_t i = 0; i < found.n; i++) holders_add(&k->r, var, &found.at[i]);
  }
}

static void read_variable(scanner *k, CXCursor c) {
  size_t at;
  if (!translation_unit_offset(k->r.t, clang_getCursorLocation(c), &at)) return;
  CXCursor init = clang_getNullCursor();
  clang_visitChildren(c, find_last_expression, &init);
  fact_var v = {.declared = at,
                .made = MADE_EMPTY,
                .from = -1,
                .function = k->function,
                .loop = (int)k->loop};
  v.name = translation_unit_string(k->r.a, clang_getCursorSpelling(c));
  v.holds = operands_type_holds(clang_getCursorType(c), k->r.a, &v.type);
  if (!clang_Cursor_isNull(init) &&
      !(v.holds == HOLDS_OBJECT && clang_Cursor_getNumArguments(init) == 0 &&
        clang_getCursorKind(clang_getCursorReferenced(init)) == CXCursor_Constructor))
    read_initializer(k, &v, init);
  if (k->r.f->vars.n && k->r.f->vars.at[k->r.f->vars.n - 1].declared >= at)
    return; /* a template is visited twice */
  *arena_push(k->r.a, &k->r.f->vars) = v;
}

/* ---- calls */

static bool has_param(const fact_call *c, enum holds holds) {
  for (size_t i = 0; i < c->params.n; i++)
    if (c->params.at[i].holds == holds) return true;
  return false;
}

static bool has_type(const fact_call *c, const char *type) {
  for (size_t i = 0; i < c->params.n; i++)
    if (strstr(c->params.at[i].type, type)) return true;
  return false;
}

/* The launcher template of this name, or -1. */
static int find_launcher(const scanner *k, const char *name) {
  size_t i = string_map_index(k->launchers, name);
  return i == STRING_MAP_NONE ? -1 : (int)i;
}

/* Declared extern "C": its symbol is its name. */
static bool has_c_linkage(const scanner *k, const fact_call *c, CXCursor decl) {
  return strcmp(translation_unit_string(k->r.a, clang_Cursor_getMangling(decl)), c->callee) == 0;
}

/* True where, by its declaration, this call can launch; sets c->calls. */
static bool classify_call(const scanner *k, fact_call *c, CXCursor decl) {
  size_t at;
  bool ours = translation_unit_offset(k->r.t, clang_getCursorLocation(decl), &at);
  bool method = clang_getCursorKind(decl) == CXCursor_CXXMethod;
  bool handles = has_param(c, HOLDS_HANDLE) || has_param(c, HOLDS_HANDLES) ||
                 has_param(c, HOLDS_OBJECT) || has_param(c, HOLDS_ARRAYREF);
  c->launcher = find_launcher(k, c->callee);
  if (has_type(c, "StableIValue") || (method && strcmp(c->callee, "callBoxed") == 0) ||
      strcmp(c->callee, "PyObject_CallObject") == 0) {
    c->calls = CALLS_DISPATCHER;
    return true;
  }
  if (method) return false;
  if (c->launcher >= 0) {
    c->calls = CALLS_TEMPLATE;
    return true;
  }
  if (!ours) {
    c->calls = CALLS_SHIM;
    return handles;
  }
  CXType result = clang_getCanonicalType(clang_getResultType(clang_getCursorType(decl)));
  if (result.kind != CXType_Void) {
    c->calls = CALLS_SHIM; /* custom_ops_to_c_shims of torch 2.11 */
    c->declared_here = true;
    return result.kind == CXType_Int && handles && has_c_linkage(k, c, decl) &&
           clang_Cursor_isNull(clang_getCursorDefinition(decl));
  }
  if (has_type(c, "void *[]") || has_type(c, "void **")) {
    c->calls = CALLS_LAUNCH;
    return true;
  }
  c->calls = CALLS_KERNEL;
  return !handles && has_param(c, HOLDS_POINTER) && has_c_linkage(k, c, decl);
}

static void read_argument(const scanner *k, fact_call *c, int i, CXCursor e) {
  const fact_param *p = &c->params.at[i];
  operand_list found = {0};
  operands_collect(&k->r, e, &found);
  span text;
  if (!translation_unit_span(k->r.t, e, &text)) return; /* a default argument */
  for (size_t n = 0; n < found.n; n++) {
    operand x = found.at[n];
    x.param = i;
    if (p->holds == HOLDS_POINTER && c->calls != CALLS_DISPATCHER && x.kind != OPERAND_OUTPUT) {
      if (c->calls == CALLS_KERNEL) {
        if (x.kind == OPERAND_TENSOR) x.kind = OPERAND_POINTER;
        x.is_const = strncmp(p->canonical, "const ", 6) == 0;
        const char *element = p->canonical + (x.is_const ? 6 : 0);
        x.element =
            arena_strndup(k->r.a, element, strcspn(element, "*") - (strchr(element, ' ') ? 1 : 0));
      } else if (c->calls == CALLS_SHIM) {
        continue; /* sizes and strides, not data */
      }
    }
    *arena_push(k->r.a, &c->operands) = x;
  }
  if (found.n) return;
  if (p->holds == HOLDS_SCALAR || (p->holds == HOLDS_POINTER && c->calls == CALLS_KERNEL)) {
    operand x = {.kind = p->holds == HOLDS_SCALAR ? OPERAND_SCALAR : OPERAND_POINTER,
                 .param = i,
                 .var = -1,
                 .text = text};
    x.pure = x.kind == OPERAND_SCALAR && operands_is_pure(k->r.t->text, text);
    *arena_push(k->r.a, &c->operands) = x;
  }
}

/* Finds the parentheses of the argument list in the text. False where a macro makes the call. */
static bool find_argument_list(const scanner *k, span whole, fact_call *c) {
  const char *source = k->r.t->text;
  size_t at = whole.begin, angle = 0;
  while (at < whole.end && !(source[at] == '(' && angle == 0)) {
    if (source[at] == '<') angle++;
    if (source[at] == '>' && angle && source[at - 1] != '-') angle--;
    at = lex_skip_token(source, at, whole.end);
  }
  c->open = at;
  c->close = lex_match(source, at, whole.end + 1 <= k->r.t->n ? whole.end : k->r.t->n);
  return at < whole.end && lex_find_word(source, whole.begin, at, c->callee) < at;
}

/* A call that the text does not hold: it is known by the name of its macro. */
static void skip_macro(const scanner *k, span whole, fact_call *c) {
  const char *source = k->r.t->text;
  c->statement = (span){whole.begin, lex_skip_token(source, whole.begin, whole.end)};
  c->open = c->close = c->statement.end;
  c->skipped =
      arena_printf(k->r.a, "is called by the macro '%s'", facts_copy(k->r.f, c->statement, k->r.a));
}

static void read_written_call(const scanner *k, CXCursor e, fact_call *c) {
  int given = clang_Cursor_getNumArguments(e);
  for (int i = 0; i < given && i < (int)c->params.n; i++)
    read_argument(k, c, i, clang_Cursor_getArgument(e, (unsigned)i));
  statement_locate(c, k->r.t->text, k->statement, k->r.f->functions.at[k->function].body.end);
  if (!c->skipped) c->skipped = k->skipped;
  if (!c->skipped && k->copied) c->skipped = "stands in a lambda that does not capture all by [&]";
}

static void read_call(scanner *k, CXCursor e) {
  CXCursor decl = clang_getCursorReferenced(e);
  enum CXCursorKind kind = clang_getCursorKind(decl);
  if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod &&
      kind != CXCursor_FunctionTemplate)
    return;
  fact_call c = {.function = k->function, .launcher = -1, .loop = (int)k->loop};
  c.callee = translation_unit_string(k->r.a, clang_getCursorSpelling(decl));
  if (strncmp(c.callee, "operator", 8) == 0 || holders_read_append(&k->r, e, c.callee)) return;
  int n = clang_Cursor_getNumArguments(decl);
  for (int i = 0; i < n; i++) {
    CXCursor p = clang_Cursor_getArgument(decl, (unsigned)i);
    add_param(k, arena_push(k->r.a, &c.params), p, clang_getCursorType(p));
  }
  span whole;
  if (!classify_call(k, &c, decl)) {
    holders_read_filled(&k->r, e);
    return;
  }
  if (!translation_unit_span(k->r.t, e, &whole)) return;
  c.offset = whole.begin;
  if (find_argument_list(k, whole, &c))
    read_written_call(k, e, &c);
  else
    skip_macro(k, whole, &c);
  *arena_push(k->r.a, &k->r.f->calls) = c;
}

/* ---- statements */

static bool is_block(const scanner *k, CXCursor c) {
  span s;
  return clang_getCursorKind(c) == CXCursor_CompoundStmt && translation_unit_span(k->r.t, c, &s) &&
         k->r.t->text[s.begin] == '{';
}

/* Why no line can stand around a launch in this statement or operand, or NULL. */
static const char *find_obstacle(CXCursor c) {
  if (clang_getCursorKind(c) == CXCursor_ConditionalOperator)
    return "stands in a conditional expression";
  if (clang_getCursorKind(c) == CXCursor_LabelStmt) return "stands behind a label";
  switch ((int)clang_getCursorBinaryOperatorKind(c)) {
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr: return "stands in a conditional expression";
    case CXBinaryOperator_Comma: return "stands beside a comma operator";
    default: return NULL;
  }
}

/* [&] or [&, x]: what is inserted uses the run, a variable of the function around the lambda. */
static bool captures_run(const scanner *k, CXCursor lambda) {
  span s;
  const char *source = k->r.t->text;
  if (!translation_unit_span(k->r.t, lambda, &s) || source[s.begin] != '[') return false;
  size_t at = lex_skip_space(source, s.begin + 1, s.end);
  if (source[at] != '&') return false;
  at = lex_skip_space(source, at + 1, s.end);
  return source[at] == ']' || source[at] == ',';
}

static enum CXChildVisitResult visit_statement(CXCursor c, CXCursor parent, CXClientData data) {
  scanner *k = data, saved = *k;
  span s;
  if (is_block(k, parent) && translation_unit_span(k->r.t, c, &s)) {
    k->statement = s.begin;
    k->skipped = NULL;
  }
  const char *obstacle = find_obstacle(c);
  if (obstacle) k->skipped = obstacle;
  switch ((int)clang_getCursorKind(c)) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CXXForRangeStmt:
      if (translation_unit_span(k->r.t, c, &s) && k->r.t->text[s.begin] != '{') k->loop = s.begin;
      break;
    case CXCursor_VarDecl:
      clang_visitChildren(c, visit_statement, k); /* a lambda or a call in the initializer */
      read_variable(k, c);
      *k = saved;
      return CXChildVisit_Continue;
    case CXCursor_LambdaExpr: k->copied = k->copied || !captures_run(k, c); break;
    case CXCursor_CallExpr: read_call(k, c); break;
    default: break;
  }
  clang_visitChildren(c, visit_statement, k);
  *k = saved;
  return CXChildVisit_Continue;
}

/* ---- functions */

static bool mentions_word(const facts *f, span s, const char *word) {
  return lex_find_word(f->text, s.begin, s.end, word) < s.end;
}

static enum function_kind function_kind(const facts *f, const fact_function *function, CXCursor c) {
  enum CXCursorKind kind = clang_getCursorKind(c);
  if (kind == CXCursor_Constructor) return FUNCTION_CONSTRUCTOR;
  if (strcmp(function->name, "_const_run_impl") == 0) return FUNCTION_FOLD;
  if (text_begins(function->name, "run_impl") || strcmp(function->name, "inductor_entry_impl") == 0)
    return FUNCTION_RUN;
  if (strstr(function->name, "check_input")) return FUNCTION_CHECK;
  if (text_begins(function->name, "AOTInductorModel") && strstr(function->name, "Constant") &&
      (strstr(function->name, "Update") || strstr(function->name, "Swap")))
    return FUNCTION_WEIGHTS_API;
  if (kind == CXCursor_FunctionTemplate && mentions_word(f, function->body, "launchKernel"))
    return FUNCTION_LAUNCHER;
  return FUNCTION_OTHER;
}

static enum CXChildVisitResult read_parameter(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  scanner *k = data;
  if (clang_getCursorKind(c) == CXCursor_ParmDecl) {
    fact_function *f = &k->r.f->functions.at[k->function];
    add_param(k, arena_push(k->r.a, &f->params), c, clang_getCursorType(c));
  }
  return CXChildVisit_Continue;
}

/* True where each #if in `s` ends in it, and no #else or #endif belongs to an #if before it. */
static bool conditionals_close(const facts *f, span s) {
  int depth = 0;
  bool fresh = false; /* only space so far in this line */
  for (size_t at = s.begin; at < s.end; at = lex_skip_token(f->text, at, s.end)) {
    char c = f->text[at];
    if (fresh && c == '#') {
      size_t word = lex_skip_space(f->text, at + 1, s.end);
      if (s.end - word > 2 && text_begins(f->text + word, "if"))
        depth++;
      else if (s.end - word > 2 && text_begins(f->text + word, "el") && depth == 0)
        return false;
      else if (lex_is_word(f->text, word, s.end, "endif") && --depth < 0)
        return false;
    }
    fresh = c == '\n' ||
            (fresh && (c == '/' || isspace((unsigned char)c))); /* a comment counts as a space */
  }
  return depth == 0;
}

/* Why nothing can be inserted before the function's last brace, or NULL. Sets x->body.end to the
 * end that libclang gives: directives can hide braces from the text's own count. */
static const char *find_end(const facts *f, fact_function *x, size_t parameters, span whole) {
  size_t braces = x->body.end;
  if (lex_find_word(f->text, parameters, x->body.begin, "try") < x->body.begin)
    return "belongs to a function-try-block";
  if (f->text[whole.end - 1] == '}') x->body.end = whole.end;
  if (braces != whole.end) return "is not where its braces tell";
  return conditionals_close(f, x->body) ? NULL : "depends on a conditional of the preprocessor";
}

static void read_function(scanner *k, CXCursor c) {
  facts *f = k->r.f;
  span whole;
  fact_function x = {.name = translation_unit_string(k->r.a, clang_getCursorSpelling(c))};
  if (!translation_unit_span(k->r.t, c, &whole) ||
      !translation_unit_offset(k->r.t, clang_getCursorLocation(c), &x.offset))
    return;
  size_t parameters = lex_find(f->text, x.offset, whole.end, '(');
  size_t after = lex_match(f->text, parameters, whole.end);
  x.body.begin = after;
  while (x.body.begin < whole.end &&
         f->text[x.body.begin] != '{') /* past a constructor's initializers */
    x.body.begin = f->text[x.body.begin] == '(' && clang_getCursorKind(c) == CXCursor_Constructor
                       ? lex_match(f->text, x.body.begin, whole.end) + 1
                       : lex_skip_token(f->text, x.body.begin, whole.end);
  if (x.body.begin >= whole.end) return;
  x.body.end = lex_match(f->text, x.body.begin, whole.end) + 1;
  x.kind = function_kind(f, &x, c);
  x.no_end = find_end(f, &x, after, whole);
  k->function = (int)f->functions.n;
  *arena_push(k->r.a, &f->functions) = x;
  if (x.kind == FUNCTION_LAUNCHER) string_map_put_index(k->launchers, x.name, (size_t)k->function);
  clang_visitChildren(c, read_parameter, k);
  k->statement = x.body.begin + 1;
  k->loop = 0;
  k->skipped = NULL;
  k->copied = false;
  if (x.kind == FUNCTION_RUN || x.kind == FUNCTION_FOLD || x.kind == FUNCTION_OTHER)
    clang_visitChildren(c, visit_statement, k);
  entry_points_add(f, k->r.t, c, k->function, k->r.a);
}

/* An instance that the compiler made of a template: it lies where the template does. */
static bool is_implicit_instance(const scanner *k, CXCursor c, size_t at) {
  CXCursor from = clang_getSpecializedCursorTemplate(c);
  size_t other;
  return !clang_Cursor_isNull(from) &&
         translation_unit_offset(k->r.t, clang_getCursorLocation(from), &other) && other == at;
}

static enum CXChildVisitResult visit_declaration(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  scanner *k = data;
  size_t at;
  switch ((int)clang_getCursorKind(c)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
      return translation_unit_offset(k->r.t, clang_getCursorLocation(c), &at)
                 ? CXChildVisit_Recurse
                 : CXChildVisit_Continue;
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_FunctionTemplate:
      if (clang_isCursorDefinition(c) &&
          translation_unit_offset(k->r.t, clang_getCursorLocation(c), &at) &&
          !is_implicit_instance(k, c, at))
        read_function(k, c);
      break;
    default: break;
  }
  return CXChildVisit_Continue;
}

static int compare_offsets(const void *a, const void *b) {
  const fact_call *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Asks libclang for each line: a #line may stand in a part that #if leaves out. */
static void read_renumberings(facts *f, const translation_unit *t, arena *a) {
  for (size_t i = 0; i < f->lines.n; i++) {
    unsigned line = (unsigned)i + 1, presumed = translation_unit_presumed_line(t, f->lines.at[i]);
    if (presumed != facts_presumed_line(f, line))
      *arena_push(a, &f->renumbered) = (fact_renumbering){line, presumed};
  }
}

void scan_wrapper(facts *f, const translation_unit *t, arena *a) {
  *f = (facts){.path = t->path, .text = t->text, .n = t->n};
  facts_index_lines(f, a);
  read_renumberings(f, t, a);
  scanner k = {.r = {.f = f, .t = t, .a = a}, .launchers = string_map_create(a)};
  clang_visitChildren(clang_getTranslationUnitCursor(t->unit), visit_declaration, &k);
  if (f->calls.n) qsort(f->calls.at, f->calls.n, sizeof *f->calls.at, compare_offsets);
}
