/* target.c - libFuzzer's target: the reader that $AOTIGEN_READER names. */
#include "fuzz/readers.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *at, size_t n);

static const reader *target;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *name = getenv("AOTIGEN_READER");
  (void)argc, (void)argv;
  for (const reader *r = readers; r->name; r++)
    if (name && !strcmp(r->name, name)) target = r;
  for (const reader *r = readers; !target && r->name; r++) puts(r->name);
  if (!target) exit(name != NULL);
  return 0;
}

/* The readers of texts expect a NUL behind them, as a file that was read has. */
int LLVMFuzzerTestOneInput(const uint8_t *at, size_t n) {
  char *text = malloc(n + 1);
  if (!text) return 0;
  if (n) memcpy(text, at, n);
  text[n] = '\0';
  target->read(text, n);
  free(text);
  return 0;
}
