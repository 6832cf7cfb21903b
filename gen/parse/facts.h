/* facts.h - what the scan found in a wrapper: functions, variables, calls and their arguments.
 *
 * Free of libclang. Offsets are bytes into the wrapper's text. Strings live in the scan's arena.
 * The model decides what the facts mean.
 */
#ifndef GEN_FACTS_H
#define GEN_FACTS_H

#include "base/arena.h"

typedef struct span {
  size_t begin, end;
} span;

/* What a variable or parameter holds, by its canonical type. */
enum holds {
  HOLDS_OTHER,
  HOLDS_HANDLE,   /* AtenTensorHandle */
  HOLDS_OBJECT,   /* RAIIAtenTensorHandle, ConstantHandle */
  HOLDS_ARRAYREF, /* ArrayRefTensor<T> */
  HOLDS_HANDLES,  /* an array of handles */
  HOLDS_POINTER,
  HOLDS_SCALAR
};

/* What a variable is initialized from. */
enum made { MADE_UNKNOWN, MADE_EMPTY, MADE_ALIAS, MADE_VIEW, MADE_WEIGHT, MADE_INPUT };

typedef struct fact_var {
  const char *name;
  const char *type; /* canonical */
  size_t declared;  /* offset of the declaration: identifies the variable */
  span init;        /* the initializer's text, or empty */
  enum holds holds;
  enum made made;
  int from; /* MADE_ALIAS, MADE_VIEW: a variable, or -1; MADE_WEIGHT, MADE_INPUT: the index */
  int function;
  span view[5];      /* MADE_VIEW by a call: as an operand's */
  bool released;     /* release() takes its handle, so it is empty at the launch */
  const char *dtype; /* from its allocation ("float32"), or NULL */
  int loop;          /* body offset of the innermost loop around the declaration, 0 for none */
  arena_list(int) sources; /* the tensors that the initializer of another variable mentions */
} fact_var;

enum operand_kind { OPERAND_TENSOR, OPERAND_VIEW, OPERAND_OUTPUT, OPERAND_POINTER, OPERAND_SCALAR };

/* One tensor or scalar within an argument of a call. */
typedef struct operand {
  enum operand_kind kind;
  int param;           /* index of the declared parameter, -1 where unknown */
  int var;             /* the index of a variable, or -1 */
  span text;           /* the expression; for a view, the whole call */
  const span *view;    /* OPERAND_VIEW: base, ndim, sizes, strides, offset; else NULL */
  const char *element; /* OPERAND_POINTER: the element type of the kernel's parameter, canonical,
                          without const */
  bool is_const;       /* OPERAND_POINTER: through a pointer to const */
  bool consumed;       /* moved into an object that the call destroys */
  bool pure;           /* OPERAND_SCALAR: may be evaluated again */
} operand;

typedef struct fact_param {
  const char *name;
  const char *type; /* as written */
  const char *canonical;
  enum holds holds;
} fact_param;

enum calls {
  CALLS_SHIM,      /* a function of torch's C shim, or one like it that the wrapper declares */
  CALLS_KERNEL,    /* a C++ kernel: extern "C", by pointers to elements */
  CALLS_TEMPLATE,  /* call_K<...>(), which launches a Triton kernel */
  CALLS_LAUNCH,    /* launchKernel(), by an array of pointers to arguments */
  CALLS_DISPATCHER /* an operator by its name, with a stack of values */
};

typedef struct fact_call {
  const char *callee;
  enum calls calls;
  int function;        /* index into facts.functions */
  int launcher;        /* CALLS_TEMPLATE: index of the function it calls, else -1 */
  size_t offset;       /* offset of the callee's name */
  size_t open, close;  /* the brackets of the argument list */
  span statement;      /* with its semicolon */
  bool braces;         /* a line before or after it needs braces */
  bool checked;        /* its error code is checked */
  bool declared_here;  /* CALLS_SHIM: the wrapper declares it, not torch: a library's operator */
  const char *skipped; /* the reason why nothing can be inserted around it, or NULL */
  int loop;            /* the innermost loop's body offset, 0 for none */
  arena_list(fact_param) params;
  arena_list(operand) operands;
} fact_call;

enum function_kind {
  FUNCTION_OTHER,
  FUNCTION_RUN,
  FUNCTION_FOLD,
  FUNCTION_LAUNCHER,
  FUNCTION_CONSTRUCTOR,
  FUNCTION_CHECK,
  FUNCTION_WEIGHTS_API
};

typedef struct fact_function {
  const char *name;
  enum function_kind kind;
  size_t offset;      /* the offset of its name */
  span body;          /* from { to past } */
  const char *no_end; /* the reason why nothing can be inserted before its last brace, or NULL */
  arena_list(fact_param) params;
} fact_function;

/* A `try` whose handlers keep a host from seeing an exception. */
typedef struct fact_try {
  size_t open, close; /* the { and } of its block, in the text; for a macro's, in its definition */
} fact_try;

/* A function by which a host enters the model: extern "C" AOTInductor*. */
typedef struct fact_entry {
  int function; /* index into facts.functions */
  bool throws;  /* a call outside of each `try` may throw */
  bool deletes; /* it deletes an object: a model, or a container of models */
  const char
      *uncovered; /* why an exception of it cannot be caught before its own handlers, or NULL */
} fact_entry;

/* From line `line` up to the next of these, a compiler numbers the lines from `presumed` on: #line
 * says so. */
typedef struct fact_renumbering {
  unsigned line, presumed;
} fact_renumbering;

typedef struct facts {
  const char *path;
  const char *text; /* NUL-terminated */
  size_t n;
  arena_list(size_t) lines;                /* the offset of each */
  arena_list(fact_renumbering) renumbered; /* in the order of the text */
  arena_list(fact_function) functions;
  arena_list(fact_var) vars;
  arena_list(fact_call) calls; /* in source order */
  arena_list(fact_entry) entries;
  arena_list(fact_try) tries; /* those of the entries, each once */
} facts;

/* Fills f->lines. Call it once, before the first facts_position(). */
void facts_index_lines(facts *f, arena *a);

/* The text of a span. */
const char *facts_copy(const facts *f, span s, arena *a);

/* 1-based line and column of an offset. */
void facts_position(const facts *f, size_t offset, unsigned *line, unsigned *column);

/* The number that a compiler gives a line (1-based). */
unsigned facts_presumed_line(const facts *f, unsigned line);

/* Longer ways from a variable to its base are not followed. */
enum { FACTS_STEPS_MAX = 1000 };

/* The variable that an alias or a view is made from; -1 for another variable, and if it is not
 * known. */
int facts_find_base(const facts *f, int var);

/* `var`, or the variable that it is an alias of, through further aliases; -1 if these are too
 * many. */
int facts_skip_aliases(const facts *f, int var);

#endif
