/* model_lines.c - see model_lines.h. */
#define _GNU_SOURCE
#include "checks/model_lines.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/sink.h"
#include "state/crash_lines.h"

enum { LINES_SHOWN = 6, LINE_MOST = 160, FILE_MOST = 4 << 20 };

/* ---- a line of a file ----------------------------------------------------------------------- */

/* Only a regular file that ends in ".py", and is no larger than a source text. */
static FILE *open_source(const char *path) {
  struct stat s;
  size_t n = strlen(path);
  if (n < 4 || strcmp(path + n - 3, ".py")) return NULL;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return NULL;
  FILE *file = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size <= FILE_MOST ? fdopen(fd, "r")
                                                                                  : NULL;
  if (!file) close(fd);
  return file;
}

/* The first bytes of line `number`, without the space around them; what is not printable ASCII
 * becomes '?'. False where the file has no such line, or a blank one. */
static bool read_line(char *to, FILE *file, int number) {
  size_t n = 0;
  int c = 0;
  for (int line = 1; line < number && c != EOF;) line += (c = getc_unlocked(file)) == '\n';
  while ((c = getc_unlocked(file)) != EOF && c != '\n' && n < LINE_MOST) {
    if (c == '\t' || c == '\r') c = ' ';
    if (n || c != ' ') to[n++] = (char)(c < ' ' || c > '~' ? '?' : c);
  }
  while (n && to[n - 1] == ' ') n--;
  to[n] = '\0';
  return n > 0;
}

/* The line's text, which may be in `room`, or NULL. */
static const char *find_text(const aotigen_line *line, char *room) {
  if (line->text) return line->text;
  FILE *file = open_source(line->file);
  if (!file) return NULL;
  bool found = read_line(room, file, line->line);
  fclose(file);
  return found ? room : NULL;
}

/* ---- reports and events --------------------------------------------------------------------- */

static const char *name_file(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool has_lines(const aotigen_model *m) {
  for (uint32_t i = 0; i < m->nsites; i++)
    if (m->sites[i].nlines) return true;
  return false;
}

static void add_line(ag_text *t, const char *which, const aotigen_line *x, bool guessed) {
  char room[LINE_MOST + 1];
  const char *text = find_text(x, room);
  ag_text_add_line(t, "model line", "%s%s:%d%s%s%s%s%s%s", which, name_file(x->file), (int)x->line,
                   text ? "  " : "", text ? text : "", x->module ? "  (" : "",
                   x->module ? x->module : "", x->module ? ")" : "", guessed ? "  (guessed)" : "");
}

static bool is_about(const ag_launch *l, uint16_t line) {
  return !l->lines || line >= 64 || l->lines >> line & 1;
}

static int count_lines(const ag_launch *l) {
  int n = 0;
  for (uint16_t i = 0; i < ag_launch_site(l)->nlines; i++) n += is_about(l, i);
  return n;
}

/* Lines that the flow of data tells are no guess, though all lines of the site may be one. */
static bool is_guessed(const ag_launch *l) {
  const aotigen_site *s = ag_launch_site(l);
  return s->flags & AOTIGEN_LINES_GUESSED && count_lines(l) == s->nlines;
}

void ag_model_lines_report(ag_text *t, const ag_launch *l) {
  static atomic_bool said;
  const aotigen_site *s = ag_launch_site(l);
  int n = count_lines(l), shown = 0;
  for (uint16_t i = 0; i < s->nlines && shown < LINES_SHOWN; i++) {
    char which[40] = "";
    if (!is_about(l, i)) continue;
    shown++;
    if (l->lines && n > 1) snprintf(which, sizeof which, "candidate %d of %d: ", shown, n);
    add_line(t, which, &s->lines[i], is_guessed(l));
  }
  if (n > shown)
    ag_text_add_line(t, "model line", "and %d more, which 'aotigen list' names", n - shown);
  if (!s->nlines && s->nodes && *s->nodes && !has_lines(l->model) && !atomic_exchange(&said, true))
    ag_text_add_line(
        t, "model line",
        "not known: 'aotigen --exported=FILE' tells it; torch.export.save() writes FILE");
}

uint64_t ag_model_lines_of(const aotigen_site *s, int32_t operation, size_t argument) {
  const uint64_t all = s->nlines >= 64 ? UINT64_MAX : (UINT64_C(1) << s->nlines) - 1;
  char key[32];
  snprintf(key, sizeof key, "%d", (int)operation);
  uint64_t found = ag_site_lines_find(s, key) & all;
  snprintf(key, sizeof key, "@%zu", argument);
  if (!found) found = ag_site_lines_find(s, key) & all;
  return found ? found : all;
}

uint64_t ag_model_lines_of_lookup(const aotigen_site *s) { return ag_site_lines_find(s, "!"); }

void ag_model_lines_event(ag_text *t, const ag_launch *l) {
  const aotigen_site *s = ag_launch_site(l);
  int n = 0;
  if (!s->nlines) return;
  ag_json_add_name(t, "model_lines");
  for (uint16_t i = 0; i < s->nlines; i++) {
    const aotigen_line *x = &s->lines[i];
    if (!is_about(l, i)) continue;
    ag_text_add(t, n++ ? ",{\"file\":" : "[{\"file\":");
    ag_json_add_string(t, x->file);
    ag_event_add_number(t, "line", x->line);
    ag_event_add_string(t, "text", x->text);
    ag_event_add_string(t, "module", x->module);
    ag_text_add(t, "}");
  }
  ag_text_add(t, "]");
  if (l->lines && n > 1) ag_text_add(t, ",\"lines_are_candidates\":true");
  if (is_guessed(l)) ag_text_add(t, ",\"lines_guessed\":true");
}
