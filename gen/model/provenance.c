/* provenance.c - see provenance.h. */
#include "model/provenance.h"
#include "base/file.h"
#include "model/exported.h"
#include "model/kernel_origins.h"
#include "model/node_flow.h"
#include "model/op_nodes.h"
#include "model/op_parts.h"
#include "model/parts.h"
#include "model/stack_text.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64, SHOWN_MAX = 3 };

/* What the wrapper's text says of one site's origin. */
typedef struct origin {
  const char *handle; /* "KERNEL:HANDLE", or NULL */
  aotigen_line guard; /* from a KernelContextGuard; its line is 0 if there is none */
} origin;

typedef struct finder {
  model *m;
  origin *origins; /* one for each site */
  strings handles;
  kernel_origins kernels;
  exported program;
  bool has_program;
  const site_match *matches; /* one for each site; NULL without a program */
  const node_list *lists;    /* likewise: the nodes that it computes */
  arena *a;
  diags *d;
} finder;

/* ---- the wrapper's text ---------------------------------------------------------------------- */

static origin *next_origin(const finder *f, size_t at, const fact_function *function) {
  const site *s = source_nodes_next_site(f->m, at, function->body.end);
  return s ? &f->origins[s - f->m->sites.at] : NULL;
}

/* True if "KERNEL:HANDLE" belongs to the site. For operators torch has other names. */
static bool is_handle_of(const char *handle, const site *s) {
  size_t n = strlen(s->kernel);
  if (!(s->flags & AOTIGEN_KERNEL)) return true;
  return !strncmp(handle, s->kernel, n) && handle[n] == ':';
}

/* "// [Provenance debug handles] KERNEL:HANDLE" */
static void read_comment(finder *f, const fact_function *function, size_t at, size_t end) {
  static const char label[] = "[Provenance debug handles] ";
  const char *text = f->m->facts->text,
             *found = memmem(text + at, end - at, label, sizeof label - 1);
  origin *to = found ? next_origin(f, at, function) : NULL;
  if (!to) return;
  found += sizeof label - 1;
  size_t n = (size_t)(text + end - found);
  while (n && (found[n - 1] == '\n' || found[n - 1] == '\r' || found[n - 1] == ' ')) n--;
  const char *handle = arena_strndup(f->a, found, n);
  if (!is_handle_of(handle, &f->m->sites.at[to - f->origins])) return;
  to->handle = handle;
  *arena_push(f->a, &f->handles) = handle;
}

/* Reads `KernelContextGuard _ctx("KERNEL", R"(STACK)");`. Returns the position of its end. */
static size_t read_guard(finder *f, const fact_function *function, size_t at) {
  const char *text = f->m->facts->text;
  size_t end = lex_find(text, at, function->body.end, ';'), open = lex_find(text, at, end, '(');
  const char *stack = memmem(text + at, end - at, "R\"(", 3);
  origin *to = open < end && stack ? next_origin(f, end, function) : NULL;
  if (!to) return end;
  const char *copy = arena_strndup(f->a, stack + 3, (size_t)(text + end - stack) - 3);
  if (!stack_text_read(&to->guard, copy, f->a)) to->guard = (aotigen_line){0};
  return end;
}

static void read_function(finder *f, const fact_function *function) {
  const char *text = f->m->facts->text;
  for (size_t at = function->body.begin; at < function->body.end;) {
    size_t next = lex_skip_token(text, at, function->body.end);
    if (text[at] == '/' && text[at + 1] == '/')
      read_comment(f, function, at, next);
    else if (text[at] == 'K' && lex_is_word(text, at, function->body.end, "KernelContextGuard"))
      next = read_guard(f, function, next);
    at = next;
  }
}

/* ---- what a site computes -------------------------------------------------------------------- */

static bool is_same_line(const aotigen_line *x, const aotigen_line *y) {
  bool same_module = x->module && y->module ? !strcmp(x->module, y->module)
                                            : x->module == y->module;
  return x->line == y->line && same_module && !strcmp(x->file, y->file);
}

static void add_line(model_lines *to, const aotigen_line *line, arena *a) {
  if (!line->line || to->n == LINES_MAX) return;
  for (size_t i = 0; i < to->n; i++)
    if (is_same_line(&to->at[i], line)) return;
  *arena_push(a, to) = *line;
}

static void find_nodes(const finder *f, const site *s, const strings *names, node_list *to) {
  for (size_t i = 0; i < names->n; i++) {
    size_t index = exported_find(&f->program, names->at[i], s->scope >= 0, s->graph);
    if (index != EXPORTED_NONE) *arena_push(f->a, to) = index;
  }
  if (to->n) qsort(to->at, to->n, sizeof *to->at, node_list_compare);
}

/* The nodes that the flow of data tells, and those that were guessed and only move elements, which
 * it does not. */
static void take_match(const finder *f, node_list *list, const node_list *found) {
  const node_list guess = *list;
  *list = (node_list){0};
  for (size_t i = 0; i < found->n; i++) *arena_push(f->a, list) = found->at[i];
  for (size_t i = 0; i < guess.n; i++) {
    const op_parts *row = op_parts_find(f->program.nodes.at[guess.at[i]].op);
    if (row && row->kind == OP_MOVES) *arena_push(f->a, list) = guess.at[i];
  }
}

/* Looks the nodes up in the exported program. They are guessed if only the kernel's name is
 * known. */
static void find_in_program(finder *f) {
  model *m = f->m;
  node_list *lists = arena_alloc(f->a, (m->sites.n + 1) * sizeof *lists);
  node_list *named = arena_alloc(f->a, (m->sites.n + 1) * sizeof *named);
  bool *exact = arena_alloc(f->a, m->sites.n + 1), *guessed = arena_alloc(f->a, m->sites.n + 1);
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    const kernel_origin *k = kernel_origins_find(&f->kernels, f->origins[i].handle);
    exact[i] = k && k->nodes.n;
    if (exact[i] || !(s->flags & AOTIGEN_NAMES_GUESSED))
      find_nodes(f, s, exact[i] ? &k->nodes : &s->nodes, &named[i]);
    lists[i] = named[i];
    /* An operator's comment also names the nodes that its inputs are views of, before its own. */
    if (!exact[i] && named[i].n && !(s->flags & AOTIGEN_KERNEL))
      lists[i] = (node_list){&named[i].at[named[i].n - 1], 1, 1};
  }
  node_flow_guess(lists, named, m, &f->program, f->a);
  for (size_t i = 0; i < m->sites.n; i++)
    if (named[i].n && !(m->sites.at[i].flags & AOTIGEN_NAMES_GUESSED))
      exported_outputs_read(m, &m->sites.at[i], &f->program, named[i].at[named[i].n - 1], f->a);
  for (size_t i = 0; i < m->sites.n; i++)
    guessed[i] = !exact[i] && lists[i].n && m->sites.at[i].flags & AOTIGEN_NAMES_GUESSED;
  graph_nodes_guess(lists, guessed, m, &f->program, f->a);
  f->matches = op_nodes_find(m, &f->program, lists, exact, f->a);
  f->lists = lists;
  for (size_t i = 0; i < m->sites.n; i++) {
    site *s = &m->sites.at[i];
    if (f->matches[i].all && !exact[i]) take_match(f, &lists[i], &f->matches[i].nodes);
    if (lists[i].n) qsort(lists[i].at, lists[i].n, sizeof *lists[i].at, node_list_compare);
    for (size_t k = 0; k < lists[i].n; k++)
      add_line(&s->lines, &f->program.nodes.at[lists[i].at[k]].line, f->a);
    if (s->lines.n && guessed[i]) s->flags |= AOTIGEN_LINES_GUESSED;
  }
}

static bool has_place(const model_lines *lines, const aotigen_line *line) {
  for (size_t i = 0; i < lines->n; i++)
    if (lines->at[i].line == line->line &&
        !strcmp(file_name(lines->at[i].file), file_name(line->file)))
      return true;
  return false;
}

/* The lines that torch recorded, with the modules that the program has. Torch records only the
 * names of nodes, and a node of a branch may have the name of one outside of it. So a line that was
 * not recorded is not a line of the kernel. */
static void confirm_lines(const finder *f, site *s, const model_lines *recorded) {
  const model_lines found = s->lines;
  s->lines = (model_lines){0};
  for (size_t i = 0; i < found.n; i++)
    if (has_place(recorded, &found.at[i])) add_line(&s->lines, &found.at[i], f->a);
  for (size_t i = 0; i < recorded->n; i++)
    if (!has_place(&s->lines, &recorded->at[i])) add_line(&s->lines, &recorded->at[i], f->a);
}

/* Prefers what torch recorded to a guess. */
static void find_recorded(const finder *f, site *s) {
  const origin *o = &f->origins[s - f->m->sites.at];
  const kernel_origin *k = kernel_origins_find(&f->kernels, o->handle);
  const model_lines *recorded = k ? &k->lines : &(model_lines){0};
  if (recorded->n && recorded->n < LINES_MAX && s->lines.n && !(s->flags & AOTIGEN_LINES_GUESSED)) {
    confirm_lines(f, s, recorded);
    return;
  }
  if (s->lines.n && !(s->flags & AOTIGEN_LINES_GUESSED && (recorded->n || o->guard.line))) return;
  s->lines = (model_lines){0};
  s->flags &= ~(unsigned)AOTIGEN_LINES_GUESSED;
  for (size_t i = 0; i < recorded->n; i++) add_line(&s->lines, &recorded->at[i], f->a);
  if (!s->lines.n) add_line(&s->lines, &o->guard, f->a);
}

/* The bit of the site's line, by place and module, else by place; 0 if it has none. */
static uint64_t find_line(const site *s, const aotigen_line *line) {
  size_t found = LINES_MAX;
  for (size_t i = s->lines.n; i-- > 0;)
    if (s->lines.at[i].line == line->line &&
        !strcmp(file_name(s->lines.at[i].file), file_name(line->file)) &&
        (found == LINES_MAX || is_same_line(&s->lines.at[i], line)))
      found = i;
  return found == LINES_MAX ? 0 : UINT64_C(1) << found;
}

/* A node without a line is left out. */
static op_lines find_op_lines(const finder *f, const site *s, const op_match *op) {
  op_lines found = {.number = op->number};
  for (size_t k = 0; k < op->nodes.n; k++) {
    const aotigen_line *line = &f->program.nodes.at[op->nodes.at[k]].line;
    if (line->line) found.lines |= find_line(s, line);
  }
  return found;
}

/* True if the operator finds elements by indices that are elements themselves. */
static bool looks_up(const char *op) {
  static const char *const names[] = {"embedding",
                                      "index",
                                      "index_select",
                                      "gather",
                                      "take",
                                      "index_put",
                                      "index_add",
                                      "index_copy",
                                      "index_fill",
                                      "scatter",
                                      "scatter_add",
                                      "index_reduce",
                                      "one_hot",
                                      "nll_loss",
                                      "nll_loss_nd",
                                      "scatter_reduce",
                                      "take_along_dim",
                                      "embedding_bag",
                                      "index_put_",
                                      "index_add_",
                                      "scatter_",
                                      "scatter_add_",
                                      NULL};
  return strings_index(names, op) >= 0;
}

static uint64_t find_lookup_lines(const finder *f, const site *s, const node_list *list) {
  op_match match = {0};
  for (size_t i = 0; i < list->n; i++)
    if (looks_up(f->program.nodes.at[list->at[i]].op))
      *arena_push(f->a, &match.nodes) = list->at[i];
  return find_op_lines(f, s, &match).lines;
}

static void find_all_op_lines(const finder *f, site *s, const site_match *match) {
  for (size_t i = 0; i < match->ops.n; i++) {
    const op_lines found = find_op_lines(f, s, &match->ops.at[i]);
    if (found.lines) *arena_push(f->a, &s->op_lines) = found;
  }
  for (size_t i = 0; match->all && i < match->stored.n; i++) {
    const op_lines found = find_op_lines(f, s, &match->stored.at[i]);
    if (found.lines) *arena_push(f->a, &s->stored_lines) = found;
  }
}

/* ---- the files ------------------------------------------------------------------------------- */

/* The number of the wrapper's kernels that are known; with `lines`, of those that have lines. */
static size_t count_kernels(const finder *f, bool lines) {
  size_t n = 0;
  for (size_t i = 0; i < f->handles.n; i++) {
    const kernel_origin *k = kernel_origins_find(&f->kernels, f->handles.at[i]);
    n += k && (!lines || k->lines.n);
  }
  return n;
}

/* The reason why the file says nothing of this wrapper, or NULL. */
static const char *read_kernels(finder *f, const companion_texts *companions) {
  if (!kernel_origins_read(&f->kernels, companions->provenance, companions->provenance_n,
                           &f->handles, f->a))
    return "holds no lines and no nodes of kernels: torch writes them where it compiles with "
           "INDUCTOR_PROVENANCE=1";
  if (!f->handles.n)
    return "cannot be used: the wrapper has no '[Provenance debug handles]', which torch writes "
           "where it compiles with INDUCTOR_PROVENANCE=1; --exported=FILE needs none";
  if (!count_kernels(f, false))
    return "is of another package: it names none of the wrapper's kernels by their '[Provenance "
           "debug handles]'";
  if (!companions->exported && !count_kernels(f, true))
    return "names nodes, but no lines: give the program that has them with --exported=FILE";
  return NULL;
}

/* A program that the package carries is not used where it is another model's. */
static bool read_program(finder *f, const companion_texts *companions) {
  const char *path = companions->exported_path;
  const bool packaged = companions->exported_packaged;
  const bool wants_lines = !packaged && !companions->exported_compared;
  diags *d = packaged ? diags_new(f->a) : f->d;
  f->has_program =
      exported_read(&f->program, companions->exported, companions->exported_n, path, f->a, d) &&
      exported_check(&f->program, f->m, wants_lines, path, f->a, d);
  if (f->has_program)
    exported_promises_read(f->m, &f->program, path, f->a, f->d);
  else if (packaged)
    diag_warning(f->d, path, "is not used: it %s", diags_first_error(d));
  return f->has_program || packaged;
}

static bool read_files(finder *f, const companion_texts *companions) {
  const char *why = companions->provenance ? read_kernels(f, companions) : NULL;
  if (why && !companions->provenance_packaged) {
    diag_error(f->d, STATUS_INPUT, companions->provenance_path, "%s", why);
    return false;
  }
  if (why) {
    diag_warning(f->d, companions->provenance_path, "%s", why);
    f->kernels = (kernel_origins){0};
  }
  if (!companions->exported) return true;
  return read_program(f, companions);
}

/* Torch records nothing of some operators, and of calls that read a value for the host. */
static void note_lines_missing(const finder *f, const char *path) {
  size_t n = 0, known = 0;
  for (size_t i = 0; i < f->m->sites.n; i++) {
    const site *s = &f->m->sites.at[i];
    n += s->number > 0;
    known += s->number > 0 && s->lines.n;
  }
  if (known && known < n && !f->has_program)
    diag_note(
        f->d, path,
        "holds no line of the model for %zu of its %zu launches: --exported=FILE may tell more",
        n - known, n);
}

bool provenance_read(model *m, const companion_texts *companions, arena *a, diags *d) {
  finder f = {.m = m, .a = a, .d = d};
  f.origins = arena_alloc(a, (m->sites.n + 1) * sizeof *f.origins);
  for (size_t i = 0; i < m->facts->functions.n; i++) {
    const fact_function *x = &m->facts->functions.at[i];
    if (x->kind == FUNCTION_RUN || x->kind == FUNCTION_FOLD || x->kind == FUNCTION_OTHER)
      read_function(&f, x);
  }
  if (companions && !read_files(&f, companions)) return false;
  if (f.has_program) find_in_program(&f);
  for (size_t i = 0; i < m->sites.n; i++) {
    find_recorded(&f, &m->sites.at[i]);
    if (!f.matches) continue;
    find_all_op_lines(&f, &m->sites.at[i], &f.matches[i]);
    m->sites.at[i].lookup_lines = find_lookup_lines(&f, &m->sites.at[i], &f.lists[i]);
  }
  if (companions && companions->provenance) note_lines_missing(&f, companions->provenance_path);
  return true;
}

const char *provenance_format_line(const aotigen_line *line, arena *a) {
  const char *text = line->text ? arena_printf(a, "  %s", line->text) : "",
             *module = line->module ? arena_printf(a, "  (%s)", line->module) : "";
  return arena_printf(a, "%s:%u%s%s", file_name(line->file), line->line, text, module);
}
