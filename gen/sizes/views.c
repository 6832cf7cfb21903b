/* views.c - see sizes.h. */
#include "sizes/sizes.h"
#include "model/storage.h"
#include <string.h>

static bool is_known(const view *v) {
  for (int i = 0; i < v->n; i++)
    if (!v->sizes[i] || !v->strides[i]) return false;
  return v->n >= 0;
}

static bool read_view(view *v, sizes *z, const span *parts, size_t at) {
  v->n = sizes_read_array(z, parts[2], at, v->sizes, VIEW_DIMS_MAX);
  return sizes_read_array(z, parts[3], at, v->strides, VIEW_DIMS_MAX) == v->n && is_known(v);
}

static bool read_allocated(view *v, sizes *z, const storage_entry *e) {
  if (!e->allocated || !e->sizes || !e->strides) return false;
  v->n = sizes_read_list(z, e->sizes, strlen(e->sizes), e->offset, v->sizes, VIEW_DIMS_MAX);
  return sizes_read_list(z, e->strides, strlen(e->strides), e->offset, v->strides, VIEW_DIMS_MAX) ==
             v->n &&
         is_known(v);
}

bool view_read(view *v, sizes *z, const model *m, const argument *arg, size_t at) {
  const facts *f = m->facts;
  const operand *o = arg->operand;
  if (!o || o->var < 0) return false;
  if (o->view) return read_view(v, z, o->view, at);
  int var = facts_skip_aliases(f, o->var);
  if (var < 0) return false;
  const fact_var *made = &f->vars.at[var];
  if (made->made == MADE_VIEW) {
    bool known = made->view[3].end > made->view[3].begin;
    return known && read_view(v, z, made->view, made->declared);
  }
  return read_allocated(v, z, storage_at(m->storage, var));
}
