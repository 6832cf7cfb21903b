/* holders.c - see scan_parts.h. */
#include "parse/scan_parts.h"
#include <string.h>

void holders_add(const operand_reader *reader, fact_var *holder, const operand *x) {
  if ((x->kind != OPERAND_TENSOR && x->kind != OPERAND_VIEW) || x->var < 0) return;
  *arena_push(reader->a, &holder->sources) = x->var;
  if (x->consumed && reader->f->vars.at[x->var].holds == HOLDS_OBJECT)
    reader->f->vars.at[x->var].released = true;
}

static void add_all(const operand_reader *reader, int holder, CXCursor e) {
  operand_list found = {0};
  operands_collect(reader, e, &found);
  for (size_t i = 0; i < found.n; i++)
    holders_add(reader, &reader->f->vars.at[holder], &found.at[i]);
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
  if (to >= 0) add_all(reader, to, clang_Cursor_getArgument(call, (unsigned)n - 1));
  return true;
}

/* The struct of which `e` is an address, of a part or the whole; -1 for another argument. */
static int find_filled(const operand_reader *reader, CXCursor e) {
  span s;
  if (!translation_unit_span(reader->t, e, &s) || reader->t->text[s.begin] != '&') return -1;
  int v = operands_first_variable(reader, e);
  return v >= 0 && reader->f->vars.at[v].holds == HOLDS_OTHER ? v : -1;
}

void holders_read_filled(const operand_reader *reader, CXCursor call) {
  int n = clang_Cursor_getNumArguments(call);
  for (int i = 0; i < n; i++) {
    const int to = find_filled(reader, clang_Cursor_getArgument(call, (unsigned)i));
    for (int k = 0; to >= 0 && k < n; k++) {
      CXCursor from = clang_Cursor_getArgument(call, (unsigned)k);
      if (operands_first_variable(reader, from) != to) add_all(reader, to, from);
    }
  }
}
