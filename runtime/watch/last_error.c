/* last_error.c - see last_error.h. */
#include "watch/last_error.h"

#include <stdbool.h>
#include <stdio.h>

enum { MOST = 1024 };

static _Thread_local char noted[MOST];
static _Thread_local bool is_raised;

void ag_last_error_note(const char *text) {
  is_raised = false;
  snprintf(noted, sizeof noted, "%s", text);
}

void ag_last_error_raise(void) { is_raised = true; }

const char *ag_last_error_take(void) {
  const bool was_raised = is_raised;
  is_raised = false;
  return was_raised ? noted : NULL;
}
