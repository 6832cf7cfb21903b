/* options_help.c - see options.h. Prints --help, from the table, and the version. */
#include "base/option_table.h"
#include "shared/version.h"
#include <string.h>

/* Prints the words of `s` from column `indent` on, wrapped before column 100. */
static void print_wrapped(FILE *to, const char *s, int indent) {
  for (int column = indent; *s; s += strspn(s, " ")) {
    int n = (int)strcspn(s, " ");
    if (column > indent && column + 1 + n > 100) {
      fprintf(to, "\n%*s", indent, "");
      column = indent;
    }
    column += fprintf(to, column > indent ? " %.*s" : "%.*s", n, s);
    s += n;
  }
  fputc('\n', to);
}

static void print_option(FILE *to, const option *t) {
  arena *a = arena_new();
  const char *fallback = t->set ? t->fallback : level_fallback(level_of_option(t->name), a);
  enum { COLUMN = 26 }; /* the column of an option's text */
  char head[80], line[400], letter[8] = "   ";
  if (t->letter) snprintf(letter, sizeof letter, "-%c,", t->letter);
  snprintf(head, sizeof head, "  %s --%s%s%s", letter, t->name, t->value ? "=" : "",
           t->value ? t->value : "");
  snprintf(line, sizeof line, "%s%s%s%s", t->text, fallback ? " [" : "", fallback ? fallback : "",
           fallback ? "]" : "");
  fprintf(to, "%-*s", COLUMN, head);
  print_wrapped(to, line, COLUMN);
  arena_free(a);
}

static void print_options_of(FILE *to, const char *title, unsigned verbs) {
  fprintf(to, "\n%s\n", title);
  for (size_t i = 0; i < option_table_n; i++)
    if ((option_table[i].verbs & EVERY) == verbs) print_option(to, &option_table[i]);
}

void options_help(FILE *to) {
  fputs("aotigen rewrites what AOTInductor emitted, so that every launch is checked, printed and "
        "named\n"
        "\n"
        "  aotigen [OPTION]... INPUT -o OUTPUT\n"
        "  aotigen [OPTION]... --cached PACKAGE\n"
        "  aotigen list [OPTION]... INPUT\n"
        "  aotigen check [OPTION]... INPUT\n"
        "  aotigen build [OPTION]... WRAPPER [KERNEL.cpp|OBJECT]... -o SO\n"
        "  aotigen run [OPTION]... [--model=PACKAGE]... -- COMMAND [ARG]...\n"
        "  aotigen watch [OPTION]... PACKAGE -o OUTPUT\n"
        "  aotigen replay [OPTION]... [--model=PACKAGE] [--launch=N -o DIR] CAPSULE\n"
        "  aotigen diff [OPTION]... A B\n"
        "  aotigen report [OPTION]... RECORDING [B] -o PAGE\n"
        "  aotigen compare [OPTION]... --exported=FILE PACKAGE\n"
        "  aotigen bisect [OPTION]... GOOD BAD\n",
        to);
  print_options_of(
      to,
      "rewriting, build, run and replay (a rewrite's defaults in brackets; a build keeps "
      "the wrapper's):",
      REWRITE | BUILD | RUN);
  print_options_of(to, "rewriting, list, build, run and replay:", REWRITE | LIST | BUILD | RUN);
  print_options_of(
      to, "rewriting, build, watch, replay and report:", REWRITE | BUILD | WATCH | REPLAY | REPORT);
  print_options_of(to, "rewriting, list, check, run, replay, compare, bisect and watch:",
                   REWRITE | LIST | CHECK | RUN | COMPARE | WATCH);
  print_options_of(to, "rewriting, list, check, run, replay, compare and bisect:",
                   REWRITE | LIST | CHECK | RUN | COMPARE);
  print_options_of(to, "rewriting, list, check and build:", REWRITE | LIST | CHECK | BUILD);
  print_options_of(to, "rewriting:", REWRITE);
  print_options_of(to,
                   "list, check, run, replay, compare and bisect:", LIST | CHECK | RUN | COMPARE);
  print_options_of(to, "list:", LIST);
  print_options_of(to, "build:", BUILD);
  print_options_of(to, "run and replay:", RUN);
  print_options_of(to, "run:", RUN_ALONE);
  print_options_of(to, "replay:", REPLAY);
  print_options_of(to, "replay, compare and bisect:", REPLAY | COMPARE);
  print_options_of(to, "compare and bisect:", COMPARE);
  print_options_of(to, "diff and report:", DIFF | REPORT);
  print_options_of(to, "report:", REPORT);
  print_options_of(to, "rewriting, list, check, build, run, replay, compare and bisect:", READ);
  print_options_of(to, "all:", EVERY);
  fputs("\nExit status: 0 done, 1 the input or the environment does not allow it, or a check "
        "refutes\nit, 2 usage, 3 a bug in aotigen; of run: that of the command; of replay: 0 where "
        "the\nmodel ran to its end, whatever was found; of diff, compare and bisect: 1 where the "
        "two\ndiffer, 2 where they could not be compared.\n",
        to);
}

void options_version(FILE *to) { fputs("aotigen " AOTIGEN_VERSION "\n", to); }
