/* schema.h - the schema of an operator, as torch writes one:
 *     lab::rows.out(Tensor(a!) x, int[2] at, *, str mode="mean, x") -> (Tensor, Tensor(a)[])
 *
 * Nothing is allocated or copied: names and types are parts of the text, and valid as long as it
 * is. Any thread may call.
 */
#ifndef AOTIGEN_SCHEMA_H
#define AOTIGEN_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

enum { AG_SCHEMA_TYPE = 40 }; /* bytes of a type; none that is compared is longer */

/* An argument or a result. */
typedef struct ag_schema_value {
  const char *name; /* has `name_bytes`, 0 for a result without a name */
  size_t name_bytes;
  /* Without alias letters and the length of a list: "Tensor", "Tensor?[]", "int[]". "" if it is too
   * long. */
  char type[AG_SCHEMA_TYPE];
  bool written; /* the operator may write to it: "Tensor(a!)" */
  bool shared;  /* it may share memory with values of the same letter: "Tensor(a)" */
  bool has_default;
} ag_schema_value;

/* The place of the next value: all 0 at the start. */
typedef struct ag_schema_at {
  const char *at, *end;
} ag_schema_at;

/* Reads the next argument, or the next result. False if there is none, or if the text is not a
 * schema. */
bool ag_schema_next_argument(ag_schema_at *at, const char *schema, ag_schema_value *value);
bool ag_schema_next_result(ag_schema_at *at, const char *schema, ag_schema_value *value);

/* True if the text is a schema: a name, arguments in parentheses, "->" and results. */
bool ag_schema_is_complete(const char *schema);

/* True if this is the value's name. */
bool ag_schema_is_named(const ag_schema_value *value, const char *name);

#endif
