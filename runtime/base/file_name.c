/* file_name.c - see file_name.h. */
#define _GNU_SOURCE
#include "base/file_name.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sink.h"

/* Adds a part of a name that is not ours. It never names another directory. */
static void add_part(ag_text *t, const char *part) {
  static const char allowed[] = "._-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const char *s = part; *s; s++)
    ag_text_add_bytes(t, strchr(s == part ? allowed + 1 : allowed, *s) ? s : "_", 1);
}

static void add_host(ag_text *t) {
  char host[256] = "";
  add_part(t, gethostname(host, sizeof host - 1) || !*host ? "localhost" : host);
}

/* False if nothing takes the place of %WHICH. */
static bool add_replaced(ag_text *t, char which, const char *rank) {
  switch (which) {
  case 'h': add_host(t); return true;
  case 'p': ag_text_addf(t, "%ld", (long)getpid()); return true;
  case 'r': add_part(t, rank ? rank : "0"); return true;
  case '%': ag_text_add(t, "%"); return true;
  default: return false;
  }
}

char *ag_file_name_expand(const char *variable, const char *s, const char *rank) {
  ag_text t = {0}, unknown = {0};
  for (const char *p = s; *p; p++) {
    if (*p == '%' && add_replaced(&t, p[1], rank)) {
      p++;
      continue;
    }
    if (*p == '%' && !unknown.length)
      ag_text_addf(&unknown,
                   "aotigen: %s='%s': keeping '%.*s' as it is: only %%h, %%p, %%r and %%%% are "
                   "replaced\n",
                   variable, s, p[1] > ' ' && p[1] < 0x7f ? 2 : 1, p);
    ag_text_add_bytes(&t, p, 1);
  }
  if (unknown.length) ag_sink_write_stderr(ag_text_string(&unknown));
  ag_text_free(&unknown);
  return t.data;
}
