/* bad.h - what the operators and functions of a kernel make of a NaN or an Inf: whether it
 * surely enters the result, or may be selected away. Part of the model stage.
 *
 * A function that is not known here may lose all of them.
 */
#ifndef GEN_KERNEL_BAD_H
#define GEN_KERNEL_BAD_H

#include "kernel/tree.h"

/* Of a value: a bit for each parameter. */
typedef struct kernel_bad {
  uint64_t nan;         /* its NaN surely makes the value NaN, or Inf */
  uint64_t plus, minus; /* its +Inf, its -Inf surely does */
  uint64_t up, down;    /* its +Inf surely makes it +Inf or NaN, its -Inf surely -Inf or NaN */
  uint64_t gated;       /* it is loaded only at places where the kernel then selects it */
  bool computed;        /* the value may be bad although no element that was read is */
} kernel_bad;

/* A value that is one of two, or computed from both as a sum is. */
kernel_bad kernel_bad_join(kernel_bad x, kernel_bad y);

/* An element of the parameters `members`, loaded. */
kernel_bad kernel_bad_load(uint64_t members);

/* x or y, as a condition decides that depends on no element (`by_place`), or on some. */
kernel_bad kernel_bad_select(kernel_bad x, kernel_bad y, bool by_place);

/* `text` x; x `text` y. */
kernel_bad kernel_bad_unary(const char *text, kernel_bad x);
kernel_bad kernel_bad_binary(const char *text, kernel_bad x, kernel_bad y);
/* What `op`, "=" or "+=" and so on, adds to a variable. */
kernel_bad kernel_bad_assign(const char *op, kernel_bad x);

/* A call that selects nothing. all: its arguments, and the object whose method it is; first: that
 * object, or the first argument. */
kernel_bad kernel_bad_call(const kernel_tree *t, tree_expr *call, kernel_bad all, kernel_bad first);

/* May the result of the function be an Inf because an argument is, of its sign. */
bool kernel_bad_keeps_infinity(const char *name);

/* Does a condition of Triton only keep to the tensor's places, as `r0_mask & xmask`. */
bool kernel_bad_is_grid(const kernel_tree *t, const tree_expr *condition);

bool kernel_bad_is_same(kernel_bad x, kernel_bad y);

#endif
