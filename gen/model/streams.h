/* streams.h - the device's streams that a wrapper names, and the order between them. Part of the
 * model stage.
 *
 * Most wrappers have one stream: their caller's. In a model that was written with
 * `with torch.cuda.stream(s):` an object whose type ends with StreamGuard makes another one torch's
 * current stream while it lives. A call of torch's library runs on the current stream; a kernel of
 * the wrapper's own on the stream that it is passed. Streams are ordered by events: see
 * `model.stream_ops`. */
#ifndef GEN_STREAMS_H
#define GEN_STREAMS_H

#include "model/model.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Fills m->streams, m->stream_ops and `stream` of each site. Call it once the sites are known. */
void streams_read(model *m, arena *a);

/* True if launches of the model do not all run on the caller's stream. */
static inline bool streams_are_several(const model *m) { return m->streams.n > 1; }

/* "the caller's stream", "side stream 1"; what a site's `stream` names. */
const char *stream_name(const model *m, int stream, arena *a);

/* A line of the list, "      stream   side stream 1"; nothing in a model with one stream. */
void stream_print(FILE *to, const model *m, const site *s, arena *a);
/* The field "stream" of the list's JSON, likewise. */
void stream_add_json(cJSON *to, const model *m, const site *s, arena *a);

#endif
