/* kernel_text.c - see kernel_text.h. */
#include "model/kernel_text.h"
#include "model/kernel_cover.h"
#include "model/kernel_extent.h"
#include "model/kernel_reach.h"
#include <string.h>

static void read_tree(kernel_facts *f, const kernel_tree *t, arena *a) {
  f->why = t->why;
  f->by_user = t->by_user;
  if (!f->why && t->nparams > KERNEL_PARAMS_MAX) f->why = "more parameters than 64";
  if (f->why) return;
  f->nparams = t->nparams;
  for (size_t i = 0; i < t->nparams; i++) f->params[i].name = t->variables.at[i].name;
  kernel_reach_read(f, t, a);
  if (f->why) return;
  kernel_extent_read(f, t, a);
  kernel_cover_read(f, t, a);
}

void kernel_text_read_cpp(kernel_facts *f, const char *text, size_t n, const char *name, arena *a) {
  kernel_tree t;
  *f = (kernel_facts){0};
  kernel_tree_read_cpp(&t, text, n, name, a);
  read_tree(f, &t, a);
}

void kernel_text_read_triton(kernel_facts *f, const char *text, size_t n, const char *name,
                             arena *a) {
  kernel_tree t;
  *f = (kernel_facts){0};
  kernel_tree_read_triton(&t, text, n, name, a);
  read_tree(f, &t, a);
}

const kernel_param *kernel_text_find(const kernel_facts *f, const char *name) {
  for (size_t i = 0; i < f->nparams; i++)
    if (strcmp(f->params[i].name, name) == 0) return &f->params[i];
  return NULL;
}
