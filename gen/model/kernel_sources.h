/* kernel_sources.h - where the text of each launched kernel stands: in the wrapper, or in the
 * kernel.cpp beside it. Part of the model stage. */
#ifndef GEN_KERNEL_SOURCES_H
#define GEN_KERNEL_SOURCES_H

#include "model/model.h"

typedef struct kernel_sources kernel_sources;

typedef struct kernel_source {
  bool python;      /* Triton's, or else C++ */
  const char *text; /* n bytes; `name` is defined in them */
  size_t n;
  const char *name; /* a user's Triton kernel may have another name than its launcher */
} kernel_source;

/* Reads each file once: m->sources is the result. The sites are complete. What `beside` points to
 * must live as long. */
kernel_sources *kernel_sources_read(const model *m, const companion_texts *beside, arena *a);

/* False where the site launches no kernel whose text is there. */
bool kernel_sources_find(const kernel_sources *k, const site *s, kernel_source *to);

#endif
