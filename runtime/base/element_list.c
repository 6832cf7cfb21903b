/* element_list.c - see element_list.h. */
#define _GNU_SOURCE
#include "base/element_list.h"

#include <stdlib.h>
#include <string.h>

static char *copy(ag_slice x) { return strndup(x.s, x.n); }

static bool keep(ag_element_request *request, const ag_element *e) {
  *request = (ag_element_request){.text = copy(e->text),
                                  .launch = e->launch,
                                  .kernels = copy(e->kernels),
                                  .name = copy(e->name),
                                  .rank = e->rank};
  memcpy(request->index, e->index, sizeof request->index);
  return request->text && request->kernels && request->name;
}

bool ag_element_list_read(ag_element_list *l, const char *text) {
  enum ag_element_found found;
  ag_element e;
  size_t most = 1;
  for (const char *s = text; *s; s++) most += *s == ';';
  *l = (ag_element_list){.at = calloc(most, sizeof *l->at)};
  if (!l->at) return false;
  while ((found = ag_element_next(&text, &e)) != AG_ELEMENT_END) {
    if (found == AG_ELEMENT_READ && keep(&l->at[l->n++], &e)) continue;
    ag_element_list_free(l);
    return false;
  }
  return true;
}

void ag_element_list_free(ag_element_list *l) {
  for (int i = 0; i < l->n; i++) {
    free(l->at[i].text);
    free(l->at[i].kernels);
    free(l->at[i].name);
  }
  free(l->at);
  *l = (ag_element_list){0};
}
