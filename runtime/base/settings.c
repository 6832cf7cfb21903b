/* settings.c - reads the environment's variables and parses their values. */
#define _GNU_SOURCE
#include "base/settings.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/element_list.h"
#include "base/file_name.h"
#include "base/process_tag.h"
#include "shared/filter.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/value_limits.h"
#include "shared/variables.h"

static ag_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool are_read;

/* Parses a number at *s and advances *s. */
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

/* Parses a range at *s. */
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
  ag_sink_write_stderr(ag_text_string(t));
  ag_text_free(t);
}

static void ignore_value(const char *name, const char *value, const char *expected) {
  ag_text t = {0};
  ag_text_addf(&t, "aotigen: ignoring %s='%s': expected %s\n", name, value, expected);
  complain(&t);
}

/* ---- names of files */

/* The caller frees the result. */
static char *expand_name(const char *name, const char *s) {
  return ag_file_name_expand(name, s, settings.rank);
}

/* The same for the log, which may be reopened after the working directory changed. If that has no
 * name, the log's name stays relative. */
static char *expand_log_name(const char *name_of, const char *s) {
  ag_text t = {0};
  char *name = expand_name(name_of, s), *here = *name == '/' ? NULL : getcwd(NULL, 0);
  if (!here) return name;
  ag_text_addf(&t, "%s/%s", here, name);
  free(here);
  free(name);
  return t.data;
}

/* The driver replaces %p by the process id. Returns NULL if it may replace anything else. */
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

/* ---- each kind of shared/variables.def: from the value, or NULL, to the field */

typedef struct row {
  const char *name, *words, *fallback;
} row;

/* An empty value counts as none, except if an empty list replaces another one. */
static const char *or_fallback(const row *r, const char *value) {
  return value && *value ? value : r->fallback;
}

/* The host may change its environment later, so texts are copied. */
static char *copy(const char *s) { return s ? strdup(s) : NULL; }

static void read_text(const row *r, const char *value, char **to) {
  *to = copy(or_fallback(r, value));
}

static char all[] = ""; /* the filter if none is given */

static void read_filter(const row *r, const char *value, char **to) {
  bool valid = !value || ag_filter_is_valid(value);
  if (!valid) ignore_value(r->name, value, "patterns such as gelu,*mm* or !softmax");
  *to = valid && value && *value ? copy(value) : NULL;
  if (!*to) *to = all;
}

static void read_elements(const row *r, const char *value, char **to) {
  ag_element_list list;
  *to = NULL;
  if (value && !ag_element_list_read(&list, value)) {
    ignore_value(r->name, value, AG_ELEMENTS_WANTED);
  } else if (value) {
    ag_element_list_free(&list);
    *to = copy(value);
  }
}

static void read_limits(const row *r, const char *value, char **to) {
  ag_value_limits limits;
  size_t where;
  const char *why = value ? ag_value_limits_read(&limits, value, &where) : NULL;
  *to = value && *value && !why ? copy(value) : NULL;
  if (!why) return;
  ag_text t = {0};
  ag_text_addf(&t, "%s at character %zu, as in '|out| < 1e4; out1 >= 0'", why, where + 1);
  ignore_value(r->name, value, ag_text_string(&t));
  ag_text_free(&t);
}

static void read_numbers(const row *r, const char *value, ag_number_list *to) {
  *to = (ag_number_list){0};
  if (value && !parse_list(value, to))
    ignore_value(r->name, value, "numbers and ranges such as 7,3-9,5-");
}

static void read_file(const row *r, const char *value, char **to) {
  value = or_fallback(r, value);
  *to = value ? expand_name(r->name, value) : NULL;
}

static void read_log(const row *r, const char *value, char **to) {
  value = or_fallback(r, value);
  *to = value ? expand_log_name(r->name, value) : NULL;
}

static void read_table(const row *r, const char *value, char **to) {
  const bool on = value && *value && strcmp(value, "0") != 0;
  *to = !on ? NULL : strcmp(value, "1") ? expand_log_name(r->name, value) : copy("");
}

static void read_dump(const row *r, const char *value, char **to) {
  (void)r;
  *to = expand_driver_name(value);
}

/* Expected are words such as "throw or report". */
static void ignore_word(const row *r, const char *value) {
  const char *last = strrchr(r->words, ' ');
  ag_text t = {0};
  for (const char *s = r->words; *s; s++)
    ag_text_add(&t, s == last ? " or " : *s == ' ' ? ", " : (const char[]){*s, 0});
  ignore_value(r->name, value, ag_text_string(&t));
  ag_text_free(&t);
}

static void read_word(const row *r, const char *value, int *to) {
  *to = value && *value ? (int)ag_word_find(r->words, value, strncasecmp) : 0;
  if (value && *value && !*to) ignore_word(r, value);
  if (!*to && r->fallback) *to = (int)ag_word_find(r->words, r->fallback, strncasecmp);
}

static void read_flag(const row *r, const char *value, bool *to) {
  const row words = {r->name, "0 1", r->fallback};
  int n;
  read_word(&words, value, &n);
  *to = n == 2;
}

/* Parses decimal seconds at *s to microseconds; 0 if there are none, or more than a year.
 * Independent of the process's locale. */
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

static void read_seconds(const row *r, const char *value, int64_t *to) {
  enum { LEAST = 1000 };
  *to = value && *value ? parse_seconds(value) : 0;
  if (*to >= LEAST || !value || !*value) return;
  ignore_value(r->name, value, "seconds such as 30 or 0.5");
  *to = 0;
}

static void read_count(const row *r, const char *value, uint64_t *to) {
  const char *s = value;
  bool all_of_them = value && strcasecmp(value, "all") == 0;
  if (all_of_them || (value && parse_number(&s, to) && !*s)) {
    if (all_of_them) *to = UINT64_MAX;
    return;
  }
  if (value && *value) ignore_value(r->name, value, "a number or all");
  s = r->fallback;
  parse_number(&s, to);
}

static void read_interval(const row *r, const char *value, uint64_t *to) {
  const char *s = value;
  if (value && parse_number(&s, to) && !*s && *to) return;
  if (value && *value) ignore_value(r->name, value, "a number from 1 on");
  s = r->fallback;
  parse_number(&s, to);
}

static void read_debug(const row *r, const char *value, uint64_t *to) {
  enum { RUNS = 20 };
  static const char word[] = "debug";
  const char *s = value && !strncasecmp(value, word, sizeof word - 1) ? value + sizeof word - 1
                                                                      : NULL;
  *to = s ? RUNS : 0;
  if (!value || !*value || (s && !*s)) return;
  if (s && *s++ == ':' && parse_number(&s, to) && !*s && *to) return;
  ignore_value(r->name, value, "debug, or debug:N with the number of runs");
  *to = 0;
}

static void read_foreign(const row *r, const char *value, bool *to) {
  *to = value && ag_word_find(r->words, value, strncmp);
}

/* Of a name that is similar to one of ours. */
static void name_misspelt(void) {
  for (char **at = environ; at && *at; at++) {
    ag_text t = {0};
    char name[64];
    size_t n;
    const char *meant = ag_variable_meant(*at, &n);
    if (!meant || snprintf(name, sizeof name, "%.*s", (int)n, *at) >= (int)sizeof name ||
        !secure_getenv(name))
      continue;
    ag_text_addf(&t, "aotigen: ignoring %s: it has no meaning; the nearest that has is %s\n", name,
                 meant);
    complain(&t);
  }
}

/* Of a job, rather than of a machine. */
static const char *find_rank(void) {
  const char *const ranks[] = {settings.rank, settings.mpi_rank, settings.pmi_rank,
                               settings.slurm_rank, settings.local_rank};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
    if (ranks[i]) return ranks[i];
  return NULL;
}

static void read_settings(void) {
  name_misspelt();
#define VARIABLE(field, NAME, kind, words, fallback)                                               \
  read_##kind(&(const row){#NAME, words, fallback}, secure_getenv(#NAME), &settings.field);
#include "shared/variables.def"
  ag_process_tag_set_rank(find_rank());
  ag_process_tag_set_run(settings.run_by);
  if (settings.core_dump) return;
  free(settings.core_dump_file);
  settings.core_dump_file = NULL;
}

/* ---- and back */

static void free_text(char **of) { free(*of); }
static void free_filter(char **of) {
  if (*of != all) free(*of);
}
static void free_numbers(ag_number_list *of) { free(of->ranges); }
static void free_nothing(void *of) { (void)of; }

#define free_elements free_text
#define free_limits free_text
#define free_file free_text
#define free_log free_text
#define free_table free_text
#define free_dump free_text
#define free_word free_nothing
#define free_flag free_nothing
#define free_seconds free_nothing
#define free_count free_nothing
#define free_interval free_nothing
#define free_debug free_nothing
#define free_foreign free_nothing

/* Asked for several times at each launch. */
const ag_settings *ag_settings_get(void) {
  if (!atomic_load_explicit(&are_read, memory_order_acquire)) {
    pthread_once(&once, read_settings);
    atomic_store_explicit(&are_read, true, memory_order_release);
  }
  return &settings;
}

void ag_settings_reload(void) {
  ag_settings_get();
#define VARIABLE(field, NAME, kind, ...) free_##kind(&settings.field);
#include "shared/variables.def"
  read_settings();
}
