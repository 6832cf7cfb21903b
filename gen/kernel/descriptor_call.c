/* descriptor_call.c - see descriptor_call.h. */
#include "kernel/descriptor_call.h"
#include <stddef.h>
#include <string.h>

static const descriptor_call calls[] = {
    {.name = "load", .method = true, .loads = true, .value = -1},
    {.name = "store", .method = true, .stores = true, .value = 1},
    {.name = "atomic_", .method = true, .loads = true, .stores = true, .value = 1},
    {.name = "gather", .method = true, .loads = true, .offsets = -1, .value = -1},
    {.name = "scatter", .method = true, .stores = true, .offsets = -1, .value = -1},
    {.name = "load_tensor_descriptor", .loads = true, .offsets = 1, .value = -1},
    {.name = "store_tensor_descriptor", .stores = true, .offsets = 1, .value = 2},
    {.name = "_experimental_descriptor_load", .loads = true, .offsets = 1, .value = -1},
    {.name = "_experimental_descriptor_store", .stores = true, .offsets = 2, .value = 1}};

const descriptor_call *descriptor_call_find(const char *name, bool method) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    const descriptor_call *c = &calls[i];
    const size_t n = strlen(c->name);
    const bool begins = c->name[n - 1] == '_' && !strncmp(name, c->name, n);
    if (c->method == method && (begins || !strcmp(name, c->name))) return c;
  }
  return NULL;
}

bool descriptor_call_makes(const char *function) {
  return !strcmp(function, "make_tensor_descriptor") ||
         !strcmp(function, "_experimental_make_tensor_descriptor");
}
