/* model.h - a wrapper's inputs, outputs and weights, its launch sites, and the role of each
 * argument: the meaning of the facts that the scan collected.
 *
 * All code that knows a name of AOTInductor or of torch's shim is behind this header. The model
 * knows neither libclang nor the text that will be inserted. All of it lives in one arena.
 */
#ifndef GEN_MODEL_H
#define GEN_MODEL_H

#include "base/diag.h"
#include "base/string_map.h"
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

enum { MODEL_DIMS_MAX = 64 }; /* the dimensions of a tensor: the same as torch's limit */

/* What the wrapper's text assumes of a tensor that a call makes, for aotigen_expected. Sites are
 * indices. */
typedef struct expected {
  const char *dtype, *device; /* or NULL */
  int ndim; /* the length of `dims`; -1 where the wrapper says nothing of the shape */
  aotigen_dim *dims;
  int64_t least;
  const char *least_of, *sizes_of; /* or NULL */
  int user;                        /* the first site that uses it; -1 for an output of the model */
  arena_list(aotigen_alias) aliases;
} expected;

/* What the kernel's text says of an argument. */
typedef struct argument_text {
  aotigen_text told;      /* what the runtime receives */
  const char *stores_all; /* as `loads_all` */
  bool fills, vectors;    /* see bounds/kernel_facts.h */
} argument_text;

typedef struct argument {
  const char *name;
  const char *python_name; /* or NULL */
  const char *dtype;       /* or NULL */
  enum aotigen_role role;
  enum aotigen_kind kind;
  unsigned flags;         /* enum aotigen_param_flags */
  const char *value;      /* the expression for it before the launch, or NULL where there is none */
  const char *late;       /* AOTIGEN_LATE: the expression for it after the launch, or NULL */
  const span *view;       /* for a view that the call makes: as an operand's; else NULL */
  int root;               /* the variable that owns the storage, -1 where it is not known */
  const operand *operand; /* what the call is passed */
  int maker;              /* index of the earlier site whose call made the tensor, else -1 */
  int writer; /* with `maker`: the last site to write it since; or WRITER_NONE, WRITER_UNKNOWN */
  const expected *expected;  /* for a tensor that the call makes and the wrapper uses, else NULL */
  int param;                 /* its number in the call's declaration, -1 for none */
  const argument_text *text; /* for a compiled kernel; NULL where nothing is known */
} argument;

enum { WRITER_NONE = -1, WRITER_UNKNOWN = -2 };

typedef arena_list(aotigen_line) model_lines;

/* The lines that one operation of a site's kernel may compute, or those that decide what it stores
 * in one argument. */
typedef struct op_lines {
  unsigned number; /* of the node in the kernel's graph, or of the argument */
  uint64_t lines;  /* bit i: line i of the site */
} op_lines;

/* A loop or a branch in a run function. */
typedef struct scope {
  enum aotigen_scope_kind kind;
  unsigned line;    /* the line of the `while`, `for` or `if` */
  const char *name; /* torch's name of the graph of a branch, or NULL */
  int outer;        /* the scope that it is in, -1 for none */
  unsigned loop;    /* the number, from 1, of a loop whose iterations can be counted; else 0 */
} scope;

/* When what a launch computes is complete, and its memory may be read or written again. */
enum completion_kind {
  COMPLETE_AT_CALL, /* in program order on its stream */
  COMPLETE_AT_WAIT, /* a collective: behind the wait for its memory */
  COMPLETE_WAITS    /* the wait: it computes nothing */
};

/* A launch and the one that it is complete behind: see model/completions.h. */
typedef struct completion {
  enum completion_kind kind;
  const char *collective; /* its name in its namespace, "all_reduce_"; NULL: COMPLETE_AT_CALL */
  arena_list(int) sites;  /* AT_WAIT: the sites that wait for it; WAITS: those that they complete */
} completion;

/* A stream of the device: model/streams.h. The first is the caller's. */
typedef struct model_stream {
  const char *text; /* as the wrapper writes it, without spaces */
  unsigned number;  /* "side stream 1"; 0: the caller's */
} model_stream;

enum { STREAM_UNKNOWN = -1, STREAM_NONE = -2 /* it runs on the host */ };

/* What the wrapper's text orders streams by. */
enum stream_op_kind {
  STREAM_OP_RECORDS,   /* `stream` records `event` */
  STREAM_OP_WAITS,     /* `stream` waits for `event` */
  STREAM_OP_HOST_WAITS /* the host waits for `stream`, for `event`, or for all there is */
};

typedef struct stream_op {
  enum stream_op_kind kind;
  size_t offset; /* of the call */
  unsigned line;
  int function;       /* in facts.functions */
  int stream;         /* in model.streams; STREAM_NONE: the call names none */
  const char *event;  /* as the wrapper writes it, without spaces; NULL: the call names none */
  const char *passed; /* the argument that names the stream, or NULL */
  size_t end;         /* past its statement; 0 where no line can stand behind that */
} stream_op;

typedef struct site {
  const fact_call *call;
  const char *function;
  const char *kernel;
  strings nodes, aten;
  model_lines lines; /* in the order of the model's graph, each once; at most 64 */
  arena_list(op_lines) op_lines, stored_lines; /* those of which something is known */
  uint64_t lookup_lines; /* those that look elements up by an index; 0: not known */
  enum aotigen_form form;
  unsigned flags; /* enum aotigen_site_flags */
  unsigned line, column;
  const char *skipped;        /* or NULL */
  size_t made;                /* past the statement that takes its last output; 0: past the call */
  const struct custom_op *op; /* AOTIGEN_PROXY: what wrapper.json says of the op, or NULL */
  const triton
      *triton;       /* AOTIGEN_TRITON: the kernel's metadata, or NULL where the wrapper has none */
  unsigned number;   /* from 1, as launches are counted; 0 for one that is not counted */
  int scope;         /* the innermost scope, -1 for none */
  const char *graph; /* torch's name of the graph of its branch, or of its loop's part; or NULL */
  bool heads;        /* each iteration of `scope` executes it before other sites */
  bool by_user;      /* its kernel is Triton that a user wrote */
  completion completion;
  int stream;                /* in model.streams, or STREAM_UNKNOWN, STREAM_NONE */
  int guard_stream;          /* torch's current stream there, likewise */
  const char *passed_stream; /* the argument that says it; NULL: torch's current stream */
  arena_list(argument) args;
} site;

/* Memory that a run function allocates, or that another buffer takes over without reading the old
 * contents. */
typedef struct model_buffer {
  const char *name;  /* the name of the first variable that owns it */
  const char *owner; /* the variable that has the new tensor: a handle, or (reuse) an object */
  int var;
  bool reuse;   /* it takes over the memory of another buffer */
  bool vectors; /* a kernel loads vectors of it that may go beyond its end */
  int function;
  size_t made; /* behind the statement that sets `owner` */
  unsigned line;
  enum aotigen_handed_over end;
  /* For AOTIGEN_HANDED_COPIED by one statement with one variable: the offset of the statement, or 0
   * if another buffer has it, */
  size_t handing;
  const char *handed; /* and that variable */
} model_buffer;

/* The use of an input's or a weight's memory by launches. */
typedef struct given_use {
  bool only_read; /* no launch surely writes to it, and it is not an output */
  bool vectors;   /* as for a buffer */
} given_use;

typedef struct model_input {
  const char *name, *python_name, *dtype, *device;
  int ndim;      /* the length of `dims`; -1 where the wrapper says nothing of it */
  bool unranked; /* the rank is not known, and may be more than ndim */
  aotigen_dim dims[MODEL_DIMS_MAX];
  /* By dimension: the symbol that its size has although the wrapper does not read it as that, or
   * NULL. The wrapper never compares it with other sizes of that symbol. */
  const char *unread[MODEL_DIMS_MAX];
  /* Bit i: the least size of dimension i only comes from torch's range of another size, 2 and more.
   * A smaller one is warned of by a promise that excludes it. */
  uint64_t derived_least;
  bool aligned;     /* the wrapper ensures that its address is a multiple of 16 */
  bool any_strides; /* only operators that accept any strides read it */
  given_use use;
} model_input;

/* What the exported program promises of the sizes of inputs. */
typedef struct model_promise {
  enum aotigen_promise_kind kind;
  const char *text, *code; /* as in aotigen_promise */
  uint32_t input, dim;     /* the first size that it names */
} model_promise;

typedef struct model_output {
  const char *name;
  const char *buffer; /* the variable that is handed over, or NULL for an expression */
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
  bool is_lifted; /* a parameter or buffer: a placeholder of the program, before its inputs */
  given_use use;
} weight;

/* A call of launchKernel, which has the grid: in a launcher template, or in torch 2.6 in the run
 * function. */
typedef struct launch {
  const char *kernel;
  size_t statement; /* the offset of its start */
  const char *grid[3];
} launch;

typedef struct model {
  const facts *facts;
  struct storage *storage;        /* storage.h */
  struct kernel_sources *sources; /* kernel_sources.h */
  struct kernel_graphs *graphs;   /* kernel_graphs.h */
  const char *device;             /* "cpu", "cuda", or NULL */
  bool jit;                       /* torch.compile's cpp-wrapper mode: no model class */
  const char *class_name;         /* wrapper_model_class() */
  arena_list(model_input) inputs;
  arena_list(model_promise) promises;
  string_map *size_symbols; /* "#0.1", a size of an input, by the exported program's symbol of it;
                               NULL where no program is known that fits */
  arena_list(model_output) outputs;
  arena_list(weight) weights;
  strings cubins;
  arena_list(site) sites;
  arena_list(scope) scopes;
  arena_list(launch) launches;
  arena_list(triton) kernels;
  arena_list(model_buffer) buffers;
  arena_list(model_stream) streams; /* each once; the first is the caller's */
  arena_list(stream_op) stream_ops; /* in the order of the text */
  bool hides_order;                 /* streams may be ordered outside of runs, or by polling */
  unsigned buffers_alive;           /* the most of them that are allocated at the same time */
} model;

/* The texts of the files next to the wrapper; NULL if there is no such file. */
typedef struct companion_texts {
  const char *ops, *ops_path;       /* wrapper.json */
  bool ops_asked_for;               /* the user named it with --ops */
  bool ops_packaged;                /* it is a package's member */
  const char *kernel, *kernel_path; /* kernel.cpp */
  /* The exported program, and the origins of kernels that torch recorded: see
   * model/provenance.h. */
  const char *exported, *exported_path, *provenance, *provenance_path;
  size_t exported_n, provenance_n;
  bool exported_packaged,
      provenance_packaged; /* it is a package's member: the user named no file */
  bool exported_compared;  /* it is to be run: it may have no lines of the model */
} companion_texts;

/* The use of the input or weight that the variable names; NULL for another variable. */
static inline given_use *model_find_given(model *m, const fact_var *var) {
  if (var->from < 0) return NULL;
  if (var->made == MADE_INPUT && (size_t)var->from < m->inputs.n)
    return &m->inputs.at[var->from].use;
  if (var->made == MADE_WEIGHT && (size_t)var->from < m->weights.n)
    return &m->weights.at[var->from].use;
  return NULL;
}

/* A dimension of an input, with its symbol if that is known at all. */
static inline aotigen_dim model_input_dim(const model_input *in, int i) {
  aotigen_dim d = in->dims[i];
  if (!d.symbol) d.symbol = in->unread[i];
  return d;
}

/* False, with an error in `d`, if `f` is not of a wrapper, or has more than AOTIGEN_MAX_SITES
 * sites. `f` must live as long as the model. */
bool model_build(model *m, const facts *f, const companion_texts *companions, arena *a, diags *d);

#endif
