/* chain.h - the operations that a bad value went through, as lines of text. Inside the library
 * only. */
#ifndef AOTIGEN_CHAIN_H
#define AOTIGEN_CHAIN_H

#include "base/text.h"
#include "explain/interpret.h"
#include "explain/loaded.h"

enum { AG_CHAIN_LINES = 16, AG_CHAIN_MOST = 200, AG_CHAIN_NAMES = 64 };

/* A sum that goes bad, which the kernel adds up in memory. */
typedef struct ag_chain_sum {
  const ag_graph_access *access; /* NULL: none */
  ag_added added;
} ag_chain_sum;

typedef struct ag_chain {
  ag_interpreter *m;
  const char *(*name)(void *data, int32_t param); /* the argument's name in reports */
  void *data;
  ag_number_test *is_bad;
  ag_text head;                  /* appended to the first line: where loops go bad */
  ag_text lines[AG_CHAIN_LINES]; /* from where the badness begins to what is stored */
  int n, left_out;
  int32_t shown[AG_CHAIN_LINES]; /* the nodes of the lines */
  int32_t named[AG_CHAIN_NAMES]; /* the nodes named by a variable so far */
  int nnamed;
  int32_t origin; /* the node of the line that ends in "<- here"; -1: none, it is a conversion */
  bool takes_infinity;    /* a line above "<- here" has an Inf */
  bool makes_infinity;    /* the operands of a NaN have Inf, each of which the kernel made */
  int32_t infinity;       /* the node that loaded one that it did not make, or the Inf that is
                             followed; -1: none is known */
  ag_chain_sum sum;       /* behind the last node of the path */
  ag_number before;       /* the last reduction's value before the element that made it bad */
  const char *place_name; /* the name of that element's loop, such as "r0", and its index */
  int64_t place;
} ag_chain;

/* Follows the bad value of `node` down. False if something on its path is not decided. */
bool ag_chain_follow(ag_chain *c, int32_t node);
/* The same for a node whose value is not decided, but is known to be NaN, and `is_bad` tests for
 * that: follows an operand that is NaN, and makes the node so whatever the others are. False if
 * none is known. */
bool ag_chain_follow_nan(ag_chain *c, int32_t node);
/* Adds the node, whose value is not bad, and its value after conversion to the memory's type. */
bool ag_chain_add_store(ag_chain *c, int32_t node, ag_number stored);
/* Adds what the access added to an element, the element before, and their sum, which is bad. mark:
 * the end of the last line. */
bool ag_chain_add_sum(ag_chain *c, const ag_graph_access *x, const ag_added *added,
                      const char *mark);
void ag_chain_free(ag_chain *c);

/* The number of the element that iteration `at` of the loop goes over in the lane that is bound. */
int64_t ag_chain_add_lane(const ag_chain *c, int32_t loop, int64_t at);

/* "tmp2 = log(tmp0 - tmp1) = nan" */
void ag_chain_add_value(ag_text *t, ag_chain *c, int32_t node);

#endif
