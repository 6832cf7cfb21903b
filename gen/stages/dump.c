/* dump.c - see dump.h. */
#include "stages/dump.h"
#include "model/list.h"

static void print_bound(FILE *to, int64_t n) {
  if (n == AOTIGEN_ANY)
    fputs(" any", to);
  else
    fprintf(to, " %lld", (long long)n);
}

/* "1.1 expected float32 cpu sizes 64 128 strides 128 1 least 0 user 2 alias 0 writer 2" */
static void print_expected(FILE *to, size_t s, size_t arg, const expected *e) {
  fprintf(to, "%zu.%zu expected %s %s sizes", s, arg, e->dtype ? e->dtype : "-",
          e->device ? e->device : "-");
  for (int i = 0; i < e->ndim; i++) print_bound(to, e->dims[i].min);
  fputs(" strides", to);
  for (int i = 0; i < e->ndim; i++) print_bound(to, e->dims[i].stride);
  fprintf(to, " least %lld user %d", (long long)e->least, e->user);
  if (e->least_of) fprintf(to, " least_of '%s'", e->least_of);
  for (size_t i = 0; i < e->aliases.n; i++) {
    const aotigen_alias *x = &e->aliases.at[i];
    fprintf(to, " alias %u", x->param);
    if (x->site != (uint32_t)s) fprintf(to, " of %u", x->site);
    fprintf(to, " writer %u%s", x->writer, x->reads ? " reads" : "");
  }
  fputs("\n", to);
}

void dump_model(const model *m, FILE *to) {
  arena *a = arena_new();
  diags *d = diags_new(a);
  const options o = {.json = true};
  const companion_texts none = {0};
  list_print(m, &none, &o, NULL, to, a, d);
  for (size_t i = 0; i < m->sites.n; i++)
    for (size_t j = 0; j < m->sites.at[i].args.n; j++) {
      const argument *x = &m->sites.at[i].args.at[j];
      fprintf(to, "%zu.%zu flags %u value %s late %s", i, j, x->flags, x->value ? x->value : "-",
              x->late ? x->late : "-");
      if (x->maker >= 0) fprintf(to, " maker %d", x->maker);
      if (x->writer != WRITER_NONE) fprintf(to, " writer %d", x->writer);
      fputs("\n", to);
      if (x->expected) print_expected(to, i, j, x->expected);
    }
  for (size_t i = 0; i < m->launches.n; i++)
    fprintf(to, "launch %s grid %s %s %s\n", m->launches.at[i].kernel, m->launches.at[i].grid[0],
            m->launches.at[i].grid[1], m->launches.at[i].grid[2]);
  for (size_t i = 0; i < m->cubins.n; i++) fprintf(to, "cubin %s\n", m->cubins.at[i]);
  arena_free(a);
}

void dump_plan(const plan *p, const model *m, FILE *to) {
  static const char *const places[] = {"top", "before", "after", "inline"};
  for (size_t i = 0; i < p->insertions.n; i++) {
    const insertion *x = &p->insertions.at[i];
    unsigned line, column;
    facts_position(m->facts, x->offset, &line, &column);
    fprintf(to, "%s %u:%u %s%s%s", places[x->place], line, column, x->template_name,
            x->opens ? " opens" : "", x->closes ? " closes" : "");
    for (size_t j = 0; j < x->slots.n; j++)
      fprintf(to, " %s=%s", x->slots.at[j].name, x->slots.at[j].value);
    fputs("\n", to);
  }
}
