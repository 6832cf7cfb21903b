/* event_log.c - see event_log.h. */
#include "run/event_log.h"
#include "base/file.h"
#include "base/json_span.h"
#include "shared/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A longer line is skipped, and a longer text cut: a report shows less of one. */
enum { LONGEST = 1 << 20, FIELD_MAX = 64 << 10, TEXT_MAX = 2000, REPLACED_MOST = 4096 };

/* ---- fields */

/* Cuts a text at the start of a character. */
static const char *cut(const char *text, arena *a) {
  size_t n = strnlen(text, TEXT_MAX + 1);
  if (n <= TEXT_MAX) return text;
  n = TEXT_MAX;
  while (n && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
  return arena_strndup(a, text, n);
}

static const char *read_text(json_span value, arena *a) {
  const char *text = json_span_short_text(value, FIELD_MAX, a);
  return text && *text ? cut(text, a) : NULL;
}

static const char *get_text(json_span line, const char *name, arena *a) {
  return read_text(json_span_member(line, name), a);
}

/* A name that the library wrote has no escapes. */
static bool is_name(json_span value, const char *name) {
  size_t n = strlen(name);
  return value.n == n + 2 && value.at[0] == '"' && !memcmp(value.at + 1, name, n);
}

static long long get_number(json_span line, const char *name) {
  long long x = json_span_integer(json_span_member(line, name), -1);
  return x < 0 ? -1 : x;
}

/* In seconds, with a fraction. */
static double get_time(json_span line) {
  json_span value = json_span_member(line, "time");
  char text[32] = "";
  if (value.n < sizeof text) memcpy(text, value.at ? value.at : "", value.n);
  const double time = strtod(text, NULL);
  return time > 0 ? time : HUGE_VAL;
}

/* A field that is padded with blanks. */
static const char *get_padded(json_span line, const char *name, arena *a) {
  const char *text = get_text(line, name, a);
  size_t n = text ? strlen(text) : 0;
  while (n && text[n - 1] == ' ') n--;
  return n ? arena_strndup(a, text, n) : NULL;
}

/* A short padded name. False if it is none. */
static bool copy_padded(json_span value, char *to, size_t room) {
  if (value.n < 2 || value.at[0] != '"') return false;
  size_t n = value.n - 2;
  while (n && value.at[n] == ' ') n--;
  if (!n || n >= room) return false;
  memcpy(to, value.at + 1, n);
  to[n] = '\0';
  return true;
}

/* "2,3" for [2,3]; "" for a scalar's []; NULL if an element is no number. */
static const char *get_index(json_span line, arena *a) {
  json_span list = json_span_member(line, "first_index");
  const char *text = "";
  if (!json_span_is_array(list)) return NULL;
  json_walk w = json_walk_begin(list);
  for (int i = 0; json_walk_next(&w) && i < 64; i++) {
    long long x = json_span_integer(w.value, -1);
    if (x < 0) return NULL;
    text = arena_printf(a, "%s%s%lld", text, i ? "," : "", x);
  }
  return w.failed ? NULL : text;
}

static strings get_texts(json_span line, const char *name, arena *a) {
  json_span list = json_span_member(line, name);
  strings texts = {0};
  if (!json_span_is_array(list)) return texts;
  for (json_walk w = json_walk_begin(list); json_walk_next(&w);) {
    const char *text = read_text(w.value, a);
    if (text) *arena_push(a, &texts) = text;
  }
  return texts;
}

static strings get_model_lines(json_span line, arena *a) {
  json_span list = json_span_member(line, "model_lines");
  strings shown = {0};
  if (!json_span_is_array(list)) return shown;
  for (json_walk w = json_walk_begin(list); json_walk_next(&w);) {
    const char *file = get_text(w.value, "file", a), *text = get_text(w.value, "text", a),
               *module = get_text(w.value, "module", a);
    long long number = get_number(w.value, "line");
    if (!file || number < 0) continue;
    *arena_push(a, &shown) = arena_printf(a, "%s:%lld%s%s%s%s%s", file_here(file, a), number,
                                          text ? "  " : "", text ? text : "", module ? "  (" : "",
                                          module ? module : "", module ? ")" : "");
  }
  return shown;
}

/* ---- events */

/* A signal from another process, whichever it is, says nothing of the launch. */
static enum cause find_signal(json_span line) {
  static const char *const crashes[] = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"};
  const json_span name = json_span_member(line, "signal");
  if (get_number(line, "run") < 0) return CAUSE_OUTSIDE;
  if (get_number(line, "sender") > 0) return CAUSE_INTERRUPTED;
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    if (is_name(name, crashes[i])) return CAUSE_CRASH;
  return is_name(name, "SIGABRT") ? CAUSE_ABORT : CAUSE_INTERRUPTED;
}

/* The event whose line tells the cause. */
static enum event_kind event_of(enum cause cause) {
  static const enum event_kind events[] = {
#define CAUSE(NAME, event, ...) EVENT_##event,
#include "shared/causes.def"
  };
  return events[cause];
}

static enum cause find_cause(json_span name, json_span line) {
  if (is_name(name, event_name(EVENT_MEMORY)) &&
      is_name(json_span_member(line, "check"), EVENT_UNWRITTEN))
    return CAUSE_UNWRITTEN;
  if (is_name(name, event_name(EVENT_RACE)) &&
      is_name(json_span_member(line, "check"), ag_check_name(AG_CHECK_COLLECTIVE)))
    return CAUSE_COLLECTIVE;
  if (is_name(name, event_name(EVENT_RACE)) &&
      is_name(json_span_member(line, "check"), ag_check_name(AG_CHECK_STREAM)))
    return CAUSE_STREAM;
  if (is_name(name, event_name(EVENT_SIGNAL))) return find_signal(line);
  for (int i = 0; i < CAUSES; i++)
    if (is_name(name, event_name(event_of((enum cause)i)))) return (enum cause)i;
  return CAUSE_NONE;
}

static void read_fields(event *e, json_span line, arena *a) {
#define NUMBER(name, field) e->field = get_number(line, name);
#define TEXT(name, field) e->field = get_text(line, name, a);
#include "run/event_fields.def"
}

/* "launches":[1,2],"sites":[4,5]. */
static void read_suspects(event_memory *m, json_span line) {
  json_walk launches = json_walk_begin(json_span_member(line, "launches")),
            sites = json_walk_begin(json_span_member(line, "sites"));
  while (m->nsuspects < EVENT_SUSPECTS && json_walk_next(&launches) && json_walk_next(&sites))
    m->suspects[m->nsuspects++] = (event_suspect){.launch = json_span_integer(launches.value, -1),
                                                  .site = json_span_integer(sites.value, -1)};
}

static void read_event(event *e, json_span line, arena *a) {
  read_fields(e, line, a);
  e->memory.element = json_span_integer(json_span_member(line, "element"), EVENT_NO_ELEMENT);
  read_suspects(&e->memory, line);
  e->value.index = get_index(line, a);
  e->place.model_lines = get_model_lines(line, a);
  e->value.how_steps = get_texts(line, "how_steps", a);
  e->place.names_guessed = json_span_is_true(json_span_member(line, "names_guessed"));
  e->place.lines_guessed = json_span_is_true(json_span_member(line, "lines_guessed"));
}

bool event_is_on_cpu(const event *e) { return !e->value.device || !strcmp(e->value.device, "cpu"); }

bool in_flight_is_over(const in_flight *u) {
  return !strcmp(u->at, "run over") || !strcmp(u->at, "loaded");
}

/* A launch in flight tells more than one that is over, and an earlier one more than a later one. */
static bool tells_more(const in_flight *x, const in_flight *y) {
  const bool over = in_flight_is_over(x);
  return over == in_flight_is_over(y) ? x->time < y->time : !over;
}

/* The entry for a new line, or NULL. The memory of a replaced line is lost, so only so many are
 * replaced. */
static in_flight *find_room(event_log *log, const in_flight *u) {
  in_flight *least = &log->threads[0];
  if (log->nthreads < IN_FLIGHT_MOST) return &log->threads[log->nthreads++];
  for (size_t i = 1; i < log->nthreads; i++)
    if (tells_more(least, &log->threads[i])) least = &log->threads[i];
  return tells_more(u, least) && log->replaced++ < REPLACED_MOST ? least : NULL;
}

static void add_in_flight(event_log *log, json_span line) {
  char at[32];
  in_flight u = {.at = at, .time = get_time(line)}, *to;
  if (!copy_padded(json_span_member(line, "at"), at, sizeof at)) return;
  to = find_room(log, &u);
  if (!to) return;
  *to = (in_flight){.at = arena_strdup(log->a, at),
                    .time = u.time,
                    .pid = get_number(line, "pid"),
                    .thread = get_number(line, "thread"),
                    .run = get_number(line, "run"),
                    .launch = get_number(line, "launch"),
                    .line = get_number(line, "line"),
                    .source = get_padded(line, "source", log->a),
                    .kernel = get_padded(line, "kernel", log->a)};
}

event *event_log_find(const event_log *log, enum cause cause, long long pid) {
  for (size_t i = 0; i < log->earlier.n; i++)
    if (log->earlier.at[i].cause == cause && log->earlier.at[i].pid == pid)
      return &log->earlier.at[i];
  return NULL;
}

const event *event_log_find_before(const event_log *log, enum cause cause, const event *e) {
  const event *x = event_log_find(log, cause, e->pid);
  const bool of_any = cause == CAUSE_MEMORY || cause == CAUSE_WARNING;
  if (!x || (!of_any && x->place.run != e->place.run)) return NULL;
  return x->time < e->time || (x->time == e->time && x->number < e->number) ? x : NULL;
}

static bool explains_later(enum cause cause) {
  static const bool explains[] = {
#define CAUSE(NAME, event, what, counted, why, explains) explains,
#include "shared/causes.def"
  };
  return explains[cause];
}

/* A run's inputs explain what happens in it: of these causes the first event of the last run
 * counts. */
static bool is_of_inputs(enum cause cause) {
  return cause == CAUSE_INPUT || cause == CAUSE_WARNING;
}

/* Within a file, a process's first event of the cause counts, even if its clock went back; of
 * several files, the earliest. */
static bool counts_instead(const event_log *log, const event *e, json_span line) {
  if (is_of_inputs(e->cause))
    return e->place.run != get_number(line, "run") && get_time(line) >= e->time;
  return e->number <= log->begin && get_time(line) < e->time;
}

/* The wrapper copies an input that is not aligned. */
static bool is_harmless(enum cause cause, json_span line) {
  return cause == CAUSE_WARNING && is_name(json_span_member(line, "check"), "alignment");
}

static void add_earlier(event_log *log, enum cause cause, json_span line) {
  const bool explains = explains_later(cause);
  event *e = explains ? event_log_find(log, cause, get_number(line, "pid")) : NULL;
  if (!explains || is_harmless(cause, line) || (!e && log->earlier.n == EARLIER_MOST)) return;
  if (e && (!counts_instead(log, e, line) || log->replaced++ >= REPLACED_MOST)) return;
  if (!e) e = arena_push(log->a, &log->earlier);
  *e = (event){.cause = cause, .number = log->lines, .time = get_time(line)};
  read_event(e, line, log->a);
}

/* The events of a run come before those of the next one. */
static void count_run(event_log *log, enum cause cause, json_span line) {
  const long long run = get_number(line, "run"), pid = get_number(line, "pid");
  if (run < 1 || (log->last_run[cause] == run && log->last_pid[cause] == pid)) return;
  log->runs[cause]++;
  log->last_run[cause] = run;
  log->last_pid[cause] = pid;
}

/* Of a lost device each suspect has a line. */
static bool is_same_loss(const event_log *log, enum cause cause, json_span line) {
  return cause == CAUSE_DEVICE && log->counts[cause] && get_number(line, "suspects") > 1 &&
         log->last_pid[cause] == get_number(line, "pid");
}

static void note_first(event_log *log, event *first, enum cause cause, json_span line) {
  if (first->number) return;
  *first = (event){.cause = cause, .number = log->lines, .time = get_time(line)};
  read_event(first, line, log->a);
}

/* Each process may have a file of its own, and their names are in no order. */
static void add_event(event_log *log, enum cause cause, json_span line) {
  if (cause == CAUSE_NONE) return;
  if (json_span_member(line, "suspected_by").n) {
    note_first(log, &log->suspected, cause, line);
    return;
  }
  const bool known = log->counts[cause] > 0, seen = log->seen[cause];
  log->counts[cause] += !is_same_loss(log, cause, line);
  count_run(log, cause, line);
  const bool last = cause == CAUSE_OUTSIDE;
  const double time = seen && !last ? 0 : get_time(line);
  log->seen[cause] = true;
  add_earlier(log, cause, line);
  if (cause == CAUSE_BORN && json_span_member(line, "made_of").n)
    note_first(log, &log->made, cause, line);
  if (last && known && (time < log->first[cause].time || log->replaced++ >= REPLACED_MOST)) return;
  if (!last && (seen || (known && time >= log->first[cause].time))) return;
  log->first[cause] = (event){.cause = cause, .number = log->lines, .time = time};
  read_event(&log->first[cause], line, log->a);
}

static const char *const requests[] = {"SIGTERM", "SIGINT", "SIGHUP"};

bool event_is_request(const event *e) {
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    if (e->end.signal && !strcmp(e->end.signal, requests[i])) return true;
  return false;
}

static bool is_request(json_span line) {
  const json_span name = json_span_member(line, "signal");
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    if (is_name(name, requests[i])) return true;
  return false;
}

static bool is_of_launch(const event *e, json_span line) {
  return e->pid == get_number(line, "pid") && e->place.run == get_number(line, "run") &&
         e->place.launch == get_number(line, "launch");
}

/* Adds the reason why the launch fails that a signal ended: the line follows that of the signal. */
/* A log is a stranger's: a number that would not fit is left out. */
static void add_left_out(event_log *log, json_span line) {
  const long long launches = get_number(line, "launches"), count = get_number(line, "count");
  long long sum;
  if (count < 1 || launches < count || __builtin_add_overflow(log->launches, launches, &sum))
    return;
  log->launches = sum;
  log->left_out += count;
}

static void add_explained(event_log *log, json_span line) {
  static const enum cause causes[] = {CAUSE_CRASH, CAUSE_ABORT};
  for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
    event *e = &log->first[causes[i]];
    if (!log->counts[causes[i]] || e->value.how || !is_of_launch(e, line)) continue;
    e->value.how = get_text(line, "how", log->a);
    e->value.how_steps = get_texts(line, "how_steps", log->a);
  }
}

/* The library tells of such a step that another rank may have brought the value as well. */
static void add_given(event_log *log, json_span line) {
  if (log->ngiven == GIVEN_MOST || !json_span_member(line, "perhaps_rank").n) return;
  log->given[log->ngiven++] = (event_given){.pid = get_number(line, "pid"),
                                            .rank = get_number(line, "rank"),
                                            .run = get_number(line, "run"),
                                            .launch = get_number(line, "launch")};
}

static void add_finding(event_log *log, json_span line) {
  log->findings++;
  if (!log->not_kept) log->not_kept = get_text(line, "no_capsule", log->a);
}

const event_given *event_log_find_giver(const event_log *log, const event *e) {
  for (size_t i = 0; i < log->ngiven; i++)
    if (log->given[i].pid != e->pid && log->given[i].run == e->place.run &&
        log->given[i].launch == e->place.launch)
      return &log->given[i];
  return NULL;
}

void event_log_add(event_log *log, const char *text, size_t n) {
  log->lines++;
  json_span line = json_span_of(text, n),
            name = json_span_is_object(line) && line.at[line.n - 1] == '}'
                       ? json_span_member(line, "event")
                       : (json_span){0};
  if (!name.n || name.at[0] != '"')
    log->odd++;
  else if (is_name(name, event_name(EVENT_IN_FLIGHT)))
    add_in_flight(log, line);
  else if (is_name(name, event_name(EVENT_EXPLAINED)))
    add_explained(log, line);
  else if (is_name(name, event_name(EVENT_LEFT_OUT)))
    add_left_out(log, line);
  else if (is_name(name, event_name(EVENT_FINDING)))
    add_finding(log, line);
  else if (is_name(name, event_name(EVENT_KERNELS)))
    kernel_list_add(&log->kernels, line, log->a);
  else {
    const enum cause cause = find_cause(name, line);
    log->requests += cause == CAUSE_OUTSIDE && is_request(line);
    if (cause == CAUSE_PASSED) add_given(log, line);
    add_event(log, cause, line);
  }
}

/* ---- lines */

/* A line of at most LONGEST bytes into `line`; of a longer one too much. False at the end. */
static bool read_line(FILE *from, strbuf *line) {
  char part[4096];
  line->n = 0;
  for (;;) {
    size_t n = 0;
    int c = EOF;
    while (n < sizeof part && (c = getc_unlocked(from)) != EOF && c != '\n') part[n++] = (char)c;
    if (line->n <= LONGEST) strbuf_add(line, part, n);
    if (c == '\n') return true;
    if (c == EOF) return line->n > 0;
  }
}

void event_log_read(event_log *log, FILE *from) {
  strbuf line = {0};
  log->found = true;
  log->begin = log->lines;
  memset(log->seen, 0, sizeof log->seen);
  strbuf_add(&line, "", 0);
  while (read_line(from, &line)) {
    if (line.n && line.n <= LONGEST && !memchr(line.at, '\0', line.n)) {
      event_log_add(log, line.at, line.n);
    } else if (line.n) {
      log->lines++;
      log->odd++;
    }
  }
  strbuf_free(&line);
}

bool event_log_has_run(const event_log *log) {
  for (size_t i = 0; i < log->nthreads; i++)
    if (log->threads[i].run > 0) return true;
  return false;
}
