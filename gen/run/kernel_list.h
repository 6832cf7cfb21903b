/* kernel_list.h - the launches of Triton kernels that a debug model lists in the log if the driver
 * is to write a core dump: a dump names a kernel and its line, and no launch.
 */
#ifndef GEN_KERNEL_LIST_H
#define GEN_KERNEL_LIST_H

#include "base/arena.h"
#include "base/json_span.h"
#include "base/string_map.h"

typedef struct kernel_argument {
  const char *parameter, *name; /* "in_ptr0", "buf3" */
} kernel_argument;

typedef struct kernel_site {
  const char *source, *kernel; /* "triton_poi_fused_add_0" */
  long long number, line;      /* line: of the source */
  bool once;                   /* each site of the model is launched once, */
  bool copies;                 /* but for those that copy inputs, which stand first */
  arena_list(kernel_argument) args;
} kernel_site;

typedef arena_list(kernel_site) kernel_sites;

typedef struct kernel_list {
  kernel_sites sites;
  string_map *sources; /* the number of each, by its text in the log */
  string_map *known;   /* "SOURCE SITE": by the source's number */
} kernel_list;

/* Adds the launches of an event `kernels`. Entries in another form are skipped, and so are known
 * ones: a model may be loaded twice, and by a thousand processes. */
void kernel_list_add(kernel_list *list, json_span event, arena *a);

/* The launches of the kernel that a dump calls `name`: a user's own, "scale", is "scale_0" in the
 * wrapper. */
kernel_sites kernel_list_find(const kernel_list *list, const char *name, arena *a);

/* "in_ptr0 is buf3, out_ptr0 is buf5" for those pointers that a line of the kernel's source names;
 * NULL if it names none. */
const char *kernel_list_describe(const kernel_site *s, const char *text, arena *a);

#endif
