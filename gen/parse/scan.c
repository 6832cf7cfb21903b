/* scan.c - see scan.h. Statements are found in the text (statement.c), meaning of arguments by
 * atoms.c. */
#include "parse/scan.h"
#include "parse/entry_points.h"
#include "parse/operands.h"
#include "parse/lex.h"
#include "parse/statement.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct scanner {
  atoms s;
  int function;
  size_t statement; /* where the innermost statement begins */
  size_t loop;      /* offset of the innermost loop, 0 for none */
} scanner;

static void add_param(const scanner *k, fact_param *p, CXCursor decl, CXType type) {
  p->name = atoms_spelled(k->s.a, clang_getCursorSpelling(decl));
  p->type = atoms_spelled(k->s.a, clang_getTypeSpelling(type));
  p->holds = atoms_holds(type, k->s.a, &p->canonical);
}

/* ---- variables ------------------------------------------------------------------------------ */

static enum CXChildVisitResult last_expression(CXCursor child, CXCursor parent, CXClientData data) {
  (void)parent;
  if (clang_isExpression(clang_getCursorKind(child))) *(CXCursor *)data = child;
  return CXChildVisit_Continue;
}

/* "constants_->at(3)", "inputs[1]", "std::get<2>(inputs)",
 * "c_to_arrayref_tensor<float>(c_inputs[0])" */
static void read_origin(const facts *f, fact_var *v) {
  static const struct {
    const char *before;
    enum made made;
  } origins[] = {
      {"constants_->at(", MADE_WEIGHT}, {"inputs[", MADE_INPUT}, {"std::get<", MADE_INPUT}};
  char init[160] = "";
  size_t n = v->init.end - v->init.begin;
  memcpy(init, f->text + v->init.begin, n < sizeof init ? n : sizeof init - 1);
  for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
    const char *at = strstr(init, origins[i].before);
    if (!at || (origins[i].before[0] == 's' && !strstr(init, "inputs"))) continue;
    v->made = origins[i].made;
    v->from = atoi(at + strlen(origins[i].before));
    return;
  }
}

static void source(scanner *k, fact_var *to, const atom *x) {
  if ((x->is != ATOM_TENSOR && x->is != ATOM_VIEW) || x->var < 0) return;
  *arena_push(k->s.a, &to->sources) = x->var;
  if (x->consumed && k->s.f->vars.at[x->var].holds == HOLDS_OBJECT)
    k->s.f->vars.at[x->var].released = true;
}

static void read_initializer(scanner *k, fact_var *v, CXCursor init) {
  atom_list found = {0};
  if (!atoms_span(k->s.t, init, &v->init)) return;
  atoms_collect(&k->s, init, &found);
  bool tensor = v->holds == HOLDS_HANDLE || v->holds == HOLDS_OBJECT || v->holds == HOLDS_ARRAYREF;
  v->made = MADE_UNKNOWN;
  if (tensor && found.n == 1 && found.at[0].is != ATOM_OUTPUT) {
    v->made = found.at[0].is == ATOM_VIEW ? MADE_VIEW : MADE_ALIAS;
    v->from = found.at[0].var;
    memcpy(v->view, found.at[0].view, sizeof v->view);
  } else if (tensor) {
    read_origin(k->s.f, v);
  } else {
    for (size_t i = 0; i < found.n; i++) source(k, v, &found.at[i]);
  }
}

static void variable(scanner *k, CXCursor c) {
  size_t at;
  if (!tu_offset(k->s.t, clang_getCursorLocation(c), &at)) return;
  CXCursor init = clang_getNullCursor();
  clang_visitChildren(c, last_expression, &init);
  fact_var v = {.declared = at,
                .made = MADE_EMPTY,
                .from = -1,
                .function = k->function,
                .loop = (int)k->loop};
  v.name = atoms_spelled(k->s.a, clang_getCursorSpelling(c));
  v.holds = atoms_holds(clang_getCursorType(c), k->s.a, &v.type);
  if (!clang_Cursor_isNull(init) &&
      !(v.holds == HOLDS_OBJECT && clang_Cursor_getNumArguments(init) == 0 &&
        clang_getCursorKind(clang_getCursorReferenced(init)) == CXCursor_Constructor))
    read_initializer(k, &v, init);
  if (k->s.f->vars.n && k->s.f->vars.at[k->s.f->vars.n - 1].declared >= at)
    return; /* seen: a template's second visit */
  *arena_push(k->s.a, &k->s.f->vars) = v;
}

static enum CXChildVisitResult first_child(CXCursor child, CXCursor parent, CXClientData data) {
  (void)parent;
  *(CXCursor *)data = child;
  return CXChildVisit_Break;
}

/* stack.emplace_back(x), PyTuple_SetItem(args, 1, x): what is handed over later holds x from here
 * on. */
static bool fills(scanner *k, CXCursor e, const char *callee) {
  bool method = strcmp(callee, "emplace_back") == 0 || strcmp(callee, "push_back") == 0;
  bool python = strcmp(callee, "PyTuple_SetItem") == 0 || strcmp(callee, "PyList_SetItem") == 0;
  int n = clang_Cursor_getNumArguments(e);
  if ((!method && !python) || n < 1) return false;
  CXCursor holder = clang_getNullCursor();
  if (python)
    holder = clang_Cursor_getArgument(e, 0);
  else
    clang_visitChildren(e, first_child, &holder);
  int to = atoms_first_variable(&k->s, holder);
  atom_list found = {0};
  if (to < 0) return true;
  atoms_collect(&k->s, clang_Cursor_getArgument(e, (unsigned)n - 1), &found);
  for (size_t i = 0; i < found.n; i++) source(k, &k->s.f->vars.at[to], &found.at[i]);
  return true;
}

/* ---- calls ---------------------------------------------------------------------------------- */

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

static int launcher_named(const facts *f, const char *name) {
  for (size_t i = 0; i < f->functions.n; i++)
    if (f->functions.at[i].is == FUNCTION_LAUNCHER && strcmp(f->functions.at[i].name, name) == 0)
      return (int)i;
  return -1;
}

/* Is this, by its declaration, something that could launch; and how. */
static bool classify(const scanner *k, fact_call *c, CXCursor decl) {
  size_t at;
  bool ours = tu_offset(k->s.t, clang_getCursorLocation(decl), &at);
  bool method = clang_getCursorKind(decl) == CXCursor_CXXMethod;
  bool handles = has_param(c, HOLDS_HANDLE) || has_param(c, HOLDS_HANDLES) ||
                 has_param(c, HOLDS_OBJECT) || has_param(c, HOLDS_ARRAYREF);
  c->launcher = launcher_named(k->s.f, c->callee);
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
  if (result.kind != CXType_Void) return false;
  if (has_type(c, "void *[]") || has_type(c, "void **")) {
    c->calls = CALLS_LAUNCH;
    return true;
  }
  c->calls = CALLS_KERNEL;
  return !handles && has_param(c, HOLDS_POINTER) &&
         strcmp(atoms_spelled(k->s.a, clang_Cursor_getMangling(decl)), c->callee) ==
             0; /* extern "C" */
}

static void argument(const scanner *k, fact_call *c, int i, CXCursor e) {
  const fact_param *p = &c->params.at[i];
  atom_list found = {0};
  atoms_collect(&k->s, e, &found);
  span text;
  if (!atoms_span(k->s.t, e, &text)) return; /* a default argument */
  for (size_t n = 0; n < found.n; n++) {
    atom x = found.at[n];
    x.param = i;
    if (p->holds == HOLDS_POINTER && c->calls != CALLS_DISPATCHER && x.is != ATOM_OUTPUT) {
      if (c->calls == CALLS_KERNEL) {
        if (x.is == ATOM_TENSOR) x.is = ATOM_POINTER;
        x.is_const = strncmp(p->canonical, "const ", 6) == 0;
        const char *element = p->canonical + (x.is_const ? 6 : 0);
        x.element =
            arena_strndup(k->s.a, element, strcspn(element, "*") - (strchr(element, ' ') ? 1 : 0));
      } else if (c->calls == CALLS_SHIM) {
        continue; /* sizes and strides of a tensor: nothing of its data */
      }
    }
    *arena_push(k->s.a, &c->atoms) = x;
  }
  if (found.n) return;
  if (p->holds == HOLDS_SCALAR || (p->holds == HOLDS_POINTER && c->calls == CALLS_KERNEL)) {
    atom x = {.is = p->holds == HOLDS_SCALAR ? ATOM_SCALAR : ATOM_POINTER,
              .param = i,
              .var = -1,
              .text = text};
    x.pure = x.is == ATOM_SCALAR && atoms_pure(k->s.t->text, text);
    *arena_push(k->s.a, &c->atoms) = x;
  }
}

static bool find_list(const scanner *k, CXCursor e, fact_call *c) {
  span whole;
  const char *source = k->s.t->text;
  if (!atoms_span(k->s.t, e, &whole)) return false;
  c->at = whole.begin;
  size_t at = whole.begin, angle = 0;
  while (at < whole.end && !(source[at] == '(' && angle == 0)) {
    if (source[at] == '<') angle++;
    if (source[at] == '>' && angle && source[at - 1] != '-') angle--;
    at = lex_skip_token(source, at, whole.end);
  }
  c->open = at;
  c->close = lex_match(source, at, whole.end + 1 <= k->s.t->n ? whole.end : k->s.t->n);
  return at < whole.end;
}

static void call_expression(scanner *k, CXCursor e) {
  CXCursor decl = clang_getCursorReferenced(e);
  enum CXCursorKind kind = clang_getCursorKind(decl);
  if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod &&
      kind != CXCursor_FunctionTemplate)
    return;
  fact_call c = {.function = k->function, .launcher = -1, .loop = (int)k->loop};
  c.callee = atoms_spelled(k->s.a, clang_getCursorSpelling(decl));
  if (strncmp(c.callee, "operator", 8) == 0 || fills(k, e, c.callee)) return;
  int n = clang_Cursor_getNumArguments(decl);
  for (int i = 0; i < n; i++) {
    CXCursor p = clang_Cursor_getArgument(decl, (unsigned)i);
    add_param(k, arena_push(k->s.a, &c.params), p, clang_getCursorType(p));
  }
  if (!classify(k, &c, decl) || !find_list(k, e, &c)) return;
  int given = clang_Cursor_getNumArguments(e);
  for (int i = 0; i < given && i < n; i++)
    argument(k, &c, i, clang_Cursor_getArgument(e, (unsigned)i));
  statement_locate(&c, k->s.t->text, k->statement, k->s.f->functions.at[k->function].body.end);
  *arena_push(k->s.a, &k->s.f->calls) = c;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool is_block(const scanner *k, CXCursor c) {
  span s;
  return clang_getCursorKind(c) == CXCursor_CompoundStmt && atoms_span(k->s.t, c, &s) &&
         k->s.t->text[s.begin] == '{';
}

static enum CXChildVisitResult within(CXCursor c, CXCursor parent, CXClientData data) {
  scanner *k = data, saved = *k;
  span s;
  if (is_block(k, parent) && atoms_span(k->s.t, c, &s)) k->statement = s.begin;
  switch ((int)clang_getCursorKind(c)) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CXXForRangeStmt:
      if (atoms_span(k->s.t, c, &s) && k->s.t->text[s.begin] != '{') k->loop = s.begin;
      break;
    case CXCursor_VarDecl:
      clang_visitChildren(c, within, k); /* a lambda or a call in the initializer */
      variable(k, c);
      *k = saved;
      return CXChildVisit_Continue;
    case CXCursor_CallExpr: call_expression(k, c); break;
    default: break;
  }
  clang_visitChildren(c, within, k);
  *k = saved;
  return CXChildVisit_Continue;
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool starts(const char *s, const char *prefix) {
  return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool mentions(const facts *f, span s, const char *word) {
  return lex_find_word(f->text, s.begin, s.end, word) < s.end;
}

static enum function_is function_kind(const facts *f, const fact_function *x, CXCursor c) {
  enum CXCursorKind kind = clang_getCursorKind(c);
  if (kind == CXCursor_Constructor) return FUNCTION_CONSTRUCTOR;
  if (strcmp(x->name, "_const_run_impl") == 0) return FUNCTION_FOLD;
  if (starts(x->name, "run_impl") || strcmp(x->name, "inductor_entry_impl") == 0)
    return FUNCTION_RUN;
  if (strstr(x->name, "check_input")) return FUNCTION_CHECK;
  if (starts(x->name, "AOTInductorModel") && strstr(x->name, "Constant") &&
      (strstr(x->name, "Update") || strstr(x->name, "Swap")))
    return FUNCTION_WEIGHTS_API;
  if (kind == CXCursor_FunctionTemplate && mentions(f, x->body, "launchKernel"))
    return FUNCTION_LAUNCHER;
  return FUNCTION_OTHER;
}

static enum CXChildVisitResult count_parameter(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  if (clang_getCursorKind(c) == CXCursor_ParmDecl)
    *arena_push(((scanner *)data)->s.a,
                &((scanner *)data)->s.f->functions.at[((scanner *)data)->function].params) =
        (fact_param){0};
  return CXChildVisit_Continue;
}

static enum CXChildVisitResult fill_parameter(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  scanner *k = data;
  if (clang_getCursorKind(c) != CXCursor_ParmDecl) return CXChildVisit_Continue;
  fact_function *f = &k->s.f->functions.at[k->function];
  for (size_t i = 0; i < f->params.n; i++)
    if (!f->params.at[i].name) {
      add_param(k, &f->params.at[i], c, clang_getCursorType(c));
      break;
    }
  return CXChildVisit_Continue;
}

/* Is each conditional of the preprocessor that touches `s` begun and ended within it. */
static bool conditionals_close(const facts *f, span s) {
  int depth = 0;
  bool fresh = false; /* nothing but space since the line began */
  for (size_t at = s.begin; at < s.end; at = lex_skip_token(f->text, at, s.end)) {
    char c = f->text[at];
    if (fresh && c == '#') {
      size_t word = lex_skip_space(f->text, at + 1, s.end);
      if (s.end - word > 2 && starts(f->text + word, "if"))
        depth++;
      else if (s.end - word > 2 && starts(f->text + word, "el") && depth == 0)
        return false;
      else if (lex_is_word(f->text, word, s.end, "endif") && --depth < 0)
        return false;
    }
    fresh = c == '\n' ||
            (fresh && (c == '/' || isspace((unsigned char)c))); /* a comment is a space */
  }
  return depth == 0;
}

/* Where the text's braces tell another end than the compiler, behind directives, the compiler's is
 * taken. */
static const char *find_end(const facts *f, fact_function *x, size_t parameters, span whole) {
  size_t braces = x->body.end;
  if (lex_find_word(f->text, parameters, x->body.begin, "try") < x->body.begin)
    return "belongs to a function-try-block";
  if (f->text[whole.end - 1] == '}') x->body.end = whole.end;
  if (braces != whole.end) return "is not where its braces tell";
  return conditionals_close(f, x->body) ? NULL : "depends on a conditional of the preprocessor";
}

static void function(scanner *k, CXCursor c) {
  facts *f = k->s.f;
  span whole;
  fact_function x = {.name = atoms_spelled(k->s.a, clang_getCursorSpelling(c))};
  if (!atoms_span(k->s.t, c, &whole) || !tu_offset(k->s.t, clang_getCursorLocation(c), &x.at))
    return;
  size_t parameters = lex_find(f->text, x.at, whole.end, '(');
  size_t after = lex_match(f->text, parameters, whole.end);
  x.body.begin = after;
  while (x.body.begin < whole.end &&
         f->text[x.body.begin] != '{') /* past a constructor's initializers */
    x.body.begin = f->text[x.body.begin] == '(' && clang_getCursorKind(c) == CXCursor_Constructor
                       ? lex_match(f->text, x.body.begin, whole.end) + 1
                       : lex_skip_token(f->text, x.body.begin, whole.end);
  if (x.body.begin >= whole.end) return;
  x.body.end = lex_match(f->text, x.body.begin, whole.end) + 1;
  x.is = function_kind(f, &x, c);
  x.no_end = find_end(f, &x, after, whole);
  k->function = (int)f->functions.n;
  *arena_push(k->s.a, &f->functions) = x;
  clang_visitChildren(c, count_parameter, k);
  clang_visitChildren(c, fill_parameter, k);
  k->statement = x.body.begin + 1;
  k->loop = 0;
  if (x.is == FUNCTION_RUN || x.is == FUNCTION_FOLD || x.is == FUNCTION_OTHER)
    clang_visitChildren(c, within, k);
  entry_points_add(f, k->s.t, c, k->function, k->s.a);
}

static enum CXChildVisitResult top(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  scanner *k = data;
  size_t at;
  switch ((int)clang_getCursorKind(c)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
      return tu_offset(k->s.t, clang_getCursorLocation(c), &at) ? CXChildVisit_Recurse
                                                                : CXChildVisit_Continue;
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_FunctionTemplate:
      if (clang_isCursorDefinition(c) && tu_offset(k->s.t, clang_getCursorLocation(c), &at))
        function(k, c);
      break;
    default: break;
  }
  return CXChildVisit_Continue;
}

static int by_offset(const void *a, const void *b) {
  const fact_call *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

void scan(facts *f, const tu *t, arena *a) {
  *f = (facts){.path = t->path, .text = t->text, .n = t->n};
  facts_lines(f, a);
  scanner k = {.s = {.f = f, .t = t, .a = a}};
  clang_visitChildren(clang_getTranslationUnitCursor(t->unit), top, &k);
  if (f->calls.n) qsort(f->calls.at, f->calls.n, sizeof *f->calls.at, by_offset);
}
