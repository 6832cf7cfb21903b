/* pickle.h - a pickle as data: the values that it makes, and the calls that it asks for, which
 * nobody makes. Knows the codes of protocol 2 that Python writes for numbers, texts, lists,
 * dictionaries and what torch.save() makes of tensors.
 *
 * Linear in the text. A value may stand in several places; none contains itself.
 */
#ifndef GEN_PICKLE_H
#define GEN_PICKLE_H

#include "base/arena.h"

enum pickle_kind {
  PICKLE_NONE,
  PICKLE_BOOL,
  PICKLE_INTEGER,
  PICKLE_TEXT,
  PICKLE_GLOBAL,     /* text: "MODULE NAME" */
  PICKLE_TUPLE,      /* list: its elements */
  PICKLE_LIST,       /* list */
  PICKLE_DICT,       /* list: keys and values in turns */
  PICKLE_PERSISTENT, /* list: the tuple that names it */
  PICKLE_CALL        /* text: of the global; list: the arguments */
};

typedef struct pickle_value pickle_value;

struct pickle_value {
  enum pickle_kind kind;
  long long number;
  const char *text;
  arena_list(const pickle_value *) list;
};

/* NULL for a text that is none, or that has other codes. */
const pickle_value *pickle_read(const char *at, size_t n, arena *a);

#endif
