
/* In the place of torch's, which throws: what the kernel asserts of its indices. */
void aoti_torch_check(bool holds, const char *function, const char *file, uint32_t line,
                      const char *message);
void aoti_torch_check(bool holds, const char *function, const char *file, uint32_t line,
                      const char *message) {
  (void)file;
  if (holds) return;
  fprintf(stderr, "launch: %s, line %" PRIu32 ": %s\n", function, line, message);
  abort();
}
