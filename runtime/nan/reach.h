/* reach.h - which inputs of a launch decide what it wrote, as far as the kernel's text tells, and
 * what the elements themselves show. Inside the library only. */
#ifndef AOTIGEN_REACH_H
#define AOTIGEN_REACH_H

#include "state/evaluation.h"

/* AG_MAY_REACH: the kernel's text does not tell, or the argument is itself written and may hold
 * what it held before. An extern call is named after one op, and each of its other inputs is taken
 * to reach each of its outputs. */
enum ag_reach { AG_REACHES, AG_MAY_REACH, AG_REACHES_NOT };

/* Tells whether argument number `in` decides what the launch wrote to argument number `out`. */
enum ag_reach ag_reach_find(const ag_record *r, size_t in, size_t out);

/* Tells whether a bad value of `kinds` in argument number `in` reaches what the launch wrote to
 * argument number `out`. AG_MAY_REACH also if the kernel may omit the element that holds it, select
 * it away, or lose it in a function. */
enum ag_reach ag_reach_find_bad(const ag_record *r, size_t in, unsigned kinds, size_t out);

/* True if the kernel's text says that argument number `out` is bad only where an element that the
 * launch read is: the kernel only moves elements. */
bool ag_reach_is_moved(const ag_record *record, size_t out);

/* True if the kernel stores to memory of argument number `in` through another parameter. It may
 * fill what it then loads, so the value from before the launch proves nothing. */
bool ag_reach_is_filled(const ag_record *record, size_t in);

/* True if both are one argument, or one tensor that an operator is given twice as mutated
 * argument. */
bool ag_reach_is_same(const ag_record *record, size_t in, size_t out);

/* True if the launch surely reads all of the argument. It may only store to a mutated one. A kernel
 * may load only a slice of it, or the rows that another argument selects. */
bool ag_reach_is_read(const ag_record *record, size_t in);

/* True if a kernel only stores to the argument, or stores to it before it loads it. Only the part
 * of its old value that remains matters. */
bool ag_reach_is_overwritten(const ag_record *record, size_t in);

/* True if what made a value in argument number `from` may have made one in argument number `out` as
 * well: some tensor reaches both. */
bool ag_reach_is_shared(const ag_record *record, size_t from, size_t out);

/* The address of element `flat`; 0 if `flat` is negative. */
uintptr_t ag_reach_address(const ag_tensor *t, int64_t flat);

/* The index in `a` that is broadcast to index `flat` of `output`; -1 if there is none. */
int64_t ag_reach_match(const ag_tensor *output, int64_t flat, const ag_tensor *a);

/* True if argument number `in` holds one of `read` at the element of the first of `wrote` in
 * argument number `out`, so that one explains the other. Also false if they are not known. */
bool ag_reach_is_seen(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote);
/* True if argument number `in` held one of `kinds` at the element of the first of them that
 * argument number `out` still holds. For an argument that the launch may have written, only the
 * first that it held is known. */
bool ag_reach_stood_there(ag_evaluation *e, size_t in, unsigned kinds, size_t out);
/* True if the two tensors have one shape, and the first of `read` is neither at the element of the
 * first of `wrote` nor in its row. Then the kernel mixes rows, or the value has another cause.
 * False also if that is not known. */
bool ag_reach_is_apart(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote);
/* True if the first of `read` is in the row of the first of `wrote`, as in a softmax. */
bool ag_reach_is_in_row(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote);

/* True if the bad value of argument number `out` may be uninitialised memory of argument number
 * `in`, which this launch reads or need not have filled. */
bool ag_reach_is_unwritten(const ag_record *record, size_t in, size_t out);
/* True if there is such an `in`. */
bool ag_reach_has_unwritten(const ag_record *record, size_t out);

#endif
