/* aotigen_tables.h - the static tables of an instrumented wrapper, which the generator writes: its
 * launch sites, inputs, weights and buffers. A part of aotigen.h, which defines the words. */
#ifndef AOTIGEN_TABLES_H
#define AOTIGEN_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* Raised whenever a struct or a function of this file or of aotigen.h changes. A rewritten wrapper
 * names its own as AOTIGEN_MADE_FOR; aotigen.h, `aotigen build` and the library refuse another. */
#define AOTIGEN_ABI 22

#define AOTIGEN_MAX_SITES 65536 /* at most, in one wrapper */

/* Each list below defines the enum that follows it. The generator also uses it for the names that
 * it writes into a wrapper, and for the words of `aotigen list`. */
#define AOTIGEN_NAMED(name, word) name,
#define AOTIGEN_VALUED(name, value) name = value,
#define AOTIGEN_WORDED(name, value, word) name = value,

#define AOTIGEN_FORMS(X)                                                                           \
  X(AOTIGEN_TRITON, "triton") /* a Triton kernel, through call_K or launchKernel */                \
  X(AOTIGEN_EXTERN, "extern") /* a function of torch's C shim */                                   \
  X(AOTIGEN_PROXY, "proxy") /* a custom op or an op without a shim, through the proxy executor */  \
  X(AOTIGEN_DISPATCHER, "dispatcher") /* an op by its name, through the dispatcher */              \
  X(AOTIGEN_CPU, "cpu")               /* a C++ kernel that Inductor generated */                   \
  X(AOTIGEN_COPY, "copy")             /* aoti_torch_clone*, aoti_torch_copy_ */                    \
  X(AOTIGEN_ITEM, "item")             /* aoti_torch_item_*: the host waits for one value */
enum aotigen_form { AOTIGEN_FORMS(AOTIGEN_NAMED) };

#define AOTIGEN_ROLES(X)                                                                           \
  X(AOTIGEN_IN, "in")                                                                              \
  X(AOTIGEN_OUT, "out")                                                                            \
  X(AOTIGEN_INOUT, "inout")                                                                        \
  X(AOTIGEN_UNKNOWN, "unknown")
enum aotigen_role { AOTIGEN_ROLES(AOTIGEN_NAMED) };

#define AOTIGEN_KINDS(X)                                                                           \
  X(AOTIGEN_TENSOR, "tensor")                                                                      \
  X(AOTIGEN_VIEW, "view")                                                                          \
  X(AOTIGEN_WEIGHT, "weight")                                                                      \
  X(AOTIGEN_INPUT, "input")                                                                        \
  X(AOTIGEN_POINTER, "pointer")                                                                    \
  X(AOTIGEN_SCALAR, "scalar")
enum aotigen_kind { AOTIGEN_KINDS(AOTIGEN_NAMED) };

#define AOTIGEN_PARAM_FLAGS(X)                                                                     \
  /* Unwritten since its allocation: must not be read before the launch. */                        \
  X(AOTIGEN_FRESH, 1)                                                                              \
  /* Exists only after the call: passed to aotigen_after(), AOTIGEN_V_NOTHING before. */           \
  X(AOTIGEN_LATE, 2)                                                                               \
  /* The kernel was compiled for a 16-byte aligned pointer. */                                     \
  X(AOTIGEN_ALIGN16, 4)                                                                            \
  /* An integer that the kernel takes as 32 bits. */                                               \
  X(AOTIGEN_INT32, 8)                                                                              \
  /* Declared as read, but the op may write it: then earlier scans of it are void. */              \
  X(AOTIGEN_MAYBE_WRITTEN, 16)                                                                     \
  /* ATen leaves parts of it undefined: it is printed, not asserted. */                            \
  X(AOTIGEN_UNASSERTED, 32)                                                                        \
  /* The call follows the handle: null is not allowed. */                                          \
  X(AOTIGEN_NOT_NULL, 64)                                                                          \
  /* A handle without a tensor is not allowed, either. */                                          \
  X(AOTIGEN_DEFINED, 128)                                                                          \
  /* With AOTIGEN_FRESH: the launch reads it, or may leave a part of it unwritten. */              \
  X(AOTIGEN_UNWRITTEN, 256)                                                                        \
  /* The wrapper relies on the sizes and the dtype that the tensor has before the call. */         \
  X(AOTIGEN_KEEPS_SHAPE, 512)                                                                      \
  /* It relies on the strides, too. */                                                             \
  X(AOTIGEN_KEEPS_STRIDES, 1024)                                                                   \
  /* The wrapper goes on to use the memory of the elements, maybe as another buffer. */            \
  X(AOTIGEN_KEEPS_MEMORY, 2048)                                                                    \
  /* A library's operator allocates it, and need not write all of it; torch's own operators do. */ \
  X(AOTIGEN_MADE_BY_LIBRARY, 4096)                                                                 \
  /* The wrapper releases it within the run: the host never gets it. */                            \
  X(AOTIGEN_ENDS_IN_RUN, 8192)                                                                     \
  /* An integer of which the kernel converts the low 32 bits. */                                   \
  X(AOTIGEN_CONVERTS32, 16384)
enum aotigen_param_flags { AOTIGEN_PARAM_FLAGS(AOTIGEN_VALUED) };

#define AOTIGEN_ANY INT64_MIN /* a bound, size or stride that the wrapper does not check */

/* One dimension of a tensor. Sizes and strides in elements. */
typedef struct aotigen_dim {
  int64_t min, max;   /* equal if the size is fixed; AOTIGEN_ANY: unbounded */
  int64_t stride;     /* AOTIGEN_ANY if it is not checked */
  const char *symbol; /* "s77", or NULL: equal symbols must have equal sizes */
} aotigen_dim;

/* Another argument, of the same site or of an earlier call. An output must not share its memory,
 * nor must an argument that has other memory after the call. */
typedef struct aotigen_alias {
  uint32_t param;  /* its index */
  uint32_t writer; /* the index of the site that overwrites one while the other is still needed */
  uint32_t site;   /* the index of its site */
  uint32_t reads; /* 1: the writer is a kernel that reads the other, and neither is needed after it:
                     it does harm unless both are the same elements */
} aotigen_alias;

/* What the wrapper assumes of a tensor that a call makes. For an argument that must keep its
 * memory, only `aliases`. */
typedef struct aotigen_expected {
  const char *dtype;       /* or NULL */
  const char *device;      /* "cpu", "cuda", or NULL */
  const aotigen_dim *dims; /* NULL if ndim is not positive */
  const aotigen_alias *aliases;
  int64_t least; /* elements, from its first one on, that its storage must hold; 0: any number */
  /* The same as a function of sizes, or NULL: "#2.0" is the size of dimension 0 of argument 2, see
   * shared/postfix.h. */
  const char *least_of;
  /* Or NULL: for each of `dims` a text of the same form, which may be empty, with a ',' between
   * two: what its size must be. "#0.1" is the size of dimension 1 of input 0 of the run. */
  const char *sizes_of;
  int32_t ndim; /* -1 if the rank is not known */
  int32_t user; /* the index of the first site that uses it; -1: it is an output of the model */
  uint32_t naliases;
} aotigen_expected;

/* What a compiled kernel's text says of one of its tensors. */
typedef struct aotigen_text {
  /* For a tensor that it stores: bit i is set if elements of argument i may decide the stored
   * values. */
  uint64_t reached_by;
  /* The arguments among these whose NaN, +Inf, -Inf may be selected away, or lost in a function:
   * what is stored need not be bad. */
  uint64_t selected_by[3];
  /* Elements that every launch touches, from the argument's first element; 0 if none are known. */
  int64_t least;
  /* The same as a function of integer arguments, or NULL: see shared/postfix.h. */
  const char *least_of;
  /* In the same form: the number of elements, from the argument's first, that are all loaded. NULL
   * if it is not known: the kernel may omit any of them. */
  const char *loads_all;
  uint8_t stored;
  uint8_t moves;     /* what is stored is bad only where a loaded element is */
  uint8_t constants; /* enum ag_bad, shared/bad.h: the kinds that are stored as a constant, or
                        selected: they are intended */
} aotigen_text;

/* The writer is not known: a branch or a loop decides, a call only may write, or the wrapper gives
 * the variable another tensor. */
#define AOTIGEN_UNKNOWN_WRITER UINT32_MAX

/* One argument of a site, as written in the source. */
typedef struct aotigen_param {
  const char *name;        /* C++ name; for a view, its base's; for a scalar, its text */
  const char *python_name; /* a weight's FQN, an input's name, or NULL */
  const char *dtype; /* torch's name of the element type, "float32"; NULL if it is not known */
  uint8_t role;      /* enum aotigen_role */
  uint8_t kind;      /* enum aotigen_kind */
  uint16_t flags;    /* enum aotigen_param_flags */
  uint32_t maker;    /* 1 + the index of the site whose call made the tensor; 0: none did */
  uint32_t writer; /* with `maker`: 1 + the index of the site that last wrote to its memory; 0: none
                      did since it was made; or AOTIGEN_UNKNOWN_WRITER */
  const aotigen_expected *expected; /* for a tensor that the wrapper goes on to use, or NULL */
  const aotigen_text *text;         /* NULL: the kernel has none, or its text is not understood */
  const char *parameter;            /* a Triton kernel's own name of it, "in_ptr0"; or NULL */
} aotigen_param;

#define AOTIGEN_SITE_FLAGS(X)                                                                      \
  /* A compiled kernel: its arguments must have its dtypes, device and storage sizes. */           \
  X(AOTIGEN_KERNEL, 1)                                                                             \
  /* nodes and ops were derived from the kernel's name */                                          \
  X(AOTIGEN_NAMES_GUESSED, 2)                                                                      \
  /* its source or its ops write -inf on purpose */                                                \
  X(AOTIGEN_MAKES_NEG_INF, 4)                                                                      \
  /* its source writes +inf as a constant */                                                       \
  X(AOTIGEN_MAKES_POS_INF, 8)                                                                      \
  /* `lines` was derived from the kernel's name and the launches around it */                      \
  X(AOTIGEN_LINES_GUESSED, 16)                                                                     \
  /* an operator that is not torch's own */                                                        \
  X(AOTIGEN_OF_LIBRARY, 32)                                                                        \
  /* a collective: what it writes is not there until a wait for that memory has returned */        \
  X(AOTIGEN_COLLECTIVE, 64)                                                                        \
  /* such a wait: it computes nothing, and its outputs are its inputs' memory */                   \
  X(AOTIGEN_WAITS, 128)
enum aotigen_site_flags { AOTIGEN_SITE_FLAGS(AOTIGEN_VALUED) };

#define AOTIGEN_SCOPES(X)                                                                          \
  X(AOTIGEN_WHILE, "while_loop") /* torch's while_loop */                                          \
  X(AOTIGEN_FOR, "for")                                                                            \
  X(AOTIGEN_IF, "if") /* torch's cond: its first branch */                                         \
  X(AOTIGEN_ELSE, "else")                                                                          \
  X(AOTIGEN_COPY_IF, "copy") /* around the copy of an input that is not aligned */
enum aotigen_scope_kind { AOTIGEN_SCOPES(AOTIGEN_NAMED) };

/* A loop or a branch of a run function. */
typedef struct aotigen_scope {
  uint8_t kind;     /* enum aotigen_scope_kind */
  int32_t line;     /* that of the `while`, `for` or `if` in the original wrapper */
  const char *name; /* a branch: torch's name of its graph, or NULL */
  const struct aotigen_scope *outer; /* the enclosing one, or NULL */
  uint16_t loop; /* the number, from 1, of a loop whose iterations are counted; else 0 */
} aotigen_scope;

/* A line of the model's own source. All texts are printable. */
typedef struct aotigen_line {
  const char *file;   /* as torch recorded it: "/home/me/model.py" */
  int32_t line;       /* from 1 */
  const char *text;   /* without its indentation, or NULL */
  const char *module; /* "encoder.layers.3.mlp", or NULL */
} aotigen_line;

/* What a kernel computes, as a graph of expressions: runtime/explain/graph_read.h has its form. */
typedef struct aotigen_graph {
  const char *text;
  const int16_t *args; /* by parameter of the kernel: the argument of the site, -1: none */
  uint32_t nparams;
  uint64_t asserted; /* bit i: elements of argument i decide an assert or a divisor of the kernel */
  /* "12:5 13:1 @2:7 !:2", or NULL: node 12 of the text may compute the lines 0 and 2 of the site,
   * whose bits are in hexadecimal, argument 2 is decided by the first three, and line 1 looks
   * elements up by an index. Of others nothing is known. */
  const char *lines;
} aotigen_graph;

#define AOTIGEN_BOUNDS(X)                                                                          \
  X(AOTIGEN_LOAD, "load")                                                                          \
  X(AOTIGEN_STORE, "store")                                                                        \
  X(AOTIGEN_ATOMIC, "atomic")                                                                      \
  X(AOTIGEN_TERM, "term")
enum aotigen_bound_kind { AOTIGEN_BOUNDS(AOTIGEN_NAMED) };

/* An access of a compiled kernel, or a part of its index that is computed in 32 bits: its value at
 * the ends of the kernel's loops. See checks/bounds.h. */
typedef struct aotigen_bound {
  const char *index; /* texts of shared/postfix.h, separated by ';' */
  const char *at;    /* the loops for each of them: "x @3 1 -,r0 11" */
  const char *term;  /* a TERM's: "131072 * x" */
  int32_t line;      /* in the kernel's text; 0: not known */
  int16_t arg;       /* whose memory it accesses; -1 for a TERM */
  uint16_t kind;     /* enum aotigen_bound_kind */
} aotigen_bound;

typedef struct aotigen_op_value { /* that a call by the proxy executor passes to an op, or gets */
  const char *name;               /* the schema's argument; "" for a result */
  const char *kind;               /* as in wrapper.json: "as_tensor", "as_float" */
  int32_t tensors;                /* the number of consecutive arguments of the site that it is */
  const char *text;               /* "[2, 3]": what is passed; NULL for a tensor and for a result */
} aotigen_op_value;

typedef struct aotigen_op {       /* that wrapper.json says a site calls */
  const char *name, *overload;    /* "lab::rows", "" */
  const aotigen_op_value *values; /* the arguments that are passed, then the results */
  uint32_t ninputs, noutputs;
} aotigen_op;

#define AOTIGEN_STREAM_KINDS(X)                                                                    \
  /* The run's, or none: the model has one stream, or the host makes the call. */                  \
  X(AOTIGEN_STREAM_OF_RUN, "run")                                                                  \
  /* The one that the wrapper passes: aotigen_run.passed_stream. */                                \
  X(AOTIGEN_STREAM_PASSED, "passed")                                                               \
  /* Torch's current one when the call is made. */                                                 \
  X(AOTIGEN_STREAM_CURRENT, "current")
enum aotigen_stream_kind { AOTIGEN_STREAM_KINDS(AOTIGEN_NAMED) };
/* Beside the kind: a matrix product, which uses each element of its tensors and waits for nothing.
 */
enum { AOTIGEN_STREAM_PRODUCT = 1 << 7 };

/* What a statement of the wrapper orders streams by. */
#define AOTIGEN_STREAM_OPS(X)                                                                      \
  X(AOTIGEN_STREAM_RECORDS, "records")                                                             \
  X(AOTIGEN_STREAM_WAITS, "waits")                                                                 \
  X(AOTIGEN_HOST_WAITS, "host waits for a stream")                                                 \
  X(AOTIGEN_HOST_WAITS_FOR, "host waits for an event")                                             \
  X(AOTIGEN_HOST_WAITS_FOR_ALL, "host waits for all")
enum aotigen_stream_op { AOTIGEN_STREAM_OPS(AOTIGEN_NAMED) };

typedef struct aotigen_site {
  const char *function; /* "run_impl" */
  const char *kernel;   /* "triton_poi_fused_gelu_0", "aoti_torch_cpu_mm_out", "lab::badmeta" */
  const char *nodes;    /* source nodes, separated by ", "; "" if none are known */
  const char *aten;     /* ATen ops, in the same form */
  const aotigen_param *params;
  int32_t line; /* in the original wrapper */
  uint16_t nparams;
  uint8_t form;  /* enum aotigen_form */
  uint8_t flags; /* enum aotigen_site_flags */
  /* Counted from 1 in source order, as `aotigen list` shows it: a site that is launched once has
   * the number of its launch. Sites of constant folding are counted separately. 0: no number. */
  uint32_t number;
  const aotigen_scope *scope; /* the innermost enclosing one, or NULL */
  uint8_t heads;              /* 1: the first site that each iteration of `scope` executes */
  const aotigen_line *lines;  /* that it computes, in the model's order; NULL: not known */
  uint16_t nlines;
  const aotigen_graph *graph; /* that of the kernel it launches; NULL: not known */
  /* The first `nopen` are computed before each launch. The others are proved if the arguments'
   * memory is as long as `text` says; if it is not, they name the access. */
  const aotigen_bound *bounds;
  uint16_t nbounds, nopen;
  const aotigen_op *op; /* for a call by the proxy executor; NULL if wrapper.json is not known */
  /* In a model with several streams: that of the launch, "side stream 1"; else NULL. */
  const char *stream;
  uint8_t stream_kind; /* enum aotigen_stream_kind */
} aotigen_site;

/* In addition to AOTIGEN_ALIGN16, which means that the wrapper clones an input that is not
 * aligned. */
#define AOTIGEN_INPUT_FLAGS(X)                                                                     \
  /* Neither a compiled kernel nor a view that the wrapper creates relies on its strides. */       \
  X(AOTIGEN_ANY_STRIDES, 1 << 16)                                                                  \
  /* No launch surely writes to it, and it is not an output. */                                    \
  X(AOTIGEN_ONLY_READ, 1 << 17)                                                                    \
  /* A kernel on the CPU loads whole vectors of it, and uses only a part of them. */               \
  X(AOTIGEN_WHOLE_VECTORS, 1 << 18)
enum aotigen_input_flags { AOTIGEN_INPUT_FLAGS(AOTIGEN_VALUED) };

typedef struct aotigen_input {
  const char *name;        /* "arg4_1" */
  const char *python_name; /* "args[0]", "mask", or NULL */
  const char *dtype;       /* or NULL */
  const char *device;      /* "cpu", "cuda", or NULL */
  const aotigen_dim *dims; /* NULL if the rank is not known */
  int32_t ndim;            /* -1 if the rank is not known */
  int32_t flags;           /* AOTIGEN_ALIGN16, enum aotigen_input_flags */
} aotigen_input;

#define AOTIGEN_PROMISE_KINDS(X)                                                                   \
  /* A condition that must hold. */                                                                \
  X(AOTIGEN_PROMISE_HOLDS, "guard")                                                                \
  /* One that excludes a few sizes, of which the results may be right all the same. */             \
  X(AOTIGEN_PROMISE_EXCLUDES, "excludes")                                                          \
  /* The program allows more sizes than the wrapper: `text` says which. */                         \
  X(AOTIGEN_PROMISE_NARROWED, "narrowed")
enum aotigen_promise_kind { AOTIGEN_PROMISE_KINDS(AOTIGEN_NAMED) };

/* What the exported program promises of the sizes of inputs. */
typedef struct aotigen_promise {
  const char *text; /* "args[0].size(0) % 100 == 0", "at most 500" */
  /* The condition, in the form of shared/postfix.h: "#1.0" is the size of dimension 0 of input 1.
   */
  const char *code;
  uint32_t input, dim; /* the first size that it names */
  uint32_t kind;       /* enum aotigen_promise_kind */
} aotigen_promise;

typedef struct aotigen_weight {
  const char *name;      /* "a_weight" */
  const char *fqn;       /* "a.weight" */
  const char *dtype;     /* or NULL */
  const char *device;    /* or NULL */
  const int64_t *shape;  /* ndim sizes */
  const int64_t *stride; /* ndim strides */
  int64_t bytes;         /* the size of its data */
  int32_t ndim;
  int32_t from_folded; /* 1: computed by constant folding, absent before it */
  int32_t is_buffer;   /* 1: a buffer or constant, not a parameter; it may hold -inf as a mask */
  int32_t only_read;   /* 1: no launch surely writes to it, and it is not an output */
  int32_t vectors;     /* 1: like AOTIGEN_WHOLE_VECTORS */
} aotigen_weight;

/* What is guarded besides launches: aotigen_model.guard is a sum of these. */
#define AOTIGEN_GUARDS(X)                                                                          \
  /* a known pattern before and behind each buffer */                                              \
  X(AOTIGEN_GUARD_CANARY, 1, "canary")                                                             \
  /* each ends right before memory that cannot be accessed */                                      \
  X(AOTIGEN_GUARD_PAGE, 2, "page")                                                                 \
  /* each begins right behind such memory */                                                       \
  X(AOTIGEN_GUARD_PAGE_BEFORE, 4, "page-before")                                                   \
  /* a known pattern in each when it is allocated */                                               \
  X(AOTIGEN_GUARD_POISON, 8, "poison")                                                             \
  /* not memory: operators are checked against their schemas */                                    \
  X(AOTIGEN_GUARD_OPS, 16, "ops")                                                                  \
  /* each run has copies of the model's inputs, with these guards, */                              \
  X(AOTIGEN_GUARD_INPUTS, 32, "inputs")                                                            \
  /* and of its weights */                                                                         \
  X(AOTIGEN_GUARD_WEIGHTS, 64, "weights")
enum aotigen_guard { AOTIGEN_GUARDS(AOTIGEN_WORDED) };

enum aotigen_handed_over {
  AOTIGEN_HANDED_NEVER,
  AOTIGEN_HANDED_ALWAYS, /* it is an output of the model */
  AOTIGEN_HANDED_MAYBE,  /* it may be one */
  AOTIGEN_HANDED_COPIED  /* it is one, and aotigen_hand_over() precedes that */
};

/* Memory that a run function allocates, or (reuse) that a buffer takes over from another one and
 * that its first launch fills without reading it. */
typedef struct aotigen_buffer {
  const char *name;    /* the first variable that owns it: "buf0" */
  int32_t line;        /* in the original wrapper */
  int32_t handed_over; /* enum aotigen_handed_over */
  int32_t reuse;       /* 1: it gets memory of its own only with pages or poison */
  const char *given;   /* NULL; in the library's own entries: the input or weight that it copies */
  int32_t vectors;     /* 1: like AOTIGEN_WHOLE_VECTORS */
} aotigen_buffer;

/* The model: one static object in each instrumented wrapper. templates/prologue_end.tpl initialises
 * its fields in this order. */
typedef struct aotigen_model {
  uint32_t abi; /* AOTIGEN_ABI */
  /* The levels: what each of them means is in its row. The text "" is none; `explain` may be
   * NULL. */
#define LEVEL_NUMBER(field, ...) uint8_t field;
#define LEVEL_TEXT(field, ...) const char *field;
#define LEVEL_PART(field, ...) const char *field;
#include "aotigen_levels.def"
  const char *source; /* the original wrapper's name, as given to aotigen */
  const char *device; /* "cpu", "cuda", or NULL */
  const aotigen_site *sites;
  const aotigen_input *inputs;
  const aotigen_weight *weights;
  const char *const *cubins; /* as the wrapper names them */
  const aotigen_buffer *buffers;
  const aotigen_promise *promises;
  uint32_t nsites, ninputs, nweights, ncubins, nbuffers, npromises;
  uint32_t nleft_alone; /* sites that no marker surrounds: what they write is not known */
  uint32_t marks_order; /* 1: AOTIGEN_STREAM_OP stands behind all that orders streams */
  void *state;          /* the library's; NULL at the start */
} aotigen_model;

#endif
