/* short_name.c - the names that were cut. A model has few of them. */
#define _GNU_SOURCE
#include "base/short_name.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shared/name_cut.h"

typedef struct cut {
  struct cut *next;
  char text[AG_NAME_SHOWN + 1];
} cut;

static _Atomic(cut *) cuts;

static const cut *find(const char *text) {
  for (const cut *c = atomic_load(&cuts); c; c = c->next)
    if (!strcmp(c->text, text)) return c;
  return NULL;
}

const char *ag_short_name(const char *name) {
  char text[AG_NAME_SHOWN + 1];
  if (!name || !ag_name_cut(text, name)) return name;
  const cut *known = find(text);
  if (known) return known->text;
  cut *c = malloc(sizeof *c);
  if (!c) return "a kernel whose name is long";
  strcpy(c->text, text);
  c->next = atomic_load(&cuts);
  while (!atomic_compare_exchange_weak(&cuts, &c->next, c)) continue;
  return c->text;
}

/* With the last destructors: a thread may write a report until then. */
__attribute__((destructor(101))) static void forget_cuts(void) {
  for (cut *c = atomic_exchange(&cuts, NULL), *next; c; c = next) {
    next = c->next;
    free(c);
  }
}
