/* views.c - see views.h. */
#include "check/views.h"
#include "model/storage.h"
#include "parse/lex.h"
#include <string.h>

static int read_list(sizes *z, const char *text, size_t n, size_t at, const poly **to) {
  int count = 0;
  for (size_t p = 0; p < n; count++) {
    size_t comma = lex_find(text, p, n, ',');
    if (count == VIEW_DIMS_MAX) return -1;
    to[count] = sizes_read(z, text + p, comma - p, at);
    if (!to[count]) return -1;
    p = comma + 1;
    while (p < n && text[p] == ' ') p++;
  }
  return count;
}

/* "int_array_1"; a pointer that is null: of no dimension. */
static int read_array(sizes *z, const model *m, span name, size_t at, const poly **to) {
  const facts *f = m->facts;
  int var = storage_find(m->storage, f->text + name.begin, name.end - name.begin, at);
  span init = var >= 0 ? f->vars.at[var].init : (span){0, 0};
  if (init.end <= init.begin + 1) return -1;
  if (f->text[init.begin] != '{') return 0;
  return read_list(z, f->text + init.begin + 1, init.end - init.begin - 2, f->vars.at[var].declared,
                   to);
}

static bool read_view(view *v, sizes *z, const model *m, const span *at_spans, size_t at) {
  v->n = read_array(z, m, at_spans[2], at, v->sizes);
  return v->n >= 0 && read_array(z, m, at_spans[3], at, v->strides) == v->n;
}

bool view_read(view *v, sizes *z, const model *m, const argument *x, size_t at) {
  const facts *f = m->facts;
  const operand *o = x->operand;
  if (!o || o->var < 0) return false;
  if (o->view[3].end > o->view[3].begin) return read_view(v, z, m, o->view, at);
  int var = o->var;
  for (int hops = 0; f->vars.at[var].made == MADE_ALIAS && f->vars.at[var].from >= 0; hops++) {
    if (hops == 64) return false;
    var = f->vars.at[var].from;
  }
  const fact_var *made = &f->vars.at[var];
  if (made->made == MADE_VIEW) {
    bool known = made->view[3].end > made->view[3].begin;
    return known && read_view(v, z, m, made->view, made->declared);
  }
  const storage_entry *e = storage_at(m->storage, var);
  if (!e->allocated || !e->sizes || !e->strides) return false;
  v->n = read_list(z, e->sizes, strlen(e->sizes), e->at, v->sizes);
  return v->n >= 0 && read_list(z, e->strides, strlen(e->strides), e->at, v->strides) == v->n;
}
