/* sink.h - the only writer: standard output, standard error, and the log.
 *
 * A message is written whole, so that those of two threads never mix, and at once, so that nothing
 * is lost when the process dies next. Any thread may call. A message that cannot be written (a full
 * disk, a closed pipe) is dropped, which is said once on stderr; the caller never learns of it, for
 * nothing here may disturb the run.
 */
#ifndef AOTIGEN_SINK_H
#define AOTIGEN_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

void ag_sink_out(const char *message); /* as PyTorch's printer, to stdout */
void ag_sink_err(const char *message);

/* Is there a log. Where there is none, nobody need put an event together. */
bool ag_sink_logging(void);

/* One event of the log, a JSON object on a line: ag_event_begin, the fields, ag_event_end, which
 * writes it and frees. */
void ag_event_begin(ag_text *t, const char *event);
void ag_event_string(ag_text *t, const char *field, const char *value);
void ag_event_number(ag_text *t, const char *field, int64_t value);
void ag_event_list(ag_text *t, const char *field, const int64_t *list, int64_t n);
void ag_event_end(ag_text *t);

/* For a thread of ours, which has all signals blocked: from ag_sink_buffer_stdout() on what it
 * writes to stdout goes out together, at each flush or when there is much of it. Not for threads of
 * the host, since what they say must be out before they go on; of such a thread a flush does
 * nothing. */
void ag_sink_buffer_stdout(void);
void ag_sink_flush(void);

/* What this thread says from now on it says for that one, whose number stands in the log; 0: for
 * itself. */
void ag_sink_log_as_thread(long thread);
/* Is it doing so now. */
bool ag_sink_logged_thread(void);

/* Is somebody in the midst of writing, who may be waiting for whoever reads that. */
bool ag_sink_writing(void);

/* For tests: settings changed, the log is opened anew at its next use. */
void ag_sink_reopen(void);

#endif
