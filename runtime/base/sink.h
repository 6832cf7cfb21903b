/* sink.h - the only writer: standard output, standard error, and the log.
 *
 * A message is written whole, so that the messages of two threads never mix, and at once, so that
 * nothing is lost if the process ends next. Any thread may call. A message that cannot be written
 * (a full disk, a pipe that nobody reads) is dropped; the first such failure is reported on stderr.
 * No failure, and no signal such as SIGPIPE, reaches the caller. */
#ifndef AOTIGEN_SINK_H
#define AOTIGEN_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "shared/causes.h"

/* To stdout, where PyTorch's printer writes, or to the file of AOTIGEN_PRINTER_TO. */
void ag_sink_write_stdout(const char *message);
void ag_sink_write_stderr(const char *message); /* to stderr */
/* To the end of the file of that name, which is made. */
void ag_sink_write_file(const char *name, const char *message);

/* True if there is a log; if there is none, an event need not be built. */
bool ag_sink_has_log(void);

/* Opens the log, as the first event does, so that it exists from the model's load. */
void ag_sink_open_log(void);
/* Reports on stderr, once, why the log cannot be written. */
void ag_sink_refuse_log(const char *why);
/* The log's descriptor, -1 if it cannot be opened. A signal handler may call. */
int ag_sink_log_fd(void);
/* Closes the log until its next use: a host may load and unload models endlessly. */
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

/* From now on, this thread's events carry the number `thread`: that of the thread whose run it
 * evaluates. 0: its own number again. */
void ag_sink_log_as_thread(long thread);
bool ag_sink_logs_as_thread(void);

/* From now on, buffers what this thread writes to stdout. It is written at ag_sink_flush(), or when
 * there is much of it. Not for a host's thread, whose lines must be written before it goes on. With
 * an empty buffer, a flush does nothing. */
void ag_sink_buffer_stdout(void);
void ag_sink_flush(void);

/* True if a thread is writing now. It may be waiting for the reader of a pipe. */
bool ag_sink_is_writing(void);

/* For tests, after ag_settings_reload(): opens the log anew at its next use. */
void ag_sink_reopen(void);

#endif
