/* diag.c - see diag.h. Knows how a message is kept and printed; not what any of them means. */
#include "base/diag.h"
#include <stdint.h>
#include <string.h>

enum kind { ERROR, WARNING, NOTE };

/* More errors than this are counted and not kept: an input must not decide how much is printed. */
enum { ERRORS_SHOWN = 20 };

typedef struct diag {
  enum kind kind;
  const char *file;
  unsigned line, column;
  const char *text;
} diag;

struct diags {
  arena *a;
  struct {
    diag *at;
    size_t n, cap;
  } list;
  size_t printed;        /* of the list */
  size_t errors, hidden; /* hidden: counted, and not yet said */
  bool last_hidden;      /* the last error or warning was not kept, so its notes are not either */
  bool last_quiet;       /* while printing: the last error or warning was left out */
  enum status status;
};

diags *diags_new(arena *a) {
  diags *d = arena_alloc(a, sizeof *d);
  d->a = a;
  return d;
}

static void add(diags *d, enum kind kind, const char *file, unsigned line, unsigned column,
                const char *format, va_list args) {
  diag *g = arena_push(d->a, &d->list);
  *g = (diag){kind, file ? arena_strdup(d->a, file) : NULL, line, column,
              arena_vprintf(d->a, format, args)};
}

void diag_error(diags *d, enum status status, const char *file, unsigned line, unsigned column,
                const char *format, ...) {
  if (status > d->status) d->status = status;
  d->last_hidden = ++d->errors > ERRORS_SHOWN;
  if (d->last_hidden) {
    d->hidden++;
    return;
  }
  va_list args;
  va_start(args, format);
  add(d, ERROR, file, line, column, format, args);
  va_end(args);
}

void diag_warning(diags *d, const char *file, unsigned line, unsigned column, const char *format,
                  ...) {
  d->last_hidden = false;
  va_list args;
  va_start(args, format);
  add(d, WARNING, file, line, column, format, args);
  va_end(args);
}

void diag_note(diags *d, const char *file, unsigned line, unsigned column, const char *format,
               ...) {
  if (d->last_hidden) return;
  va_list args;
  va_start(args, format);
  add(d, NOTE, file, line, column, format, args);
  va_end(args);
}

/* The length of the UTF-8 character at s that a terminal may be shown, or 0. */
static size_t printable(const unsigned char *s) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (*s < 0x80) return *s >= 0x20 && *s != 0x7f;
  size_t n = *s >= 0xf0 && *s < 0xf8   ? 4
             : *s >= 0xe0 && *s < 0xf0 ? 3
             : *s >= 0xc0 && *s < 0xe0 ? 2
                                       : 0;
  uint32_t c = n ? *s & (0x7fu >> n) : 0;
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3f);
  }
  bool surrogate = c >= 0xd800 && c < 0xe000, control = c < 0xa0,
       turns = c >= 0x202a && c <= 0x202e;
  return n && c >= least[n] && c < 0x110000 && !surrogate && !control && !turns ? n : 0;
}

bool diag_is_printable(const char *words) {
  const unsigned char *s = (const unsigned char *)words;
  for (size_t n = 1; n && *s; s += n) n = printable(s);
  return !*s;
}

/* Control characters, and bytes that are no UTF-8, as C escapes: an input's text must not drive a
 * terminal. */
static void put(const char *words, FILE *to) {
  for (const unsigned char *s = (const unsigned char *)words; *s;) {
    size_t n = printable(s);
    if (n)
      fwrite(s, 1, n, to);
    else if (*s == '\n' || *s == '\t')
      fputs(*s == '\n' ? "\\n" : "\\t", to);
    else
      fprintf(to, "\\x%02x", *s);
    s += n ? n : 1;
  }
}

static void print(const diag *g, FILE *to) {
  static const char *const kinds[] = {"error", "warning", "note"};
  put(g->file ? g->file : "aotigen", to);
  if (g->file && g->line) fprintf(to, ":%u", g->line);
  if (g->file && g->line && g->column) fprintf(to, ":%u", g->column);
  fprintf(to, ": %s: ", kinds[g->kind]);
  put(g->text, to);
  fputc('\n', to);
}

void diags_print(diags *d, FILE *to, bool quiet) {
  for (; d->printed < d->list.n; d->printed++) {
    const diag *g = &d->list.at[d->printed];
    if (g->kind != NOTE) d->last_quiet = quiet && g->kind == WARNING;
    if (!d->last_quiet) print(g, to);
  }
  if (d->hidden)
    fprintf(to, "aotigen: error: and %zu more error%s\n", d->hidden, d->hidden == 1 ? "" : "s");
  d->hidden = 0;
  fflush(to);
}

enum status diags_status(const diags *d) { return d->status; }
