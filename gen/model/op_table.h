/* op_table.h - every function name of AOTInductor's and torch's that the generator knows.
 *
 * Declarations decide what launches (parse/scan.h). These tables only say which calls take tensor
 * handles and launch nothing, what a few families of calls are, and what ATen leaves undefined. A
 * call that is in no table is a launch.
 */
#ifndef GEN_OP_TABLE_H
#define GEN_OP_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum effect {
  EFFECT_LAUNCH,        /* in no table: a launch */
  EFFECT_NONE,          /* metadata, ownership, checks, PyTorch's own printers */
  EFFECT_ALLOCATES,     /* its output is new memory that was never written */
  EFFECT_UNINITIALIZED, /* its output is a tensor without storage yet */
  EFFECT_ALIASES        /* its output shares the storage of its first tensor */
};

enum effect op_table_find_effect(const char *callee);

bool op_table_is_copy(const char *callee);
bool op_table_is_item(const char *callee);
bool op_table_is_proxy(const char *callee);
/* True for a matrix product into memory that is passed: it works on the whole of each tensor, and
 * the host does not wait for it. */
bool op_table_is_product(const char *callee);

/* True if torch itself registers the namespace of this op: "aten::add.Tensor",
 * "torch.ops.aten.add.Tensor", or "aten" alone. */
bool op_table_is_torchs(const char *op);

/* True if ATen leaves output `index` (from 0) of this function or op partly undefined. */
bool op_table_is_unasserted(const char *callee, size_t index);

/* True if ATen accepts an undefined tensor for a parameter that is not optional. */
bool op_table_takes_undefined(const char *callee);

/* True if an op puts -inf into its result on purpose. op: "aten.where" or "where". */
bool op_table_makes_neg_inf(const char *op);

/* The length of the longest ATen op name with an underscore that `name` begins with, followed by an
 * underscore or the end; 0 for none. For kernels whose ops are known only from the name. */
size_t op_table_measure_op(const char *name);

/* The name of a collective in its namespace: "all_reduce_" for the shim's function
 * "aoti_torch_cpu__c10d_functional_all_reduce_" and the op "_c10d_functional::all_reduce_". NULL
 * for what is in no namespace of functional collectives. They return before they are complete. */
const char *op_table_find_collective(const char *kernel);
/* True if such a name is of an op that waits until a collective is complete. */
bool op_table_is_wait(const char *collective);

/* Glob with * and ?; the whole of `name` must match. */
bool op_table_match(const char *pattern, const char *name);

/* torch's name of a C++ element type ("float32" for "float", "bfloat16" for "c10::BFloat16"); NULL
 * for any other type. */
const char *op_table_find_dtype(const char *element);
/* The same for Triton's "fp32". */
const char *op_table_find_triton_dtype(const char *type);
/* The bytes of an element of the type that torch names so; 0 for another name. */
int op_table_measure_dtype(const char *name);

#endif
