/* lagging_files.h - what runs of lagging.h save (level 1): the directory, and threads that save
 * much. */
#ifndef AOTIGEN_T_LAGGING_FILES_H
#define AOTIGEN_T_LAGGING_FILES_H

#include <pthread.h>

#include "5xx/lagging.h"

static char directory[600];

/* The number of files that a run has saved. */
static inline int files_of(uint64_t run_number) {
  char command[800], line[100] = "";
  snprintf(command, sizeof command, "ls %s 2>/dev/null | grep -c ^run%04d_", directory,
           (int)run_number);
  FILE *p = popen(command, "r");
  if (!fgets(line, sizeof line, p)) line[0] = 0;
  pclose(p);
  return atoi(line);
}

/* Makes the directory in which runs save from now on. */
static inline void new_directory(void) {
  temporary(directory, sizeof directory);
  assert_non_null(mkdtemp(directory));
  environment("AOTIGEN_OUTPUT_DIR", directory);
  environment("AOTIGEN_SAVE_FORMAT", "npy");
}

static inline void remove_directory(void) {
  char command[800];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  assert_int_equal(system(command), 0);
}

enum { BIG = 3 << 20 }; /* elements: 12 MiB, three chunks */

typedef struct spooler {
  pthread_t thread;
  void *stream;
  uint64_t number;
  bool dies;
} spooler;

typedef struct filling {
  float *at, value;
} filling;

static inline void fill(void *of) {
  const filling *f = of;
  for (int i = 0; i < BIG; i++) f->at[i] = f->value;
}

static inline void *save_much(void *of) {
  spooler *s = of;
  fake *in = fake_new("float32", BIG, -1), *out = fake_new("float32", BIG, -1);
  aotigen_value v[] = {handle(in), handle(out)};
  aotigen_run run;
  aotigen_run_begin(&run, &model, 0, s->stream);
  for (int i = 1; i <= 4; i++) {
    run.launch++;
    if (aotigen_before(&run, STEP, v, 2)) break;
    fake_give(s->stream, fill, &(filling){FLOATS(out), (float)i}, sizeof(filling));
    if (s->dies && i == 3) fake_death(s->stream, 0, 700);
    if (aotigen_after(&run, STEP, NULL, 0)) break;
  }
  s->number = run.number;
  aotigen_run_end(&run, 0);
  return NULL;
}

#endif
