/* custom_texts.h - the values that a call by torch's proxy executor passes to its op besides the
 * tensors, as wrapper.json has them. */
#ifndef GEN_CUSTOM_TEXTS_H
#define GEN_CUSTOM_TEXTS_H

#include "base/json_span.h"

/* The value of an argument, {"as_ints": [2, 3]}, as Python prints it: "[2, 3]", "None",
 * "torch.float32", "cuda:0"; of a symbolic number its name. It is escaped (base/shown.h), and cut
 * where it is long. NULL for a tensor, a list of tensors, and what is no argument. */
const char *custom_text_format(json_span arg, arena *a);

#endif
