/* 263-run-core.c - what cuda-gdb says of a core dump: its text in each form is read, and any other
 * text is refused. */
#include "run/core_dump.h"
#include "unit.h"

#define FOCUS                                                                                      \
  "[Current focus set to CUDA kernel 0, grid 12, block (3,0,0), thread (32,1,0), device 0, sm 6, " \
  "warp 1, lane 0]\n"

static const char whole[] =
    "Opening GPU coredump: gpu.4711\n"
    "\n"
    "CUDA Exception: Warp Illegal Address\n"
    "The exception was triggered at PC 0x7f0c28df8e30  overrun_kernel  (cabc.py:20)\n" FOCUS
    "#0  0x00007f0c28df8e40 in overrun_kernel<<<(16,1,1),(128,1,1)>>> () at /tmp/a b/cabc.py:20\n"
    "20\t    tl.store(o_ptr + i + off, x)\n";

TEST(the_place_is_read) {
  arena *a = arena_new();
  core_dump c = {0};
  assert_true(core_dump_read(&c, whole, a));
  assert_string_equal(c.exception, "Warp Illegal Address");
  assert_string_equal(c.kernel, "overrun_kernel");
  assert_string_equal(c.grid, "(16,1,1),(128,1,1)");
  assert_string_equal(c.block, "(3,0,0)");
  assert_string_equal(c.thread, "(32,1,0)");
  assert_string_equal(c.place, "/tmp/a b/cabc.py:20");
  assert_string_equal(c.text, "tl.store(o_ptr + i + off, x)");
  arena_free(a);
}

TEST(other_forms_are_read) {
  arena *a = arena_new();
  core_dump c = {0};
  assert_true(core_dump_read(&c,
                             "CUDA Exception: Device-side assert\n" FOCUS
                             "#0  void f<int>(int*, int)<<<(512,1,1),(1,2,3)>>> (p=0x0, n=3)\n",
                             a));
  assert_string_equal(c.kernel, "void f<int>(int*, int)");
  assert_string_equal(c.grid, "(512,1,1),(1,2,3)");
  assert_null(c.place);
  assert_null(c.text);
  c = (core_dump){0};
  assert_true(core_dump_read(&c,
                             "CUDA Exception: Warp Illegal Address\n"
                             "The exception was triggered at PC 0x7f31  f(int*)  (x.cu:7)\n" FOCUS,
                             a));
  assert_string_equal(c.kernel, "f(int*)");
  assert_string_equal(c.place, "x.cu:7");
  c = (core_dump){0};
  assert_true(core_dump_read(&c,
                             "CUDA Exception: Warp Illegal Address\n"
                             "The exception was triggered at PC 0x7f31  f(int*)\n" FOCUS
                             "#0  0x1 in g<<<(1,1),(2)>>> () at x.cu:7\n7 wrong\n",
                             a));
  assert_string_equal(c.kernel, "f(int*)");
  assert_null(c.grid);
  assert_null(c.place);
  arena_free(a);
}

TEST(any_other_text_is_refused) {
  static const char *const wrong[] = {
      "",
      "\n",
      "cuda-gdb: no such file",
      "CUDA Exception: ",
      "CUDA Exception: Warp Illegal Address\n",
      "CUDA Exception: Warp Illegal Address\n[Current focus set to CUDA kernel ",
      "CUDA Exception: x\n[Current focus set to CUDA kernel 0, block (1,2), thread (0,0,0)]\n",
      "CUDA Exception: x\n[Current focus set to CUDA kernel 0, block (1,2,x), thread (0,0,0)]\n",
      "CUDA Exception: x\n[Current focus set to CUDA kernel 0]\n, block (1,2,3), thread (1,2,3)\n",
      FOCUS "#0  0x1 in f<<<(1,1,1),(1,1,1)>>> () at x:1\n",
  };
  arena *a = arena_new();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    core_dump c = {0};
    assert_false(core_dump_read(&c, wrong[i], a));
    assert_null(c.exception);
    assert_null(c.kernel);
  }
  arena_free(a);
}

/* Each beginning of the text is read or refused, within its bounds. */
TEST(a_text_may_end_anywhere) {
  arena *a = arena_new();
  for (size_t n = 0; n < sizeof whole; n++) {
    char *text = malloc(n + 1);
    assert_non_null(text);
    memcpy(text, whole, n);
    text[n] = '\0';
    core_dump c = {0};
    if (core_dump_read(&c, text, a)) assert_non_null(c.thread);
    free(text);
  }
  arena_free(a);
}
