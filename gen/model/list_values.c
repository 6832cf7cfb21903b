/* list_values.c - see list_values.h. */
#include "model/list_values.h"
#include "base/shown.h"

void list_add_values(cJSON *to, const custom_op *op) {
  cJSON *list = cJSON_AddArrayToObject(to, "values");
  for (size_t i = 0; i < op->inputs.n; i++) {
    const custom_value *v = &op->inputs.at[i];
    if (!v->text) continue;
    cJSON *x = cJSON_CreateObject();
    shown_add_json(x, "name", v->name);
    shown_add_json(x, "value", v->text);
    cJSON_AddItemToArray(list, x);
  }
}

void list_print_values(FILE *to, const custom_op *op, arena *a) {
  for (size_t i = 0; i < op->inputs.n; i++) {
    const custom_value *v = &op->inputs.at[i];
    if (v->text) fprintf(to, "      in      value   %s = %s\n", shown_text(v->name, a), v->text);
  }
}
