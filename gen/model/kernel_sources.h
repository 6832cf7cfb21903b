/* kernel_sources.h - where the text of each launched kernel is: in the wrapper, or in the
 * kernel.cpp next to it. Part of the model stage. */
#ifndef GEN_KERNEL_SOURCES_H
#define GEN_KERNEL_SOURCES_H

#include "model/model.h"

typedef struct kernel_sources kernel_sources;

typedef struct kernel_source {
  bool python;      /* Triton; else C++ */
  const char *text; /* n bytes that define `name` */
  size_t n;
  const char *name; /* a user's Triton kernel may have another name than its launcher */
} kernel_source;

/* Reads each file once. The result is for m->sources. The sites are complete. What `companions`
 * points to must live as long. */
kernel_sources *kernel_sources_read(const model *m, const companion_texts *companions, arena *a);

/* False if the site launches no kernel with a known text. */
bool kernel_sources_find(const kernel_sources *k, const site *s, kernel_source *to);

#endif
