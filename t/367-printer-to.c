/* 367-printer-to - AOTIGEN_PRINTER_TO: what is printed goes to a file, and a file that cannot be
 * written is named once. */
#include <stdio.h>
#include <unistd.h>

#include "../runtime/base/sink.h"
#include "shim.h"

AFTER_EACH { environment("AOTIGEN_PRINTER_TO", NULL); }

/* What is printed goes to a file, for each line anew, and nothing to standard output. */
TEST(printed_to_a_file) {
  char name[128], said[256], text[64] = "";
  close(mkstemp(temporary(name, sizeof name)));
  environment("AOTIGEN_PRINTER_TO", name);
  capture(1);
  ag_sink_write_stdout("[ before_launch: K ]\n");
  ag_sink_write_stdout("[ after_launch: K ]\n");
  assert_equal_freed(captured(1), "");
  FILE *f = fopen(name, "r");
  assert_true(fread(text, 1, sizeof text - 1, f) > 0);
  fclose(f);
  unlink(name);
  assert_string_equal(text, "[ before_launch: K ]\n[ after_launch: K ]\n");
  snprintf(said, sizeof said,
           "aotigen: cannot write what is printed to '/dev/null/x': Not a directory\n");
  environment("AOTIGEN_PRINTER_TO", "/dev/null/x");
  capture(1);
  capture(2);
  ag_sink_write_stdout("lost\n");
  ag_sink_write_stdout("lost\n");
  assert_equal_freed(captured(2), said);
  assert_equal_freed(captured(1), "");
}
