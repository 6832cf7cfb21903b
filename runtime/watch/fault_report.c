/* fault_report.c - see fault_report.h. */
#include "watch/fault_report.h"

enum { ERROR_MOST = 1000 }; /* bytes */

const char *ag_fault_name(const ag_watched_run *r) {
  static const char *const names[] = {NULL, "exception", "device error"};
  return r->fault == AG_FAULT_CRASH ? r->signal : names[r->fault];
}

void ag_fault_error_set(ag_text *t, const char *said) {
  ag_text_clear(t);
  for (; said && *said && t->length < ERROR_MOST; said++) {
    const unsigned char c = (unsigned char)*said;
    ag_text_add_bytes(t, c < ' ' || c == 0x7f ? " " : said, 1);
  }
  if (said && *said) ag_text_add(t, "...");
}

void ag_fault_report_add(ag_output_report *report, const ag_watched_run *r) {
  report->count++;
  report->fault = r->fault;
  report->kind = ag_fault_name(r);
  if (r->error.length)
    ag_text_add_line(&report->lines, "error", "%s", ag_text_string(&r->error));
  else if (r->fault == AG_FAULT_EXCEPTION)
    ag_text_add_line(&report->lines, "error", "torch wrote it to standard error");
  if (r->fault == AG_FAULT_DEVICE)
    ag_text_add_line(&report->lines, "seen",
                     "once the run was made: what was on the device before may have caused it");
}
