/* 122-pch-headers.c - which headers are precompiled. */
#include "parse/pch_headers.h"
#include "unit.h"

static void gives(const char *text, const char *expected) {
  strbuf t = pch_headers_list(text, strlen(text));
  assert_string_equal(t.at ? t.at : "", expected);
  strbuf_free(&t);
}

TEST(torchs_headers_are_taken_up_to_the_first_definition) {
  gives("", "");
  gives("#include <vector>\n#include \"torch/a.h\"\n", "");
  gives("#include <torch/a.h>\n#include <vector>\n#include <c10/b.h> // why\n# include <ATen/c.h>",
        "#include <torch/a.h>\n#include <c10/b.h>\n#include <ATen/c.h>\n");
  gives("#include <torch/a.h>\nnamespace x {\n#include <torch/b.h>\n", "#include <torch/a.h>\n");
  gives("#include <torch/a.h>\nextern \"C\" void f();\n#include <torch/b.h>\n",
        "#include <torch/a.h>\n");
  gives("#include <torch/a.h>\n#define X\n#include <torch/b.h>\n", "#include <torch/a.h>\n");
  gives("#include <torch/a.h>\nclassy x;\n# undef X\n#include <torch/b.h>\n",
        "#include <torch/a.h>\n");
  gives("#include <torch/>\n#include <torch/a.h\n", "");
}
