/* report_json.h - a recording's table, or two side by side, as the JSON object that is the page's
 * data. aotigen(1) has its fields. */
#ifndef GEN_REPORT_JSON_H
#define GEN_REPORT_JSON_H

#include "report/pairing.h"
#include "report/verdict.h"
#include <cjson/cJSON.h>

/* p: of two recordings, whose A is t; else NULL. */
cJSON *report_json(const launch_table *t, const verdict *v, const pairing *p, arena *a);

#endif
