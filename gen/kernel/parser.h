/* parser.h - for the readers of both languages: names and nodes of a kernel's tree; for C++ also
 * tokens and expressions. Nothing but the readers includes it. */
#ifndef GEN_KERNEL_PARSER_H
#define GEN_KERNEL_PARSER_H

#include "base/string_map.h"
#include "kernel/tree.h"

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OPERATOR };

/* What OpenMP's directives before a statement say of it: bits. */
enum omp {
  OMP_PARALLEL = 1, /* each thread of a team executes it */
  OMP_SHARED = 2,   /* the threads share the iterations of its loops, of which there are `loops` */
  OMP_ONE = 4       /* one thread executes it */
};

typedef struct omp_directives {
  unsigned says;
  unsigned loops;
} omp_directives;

typedef struct token {
  enum token_kind kind;
  unsigned line; /* where it begins */
  const char *at;
  unsigned n;
  omp_directives omp; /* those before it */
} token;

typedef struct kernel_parser {
  kernel_tree *tree;
  arena *a;
  arena_list(token) tokens; /* the last is TOKEN_END; none in Python */
  size_t p;                 /* the next token */
  int depth;                /* open brackets and blocks */
  unsigned nodes;           /* in all trees */
  unsigned deepest;         /* the depth of the function's trees, or of the current lambda's */
  unsigned line;            /* where the current statement begins */
  bool by_team;             /* each thread of a team executes the current statement */
  unsigned shared_loops;    /* so many loops that begin here are shared by threads */
  string_map *names;        /* to an index of `current` */
  arena_list(int) current;  /* the variable that a name means now, -1 */
  struct shadowed {
    size_t name;
    int variable;
  } * shadowed; /* what the names meant outside of the current scopes */
  size_t nshadowed, shadowed_room;
} kernel_parser;

/* Parses statements up to the closing bracket, also those of a lambda: read_cpp.c. */
tree_block *kernel_parser_block(kernel_parser *k);

/* Cuts n bytes at `text` into tokens. */
void kernel_parser_cut(kernel_parser *k, const char *text, size_t n);

/* Stops reading. The first reason stays. */
void kernel_parser_fail(kernel_parser *k, const char *why);
void kernel_parser_fail_at(kernel_parser *k, const char *why, unsigned line);

static inline const token *kernel_parser_next(const kernel_parser *k) {
  return &k->tokens.at[k->p];
}
bool kernel_parser_is(const token *t, const char *text);
/* The one of the NULL-terminated list that the token is; NULL for another token. */
const char *kernel_parser_find_word(const token *t, const char *const *list);
static inline bool kernel_parser_is_next(const kernel_parser *k, const char *text) {
  return kernel_parser_is(kernel_parser_next(k), text);
}
/* Takes the next token if it is that one. True if it was. */
bool kernel_parser_accept(kernel_parser *k, const char *text);
/* Fails if the next token is another one. */
void kernel_parser_expect(kernel_parser *k, const char *text);
const char *kernel_parser_copy(kernel_parser *k, const token *t);

/* At '(', '[', '{' or '<': skips to past what closes it. */
void kernel_parser_skip_brackets(kernel_parser *k);

/* At the end of a scope, each name that it declares means again what it meant before. */
size_t kernel_parser_open_scope(kernel_parser *k);
void kernel_parser_close_scope(kernel_parser *k, size_t scope);
int kernel_parser_declare(kernel_parser *k, const char *name, int param);
/* -1 if nothing of that name is declared. */
int kernel_parser_find(kernel_parser *k, const char *name);

tree_expr *kernel_parser_node(kernel_parser *k, enum tree_kind kind, const char *text);
/* Adds `child` as the last child of `e`. Fails if it is nested too deep. */
void kernel_parser_add(kernel_parser *k, tree_expr *e, tree_expr *child);
/* A node whose first child is `e`. */
tree_expr *kernel_parser_wrap(kernel_parser *k, enum tree_kind kind, const char *text,
                              tree_expr *e);
/* Notes one more open bracket or block, until `k->depth` is less again. */
void kernel_parser_nest(kernel_parser *k);

/* Parses the expressions up to `close`, which ends an opened bracket, as children of `to`. */
void kernel_parser_list(kernel_parser *k, tree_expr *to, const char *close);
/* One expression, without a comma outside of brackets. Never NULL. */
tree_expr *kernel_parser_expr(kernel_parser *k);
/* A name with "::" and template arguments. Only the node's `type` has the latter. */
tree_expr *kernel_parser_qualified(kernel_parser *k);

/* A statement at the end of `b`, on the line `k->line`. */
tree_statement *kernel_parser_statement(kernel_parser *k, tree_block *b, enum statement_kind kind);

#endif
