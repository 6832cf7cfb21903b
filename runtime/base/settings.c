/* settings.c - the environment, read once. Knows variables and their spellings, nothing of what
 * they do. */
#define _GNU_SOURCE
#include "base/settings.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"

static ag_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;
void (*ag_settings_complain)(const char *message);

/* A number at *s, which moves past it. */
static bool number(const char **s, uint64_t *n) {
  if (!isdigit((unsigned char)**s)) return false;
  for (*n = 0; isdigit((unsigned char)**s); ++*s) {
    if (*n > UINT64_MAX / 10 - 1) return false;
    *n = *n * 10 + (uint64_t)(**s - '0');
  }
  return true;
}

static void blanks(const char **s) {
  while (isspace((unsigned char)**s)) ++*s;
}

/* One range at *s. */
static bool range(const char **s, uint64_t *first, uint64_t *last) {
  blanks(s);
  if (!number(s, first)) return false;
  *last = *first;
  blanks(s);
  if (**s == '-') {
    ++*s;
    blanks(s);
    if (isdigit((unsigned char)**s)) {
      if (!number(s, last)) return false;
    } else {
      *last = UINT64_MAX;
    }
  }
  blanks(s);
  return *last >= *first;
}

static bool parse_list(const char *s, ag_number_list *list) {
  size_t most = 1;
  for (const char *p = s; *p; p++) most += *p == ',';
  blanks(&s);
  if (!*s) return true;
  list->ranges = calloc(most, sizeof *list->ranges);
  if (!list->ranges) return false;
  for (;; s++) {
    if (!range(&s, &list->ranges[list->count].first, &list->ranges[list->count].last)) break;
    list->count++;
    if (!*s) return true;
    if (*s != ',') break;
  }
  free(list->ranges);
  *list = (ag_number_list){0};
  return false;
}

bool ag_in_list(const ag_number_list *list, uint64_t n) {
  if (!list->count) return true;
  for (int i = 0; i < list->count; i++)
    if (n >= list->ranges[i].first && n <= list->ranges[i].last) return true;
  return false;
}

/* A file name with %p for the process and %r for the rank; %% is a percent sign, any other % stays.
 */
static char *expand(const char *s) {
  ag_text t = {0};
  const char *rank = getenv("RANK");
  for (; *s; s++) {
    if (*s == '%' && s[1] == 'p')
      ag_addf(&t, "%ld", (long)getpid()), s++;
    else if (*s == '%' && s[1] == 'r')
      ag_add(&t, rank && *rank ? rank : "0"), s++;
    else if (*s == '%' && s[1] == '%')
      ag_add(&t, "%"), s++;
    else
      ag_add_bytes(&t, s, 1);
  }
  return t.data;
}

static void malformed(const char *name, const char *value, const char *expected) {
  ag_text t = {0};
  ag_addf(&t, "aotigen: '%s' in %s makes no sense (%s): ignored\n", value, name, expected);
  if (ag_settings_complain) ag_settings_complain(ag_text_string(&t));
  ag_text_free(&t);
}

static void read_list(const char *name, ag_number_list *list) {
  const char *value = getenv(name);
  *list = (ag_number_list){0};
  if (value && !parse_list(value, list))
    malformed(name, value, "numbers and ranges such as 7,3-9,5-");
}

/* The index of the variable's value among `words`, or -1. */
static int read_word(const char *name, const char *const *words, const char *expected) {
  const char *value = getenv(name);
  if (!value || !*value) return -1;
  for (int i = 0; words[i]; i++)
    if (!strcasecmp(value, words[i])) return i;
  malformed(name, value, expected);
  return -1;
}

static bool read_flag(const char *name) {
  const char *value = getenv(name);
  return value && !strcmp(value, "1");
}

static void read_settings(void) {
  static const char *const faults[] = {"throw", "report", NULL}, *const formats[] = {"pt", "npy",
                                                                                     NULL};
  const char *s = getenv("AOTIGEN_KERNELS");
  settings.kernels = s ? s : "";
  read_list("AOTIGEN_LAUNCHES", &settings.launches);
  read_list("AOTIGEN_RUNS", &settings.runs);
  s = getenv("AOTIGEN_OUTPUT_DIR");
  settings.output_dir = expand(s && *s ? s : "./aotigen-%p");
  s = getenv("AOTIGEN_LOG");
  settings.log = s && *s ? expand(s) : NULL;
  settings.on_fault =
      (enum ag_on_fault)(read_word("AOTIGEN_ON_FAULT", faults, "'throw' or 'report'") + 1);
  settings.save_format =
      read_word("AOTIGEN_SAVE_FORMAT", formats, "'pt' or 'npy'") == 1 ? AG_SAVE_NPY : AG_SAVE_PT;
  settings.blocking = read_flag("CUDA_LAUNCH_BLOCKING");
  settings.stacks = read_flag("TORCH_SHOW_CPP_STACKTRACES");
  /* The host may change its environment later: what is kept must not point into it. */
  settings.kernels = *settings.kernels ? strdup(settings.kernels) : NULL;
  if (!settings.kernels) settings.kernels = "";
}

const ag_settings *ag_get_settings(void) {
  pthread_once(&once, read_settings);
  return &settings;
}

void ag_settings_reload(void) {
  ag_get_settings();
  free(settings.launches.ranges);
  free(settings.runs.ranges);
  free(settings.output_dir);
  free(settings.log);
  if (*settings.kernels) free((void *)(uintptr_t)settings.kernels);
  read_settings();
}
