/* model.h - what a wrapper is: its inputs, outputs and weights, its launch sites, and the role of
 * each argument.
 *
 * The meaning of the facts. Everything that knows a name of AOTInductor or of torch's shim stands
 * behind this header, in the tables of shapes.c; free of libclang and of the text that will be
 * inserted.
 */
#ifndef GEN_MODEL_H
#define GEN_MODEL_H

#include "base/diag.h"
#include "parse/facts.h"
#include "model/triton.h"
#include <stdint.h>
#include <stdio.h>

enum form { FORM_TRITON, FORM_EXTERN, FORM_PROXY, FORM_DISPATCHER, FORM_CPU, FORM_COPY, FORM_ITEM };
enum role { ROLE_IN, ROLE_OUT, ROLE_INOUT, ROLE_UNKNOWN };
enum kind { KIND_TENSOR, KIND_VIEW, KIND_WEIGHT, KIND_INPUT, KIND_POINTER, KIND_SCALAR };

extern const char *const form_names[];
extern const char *const role_names[];
extern const char *const kind_names[];

/* The names of the flags are those of the runtime's tables. */
enum argument_flags {
  ARG_FRESH = 1,
  ARG_LATE = 2,
  ARG_ALIGN16 = 4,
  ARG_INT32 = 8,
  ARG_MAYBE_WRITTEN = 16,
  ARG_UNASSERTED = 32
};
enum site_flags {
  SITE_KERNEL = 1,
  SITE_NAMES_GUESSED = 2,
  SITE_MAKES_NEG_INF = 4,
  SITE_MAKES_POS_INF = 8
};

typedef struct argument {
  const char *name;
  const char *python_name; /* or NULL */
  const char *dtype;       /* or NULL */
  enum role role;
  enum kind kind;
  unsigned flags;
  const char
      *value;       /* the expression to hand over before the launch, or NULL where there is none */
  const char *late; /* ARG_LATE: the one to hand over after it */
  span view[5];     /* KIND_VIEW whose view the call makes: base, ndim, sizes, strides, offset; else
                       empty */
  int root;         /* the variable that owns the storage, -1 where unknown */
} argument;

typedef struct site {
  const fact_call *call;
  const char *function;
  const char *kernel;
  strings nodes, aten;
  enum form form;
  unsigned flags;
  unsigned line, column;
  const char *skipped; /* or NULL */
  const triton
      *triton; /* FORM_TRITON: its kernel's metadata, or NULL where the wrapper does not hold it */
  struct {
    argument *at;
    size_t n, cap;
  } args;
} site;

#define ANY INT64_MIN

typedef struct dim {
  int64_t min, max, stride;
  const char *symbol;
} dim;

typedef struct model_input {
  const char *name, *python_name, *dtype, *device;
  int ndim;  /* -1 where the wrapper does not tell */
  bool open; /* it may have more dimensions than these */
  dim dims[64];
  bool aligned;
} model_input;

typedef struct model_output {
  const char *name;
  const char *buffer; /* the variable that is handed over, or NULL where it is no plain one */
  const char *dtype;  /* or NULL */
  const char *sizes;  /* as the wrapper allocates it: "s77, 10"; NULL where it does not tell */
} model_output;

typedef struct weight {
  const char *name, *fqn, *dtype, *device;
  const char *shape, *stride; /* as the wrapper writes them: "256, 64" */
  int ndim;
  int64_t bytes;
  bool from_folded;
  bool is_buffer; /* a buffer or a constant of the program: no parameter */
} weight;

/* A launch proper inside of a launcher template, or inline in 2.6: where the grid is known. */
typedef struct launch {
  const char *kernel;
  size_t statement; /* where it begins */
  const char *grid[3];
} launch;

typedef struct model {
  const facts *facts;
  const char *device; /* "cpu", "cuda", or NULL */
  bool jit;           /* torch.compile's cpp-wrapper mode: no model class */
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
    launch *at;
    size_t n, cap;
  } launches;
  struct {
    triton *at;
    size_t n, cap;
  } kernels;
} model;

/* What stands beside the wrapper, where it does: NULL otherwise. */
typedef struct companions {
  const char *ops, *ops_path;       /* wrapper.json */
  bool ops_asked_for;               /* by --ops */
  bool ops_packaged;                /* a package's member: one that cannot be read is no accident */
  const char *kernel, *kernel_path; /* kernel.cpp */
} companions;

/* False where the text is no wrapper: `d` says so. */
bool model_build(model *m, const facts *f, const companions *beside, arena *a, diags *d);

/* --dump=model. */
void model_dump(const model *m, FILE *to);

#endif
