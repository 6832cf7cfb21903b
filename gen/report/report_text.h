/* report_text.h - a recording's table as text for a terminal. */
#ifndef GEN_REPORT_TEXT_H
#define GEN_REPORT_TEXT_H

#include "report/verdict.h"

char *report_text(const launch_table *t, const verdict *v, arena *a);

#endif
