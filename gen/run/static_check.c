/* static_check.c - see static_check.h. */
#include "run/static_check.h"
#include "base/file.h"
#include "base/json_span.h"
#include "package/repackage.h"
#include "run/kept_packages.h"
#include "system/cache.h"
#include "system/cleanup.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer text is left out, and so are the lines of more sites. */
enum { TEXT_MAX = 4 << 10, SITES_MAX = 65536 };

/* ---- reading */

static bool is_text(json_span value, const char *text) {
  size_t n = strlen(text);
  return value.n == n + 2 && value.at[0] == '"' && !memcmp(value.at + 1, text, n);
}

static const char *get_text(json_span line, const char *name, arena *a) {
  return json_span_short_text(json_span_member(line, name), TEXT_MAX, a);
}

/* The site of the line: those of a site follow each other. NULL if there are too many. */
static static_site *find_site(static_check *c, size_t begin, json_span line, arena *a) {
  const long long number = json_span_integer(json_span_member(line, "site"), -1);
  static_site *last = c->sites.n > begin ? &c->sites.at[c->sites.n - 1] : NULL;
  if (last && last->number == number) return last;
  if (number < 1 || c->sites.n == SITES_MAX) return NULL;
  static_site *s = arena_push(a, &c->sites);
  *s = (static_site){.number = number, .kernel = get_text(line, "kernel", a)};
  return s;
}

static void add_refuted(static_check *c, static_site *s, json_span line, arena *a) {
  const char *type = get_text(line, "type", a);
  const bool better = s->refuted && strcmp(s->first.type, "access") != 0 && type &&
                      !strcmp(type, "access");
  c->refuted++;
  if (s->refuted++ && !better) return;
  s->first = (static_refutation){.type = type ? type : "",
                                 .access = get_text(line, "access", a),
                                 .argument = get_text(line, "argument", a),
                                 .example = get_text(line, "example", a)};
}

/* Claims that hold or not without an access beside a memory. */
static bool is_of_order(json_span type) {
  return is_text(type, "overlap") || is_text(type, "twice") || is_text(type, "unwritten");
}

static void add_finding(static_check *c, size_t begin, json_span type, json_span line, arena *a) {
  const json_span verdict = json_span_member(line, "verdict"),
                  access = json_span_member(line, "access");
  const bool proved = is_text(verdict, "proved"), of_access = is_text(type, "access");
  const bool loads = of_access && access.n > 6 && !memcmp(access.at, "\"load ", 6);
  static_site *s = find_site(c, begin, line, a);
  if (!s) return;
  if (is_text(verdict, "refuted")) add_refuted(c, s, line, a);
  c->undecided += of_access && is_text(verdict, "not decided");
  s->stores |= of_access && !loads;
  s->doubted |= !proved && !loads && !is_of_order(type);
}

void static_check_read(static_check *c, FILE *from, arena *a) {
  char *text = NULL;
  size_t room = 0, begin = 0;
  for (ssize_t n; (n = getline(&text, &room, from)) > 0;) {
    const json_span line = json_span_of(text, (size_t)n), type = json_span_member(line, "type");
    if (!type.n) continue;
    if (!is_text(type, "model")) {
      add_finding(c, begin, type, line, a);
      continue;
    }
    const char *source = get_text(line, "source", a);
    const long long left_alone = json_span_integer(json_span_member(line, "left_alone"), 0);
    for (; begin < c->sites.n; begin++) c->sites.at[begin].source = source ? source : "";
    if (left_alone > 0) c->left_alone += (size_t)left_alone;
  }
  free(text);
  c->done = !ferror(from);
}

/* ---- finding or making it */

/* False if there is none, or one that was changed. */
static bool take_kept(static_check *c, const char *kept_as, arena *a) {
  FILE *from = kept_as && cache_has_with_sum(kept_as, a) ? fopen(kept_as, "re") : NULL;
  if (!from) return false;
  static_check_read(c, from, a);
  fclose(from);
  return c->done;
}

static FILE *make_file(const char **path, arena *a, diags *d) {
  static unsigned made;
  const char *dir = cleanup_private_dir(d);
  if (!dir) return NULL;
  *path = arena_printf(a, "%s/checked%u", dir, made++);
  int fd = open(*path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
  if (!file && fd >= 0) close(fd);
  if (!file) diag_error(d, STATUS_INPUT, *path, "cannot be written: %s", strerror(errno));
  return file;
}

void static_check_make(static_check *c, const options *o, const debug_package *of, arena *a) {
  const char *kept_as = of->kept ? kept_packages_checked(of->path, a) : NULL, *made = NULL;
  *c = (static_check){0};
  if (take_kept(c, kept_as, a)) return;
  *c = (static_check){0};
  diags *d = diags_new(a); /* the debug package was made: an error here is no reason not to run */
  options of_model = *o;
  of_model.input = of->original_path;
  of_model.input_as = of->root;
  of_model.input_below = of->below;
  of_model.model = NULL; /* all that it holds */
  FILE *to = make_file(&made, a, d);
  bool ok = to && repackage_check(&of_model, to, a, d) && fflush(to) == 0;
  if (ok) {
    rewind(to);
    static_check_read(c, to, a);
  }
  if (to) fclose(to);
  if (!c->done)
    c->why_not = diags_first_error(d) ? diags_first_error(d) : "its result cannot be written";
  else if (kept_as)
    cache_keep_with_sum(o, made, kept_as, a);
}

/* ---- asking it */

const static_site *static_check_find(const static_check *c, const char *source, long long number) {
  for (size_t i = 0; source && i < c->sites.n; i++) {
    const static_site *s = &c->sites.at[i];
    if (s->number == number && !strcmp(s->source, source)) return s;
  }
  return NULL;
}

bool static_site_is_proved(const static_site *s) { return s->stores && !s->doubted; }
