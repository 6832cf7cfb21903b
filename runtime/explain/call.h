/* call.h - a call of one of torch's own operators: its name, its arguments, and their elements in
 * any memory. Inside the library only. */
#ifndef AOTIGEN_EXPLAIN_CALL_H
#define AOTIGEN_EXPLAIN_CALL_H

#include "explain/elements.h"
#include "explain/explained.h"
#include "explain/operators.h"
#include "state/launch_record.h"

enum { AG_CALL_TENSORS = 8, AG_CALL_INTEGERS = 8 };

typedef struct ag_call {
  char op[64];                            /* "addmm", for aoti_torch_cpu_addmm_out */
  const ag_arg *tensors[AG_CALL_TENSORS]; /* that it reads, in order */
  int ntensors;
  bool begins_with_out; /* its first argument is the output */
  bool has_integer, has_real;
  int64_t integer;                    /* the first integer argument, such as a dimension */
  int64_t integers[AG_CALL_INTEGERS]; /* the first ones of them, in order */
  int nintegers;
  double real; /* the first real argument, such as an epsilon */
  const ag_arg *out;
  int64_t flat; /* the element that is explained */
  double found; /* its value */
  ag_elements elements;
  ag_explained explained; /* what was shown of it so far */
  uint64_t work;          /* as work.h counts; without the pieces that `elements` has read */
  const char *why;
} ag_call;

/* out: may be NULL. False if the site calls no operator. */
bool ag_call_begin(ag_call *c, const ag_record *record, const ag_element_source *from,
                   const ag_arg *out);
void ag_call_end(ag_call *c);

/* Element `flat`, in row-major order. False where it cannot be read; `why` says why. */
bool ag_call_read(ag_call *c, const ag_arg *a, int64_t flat, double *value);
bool ag_call_read_whole(ag_call *c, const ag_arg *a, int64_t flat, int64_t *value);

/* Counts one element. True if it may be read; otherwise gives up. */
bool ag_call_may_go_on(ag_call *c);

#endif
