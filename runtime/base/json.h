/* json.h - parts of a JSON object, added to a text. The caller puts the braces. */
#ifndef AOTIGEN_JSON_H
#define AOTIGEN_JSON_H

#include <stdint.h>

#include "base/text.h"

/* A comma, the field's name and a colon. */
void ag_json_add_name(ag_text *t, const char *field);

/* A value. A string is escaped, and bytes that are not UTF-8 become U+FFFD; NULL becomes null. */
void ag_json_add_string(ag_text *t, const char *s);
void ag_json_add_number(ag_text *t, int64_t x);
void ag_json_add_list(ag_text *t, const int64_t *list, int64_t n);

/* The length of the UTF-8 sequence at the text's begin; 0 if there is none. */
int ag_json_measure_utf8(const char *text);

#endif
