/* settings.h - the settings from the environment: a field for each variable of
 * shared/variables.def. Nothing else reads the environment.
 *
 * The environment is read once, at the first call, and stays the same for the rest of the process.
 * A process with the rights of another user has none: secure_getenv(3).
 * A malformed value of an AOTIGEN_ variable is named once on stderr and ignored, as if it had not
 * been given; so is a variable whose name is similar to one of ours. The settings only narrow or
 * redirect what was built in. Any thread may call. */
#ifndef AOTIGEN_SETTINGS_H
#define AOTIGEN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum ag_on_fault {
  AG_FAULT_DEFAULT, /* a guard throws, a NaN is reported */
  AG_FAULT_THROW,
  AG_FAULT_REPORT,
  AG_FAULT_DIAGNOSE /* of a watched run; else as AG_FAULT_DEFAULT */
};

enum ag_save_format { AG_SAVE_PT = 1, AG_SAVE_NPY };

/* "7,3-9,5-". Without ranges it holds every number. */
typedef struct ag_number_list {
  struct {
    uint64_t first, last;
  } * ranges;
  int count;
} ag_number_list;

/* The types of the kinds of shared/variables.def. A char * is the settings' own. */
#define AG_TYPE_text char *
#define AG_TYPE_filter char *
#define AG_TYPE_elements char * /* base/element_list.h reads it */
#define AG_TYPE_limits char *   /* base/value_limits.h reads it */
#define AG_TYPE_numbers ag_number_list
#define AG_TYPE_file char *
#define AG_TYPE_log char *
#define AG_TYPE_table char * /* "": stderr */
#define AG_TYPE_dump char *
#define AG_TYPE_word int /* enum ag_on_fault, enum ag_save_format */
#define AG_TYPE_flag bool
#define AG_TYPE_seconds int64_t
#define AG_TYPE_count uint64_t /* UINT64_MAX: all */
#define AG_TYPE_interval uint64_t
#define AG_TYPE_debug uint64_t
#define AG_TYPE_foreign bool

typedef struct ag_settings {
#define VARIABLE(field, NAME, kind, ...) AG_TYPE_##kind field;
#include "shared/variables.def"
} ag_settings;

/* Never NULL; owned by this module. */
const ag_settings *ag_settings_get(void);
bool ag_number_list_has(const ag_number_list *list, uint64_t number);

/* For tests: reads the environment again; call ag_sink_reopen() afterwards. No other thread may be
 * in the library. */
void ag_settings_reload(void);

#endif
