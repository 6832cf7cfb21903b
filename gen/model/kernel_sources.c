/* kernel_sources.c - see kernel_sources.h. */
#include "model/kernel_sources.h"
#include "model/cpp_functions.h"
#include <string.h>

struct kernel_sources {
  cpp_functions files[2]; /* kernel.cpp, the wrapper */
  arena *a;
};

kernel_sources *kernel_sources_read(const model *m, const companion_texts *companions, arena *a) {
  kernel_sources *k = arena_alloc(a, sizeof *k);
  *k = (kernel_sources){.a = a};
  bool any = false;
  for (size_t i = 0; i < m->sites.n; i++) any = any || m->sites.at[i].form == AOTIGEN_CPU;
  if (!any) return k;
  cpp_functions_read(&k->files[0], companions->kernel,
                     companions->kernel ? strlen(companions->kernel) : 0, a);
  cpp_functions_read(&k->files[1], m->facts->text, m->facts->n, a);
  return k;
}

/* The name in async_compile.triton('NAME', ...). */
static const char *name_definition(const triton *t, arena *a) {
  const char *quote = strchr(t->source, '\''), *end = quote ? strchr(quote + 1, '\'') : NULL;
  return end ? arena_strndup(a, quote + 1, (size_t)(end - quote) - 1) : t->name;
}

bool kernel_sources_find(const kernel_sources *k, const site *s, kernel_source *to) {
  if (s->triton) {
    *to = (kernel_source){.python = true,
                          .text = s->triton->source,
                          .n = strlen(s->triton->source),
                          .name = name_definition(s->triton, k->a)};
    return true;
  }
  for (int i = 0; s->form == AOTIGEN_CPU && i < 2; i++) {
    const cpp_function *x = cpp_functions_find(&k->files[i], s->kernel);
    if (!x) continue;
    *to = (kernel_source){
        .text = k->files[i].text + x->offset, .n = x->lines.end - x->offset, .name = s->kernel};
    return true;
  }
  return false;
}
