/* sizes.h - the integers of a wrapper as functions of the sizes of its inputs: how many elements
 * each argument of a launch has, and what a kernel's scalars, constants and grid are. */
#ifndef GEN_SIZES_SIZES_H
#define GEN_SIZES_SIZES_H

#include "sizes/blocks.h"
#include "bounds/range.h"
#include "model/model.h"

typedef struct sizes sizes;

/* Defines a symbol for each size of an input that the wrapper reads. Lives in s->a. changed: of
 * changes_read(). */
sizes *sizes_begin(const model *m, symbols *s, const blocks *b, string_map *changed);

/* The integer that the n bytes at `text` mean at offset `at`; NULL where it is not known. */
const poly *sizes_read(sizes *z, const char *text, size_t n, size_t at);

/* The size of an input's dimension: a number, or its symbol; NULL where the wrapper gives neither.
 */
const poly *sizes_of_dim(sizes *z, const aotigen_dim *d);

/* Reads the integers of the list "s77, 10" at offset `at` into `to`, NULL for each that is not
 * known. The list may be the name of an array, or a null pointer, which has none. Returns their
 * count; -1 if there is no such array, or if they are more than `most`. */
int sizes_read_list(sizes *z, const char *list, size_t n, size_t at, const poly **to, int most);
int sizes_read_array(sizes *z, span name, size_t at, const poly **to, int most);

/* The number of elements of its dtype from the first one that the argument points to up to the end
 * of its memory. NULL where that is not known; *why says so. */
const poly *sizes_of_argument(sizes *z, const argument *arg, size_t at, const char **why);

/* The number of elements of its dtype that its memory has before the one that the argument points
 * to; NULL where that is not known. *root is the variable that owns the memory, -1 where none is
 * known. */
const poly *sizes_offset_of_argument(sizes *z, const argument *arg, size_t at, int *root);

/* True if it is known how long the tensor is that a call gave to the variable, which owns its
 * memory; false where that is only concluded from the views of it. */
bool sizes_is_made(sizes *z, int var);

/* True if the wrapper later moves another tensor into a variable that owns memory. */
bool sizes_is_assigned(const sizes *z, int var);

/* The bytes of an element of the argument's dtype: 0 where the wrapper names a dtype that is not
 * known, SIZES_BYTES_ANY where it names none. */
enum { SIZES_BYTES_ANY = -1 };
int sizes_bytes_of_argument(sizes *z, const argument *arg);

/* Completes l->params and l->grid for a site whose kernel's graph is l->g: by_param gives, for each
 * parameter of the kernel, the site's argument, or NULL. */
void sizes_of_launch(sizes *z, range_launch *l, const site *s, const argument *const *by_param);

/* ---- the dimensions and strides of the tensor that a call is passed */

enum { VIEW_DIMS_MAX = 16 };

typedef struct view {
  int n;
  const poly *sizes[VIEW_DIMS_MAX], *strides[VIEW_DIMS_MAX];
} view;

/* Reads the view of an argument whose memory the wrapper allocates. False where its dimensions
 * or strides are not known. */
bool view_read(view *v, sizes *z, const model *m, const argument *arg, size_t at);

/* ---- the sizes at which the wrapper reaches a call: the conditions of the branches around it */

enum { PATH_CONDITION_MAX = 16 };

typedef struct path_condition {
  struct path_condition_part {
    const poly *x, *y;
    char op[3];
    bool holds; /* true where the condition must hold, false where it must not */
  } at[PATH_CONDITION_MAX];
  int n;
  size_t unfollowed; /* the offset of a condition that is not followed, 0 for none */
} path_condition;

/* Reads the path condition of the call at an offset. A bool that is read from a tensor may have
 * either value. */
void path_condition_read(path_condition *t, sizes *z, size_t at);

/* True if each part holds in the example. */
bool path_condition_holds(const path_condition *t, const symbols *s, const symbol_values *example);

#endif
