/* text.c - see text.h. */
#include "kernel/text.h"
#include "kernel/cover.h"
#include "kernel/extent.h"
#include "kernel/reach.h"
#include <string.h>

typedef void read_kernel(kernel_tree *t, const char *text, size_t n, const char *name, arena *a);

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

/* The tree takes a hundred times the memory of its text, so it goes where the facts stay. */
static void read_text(kernel_facts *f, read_kernel *read, const char *text, size_t n,
                      const char *name, arena *a) {
  *f = (kernel_facts){0};
  kernel_tree t;
  arena *own = arena_new();
  read(&t, text, n, name, own);
  read_tree(f, &t, own);
  for (size_t i = 0; i < f->nparams; i++) {
    kernel_param *p = &f->params[i];
    p->name = arena_strdup(a, p->name);
    if (p->least_of) p->least_of = arena_strdup(a, p->least_of);
    if (p->loads_all) p->loads_all = arena_strdup(a, p->loads_all);
    if (p->stores_all) p->stores_all = arena_strdup(a, p->stores_all);
  }
  arena_free(own);
}

void kernel_text_read_cpp(kernel_facts *f, const char *text, size_t n, const char *name, arena *a) {
  read_text(f, kernel_tree_read_cpp, text, n, name, a);
}

void kernel_text_read_triton(kernel_facts *f, const char *text, size_t n, const char *name,
                             arena *a) {
  read_text(f, kernel_tree_read_triton, text, n, name, a);
}

const kernel_param *kernel_text_find(const kernel_facts *f, const char *name) {
  for (size_t i = 0; i < f->nparams; i++)
    if (strcmp(f->params[i].name, name) == 0) return &f->params[i];
  return NULL;
}
