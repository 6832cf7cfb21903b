/* dispatched.c - see parts.h. Knows three forms:
 *     buf5 = torch::stable::detail::to<AtenTensorHandle>(dispatch_vars[0]);
 *     buf2 = torch::aot_inductor::new_tensor_handle(std::move(dispatch_stack_0[0]).toTensor());
 *     buf3 = reinterpret_cast<AtenTensorHandle>(PyCapsule_GetPointer(py_buf2.get(), NULL)); */
#include "model/parts.h"
#include "parse/lex.h"
#include <string.h>

/* The identifier that ends at `end`. */
static span find_word_before(const char *text, size_t end) {
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '(' || text[end - 1] == '=')) end--;
  size_t begin = end;
  while (begin > 0 && lex_is_identifier(text[begin - 1])) begin--;
  return (span){begin, end};
}

/* The variable that holds the results: the statement declares it, or it is the call's last
 * argument. */
static span find_results(const facts *f, const fact_call *c) {
  const char *text = f->text;
  if (strcmp(c->callee, "PyObject_CallObject") == 0) return find_word_before(text, c->offset);
  size_t at = c->open + 1;
  for (size_t comma; (comma = lex_find(text, at, c->close, ',')) < c->close;) at = comma + 1;
  while (at < c->close && !lex_is_identifier(text[at])) at++;
  return (span){at, lex_skip_token(text, at, c->close)};
}

/* The offset past the statement at `p`: past its semicolon, or past the block that it ends with. */
static size_t skip_statement(const char *text, size_t p, size_t end) {
  while (p < end && text[p] != ';' && text[p] != '}') {
    bool block = text[p] == '{';
    size_t next = strchr("([{", text[p]) ? lex_match(text, p, end) + 1
                                         : lex_skip_token(text, p, end);
    p = next < end ? next : end;
    if (block) return p;
  }
  return p < end && text[p] == ';' ? p + 1 : p;
}

/* The variable that the statement sets from `results`; -1 if there is none. */
static int find_assigned(const facts *f, const storage *st, span statement, const char *results) {
  const char *text = f->text;
  size_t n = lex_measure_word(text + statement.begin, SIZE_MAX);
  size_t equals = lex_skip_space(text, statement.begin + n, statement.end);
  if (!n || text[equals] != '=' || text[equals + 1] == '=' ||
      lex_find_word(text, equals, statement.end, results) >= statement.end)
    return -1;
  int var = storage_find(st, text + statement.begin, n, statement.begin);
  bool holds = var >= 0 &&
               (f->vars.at[var].holds == HOLDS_OBJECT || f->vars.at[var].holds == HOLDS_HANDLE);
  return holds ? var : -1;
}

void dispatched_read(site *s, const facts *f, const storage *st, arena *a) {
  const fact_call *c = s->call;
  const size_t end = f->functions.at[c->function].body.end;
  const span word = find_results(f, c);
  if (word.end <= word.begin) return;
  const char *results = facts_copy(f, word, a);
  size_t at = lex_skip_space(f->text, c->statement.end, end);
  while (at < end && f->text[at] != '}') {
    const span statement = {at, skip_statement(f->text, at, end)};
    int var = find_assigned(f, st, statement, results);
    if (var >= 0) {
      s->made = statement.end;
      *arena_push(a, &s->args) = (argument){.name = f->vars.at[var].name,
                                            .late = f->vars.at[var].name,
                                            .role = AOTIGEN_OUT,
                                            .kind = AOTIGEN_TENSOR,
                                            .flags = AOTIGEN_LATE,
                                            .root = var,
                                            .maker = -1,
                                            .writer = WRITER_NONE};
    }
    at = lex_skip_space(f->text, statement.end > at ? statement.end : at + 1, end);
  }
}
