/* reach.h - which inputs of a launch decide what it wrote, as far as the kernel's text tells.
 * Inside the library only. */
#ifndef AOTIGEN_REACH_H
#define AOTIGEN_REACH_H

#include "state/launch_record.h"

/* AG_MAY_REACH: it is a compiled kernel whose text does not tell. An extern call is named after
 * one op, and each of its inputs is taken to reach each of its outputs. */
enum ag_reach { AG_REACHES, AG_MAY_REACH, AG_REACHES_NOT };

/* Are the arguments known that reach argument number `out`. */
bool ag_reach_is_known(const ag_record *r, size_t out);

/* Does argument number `in` decide what the launch wrote to argument number `out`. */
enum ag_reach ag_reach_find(const ag_record *r, size_t in, size_t out);

/* May a bad value in argument number `out` be what argument number `in` held by chance: memory that
 * no launch wrote before, and that this launch reads, or need not have filled. */
bool ag_reach_is_unwritten(const ag_record *r, size_t in, size_t out);

#endif
