/* order_parts.h - what order.c and its parts share; nothing else includes it. */
#ifndef GEN_CHECK_ORDER_PARTS_H
#define GEN_CHECK_ORDER_PARTS_H

#include "check/checker.h"

struct order {
  int64_t work;            /* the steps of all walks so far */
  arena_list(int) outputs; /* variables */
  char *unknown;           /* by site, order_has_unknown(): 0: not asked yet, 1: no, 2: yes */
  /* Of the launch that is checked: the memories that it reads and that a launch of another stream
   * writes, without an order. */
  struct unordered {
    int root;
    size_t writer; /* its site */
  } * list;
  size_t n, room;
};

/* ---- happens-before: what of one point is complete before the work of another one begins */

typedef struct order_point {
  size_t at;  /* the offset in the wrapper's text */
  int stream; /* that the work is given to; may be STREAM_UNKNOWN */
} order_point;

typedef struct order_query {
  order_point from, to; /* in one function, `to` behind `from` */
  const int *meant;     /* NULL, or by stream: which one is taken where events name this one */
} order_query;

/* PERHAPS: where a branch is taken, where a call waits for the device, or by a stream or an event
 * that is not known. */
enum order_found { ORDER_NONE, ORDER_PERHAPS, ORDER_CERTAIN };

enum order_found order_find(checker *k, const order_query *q);
/* True where so much was walked that it finds PERHAPS. */
bool order_is_spent(const checker *k);

/* True if the two are surely not one stream. The caller's may be any that is not the wrapper's own.
 */
bool order_are_apart(const model *m, int x, int y);

/* True if no run that comes to one of the offsets comes to the other. */
bool order_exclude(const checker *k, size_t x, size_t y);

/* ---- what a launch does to one memory */

typedef struct memory_use {
  const argument *arg; /* one that has the memory, preferably one that is written; or NULL */
  bool reads, writes;  /* it may */
  bool sure_reads, sure_writes;
  bool part;  /* each argument is a view: another launch's may be of other elements */
  bool whole; /* each element of the memory is accessed */
} memory_use;

memory_use order_read_use(const checker *k, const site *s, int root);

/* True if it has a tensor whose memory is not known. */
bool order_has_unknown(checker *k, const site *s);

#endif
