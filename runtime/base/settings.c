/* settings.c - reads the environment: names of variables, and the forms of their values. */
#define _GNU_SOURCE
#include "base/settings.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/element_list.h"
#include "base/filter.h"
#include "base/text.h"

static ag_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;
void (*ag_settings_complain)(const char *message);

/* A number at *s, which moves past it. */
static bool parse_number(const char **s, uint64_t *n) {
  if (!isdigit((unsigned char)**s)) return false;
  for (*n = 0; isdigit((unsigned char)**s); ++*s) {
    if (*n > UINT64_MAX / 10 - 1) return false;
    *n = *n * 10 + (uint64_t)(**s - '0');
  }
  return true;
}

static void skip_blanks(const char **s) {
  while (isspace((unsigned char)**s)) ++*s;
}

/* One range at *s. */
static bool parse_range(const char **s, uint64_t *first, uint64_t *last) {
  skip_blanks(s);
  if (!parse_number(s, first)) return false;
  *last = *first;
  skip_blanks(s);
  if (**s == '-') {
    ++*s;
    skip_blanks(s);
    if (isdigit((unsigned char)**s)) {
      if (!parse_number(s, last)) return false;
    } else {
      *last = UINT64_MAX;
    }
  }
  skip_blanks(s);
  return *last >= *first;
}

static bool parse_list(const char *s, ag_number_list *list) {
  size_t most = 1;
  for (const char *p = s; *p; p++) most += *p == ',';
  skip_blanks(&s);
  if (!*s) return true;
  list->ranges = calloc(most, sizeof *list->ranges);
  if (!list->ranges) return false;
  for (;; s++) {
    if (!parse_range(&s, &list->ranges[list->count].first, &list->ranges[list->count].last)) break;
    list->count++;
    if (!*s) return true;
    if (*s != ',') break;
  }
  free(list->ranges);
  *list = (ag_number_list){0};
  return false;
}

bool ag_number_list_has(const ag_number_list *list, uint64_t n) {
  if (!list->count) return true;
  for (int i = 0; i < list->count; i++)
    if (n >= list->ranges[i].first && n <= list->ranges[i].last) return true;
  return false;
}

static void complain(ag_text *t) {
  if (ag_settings_complain) ag_settings_complain(ag_text_string(t));
  ag_text_free(t);
}

static void ignore_value(const char *name, const char *value, const char *expected) {
  ag_text t = {0};
  ag_text_addf(&t, "aotigen: ignoring %s='%s': expected %s\n", name, value, expected);
  complain(&t);
}

/* ---- names of files */

/* In place of %r: the rank never names another directory. */
static void add_rank(ag_text *t) {
  static const char allowed[] = "._-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const char *rank = getenv("RANK");
  if (!rank || !*rank) rank = "0";
  for (const char *s = rank; *s; s++)
    ag_text_add_bytes(t, strchr(s == rank ? allowed + 1 : allowed, *s) ? s : "_", 1);
}

/* Replaces %p by the process, %r by the rank and %% by %. Any other % stays, and is named. The
 * caller frees it. */
static char *expand_name(const char *name, const char *s) {
  ag_text t = {0}, unknown = {0};
  for (const char *p = s; *p; p++) {
    if (*p == '%' && p[1] == 'p')
      ag_text_addf(&t, "%ld", (long)getpid()), p++;
    else if (*p == '%' && p[1] == 'r')
      add_rank(&t), p++;
    else if (*p == '%' && p[1] == '%')
      ag_text_add(&t, "%"), p++;
    else {
      if (*p == '%' && !unknown.length)
        ag_text_addf(&unknown,
                     "aotigen: %s='%s': keeping '%.*s' as it is: only %%p, %%r and %%%% are "
                     "replaced\n",
                     name, s, p[1] > ' ' && p[1] < 0x7f ? 2 : 1, p);
      ag_text_add_bytes(&t, p, 1);
    }
  }
  if (unknown.length) complain(&unknown);
  return t.data;
}

/* The same of the log, which may be opened again when the program has another working directory.
 * Where that has no name any more, the log's stays relative. */
static char *expand_log_name(const char *s) {
  ag_text t = {0};
  char *name = expand_name("AOTIGEN_LOG", s), *here = *name == '/' ? NULL : getcwd(NULL, 0);
  if (!here) return name;
  ag_text_addf(&t, "%s/%s", here, name);
  free(here);
  free(name);
  return t.data;
}

/* The driver puts the process in place of %p; of what else it may put in, NULL is made. */
static char *expand_driver_name(const char *s) {
  ag_text t = {0};
  for (const char *percent; s && (percent = strchr(s, '%')) != NULL; s = percent + 2) {
    if (percent[1] != 'p') {
      ag_text_free(&t);
      return NULL;
    }
    ag_text_addf(&t, "%.*s%ld", (int)(percent - s), s, (long)getpid());
  }
  if (s) ag_text_add(&t, s);
  return t.data;
}

static void read_list(const char *name, ag_number_list *list) {
  const char *value = getenv(name);
  *list = (ag_number_list){0};
  if (value && !parse_list(value, list))
    ignore_value(name, value, "numbers and ranges such as 7,3-9,5-");
}

/* The index of the variable's value among `words`, or -1. */
static int read_word(const char *name, const char *const *words, const char *expected) {
  const char *value = getenv(name);
  if (!value || !*value) return -1;
  for (int i = 0; words[i]; i++)
    if (!strcasecmp(value, words[i])) return i;
  ignore_value(name, value, expected);
  return -1;
}

/* The host may change its environment later, so the text is copied. */
static const char *read_filter(const char *name) {
  const char *value = getenv(name), *copy = NULL;
  if (value && !ag_filter_is_valid(value))
    ignore_value(name, value, "patterns such as gelu,*mm* or !softmax");
  else if (value && *value)
    copy = strdup(value);
  return copy ? copy : "";
}

/* NULL where it is not given. */
static const char *read_elements(const char *name) {
  const char *value = getenv(name);
  ag_element_list list;
  if (!value) return NULL;
  if (!ag_element_list_read(&list, value)) {
    ignore_value(name, value, AG_ELEMENTS_WANTED);
    return NULL;
  }
  ag_element_list_free(&list);
  return strdup(value);
}

/* Decimal seconds at *s, as microseconds; 0 where it is none, or longer than a year. The process's
 * locale does not matter. */
static int64_t parse_seconds(const char *s) {
  enum { YEAR = 31536000 };
  uint64_t whole = 0, part = 0, unit = 1000000;
  bool any = parse_number(&s, &whole);
  if (*s == '.') {
    for (s++; isdigit((unsigned char)*s); s++, any = true) {
      unit /= 10;
      part += (uint64_t)(*s - '0') * unit;
    }
  }
  return any && !*s && whole <= YEAR ? (int64_t)(whole * 1000000 + part) : 0;
}

static int64_t read_seconds(const char *name) {
  enum { LEAST = 1000 };
  const char *value = getenv(name);
  if (!value || !*value) return 0;
  int64_t us = parse_seconds(value);
  if (us >= LEAST) return us;
  ignore_value(name, value, "seconds such as 30 or 0.5");
  return 0;
}

/* 0, 1, or -1 where it is not given. */
static int read_switch(const char *name) {
  static const char *const words[] = {"0", "1", NULL};
  return read_word(name, words, "0 or 1");
}

static bool read_flag(const char *name) {
  const char *value = getenv(name);
  return value && !strcmp(value, "1");
}

static void read_settings(void) {
  static const char *const faults[] = {"throw", "report", NULL};
  static const char *const formats[] = {"pt", "npy", NULL};
  const char *s;
  settings.kernels = read_filter("AOTIGEN_KERNELS");
  settings.explain = read_elements("AOTIGEN_EXPLAIN");
  read_list("AOTIGEN_LAUNCHES", &settings.launches);
  read_list("AOTIGEN_RUNS", &settings.runs);
  s = getenv("AOTIGEN_OUTPUT_DIR");
  settings.output_dir = expand_name("AOTIGEN_OUTPUT_DIR", s && *s ? s : "./aotigen-%p");
  s = getenv("AOTIGEN_LOG");
  settings.log = s && *s ? expand_log_name(s) : NULL;
  settings.on_fault =
      (enum ag_on_fault)(read_word("AOTIGEN_ON_FAULT", faults, "throw or report") + 1);
  settings.save_format = read_word("AOTIGEN_SAVE_FORMAT", formats, "pt or npy") == 1 ? AG_SAVE_NPY
                                                                                     : AG_SAVE_PT;
  settings.watchdog_us = read_seconds("AOTIGEN_WATCHDOG");
  settings.memory = read_switch("AOTIGEN_MEMORY") == 1;
  settings.nvtx = read_switch("AOTIGEN_NVTX") == 1;
  settings.signals = read_switch("AOTIGEN_SIGNALS") != 0;
  settings.blocking = read_flag("CUDA_LAUNCH_BLOCKING");
  settings.core_dump = read_flag("CUDA_ENABLE_COREDUMP_ON_EXCEPTION");
  settings.core_dump_file = settings.core_dump ? expand_driver_name(getenv("CUDA_COREDUMP_FILE"))
                                               : NULL;
  settings.stacks = read_flag("TORCH_SHOW_CPP_STACKTRACES");
  s = getenv("TORCH_CPP_LOG_LEVEL");
  settings.torch_silent = s && (!strcmp(s, "FATAL") || !strcmp(s, "3"));
}

const ag_settings *ag_settings_get(void) {
  pthread_once(&once, read_settings);
  return &settings;
}

void ag_settings_reload(void) {
  ag_settings_get();
  free((void *)(uintptr_t)settings.explain);
  free(settings.launches.ranges);
  free(settings.runs.ranges);
  free(settings.output_dir);
  free(settings.log);
  free(settings.core_dump_file);
  if (*settings.kernels) free((void *)(uintptr_t)settings.kernels);
  read_settings();
}
