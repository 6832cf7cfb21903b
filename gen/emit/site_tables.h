/* tables.h - the model as the static tables at the top of the output. Pure: reads the model, makes
 * strings.
 */
#ifndef GEN_TABLES_H
#define GEN_TABLES_H

#include "model/model.h"

typedef struct tables {
  const char *text; /* the definitions, in order */
  const char *source, *device, *sites, *inputs, *weights,
      *cubins; /* what the model's object says of each */
} tables;

void tables_make(tables *t, const model *m, arena *a);

#endif
