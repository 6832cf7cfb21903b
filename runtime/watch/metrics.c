/* metrics.c - see metrics.h.
 *
 * Models of the process that have the same name, package and device are one there: their numbers
 * are added. */
#define _GNU_SOURCE
#include "watch/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/file_write.h"
#include "base/json.h"
#include "base/own_path.h"
#include "base/process_tag.h"
#include "base/settings.h"
#include "base/thread.h"
#include "checks/finding.h"
#include "watch/counts.h"

enum { PERIOD_US = 1000 * 1000, TURN_US = 1000, TURNS = 1000 };

bool ag_metrics_wanted(void) { return ag_settings_get()->metrics != NULL; }

/* ---- the text -------------------------------------------------------------------------------- */

typedef struct metric {
  const char *name, *label, *help; /* help: NULL: it is another row of the metric before */
} metric;

static const metric metrics[AG_COUNTS] = {
#define COUNT(NAME, field, metric, label, help) {metric, label, help},
#include "watch/counts.def"
};

/* Bytes that are no UTF-8 become question marks: the format has none. */
static void add_label(ag_text *t, const char *name, const char *value) {
  ag_text_addf(t, "%s=\"", name);
  for (int n; *value; value += n ? n : 1) {
    n = ag_json_measure_utf8(value);
    if (*value == '\n')
      ag_text_add(t, "\\n");
    else if (*value == '"' || *value == '\\')
      ag_text_addf(t, "\\%c", *value);
    else
      ag_text_add_bytes(t, n ? value : "?", n ? (size_t)n : 1);
  }
  ag_text_add(t, "\"");
}

static void add_labels(ag_text *t, const ag_count_row *row, const char *label) {
  char host[256] = "", number[32];
  if (gethostname(host, sizeof host - 1)) strcpy(host, "?");
  ag_text_add(t, "{");
  add_label(t, "model", row->model);
  ag_text_add(t, ",");
  add_label(t, "package", row->package);
  ag_text_add(t, ",");
  add_label(t, "device", row->device ? row->device : "?");
  ag_text_add(t, ",");
  add_label(t, "host", host);
  snprintf(number, sizeof number, "%ld", (long)getpid());
  ag_text_add(t, ",");
  add_label(t, "pid", number);
  snprintf(number, sizeof number, "%ld", ag_process_tag_rank());
  if (ag_process_tag_rank() >= 0) ag_text_addf(t, ",rank=\"%s\"", number);
  if (label) ag_text_addf(t, ",%s", label);
  ag_text_add(t, "}");
}

static bool are_one(const ag_count_row *x, const ag_count_row *y) {
  const char *on = x->device, *other = y->device;
  return !strcmp(x->model, y->model) && !strcmp(x->package, y->package) &&
         !strcmp(on ? on : "", other ? other : "");
}

/* The first of the rows that are one stands for all. */
static bool is_first(const ag_count_row *rows, const ag_count_row *row) {
  while (rows != row && !are_one(rows, row)) rows = rows->next;
  return rows == row;
}

static void add_metric(ag_text *t, const ag_count_row *rows, int which) {
  const metric *m = &metrics[which];
  if (m->help)
    ag_text_addf(t,
                 "# HELP aotigen_watch_%s_total %s\n"
                 "# TYPE aotigen_watch_%s_total counter\n",
                 m->name, m->help, m->name);
  for (const ag_count_row *row = rows; row; row = row->next) {
    uint64_t n = 0;
    if (!is_first(rows, row)) continue;
    for (const ag_count_row *r = row; r; r = r->next)
      if (are_one(r, row)) n += atomic_load(&r->n[which]);
    ag_text_addf(t, "aotigen_watch_%s_total", m->name);
    add_labels(t, row, m->label);
    if (which == AG_COUNT_NS)
      ag_text_addf(t, " %llu.%09llu\n", (unsigned long long)(n / 1000000000u),
                   (unsigned long long)(n % 1000000000u));
    else
      ag_text_addf(t, " %llu\n", (unsigned long long)n);
  }
}

/* ---- the file -------------------------------------------------------------------------------- */

/* The name that this process gives it, from the directory that it had at the first call. A child of
 * fork() has a name of its own, where %p is in it. */
static const char *find_name(void) {
  static char *here;
  static ag_text name;
  static pid_t process;
  if (process == getpid()) return ag_text_string(&name);
  char *given =
      ag_file_name_expand("AOTIGEN_METRICS", ag_settings_get()->metrics, ag_settings_get()->rank);
  process = getpid();
  if (!here) here = getcwd(NULL, 0);
  ag_text_clear(&name);
  if (given && *given != '/' && here) ag_text_addf(&name, "%s/", here);
  ag_text_add(&name, given ? given : "");
  free(given);
  return ag_text_string(&name);
}

static const char *write_beside(const char *path, const ag_text *text) {
  unlink(path); /* an earlier process of this number was killed */
  int fd = ag_own_path_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return ag_own_path_error(errno);
  const char *why = ag_file_write(fd, text->data, text->length);
  if (close(fd) && !why) why = strerror(errno);
  return why;
}

static void write_file(const char *name, const ag_text *text) {
  static bool has_failed;
  struct stat st;
  ag_text beside = {0};
  const char *why = NULL;
  ag_text_addf(&beside, "%s.%ld.part", name, (long)getpid());
  const char *path = ag_text_string(&beside);
  if (!lstat(name, &st) && !S_ISREG(st.st_mode))
    why = "it is there, and is no regular file";
  else if (!(why = write_beside(path, text)) && rename(path, name))
    why = strerror(errno);
  if (why) unlink(path);
  if (why && !has_failed) ag_warn("AOTIGEN_METRICS is not written: '%s': %s", name, why);
  has_failed = why != NULL;
  ag_text_free(&beside);
}

static void write_all(ag_count_table *table) {
  static ag_text last;
  const char *name = find_name();
  ag_text text = {0};
  for (int i = 0; i < AG_COUNTS; i++) add_metric(&text, atomic_load(&table->rows), i);
  if (text.length &&
      (access(name, F_OK) || strcmp(ag_text_string(&text), ag_text_string(&last)) != 0)) {
    write_file(name, &text);
    ag_text_free(&last);
    last = text;
  } else {
    ag_text_free(&text);
  }
  atomic_store(&table->written, ag_time_us());
}

void ag_metrics_write(bool at_end) {
  ag_count_table *table = ag_metrics_wanted() ? ag_counts_table() : NULL;
  if (!table || (!at_end && ag_time_us() - atomic_load(&table->written) < PERIOD_US)) return;
  bool is_taken = atomic_flag_test_and_set(&table->writing);
  for (int i = 0; is_taken && at_end && i < TURNS; i++) {
    ag_time_sleep_us(TURN_US);
    is_taken = atomic_flag_test_and_set(&table->writing);
  }
  if (is_taken) return;
  write_all(table);
  atomic_flag_clear(&table->writing);
}
