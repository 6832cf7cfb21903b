/* report_json.h - a recording's table as the JSON object that is the page's data. aotigen(1) has
 * its fields. */
#ifndef GEN_REPORT_JSON_H
#define GEN_REPORT_JSON_H

#include "report/verdict.h"
#include <cjson/cJSON.h>

cJSON *report_json(const launch_table *t, const verdict *v, arena *a);

#endif
