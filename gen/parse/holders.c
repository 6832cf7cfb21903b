/* holders.c - see scan_parts.h. */
#include "parse/scan_parts.h"
#include <string.h>

/* A call that fills more structs than these is not followed. */
enum { FILLED_MAX = 8 };

void holders_add(const operand_reader *reader, fact_var *holder, const operand *x) {
  if ((x->kind != OPERAND_TENSOR && x->kind != OPERAND_VIEW) || x->var < 0) return;
  *arena_push(reader->a, &holder->sources) = x->var;
  if (x->consumed && reader->f->vars.at[x->var].holds == HOLDS_OBJECT)
    reader->f->vars.at[x->var].released = true;
}

static void add_all(const operand_reader *reader, int holder, const operand_list *list) {
  for (size_t i = 0; i < list->n; i++)
    holders_add(reader, &reader->f->vars.at[holder], &list->at[i]);
}

static enum CXChildVisitResult find_first_child(CXCursor child, CXCursor parent,
                                                CXClientData data) {
  (void)parent;
  *(CXCursor *)data = child;
  return CXChildVisit_Break;
}

bool holders_read_append(const operand_reader *reader, CXCursor call, const char *callee) {
  bool method = strcmp(callee, "emplace_back") == 0 || strcmp(callee, "push_back") == 0;
  bool python = strcmp(callee, "PyTuple_SetItem") == 0 || strcmp(callee, "PyList_SetItem") == 0;
  int n = clang_Cursor_getNumArguments(call);
  if ((!method && !python) || n < 1) return false;
  CXCursor holder = clang_getNullCursor();
  if (python)
    holder = clang_Cursor_getArgument(call, 0);
  else
    clang_visitChildren(call, find_first_child, &holder);
  int to = operands_first_variable(reader, holder);
  operand_list found = {0};
  if (to < 0) return true;
  operands_collect(reader, clang_Cursor_getArgument(call, (unsigned)n - 1), &found);
  add_all(reader, to, &found);
  return true;
}

/* The struct of which `e` is an address, of a part or the whole; -1 for another argument. */
static int find_filled(const operand_reader *reader, CXCursor e) {
  span s;
  if (!translation_unit_span(reader->t, e, &s) || reader->t->text[s.begin] != '&') return -1;
  int v = operands_first_variable(reader, e);
  return v >= 0 && reader->f->vars.at[v].holds == HOLDS_OTHER ? v : -1;
}

static bool is_filled(const int *filled, size_t n, int v) {
  for (size_t i = 0; i < n; i++)
    if (filled[i] == v) return true;
  return false;
}

/* A struct that is filled again holds what it held, and the new ones: each once. */
static void fill(const operand_reader *reader, int struct_var, const operand_list *given) {
  for (size_t i = 0; i < given->n; i++) {
    fact_var *x = &reader->f->vars.at[struct_var];
    bool known = false;
    for (size_t k = 0; k < x->sources.n && !known; k++)
      known = x->sources.at[k] == given->at[i].var;
    if (!known) holders_add(reader, x, &given->at[i]);
  }
}

void holders_read_filled(const operand_reader *reader, CXCursor call) {
  const int n = clang_Cursor_getNumArguments(call);
  int filled[FILLED_MAX];
  size_t structs = 0;
  operand_list given = {0};
  for (int i = 0; i < n; i++) {
    const int v = find_filled(reader, clang_Cursor_getArgument(call, (unsigned)i));
    if (v < 0 || is_filled(filled, structs, v)) continue;
    if (structs == FILLED_MAX) return;
    filled[structs++] = v;
  }
  if (!structs) return;
  for (int i = 0; i < n; i++) {
    CXCursor e = clang_Cursor_getArgument(call, (unsigned)i);
    if (!is_filled(filled, structs, operands_first_variable(reader, e)))
      operands_collect(reader, e, &given);
  }
  for (size_t i = 0; i < structs; i++) fill(reader, filled[i], &given);
}
