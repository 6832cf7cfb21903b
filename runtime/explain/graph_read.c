/* graph_read.c - see graph_read.h. */
#define _GNU_SOURCE
#include "explain/graph_read.h"

#include <stdlib.h>
#include <string.h>

#include "explain/operators.h"

enum { TEXT_MOST = 4 << 20 };

/* The copy of the text, which reading splits into words. */
typedef struct words {
  char *at;   /* the rest of the line; NULL after its last word */
  char *next; /* the next line */
  bool wrong;
} words;

static bool begin_line(words *w) {
  char *end = w->next ? strchr(w->next, '\n') : NULL;
  if (!end) w->wrong = true;
  if (w->wrong) return false;
  *end = '\0';
  w->at = w->next;
  w->next = end + 1;
  return true;
}

/* NULL at the end of the line. */
static char *take_word(words *w) {
  char *word = w->at, *space = word ? strchr(word, ' ') : NULL;
  if (space) *space++ = '\0';
  w->at = space;
  return word;
}

static char *need_word(words *w) {
  char *word = take_word(w);
  if (!word || !*word) w->wrong = true;
  return w->wrong ? "" : word;
}

static bool parse_number(const char *word, int64_t *n) {
  char *end;
  *n = strtoll(word, &end, 10);
  return *word && *word != ' ' && !*end;
}

/* Reads a number from `low` to `high` - 1. */
static int32_t need_number(words *w, int64_t low, int64_t high) {
  int64_t n = 0;
  if (!parse_number(need_word(w), &n) || n < low || n >= high) w->wrong = true;
  return w->wrong ? 0 : (int32_t)n;
}

static uint8_t read_kind(words *w, const char *kinds, char letter) {
  const char *found = letter ? strchr(kinds, letter) : NULL;
  if (!found) w->wrong = true;
  return found ? (uint8_t)(found - kinds) : 0;
}

static void read_header(words *w, ag_graph *g) {
  if (!begin_line(w)) return;
  need_number(w, 1, 2);
  const char *language = need_word(w);
  g->triton = *language == 't';
  g->nmemories = need_number(w, 0, GRAPH_TEXT_MOST);
  g->nloops = need_number(w, 0, GRAPH_TEXT_MOST);
  g->ncarried = need_number(w, 0, GRAPH_TEXT_MOST);
  g->naccesses = need_number(w, 0, GRAPH_TEXT_MOST);
  g->nnodes = need_number(w, 0, GRAPH_TEXT_MOST);
  g->nparams = need_number(w, 0, GRAPH_TEXT_MOST);
}

static void read_memories(words *w, ag_graph *g) {
  for (int32_t i = 0; i < g->nmemories && begin_line(w); i++) {
    ag_graph_memory *m = &g->memories[i];
    const char *kind = need_word(w);
    read_kind(w, "m", kind[0]);
    if (!w->wrong) m->type = read_kind(w, ag_graph_type_letters, kind[1]);
    m->param = need_number(w, -1, g->nparams);
    m->name = need_word(w);
  }
}

static void read_loops(words *w, ag_graph *g) {
  for (int32_t i = 0; i < g->nloops && begin_line(w); i++) {
    ag_graph_loop *l = &g->loops[i];
    l->kind = read_kind(w, ag_graph_loop_letters, *need_word(w));
    l->name = need_word(w);
    l->low = need_number(w, -1, g->nnodes);
    l->high = need_number(w, -1, g->nnodes);
    l->step = need_number(w, -1, g->nnodes);
    l->axis = need_number(w, -1, 4);
    l->outer = need_number(w, -1, i);
    l->tile = l->over = -1;
    if (l->kind != LOOP_GRID && l->kind != LOOP_BLOCKS) continue;
    l->tile = need_number(w, l->kind == LOOP_BLOCKS ? 0 : -1, i);
    l->over = need_number(w, l->kind == LOOP_BLOCKS ? 0 : -1, i);
    if (l->tile >= 0 && l->step < 0) w->wrong = true;
  }
}

static void read_carried(words *w, ag_graph *g) {
  for (int32_t i = 0; i < g->ncarried && begin_line(w); i++) {
    ag_graph_carried *c = &g->carried[i];
    read_kind(w, "c", *need_word(w));
    c->name = need_word(w);
    c->loop = need_number(w, 0, g->nloops);
    c->first = need_number(w, 0, g->nnodes);
    c->next = need_number(w, -1, g->nnodes);
  }
}

static void read_accesses(words *w, ag_graph *g) {
  for (int32_t i = 0; i < g->naccesses && begin_line(w); i++) {
    ag_graph_access *x = &g->accesses[i];
    x->kind = read_kind(w, ag_graph_access_letters, *need_word(w));
    x->memory = need_number(w, 0, g->nmemories);
    x->index = need_number(w, 0, g->nnodes);
    x->when = need_number(w, -1, g->nnodes);
    x->value = need_number(w, x->kind == ACCESS_LOAD ? -1 : 0, g->nnodes);
    x->other = need_number(w, -1, g->nnodes);
    x->partly = need_number(w, 0, 2) != 0;
    x->order = (uint32_t)need_number(w, 0, INT32_MAX);
  }
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static bool loop_is_before(const ag_graph *g, int32_t loop, int32_t number) {
  const ag_graph_loop *l = &g->loops[loop];
  return l->low < number && l->high < number && l->step < number;
}

static bool is_in_order(const ag_graph *g, const ag_graph_node *node, int32_t number) {
  if (node->kind == NODE_STEP) return loop_is_before(g, node->index, number);
  if (node->kind == NODE_LOAD) {
    const ag_graph_access *a = &g->accesses[node->index];
    return a->kind == ACCESS_LOAD && a->index < number && a->when < number && a->other < number;
  }
  if (node->kind != NODE_CARRIED && node->kind != NODE_AFTER) return true;
  const ag_graph_carried *c = &g->carried[node->index];
  return c->first < number && loop_is_before(g, c->loop, number) &&
         (node->kind == NODE_CARRIED || c->next < number);
}

static void read_index(words *w, const ag_graph *g, ag_graph_node *node, int32_t number) {
  int32_t most = node->kind == NODE_PARAM  ? g->nparams
                 : node->kind == NODE_STEP ? g->nloops
                 : node->kind == NODE_LOAD ? g->naccesses
                                           : g->ncarried;
  node->index = need_number(w, 0, most);
  if (!w->wrong && !is_in_order(g, node, number)) w->wrong = true;
}

/* "1.0f", "1e-05". */
static void read_real(words *w, ag_graph_node *node) {
  char *end;
  node->text = need_word(w);
  node->real = strtod(node->text, &end);
  if (end == node->text) w->wrong = true;
}

static void read_operator(words *w, ag_graph_node *node, int32_t number, int32_t **args) {
  node->text = need_word(w);
  node->args = *args;
  while (w->at && *w->at != '=') {
    *(*args)++ = need_number(w, 0, number);
    node->n++;
  }
  if (!w->wrong) node->op = ag_op_find(node->text, node->n);
}

static void read_node(words *w, ag_graph *g, int32_t number, int32_t **args) {
  ag_graph_node *x = &g->nodes[number];
  const char *kind = need_word(w);
  x->kind = read_kind(w, ag_graph_node_letters, kind[0]);
  if (w->wrong) return;
  x->type = read_kind(w, ag_graph_type_letters, kind[1]);
  switch (x->kind) {
    case NODE_INTEGER:
      if (!parse_number(need_word(w), &x->value)) w->wrong = true;
      break;
    case NODE_FLOAT: read_real(w, x); break;
    case NODE_OP: read_operator(w, x, number, args); break;
    case NODE_UNKNOWN:
      x->text = w->at ? w->at : "";
      w->at = NULL;
      break;
    default: read_index(w, g, x, number); break;
  }
  if (w->at && *w->at == '=') x->name = w->at + 1;
}

/* Reads the asserts, which follow the nodes. */
static void read_asserts(words *w, ag_graph *g) {
  for (; !w->wrong && *w->next && g->nasserts < GRAPH_TEXT_MOST; g->nasserts++) {
    ag_graph_assert *x = &g->asserts[g->nasserts];
    if (!begin_line(w)) return;
    read_kind(w, "k", *need_word(w));
    x->holds = need_number(w, 0, g->nnodes);
    x->when = need_number(w, -1, g->nnodes);
    x->order = (uint32_t)need_number(w, 0, INT32_MAX);
    x->text = w->at ? w->at : "";
    if (!*x->text) w->wrong = true;
  }
}

static int32_t count_lines(const char *s) {
  int32_t n = 0;
  for (; *s; s++) n += *s == '\n';
  return n;
}

static size_t count_spaces(const char *s) {
  size_t n = 0;
  for (; *s; s++) n += *s == ' ';
  return n;
}

static void *allocate(words *w, int32_t n, size_t size) {
  void *at = calloc((size_t)n + 1, size);
  if (!at) w->wrong = true;
  return at;
}

bool ag_graph_is_of_division(const ag_graph_assert *a) {
  return strcmp(a->text, GRAPH_DIVISOR) == 0 || strcmp(a->text, GRAPH_QUOTIENT) == 0;
}

bool ag_graph_read(ag_graph *g, const char *text) {
  *g = (ag_graph){0};
  size_t spaces = count_spaces(text);
  g->words = strlen(text) < TEXT_MOST ? strdup(text) : NULL;
  words w = {.next = g->words, .wrong = !g->words};
  read_header(&w, g);
  if (w.wrong) {
    ag_graph_free(g);
    return false;
  }
  g->memories = allocate(&w, g->nmemories, sizeof *g->memories);
  g->loops = allocate(&w, g->nloops, sizeof *g->loops);
  g->carried = allocate(&w, g->ncarried, sizeof *g->carried);
  g->accesses = allocate(&w, g->naccesses, sizeof *g->accesses);
  g->nodes = allocate(&w, g->nnodes, sizeof *g->nodes);
  g->asserts = allocate(&w, count_lines(w.next), sizeof *g->asserts);
  g->args = calloc(spaces + 1, sizeof *g->args);
  int32_t *args = g->args;
  if (!args) w.wrong = true;
  if (!w.wrong) read_memories(&w, g);
  if (!w.wrong) read_loops(&w, g);
  if (!w.wrong) read_carried(&w, g);
  if (!w.wrong) read_accesses(&w, g);
  for (int32_t i = 0; i < g->nnodes && begin_line(&w); i++) read_node(&w, g, i, &args);
  if (!w.wrong) read_asserts(&w, g);
  if (w.wrong) ag_graph_free(g);
  return !w.wrong;
}

void ag_graph_free(ag_graph *g) {
  free(g->words);
  free(g->memories);
  free(g->loops);
  free(g->carried);
  free(g->accesses);
  free(g->nodes);
  free(g->asserts);
  free(g->args);
  *g = (ag_graph){0};
}
