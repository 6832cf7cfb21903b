/* again.c - see again.h. A finding is known by a text that is made of its report. */
#define _GNU_SOURCE
#include "checks/again.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"

enum { FINDINGS_MOST = 512, LABEL = 16 /* the column behind the labels of a report */ };

typedef struct told_finding {
  char *key;
  char *operation;    /* where the value was born, as `how` has it; "" where no report told it */
  char *head;         /* of the report that was told in full, or in a line */
  char *found;        /* ", NAME: FINDING" of it */
  uint64_t run;       /* its run; then those in which it came again */
  uint64_t from, to;  /* the first and the last of them */
  uint64_t times;     /* that it came again */
  uint64_t told;      /* the times that stand in its last line */
  bool limited;       /* it was told in a line */
  bool several_a_run; /* it came more than once in a run */
} told_finding;

typedef struct ag_again {
  told_finding *list;
  size_t count, room;
  uint64_t full, limited; /* the findings told in full, and those in a line */
  pid_t process;          /* that counted them */
  const char *source;     /* the model's */
  struct ag_again *next;
} ag_again;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

AG_FORK_LOCK(lock)

static ag_again *tables; /* under the lock: those of all models */

/* ---- what a finding is known by -------------------------------------------------------------- */

/* The number behind "run " in the head of a report, from which *end is what follows; NULL if there
 * is none. */
static const char *find_run(const char *head, const char **end) {
  size_t n = strcspn(head, "\n");
  for (const char *at = head; (at = memmem(at, n - (size_t)(at - head), "run ", 4)) != NULL;) {
    at += 4;
    if (!isdigit((unsigned char)*at)) continue;
    for (*end = at; isdigit((unsigned char)**end);) ++*end;
    return at;
  }
  return NULL;
}

/* True if what stands under the label tells findings apart. An input of a launch does if it is not
 * what was expected. */
static bool is_telling(const char *line, const char *finding) {
  static const char *const labels[] = {
      "output ",   "argument ", "input ", "weight ", "buffer ",      "released ", "read as ",
      "given as ", "error ",    "grid ",  "device ", "kernel file ", "weights ",  "tensors "};
  if (strncmp(line, "  input ", 8) == 0)
    return memmem(finding, strcspn(finding, "\n"), ": expected ", 11);
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
    if (strncmp(line, "  ", 2) == 0 && strncmp(line + 2, labels[i], strlen(labels[i])) == 0)
      return true;
  return false;
}

/* "NaN in " of "NaN in 3 of 16 elements", "dtype" of "dtype: expected float32, found int64". */
static void add_kind(ag_text *key, const char *finding) {
  size_t n = strcspn(finding, "\n"), number = strcspn(finding, "0123456789-;\n");
  const char *expected = memmem(finding, n, ": expected ", 11);
  ag_text_add_bytes(key, finding, expected ? (size_t)(expected - finding) : number);
  ag_text_add(key, "\n");
}

/* The name that stands behind the label, without what follows: sizes may differ. An error's text
 * stands there as a whole. */
static void add_name(ag_text *key, const char *line) {
  bool error = strncmp(line, "  error ", 8) == 0;
  size_t n = strcspn(line, "\n");
  const char *end = error ? NULL : memmem(line, n, ": ", 2);
  ag_text_add_bytes(key, line, end ? (size_t)(end - line) : n);
  ag_text_add(key, "\n");
}

static bool is_finding(const char *line) {
  return strspn(line, " ") == LABEL && strcspn(line, "\n") > LABEL;
}

static void make_key(ag_text *key, const char *report, const char *run, const char *behind) {
  const char *line = report + strcspn(report, "\n"), *named = NULL, *name = NULL;
  ag_text_add_bytes(key, report, (size_t)(run - report));
  ag_text_add_bytes(key, behind, (size_t)(line - behind));
  ag_text_add(key, "\n");
  for (line += *line == '\n'; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    if (strncmp(line, "  launched at ", 14) == 0) add_name(key, line);
    if (!is_finding(line)) {
      named = line;
      if (strncmp(line, "  input ", 8) && is_telling(line, "")) add_name(key, line);
    } else if (named && is_telling(named, line)) {
      if (strncmp(named, "  input ", 8) == 0 && named != name) add_name(key, named);
      name = named;
      add_kind(key, line + LABEL);
    }
  }
}

/* The operation at which `how` begins, without its value and the elements: "tmp3 = log(tmp2)";
 * nothing where the report has none. A launch may make bad values at several lines of the model. */
static void add_operation(ag_text *to, const char *report) {
  const char *how = strstr(report, "\n  how "), *here = how ? strstr(how, " <- here") : NULL;
  const char *line = here, *end = here, *at;
  if (!here) return;
  while (line[-1] != '\n') line--;
  while (end > line && strncmp(end, " = ", 3) != 0) end--;
  for (at = line + strspn(line, " "); at < end; at++) {
    const char *close = *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;
    if (close)
      at = close;
    else
      ag_text_add_bytes(to, at, 1);
  }
}

/* ---- the table ------------------------------------------------------------------------------- */

/* What a process has counted is its own to tell: a child begins anew. */
static void count_own(ag_again *t) {
  if (t->process == getpid()) return;
  t->process = getpid();
  t->limited = 0;
  for (size_t i = 0; i < t->count; i++) t->list[i].times = t->list[i].told = 0;
}

static ag_again *table_of(ag_model_state *m) {
  if (!m->again && (m->again = calloc(1, sizeof *m->again)) != NULL) {
    m->again->source = m->model->source;
    m->again->process = getpid();
    m->again->next = tables;
    tables = m->again;
  }
  if (m->again) count_own(m->again);
  return m->again;
}

/* A report without an operation is of any finding of its key, and one may be of a finding that had
 * none so far. */
static told_finding *find(ag_again *t, const char *key, const char *operation) {
  told_finding *untold = NULL, *any = NULL;
  for (size_t i = 0; i < t->count; i++) {
    told_finding *f = &t->list[i];
    if (strcmp(f->key, key) != 0) continue;
    if (strcmp(f->operation, operation) == 0) return f;
    if (!*f->operation) untold = f;
    if (!any) any = f;
  }
  return *operation ? untold : any;
}

static void add(ag_again *t, const char *key, const char *operation, const char *head,
                const char *found, uint64_t run, bool limited) {
  if (t->count == FINDINGS_MOST ||
      !ag_list_grow((void **)&t->list, &t->room, t->count, sizeof *t->list))
    return;
  told_finding f = {.key = strdup(key),
                    .operation = strdup(operation),
                    .head = strdup(head),
                    .found = strdup(found),
                    .run = run,
                    .limited = limited};
  if (f.key && f.operation && f.head && f.found) {
    t->list[t->count++] = f;
    return;
  }
  free(f.key);
  free(f.operation);
  free(f.head);
  free(f.found);
}

static const char *name_times(const told_finding *f) {
  if (f->several_a_run) return f->times == 1 ? "time" : "times";
  return f->times == 1 ? "run" : "runs";
}

static void count_again(told_finding *f, uint64_t run) {
  if (!f->times) f->from = run;
  f->several_a_run |= run == (f->times ? f->to : f->run);
  f->to = run;
  f->times++;
}

/* The line of a return whose number is a power of two. What was found is told where it differs. */
static void fold(told_finding *f, ag_text *line, const char *head, const char *found) {
  if (f->times & (f->times - 1)) return;
  f->told = f->times;
  ag_text_add(line, head);
  if (strcmp(found, f->found)) ag_text_add(line, found);
  ag_text_addf(line, "; again: told in run %llu, in %llu %s since\n", (unsigned long long)f->run,
               (unsigned long long)f->times, name_times(f));
}

/* The operation of a finding that had none so far. */
static void learn(told_finding *f, const char *operation) {
  char *copy = *f->operation || !*operation ? NULL : strdup(operation);
  if (!copy) return;
  free(f->operation);
  f->operation = copy;
}

static enum ag_telling tell(ag_again *t, ag_text *line, const char *key, const char *operation,
                            const char *head, const char *found, uint64_t run) {
  const uint64_t most = ag_settings_get()->reports;
  told_finding *f = find(t, key, operation);
  if (f) {
    learn(f, operation);
    count_again(f, run);
    fold(f, line, head, found);
    return f->limited ? AG_TELL_LIMITED : AG_TELL_FOLDED;
  }
  add(t, key, operation, head, found, run, t->full >= most);
  if (t->full < most) {
    t->full++;
    return AG_TELL_IN_FULL;
  }
  t->limited++;
  ag_text_add(line, head);
  ag_text_add(line, found);
  ag_text_addf(line, "; not told in full: AOTIGEN_REPORTS=%llu\n", (unsigned long long)most);
  return AG_TELL_LIMITED;
}

enum ag_telling ag_again_note(ag_model_state *m, const char *report, ag_text *line) {
  const char *behind, *run = find_run(report, &behind);
  enum ag_telling how = AG_TELL_IN_FULL;
  ag_text key = {0}, operation = {0}, head = {0}, found = {0};
  if (!m || !run || ag_settings_get()->reports == UINT64_MAX) return how;
  make_key(&key, report, run, behind);
  add_operation(&operation, report);
  ag_text_add_bytes(&head, report, strcspn(report, "\n"));
  ag_report_add_found(&found, report);
  pthread_mutex_lock(&lock);
  ag_again *t = table_of(m);
  if (t)
    how = tell(t, line, ag_text_string(&key), ag_text_string(&operation), ag_text_string(&head),
               ag_text_string(&found), strtoull(run, NULL, 10));
  pthread_mutex_unlock(&lock);
  ag_text_free(&key);
  ag_text_free(&operation);
  ag_text_free(&head);
  ag_text_free(&found);
  return how;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void sum_up(const ag_again *t) {
  ag_text s = {0};
  for (size_t i = 0; i < t->count; i++) {
    const told_finding *f = &t->list[i];
    if (f->times == f->told) continue;
    ag_text_add(&s, f->head);
    if (f->from == f->to)
      ag_text_addf(&s, ": again in run %llu", (unsigned long long)f->to);
    else
      ag_text_addf(&s, ": again in runs %llu to %llu", (unsigned long long)f->from,
                   (unsigned long long)f->to);
    ag_text_addf(&s, " (%llu %s)\n", (unsigned long long)f->times, name_times(f));
  }
  if (t->limited)
    ag_text_addf(
        &s, "aotigen: findings of %s that were not told in full: %llu (AOTIGEN_REPORTS=%llu)\n",
        t->source, (unsigned long long)t->limited, (unsigned long long)ag_settings_get()->reports);
  if (s.length) ag_sink_write_stderr(ag_text_string(&s));
  ag_text_free(&s);
}

/* When the process exits, or the model is unloaded. The lock is not waited for: a thread that ended
 * may hold it. */
__attribute__((destructor)) static void sum_up_all(void) {
  if (pthread_mutex_trylock(&lock)) return;
  for (const ag_again *t = tables; t; t = t->next)
    if (t->process == getpid()) sum_up(t);
  pthread_mutex_unlock(&lock);
}
