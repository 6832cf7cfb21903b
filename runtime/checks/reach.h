/* reach.h - which inputs of a launch decide what it wrote, as far as the kernel's text tells, and
 * what the elements themselves show. Inside the library only. */
#ifndef AOTIGEN_REACH_H
#define AOTIGEN_REACH_H

#include "state/evaluation.h"

/* AG_MAY_REACH: the kernel's text does not tell, or the argument is itself written and may keep
 * what it held. An extern call is named after one op, and each of its other inputs is taken to
 * reach each of its outputs. */
enum ag_reach { AG_REACHES, AG_MAY_REACH, AG_REACHES_NOT };

/* Does argument number `in` decide what the launch wrote to argument number `out`. */
enum ag_reach ag_reach_find(const ag_record *r, size_t in, size_t out);

/* Does a bad value of `kinds` that argument number `in` held reach what the launch wrote to
 * argument number `out`. AG_MAY_REACH also where the kernel may leave out the element that holds
 * it, select it away, or lose it in a function. */
enum ag_reach ag_reach_find_bad(const ag_record *r, size_t in, unsigned kinds, size_t out);

/* Does the text of the kernel tell that argument number `out` is bad only where an element is that
 * the launch read: it has no value of its own. */
bool ag_reach_is_moved(const ag_record *record, size_t out);

/* Does the kernel store to memory of argument number `in` through another of its parameters: it may
 * fill what it then loads, so that what was there before tells nothing. */
bool ag_reach_is_filled(const ag_record *record, size_t in);

/* Are both one argument, or one tensor that an operator is given twice to change. */
bool ag_reach_is_same(const ag_record *record, size_t in, size_t out);

/* Does the launch surely read all of the argument. It may only store to one that it is given to
 * change; a kernel may load a slice of one, or the rows that another names. */
bool ag_reach_is_read(const ag_record *record, size_t in);

/* Does a kernel only store to the argument, or store to it before it loads it: of what it held, no
 * more counts than what remains. */
bool ag_reach_is_overwritten(const ag_record *record, size_t in);

/* May what made a value in argument number `from` have made one in argument number `out` as well:
 * some tensor reaches both. */
bool ag_reach_is_shared(const ag_record *record, size_t from, size_t out);

/* The index of the first of these kinds; -1 where there is none. */
int64_t ag_reach_first(const ag_stats *h, unsigned kinds);

/* The address of element `flat`; 0 where that is negative. */
uintptr_t ag_reach_address(const ag_tensor *t, int64_t flat);

/* The index in `a` that belongs to index `flat` of `output`, as broadcasting has it; -1 where there
 * is none. */
int64_t ag_reach_match(const ag_tensor *output, int64_t flat, const ag_tensor *a);

/* Does argument number `in` hold one of `read` beside the first of `wrote` that the launch wrote to
 * argument number `out`, so that the one explains the other. False also where the elements are not
 * known. */
bool ag_reach_is_seen(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote);
/* Did argument number `in` hold one of `kinds` beside the first of them that argument number `out`
 * holds as before. Of what the launch may have written, the first one that it held is known. */
bool ag_reach_stood_beside(ag_evaluation *e, size_t in, unsigned kinds, size_t out);
/* Do the two tensors have one shape, and yet the first of `read` stands neither beside the first of
 * `wrote` nor in its row: either the kernel mixes its rows, or the value has another cause. False
 * also where that is not known. */
bool ag_reach_is_apart(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote);
/* Is the first of `read` in the row beside it, as that of a softmax. */
bool ag_reach_is_in_row(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote);

/* May a bad value in argument number `out` be what argument number `in` held by chance: memory that
 * no launch wrote before, and that this launch reads, or need not have filled. */
bool ag_reach_is_unwritten(const ag_record *record, size_t in, size_t out);
/* Is there such an `in`. */
bool ag_reach_has_unwritten(const ag_record *record, size_t out);

#endif
