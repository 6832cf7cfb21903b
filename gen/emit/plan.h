/* plan.h - decides which lines are inserted, and where. An insertion is a template and the values
 * of its slots. */
#ifndef GEN_PLAN_H
#define GEN_PLAN_H

#include "base/template.h"
#include "model/model.h"

enum place {
  PLACE_TOP,    /* before the first byte */
  PLACE_BEFORE, /* a line of its own before the statement that begins at `at` */
  PLACE_AFTER,  /* a line of its own after the statement that ends at `at` */
  PLACE_INLINE  /* at `at`, within its line, where a separate line is not possible */
};

typedef struct insertion {
  enum place place;
  size_t offset;
  const char *template_name;
  bool opens, closes; /* with a brace, if the parent statement has none */
  arena_list(slot) slots;
} insertion;

typedef struct plan {
  arena_list(insertion) insertions; /* in the order of the text */
  unsigned counts[FORMS];           /* the number of instrumented sites, by form */
  bool marks_order; /* all that orders streams is followed by a line */
  unsigned left_alone;
  arena_list(int) runs; /* the indices of the functions that begin a run */
} plan;

void plan_make(plan *p, const model *m, arena *a);

#endif
