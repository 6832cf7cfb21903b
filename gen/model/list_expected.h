/* list_expected.h - for list.h: what a wrapper takes for granted of a tensor that a call makes, by
 * assert_size_stride() or by how it uses the tensor, and what the exported program promises of the
 * inputs. */
#ifndef GEN_MODEL_LIST_EXPECTED_H
#define GEN_MODEL_LIST_EXPECTED_H

#include "model/model.h"
#include <cjson/cJSON.h>

/* Adds "expected": {"dtype", "device", "dims": [{"min", "max", "stride", "symbol"}]}. What the
 * wrapper does not say is null. */
void list_add_expected(cJSON *to, const expected *e);

/* Adds the bounds of a dimension to an array: its size as "min" and "max", "stride" and "symbol".
 */
void list_add_dim(cJSON *to, const aotigen_dim *d);

/* "float32 [s77, 4] strides [4, 1] on cuda"; "?" for what the wrapper does not say. */
const char *list_format_expected(const expected *e, arena *a);

/* "s77", "10", or "?". */
const char *list_format_size(const aotigen_dim *d, arena *a);

/* Adds "promises": [{"kind", "input", "dim", "text"}], if there are some. */
void list_add_promises(cJSON *to, const model *m);

/* "args[0].size(0) % 100 == 0" */
const char *list_format_promise(const model *m, const model_promise *p, arena *a);

#endif
