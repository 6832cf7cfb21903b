/* changes.h - where a wrapper's text changes its variables. */
#ifndef GEN_SIZES_CHANGES_H
#define GEN_SIZES_CHANGES_H

#include "base/string_map.h"
#include "sizes/blocks.h"
#include "model/storage.h"

enum change_kind {
  CHANGE_ASSIGNS,  /* NAME = value; also where it is declared so */
  CHANGE_GIVES_UP, /* NAME.reset(), NAME.release(), std::move(NAME) */
  CHANGE_OTHER     /* NAME += 1, NAME++, &NAME */
};

typedef struct change {
  size_t offset;
  enum change_kind kind;
} change;

typedef struct changes {
  change *at; /* in the order of the text */
  size_t n, cap;
} changes;

/* `changes` by name. Reads the text once. */
string_map *changes_read(const facts *f, arena *a);

/* The changes of a name at offsets below `to`: how many of them there are. */
size_t changes_count(const changes *c, size_t to);

/* The variable that a name means at an offset, -1 for none: one that is declared in a block that is
 * still open. */
int changes_find_variable(const blocks *b, const storage *s, const char *name, size_t at);

#endif
