/* shim.h - a torch for the runtime's unit tests: the C shim over tensors that a test lays out by
 * hand, and the means to see what the library writes. */
#ifndef T_SHIM_H
#define T_SHIM_H

/* Tables in tests leave out the fields at the end that they do not need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "test.h"

#include "shared/wrapper/aotigen.h"
#include "../runtime/tensor/backend.h"
#include "model.h"

/* A tensor; everything may be changed by hand. Numbers of types and devices are not torch's, to
 * prove that they are asked. */
struct AtenTensorOpaque {
  void *storage, *data;
  int64_t storage_size, offset, ndim;
  int64_t sizes[AG_MAX_DIMS], strides[AG_MAX_DIMS];
  int32_t dtype, device_type, device_index, layout;
  bool undefined, negated, conjugated;
};
typedef struct AtenTensorOpaque fake;

enum {
  FAKE_CPU = 0,
  FAKE_CUDA = 1,
  FAKE_XPU = 12,
  FAKE_META = 14,
  FAKE_STRIDED = 40,
  FAKE_MKDNN = 43
};

extern int fake_copies;         /* the number of copies that torch was asked for */
extern int fake_deletions;      /* the number of handles that torch was given back */
extern bool fake_has_no_layout; /* torch fails to tell a tensor's layout */
extern bool fake_has_no_memory; /* torch fails to allocate */

/* A contiguous tensor of zeros; sizes end with -1. fake_free() for what a test made. */
fake *fake_new(const char *dtype, ...);
void fake_free(fake *f);
int32_t fake_dtype(const char *name);

#define FLOATS(f) ((float *)(f)->data)

/* The device of the tests' tensors and models: "cpu", or with FAKE_DEVICE=cuda a device of the fake
 * libcuda (t/5xx), whose memory is the host's. Everything is the same on both except for the
 * device's name: captured() has "cpu" in place of "cuda:0". */
const char *fake_device(void);

/* Values for a marker. */
aotigen_value handle(const fake *f);
aotigen_value integer(int64_t i);
aotigen_value nothing(void);

/* A name for mkstemp() or mkdtemp(), where temporary files go. */
char *temporary(char *name, size_t room);

/* Between these two, what the process writes to descriptor fd; the text is the test's to free. What
 * the library does in the background is waited for. */
void capture(int fd);
char *captured(int fd);

/* The same of what a forked child wrote, without its mark "[pid N] ". */
char *captured_of(int fd, pid_t child);

/* Between these two, AOTIGEN_LOG is a file; what it has is the test's to free. */
void begin_log(void);
char *end_log(void);

/* Meanwhile: was the text written there; and waits until it was. */
bool is_written(int fd, const char *text);
void await_written(int fd, const char *text);

/* The library's hooks for tests; no header of runtime/ declares them. They wait until all runs that
 * are over are evaluated, and of the others what the device has answered; and until all tensors
 * that were handed to the saver's thread are written. */
void ag_evaluator_settle(void);
void ag_async_saver_settle(void);

/* The number of times that a part occurs in a text. */
int count(const char *text, const char *part);

/* Fails unless `message` is one line that begins with the head of a report on stderr, and refers to
 * it. */
void assert_summary(const char *message, const char *written);

/* Ends the run and the capture of stderr: the report that `message`, which the run wants thrown,
 * refers to, freed by the caller; NULL where it is NULL, and nothing was written. */
char *end_with_report(aotigen_run *run, const char *message);

/* Takes the numbers of runs out of a text, which it returns: "run 12, " becomes "run N, "; and the
 * line that the first report of a process alone has. */
char *without_runs(char *text);

/* Sets (NULL: unsets) a variable and has the library read its settings again. */
void environment(const char *name, const char *value);

#define assert_has(text, part)                                                                     \
  do {                                                                                             \
    if (!strstr(text, part)) fail_msg("no '%s' in:\n%s", part, text);                              \
  } while (0)
/* The same of a text of the test's own, which is freed; and that it is the whole of it. */
#define assert_has_freed(text, part)                                                               \
  do {                                                                                             \
    char *freed_ = (text);                                                                         \
    assert_has(freed_, part);                                                                      \
    free(freed_);                                                                                  \
  } while (0)
#define assert_equal_freed(text, whole)                                                            \
  do {                                                                                             \
    char *freed_ = (text);                                                                         \
    assert_string_equal(freed_, whole);                                                            \
    free(freed_);                                                                                  \
  } while (0)
#define assert_lacks(text, part)                                                                   \
  do {                                                                                             \
    if (strstr(text, part)) fail_msg("there is '%s' in:\n%s", part, text);                         \
  } while (0)

#endif
