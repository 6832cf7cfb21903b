/* crash_model.c - a model's shared object, with a copy of the library of its own. */
#include "../shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site sites[] = {CPU_SITE(KERNEL, params, 11)};
static aotigen_model model = MODEL(WITH(sites, sites), .check_inputs = 2);

int load_model(void);
int load_model(void) { return aotigen_load(&model, "cpu", NULL, NULL, NULL) != NULL; }

void delete_model(void);
void delete_model(void) { aotigen_entry_deletes(&model); }

/* A run of one launch, in which `kernel` is called. */
void run_model(void (*kernel)(void));
void run_model(void (*kernel)(void)) {
  aotigen_run run;
  fake *out = fake_new("float32", 4, -1);
  const aotigen_value v[] = {handle(out)};
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch++;
  if (!aotigen_before(&run, 0, v, 1)) kernel();
  aotigen_after(&run, 0, NULL, 0);
  aotigen_run_end(&run, 0);
  fake_free(out);
}
