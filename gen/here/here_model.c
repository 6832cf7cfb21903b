/* here_model.c - see here_rows.h. What several groups of rows need to know of the model. */
#include "base/json_span.h"
#include "here/here_rows.h"
#include <string.h>

const char *here_metadata(const here_model *m, const char *key) {
  if (!m->metadata) return NULL;
  json_span all = json_span_of(m->metadata, strlen(m->metadata));
  const char *text = json_span_text(json_span_member(all, key), m->a);
  return text && *text ? text : NULL;
}

bool here_has_word(const here_model *m, const char *word) { return strings_has(&m->words, word); }

bool here_is_cuda(const here_model *m) {
  const char *device = here_metadata(m, "AOTI_DEVICE_KEY");
  return device ? !strcmp(device, "cuda") && !here_has_word(m, "-DUSE_ROCM")
                : here_has_word(m, "-DUSE_CUDA");
}
