/* model.h - a wrapper's inputs, outputs and weights, its launch sites, and the role of each
 * argument: the meaning of the facts that the scan collected.
 *
 * What knows a name of AOTInductor or of torch's shim stands behind this header. The model knows
 * neither libclang nor the text that will be inserted. All of it lives in one arena.
 */
#ifndef GEN_MODEL_H
#define GEN_MODEL_H

#include "base/diag.h"
#include "model/triton.h"
#include "parse/facts.h"
#include "shared/wrapper/aotigen_tables.h"
#include <stdint.h>

/* Sites, arguments and their flags are those of shared/wrapper/aotigen_tables.h. */
#define MODEL_COUNT(...) +1
enum { FORMS = 0 AOTIGEN_FORMS(MODEL_COUNT) };

/* By enum aotigen_form and so on: "triton", "inout", "tensor". */
extern const char *const form_names[];
extern const char *const role_names[];
extern const char *const kind_names[];
extern const char *const scope_names[];

enum { MODEL_DIMS_MAX = 64 }; /* of a tensor, as in torch */

/* What the wrapper's text goes on to assume of a tensor that a call makes, as aotigen_expected has
 * it. Sites are indices. */
typedef struct expected {
  const char *dtype, *device; /* or NULL */
  int ndim;                   /* of `dims`; -1 where the wrapper says nothing of the shape */
  aotigen_dim *dims;
  int64_t least;
  const char *least_of;
  int user; /* index of the first site that uses it, -1: it is an output of the model */
  struct {
    aotigen_alias *at;
    size_t n, cap;
  } aliases;
} expected;

/* What the kernel's text says of an argument. */
typedef struct argument_text {
  aotigen_text told;      /* what the runtime gets */
  const char *stores_all; /* as `loads_all` */
  bool fills, vectors;    /* of bounds/kernel_facts.h */
} argument_text;

typedef struct argument {
  const char *name;
  const char *python_name; /* or NULL */
  const char *dtype;       /* or NULL */
  enum aotigen_role role;
  enum aotigen_kind kind;
  unsigned flags;    /* enum aotigen_param_flags */
  const char *value; /* the expression for it before the launch, or NULL where there is none */
  const char *late;  /* AOTIGEN_LATE: the expression for it after the launch, or NULL */
  span view[5];      /* AOTIGEN_VIEW whose view the call makes: base, ndim, sizes, strides, offset;
                        else empty */
  int root;          /* the variable that owns the storage, -1 where it is not known */
  const operand *operand;    /* what the call is passed */
  int maker;                 /* index of the earlier site whose call made the tensor, else -1 */
  int writer;                /* with `maker`: index of the later site that wrote to its memory last;
                                WRITER_NONE, WRITER_UNKNOWN */
  const expected *expected;  /* of a tensor that the call makes and the wrapper uses, else NULL */
  int param;                 /* of the call's declaration, -1 where it has none for it */
  const argument_text *text; /* of a compiled kernel; NULL where nothing is known */
} argument;

enum { WRITER_NONE = -1, WRITER_UNKNOWN = -2 };

typedef struct model_lines {
  aotigen_line *at;
  size_t n, cap;
} model_lines;

/* A loop or a branch in a run function. */
typedef struct scope {
  enum aotigen_scope_kind kind;
  unsigned line;    /* of the `while`, `for` or `if` */
  const char *name; /* of a branch: torch's name of its graph, or NULL */
  int outer;        /* the scope that it is in, -1 for none */
  unsigned loop;    /* of a loop whose iterations can be counted: its number, from 1; else 0 */
} scope;

typedef struct site {
  const fact_call *call;
  const char *function;
  const char *kernel;
  strings nodes, aten;
  model_lines lines; /* in the order of the model's graph, each once */
  enum aotigen_form form;
  unsigned flags; /* enum aotigen_site_flags */
  unsigned line, column;
  const char *skipped;        /* or NULL */
  size_t made;                /* past the statement that takes its last output, 0: the call's own */
  const struct custom_op *op; /* AOTIGEN_PROXY: what wrapper.json says of the op, or NULL */
  const triton
      *triton;     /* AOTIGEN_TRITON: the kernel's metadata, or NULL where the wrapper has none */
  unsigned number; /* from 1, as launches are counted; 0 of one that is left alone, and of a copy of
                      an input that is not aligned */
  int scope;       /* the innermost, -1 for none */
  const char *graph; /* torch's name of the graph of the branch, of the loop's condition or body
                        that it is in; or NULL */
  bool heads;        /* it is the first that each iteration of `scope` executes */
  bool by_user;      /* its kernel is Triton that a user wrote */
  struct {
    argument *at;
    size_t n, cap;
  } args;
} site;

/* Memory that a run function allocates, or that another buffer takes over without reading what it
 * holds. */
typedef struct model_buffer {
  const char *name;  /* of the variable that owns it first */
  const char *owner; /* the variable that has the new tensor: a handle, or (reuse) an object */
  int var;
  bool reuse;   /* it takes over the memory of another buffer */
  bool vectors; /* a kernel loads vectors of it that may go beyond its end */
  int function;
  size_t made; /* behind the statement that sets `owner` */
  unsigned line;
  enum aotigen_handed_over end;
  /* Of AOTIGEN_HANDED_COPIED, which one statement hands over, in which one variable stands: that
   * statement, 0 where another buffer has it, */
  size_t handing;
  const char *handed; /* and the variable in it */
} model_buffer;

/* How launches use the memory of an input or a weight. */
typedef struct given_use {
  bool only_read; /* no launch surely writes to it, and it is no output */
  bool vectors;   /* as of a buffer */
} given_use;

typedef struct model_input {
  const char *name, *python_name, *dtype, *device;
  int ndim;      /* of `dims`; -1 where the wrapper says nothing of it */
  bool unranked; /* the rank is not known: it may be more than ndim */
  aotigen_dim dims[MODEL_DIMS_MAX];
  bool aligned;     /* the wrapper makes sure that its address is a multiple of 16 */
  bool any_strides; /* only operators that take any strides read it */
  given_use use;
} model_input;

typedef struct model_output {
  const char *name;
  const char *buffer; /* the variable that is handed over, or NULL where an expression is */
  const char *dtype;  /* or NULL */
  const char *sizes;  /* as the wrapper allocates it: "s77, 10"; NULL if unknown */
} model_output;

typedef struct weight {
  const char *name, *fqn, *dtype, *device;
  const char *shape, *stride; /* as the wrapper writes them: "256, 64" */
  int ndim;
  int64_t bytes;
  bool from_folded;
  bool is_buffer; /* a buffer or a constant of the program, not a parameter */
  given_use use;
} weight;

/* A call of launchKernel, where the grid is known: in a launcher template, in torch 2.6 in the run
 * function. */
typedef struct launch {
  const char *kernel;
  size_t statement; /* where it begins */
  const char *grid[3];
} launch;

typedef struct model {
  const facts *facts;
  struct storage *storage;        /* storage.h */
  struct kernel_sources *sources; /* kernel_sources.h */
  struct kernel_graphs *graphs;   /* kernel_graphs.h */
  const char *device;             /* "cpu", "cuda", or NULL */
  bool jit;                       /* torch.compile's cpp-wrapper mode: no model class */
  struct {
    model_input *at;
    size_t n, cap;
  } inputs;
  struct {
    model_output *at;
    size_t n, cap;
  } outputs;
  struct {
    weight *at;
    size_t n, cap;
  } weights;
  strings cubins;
  struct {
    site *at;
    size_t n, cap;
  } sites;
  struct {
    scope *at;
    size_t n, cap;
  } scopes;
  struct {
    launch *at;
    size_t n, cap;
  } launches;
  struct {
    triton *at;
    size_t n, cap;
  } kernels;
  struct {
    model_buffer *at;
    size_t n, cap;
  } buffers;
  unsigned buffers_alive; /* that it allocates, at most at a time */
} model;

/* The texts of the files beside the wrapper; NULL where there is no such file. */
typedef struct companion_texts {
  const char *ops, *ops_path;       /* wrapper.json */
  bool ops_asked_for;               /* the user named it with --ops */
  bool ops_packaged;                /* it is a package's member */
  const char *kernel, *kernel_path; /* kernel.cpp */
  /* The exported program; what torch recorded of the kernels' origins: see model/provenance.h. */
  const char *exported, *exported_path, *provenance, *provenance_path;
  size_t exported_n, provenance_n;
  bool provenance_packaged; /* a package's member: the user named no file */
} companion_texts;

/* What is known of the input or weight that the variable names; NULL of another variable. */
static inline given_use *model_find_given(model *m, const fact_var *var) {
  if (var->from < 0) return NULL;
  if (var->made == MADE_INPUT && (size_t)var->from < m->inputs.n)
    return &m->inputs.at[var->from].use;
  if (var->made == MADE_WEIGHT && (size_t)var->from < m->weights.n)
    return &m->weights.at[var->from].use;
  return NULL;
}

/* False where `f` is not of a wrapper, or has more than AOTIGEN_MAX_SITES sites: `d` has the error.
 * `f` must live as long as the model. */
bool model_build(model *m, const facts *f, const companion_texts *beside, arena *a, diags *d);

#endif
