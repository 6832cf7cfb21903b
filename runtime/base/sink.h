/* sink.h - the only writer: standard output, standard error, and the log.
 *
 * A message is written whole, so that the messages of two threads never mix, and at once, so that
 * nothing is lost if the process ends next. Any thread may call. A message that cannot be written
 * (a full disk, a pipe that nothing reads) is dropped; the first such failure is named on stderr.
 * No failure, and no signal such as SIGPIPE, reaches the caller.
 */
#ifndef AOTIGEN_SINK_H
#define AOTIGEN_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "shared/causes.h"

void ag_sink_write_stdout(const char *message); /* to stdout, where PyTorch's printer writes */
void ag_sink_write_stderr(const char *message); /* to stderr */

/* Is there a log; where there is none, an event need not be put together. */
bool ag_sink_has_log(void);

/* Opens the log, as the first event does, so that it exists from the model's load. */
void ag_sink_open_log(void);
/* Names on stderr, once, why the log cannot be written. */
void ag_sink_refuse_log(const char *why);
/* The log's descriptor, -1 where it cannot be opened. A signal handler may ask. */
int ag_sink_log_fd(void);
/* Closes it until its next use: a host may load and unload models without end. */
void ag_sink_close_log(void);

/* One event of the log, a JSON object on a line: begin, add the fields, end. ag_event_end() writes
 * the event and frees the text. */
void ag_event_begin(ag_text *t, enum event_kind event);
void ag_event_add_string(ag_text *t, const char *field, const char *value);
void ag_event_add_number(ag_text *t, const char *field, int64_t value);
void ag_event_add_list(ag_text *t, const char *field, const int64_t *list, int64_t n);
void ag_event_end(ag_text *t);

/* Two properties of the calling thread, for the library's own threads and for evaluation on a
 * host's thread. */

/* From now on this thread's events carry the number `thread` in place of its own: the thread whose
 * run it evaluates. 0: its own again. */
void ag_sink_log_as_thread(long thread);
bool ag_sink_logs_as_thread(void);

/* From now on what this thread writes to stdout is kept, and written at ag_sink_flush() or when
 * there is much of it. Not for a host's thread: its lines must be out before it goes on. Without
 * anything kept, a flush does nothing. */
void ag_sink_buffer_stdout(void);
void ag_sink_flush(void);

/* Is a thread writing now. It may be waiting for the reader of a pipe. */
bool ag_sink_is_writing(void);

/* For tests, after ag_settings_reload(): opens the log anew at its next use. */
void ag_sink_reopen(void);

#endif
