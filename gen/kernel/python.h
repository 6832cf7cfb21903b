/* python.h - Python's syntax by tree-sitter, within bounds of memory: what is not Python, and what
 * takes more than PYTHON_MEMORY, is refused.
 *
 * One text at a time, by one thread: tree-sitter's allocator is the process's. Memory and time are
 * linear in the text; a tree may be as deep as its text is long.
 */
#ifndef GEN_KERNEL_PYTHON_H
#define GEN_KERNEL_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <tree_sitter/api.h>

enum { PYTHON_MEMORY = 128 << 20 };

/* A node of the grammar; PYTHON_OTHER: a sign, a word, or what the readers do not tell apart. */
#define PYTHON_KINDS(X)                                                                            \
  X(ASSERT, "assert_statement")                                                                    \
  X(ASSIGNMENT, "assignment")                                                                      \
  X(ATTRIBUTE, "attribute")                                                                        \
  X(AUGMENTED, "augmented_assignment")                                                             \
  X(AWAIT, "await")                                                                                \
  X(BINARY, "binary_operator")                                                                     \
  X(BLOCK, "block")                                                                                \
  X(BOOLEAN, "boolean_operator")                                                                   \
  X(BREAK, "break_statement")                                                                      \
  X(CALL, "call")                                                                                  \
  X(CLASS, "class_definition")                                                                     \
  X(COMPARISON, "comparison_operator")                                                             \
  X(CONCATENATED, "concatenated_string")                                                           \
  X(CONDITIONAL, "conditional_expression")                                                         \
  X(CONTINUE, "continue_statement")                                                                \
  X(DECORATED, "decorated_definition")                                                             \
  X(DEFAULT_PARAMETER, "default_parameter")                                                        \
  X(DELETE, "delete_statement")                                                                    \
  X(DICTIONARY, "dictionary")                                                                      \
  X(DICTIONARY_COMPREHENSION, "dictionary_comprehension")                                          \
  X(DICTIONARY_SPLAT, "dictionary_splat")                                                          \
  X(ELIF, "elif_clause")                                                                           \
  X(ELLIPSIS, "ellipsis")                                                                          \
  X(ELSE, "else_clause")                                                                           \
  X(EXEC, "exec_statement")                                                                        \
  X(EXPRESSION_LIST, "expression_list")                                                            \
  X(EXPRESSION_STATEMENT, "expression_statement")                                                  \
  X(FALSE, "false")                                                                                \
  X(FLOAT, "float")                                                                                \
  X(FOR, "for_statement")                                                                          \
  X(FUNCTION, "function_definition")                                                               \
  X(GENERATOR, "generator_expression")                                                             \
  X(GLOBAL, "global_statement")                                                                    \
  X(IDENTIFIER, "identifier")                                                                      \
  X(IF, "if_statement")                                                                            \
  X(IMPORT, "import_statement")                                                                    \
  X(IMPORT_FROM, "import_from_statement")                                                          \
  X(INTEGER, "integer")                                                                            \
  X(KEYWORD_ARGUMENT, "keyword_argument")                                                          \
  X(KEYWORD_SEPARATOR, "keyword_separator")                                                        \
  X(LAMBDA, "lambda")                                                                              \
  X(LIST, "list")                                                                                  \
  X(LIST_COMPREHENSION, "list_comprehension")                                                      \
  X(LIST_PATTERN, "list_pattern")                                                                  \
  X(LIST_SPLAT, "list_splat")                                                                      \
  X(MATCH, "match_statement")                                                                      \
  X(NAMED_EXPRESSION, "named_expression")                                                          \
  X(NONE, "none")                                                                                  \
  X(NONLOCAL, "nonlocal_statement")                                                                \
  X(NOT, "not_operator")                                                                           \
  X(PAIR, "pair")                                                                                  \
  X(PARENTHESIZED, "parenthesized_expression")                                                     \
  X(PASS, "pass_statement")                                                                        \
  X(PATTERN_LIST, "pattern_list")                                                                  \
  X(POSITIONAL_SEPARATOR, "positional_separator")                                                  \
  X(PRINT, "print_statement")                                                                      \
  X(RAISE, "raise_statement")                                                                      \
  X(RETURN, "return_statement")                                                                    \
  X(SET, "set")                                                                                    \
  X(SET_COMPREHENSION, "set_comprehension")                                                        \
  X(SLICE, "slice")                                                                                \
  X(SPLAT_PATTERN, "list_splat_pattern")                                                           \
  X(STRING, "string")                                                                              \
  X(SUBSCRIPT, "subscript")                                                                        \
  X(TRUE, "true")                                                                                  \
  X(TRY, "try_statement")                                                                          \
  X(TUPLE, "tuple")                                                                                \
  X(TUPLE_PATTERN, "tuple_pattern")                                                                \
  X(TYPED_DEFAULT_PARAMETER, "typed_default_parameter")                                            \
  X(TYPED_PARAMETER, "typed_parameter")                                                            \
  X(TYPE_ALIAS, "type_alias_statement")                                                            \
  X(UNARY, "unary_operator")                                                                       \
  X(WHILE, "while_statement")                                                                      \
  X(WITH, "with_statement")                                                                        \
  X(YIELD, "yield")

enum python_kind {
  PYTHON_OTHER,
#define X(kind, name) PYTHON_##kind,
  PYTHON_KINDS(X)
#undef X
};

typedef struct python {
  const char *text;
  TSNode root;
  const char *why; /* NULL where the text was parsed */
  unsigned row;    /* where that is: 0 for the first line */
} python;

/* Parses n bytes at `text`, which are used until python_free(). That is called in each case. */
void python_parse(python *p, const char *text, size_t n);
void python_free(python *p);

enum python_kind python_kind_of(TSNode n);
/* The child that the grammar gives this name; a null node where there is none. */
TSNode python_field(TSNode n, const char *name);

/* The children of a node but comments, one after another:
 *
 *   python_children c = python_begin(n);
 *   while (python_next(&c)) use(c.node);
 */
typedef struct python_children {
  TSTreeCursor at;
  TSNode node;
  bool begun, ended;
} python_children;

python_children python_begin(TSNode n);
bool python_next(python_children *c);
/* Called where a walk ends before the last child. */
void python_end(python_children *c);

#endif
