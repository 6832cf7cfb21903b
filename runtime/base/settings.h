/* settings.h - what the environment says. The only place that reads it.
 *
 * The environment is read once, at the first call, and stays the same for the rest of the process.
 * A malformed value of an AOTIGEN_ variable is named once on stderr and ignored, as if it had not
 * been given. The settings only narrow or redirect what was built in. Any thread may call.
 */
#ifndef AOTIGEN_SETTINGS_H
#define AOTIGEN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum ag_on_fault {
  AG_FAULT_DEFAULT, /* a guard throws, a NaN is reported */
  AG_FAULT_THROW,
  AG_FAULT_REPORT
};

enum ag_save_format { AG_SAVE_PT, AG_SAVE_NPY };

/* "7,3-9,5-". Without ranges it holds every number. */
typedef struct ag_number_list {
  struct {
    uint64_t first, last;
  } * ranges;
  int count;
} ag_number_list;

typedef struct ag_settings {
  const char *kernels;             /* AOTIGEN_KERNELS, "" for all */
  const char *explain;             /* AOTIGEN_EXPLAIN, or NULL: base/element_list.h reads it */
  ag_number_list launches;         /* AOTIGEN_LAUNCHES */
  ag_number_list runs;             /* AOTIGEN_RUNS */
  char *output_dir;                /* AOTIGEN_OUTPUT_DIR, %p and %r replaced */
  char *log;                       /* AOTIGEN_LOG, likewise; NULL for none */
  enum ag_on_fault on_fault;       /* AOTIGEN_ON_FAULT=throw|report */
  enum ag_save_format save_format; /* AOTIGEN_SAVE_FORMAT=pt|npy */
  int64_t watchdog_us;             /* AOTIGEN_WATCHDOG, in microseconds; 0 for none */
  bool memory;                     /* AOTIGEN_MEMORY=1 */
  bool nvtx;                       /* AOTIGEN_NVTX=1 */
  bool signals;                    /* AOTIGEN_SIGNALS: false where it is 0 */
  bool blocking;                   /* CUDA_LAUNCH_BLOCKING=1: a launch returns with its error */
  bool core_dump;                  /* CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1: the driver writes one */
  char *core_dump_file;            /* to CUDA_COREDUMP_FILE, or NULL where that is not known */
  bool stacks;                     /* TORCH_SHOW_CPP_STACKTRACES=1 */
  bool torch_silent;               /* TORCH_CPP_LOG_LEVEL=FATAL or 3 */
} ag_settings;

/* Receives the message about each malformed value, a line with its newline, when the environment is
 * read. The sink sets it before main(), since nothing here may call the sink. */
extern void (*ag_settings_complain)(const char *message);

/* Never NULL; owned by this module. */
const ag_settings *ag_settings_get(void);
bool ag_number_list_has(const ag_number_list *list, uint64_t number);

/* For tests: reads the environment again; call ag_sink_reopen() afterwards. No other thread may be
 * in the library. */
void ag_settings_reload(void);

#endif
