/* 175-stored - the tensors of a capsule, as a pickle tells them: nothing of it is executed, and
 * what is not of plain tensors is left to torch. */
#include "replay/stored.h"
#include "unit.h"

#define V2 "ctorch._utils\n_rebuild_tensor_v2\n"
#define FLOATS                                                                                     \
  "((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"                                              \
  "0X\3\0\0\0cpuK\6tQ"
#define ORDERED                                                                                    \
  "\x89"                                                                                           \
  "ccollections\nOrderedDict\n)R"
#define INPUTS "\x80\2}(X\6\0\0\0inputs]("
#define OUTPUTS "eX\7\0\0\0outputs]("
#define END "eu."

#define READ(text) read_text(text, sizeof text - 1, a, &s)

static const char *read_text(const char *text, size_t n, arena *a, stored *s) {
  *s = (stored){0};
  return stored_read_pickle(s, text, n, a);
}

/* What torch.save() writes of {"capsule": "{}", "inputs": [x, x.t()], "outputs": [None, y]} with a
 * tensor of float8. */
static const char saved[] =
    "\200\002}q\000(X\007\000\000\000capsuleq\001X\002\000\000\000{}q\002X\006\000\000"
    "\000inputsq\003]q\004(ctorch._utils\n"
    "_rebuild_tensor_v2\n"
    "q\005((X\007\000\000\000storageq\006ctorch\n"
    "FloatStorage\n"
    "q\007X\001\000\000\0000q\010X\003\000\000\000cpuq\011K\006tq\n"
    "QK\000K\002K\003\206q\013K\003K\001\206q\014\211ccollections\n"
    "OrderedDict\n"
    "q\015)Rq\016tq\017Rq\020h\005((h\006h\007h\010h\011K\006tq\021QK\000K\003K\002\206"
    "q\022K\001K\003\206q\023\211h\015)Rq\024tq\025Rq\026eX\007\000\000\000outputsq\027"
    "]q\030(Nctorch._utils\n"
    "_rebuild_tensor_v3\n"
    "q\031((h\006ctorch.storage\n"
    "UntypedStorage\n"
    "q\032X\001\000\000\0001q\033h\011K\003tq\034QK\000K\003\205q\035K\001\205q\036\211"
    "h\015)Rq\037ctorch\n"
    "float8_e5m2\n"
    "q tq!Rq\"eu.";

TEST(plain_tensors_are_read) {
  arena *a = arena_new();
  stored s = {0};
  assert_null(READ(saved));
  assert_int_equal(s.inputs.n, 2);
  assert_int_equal(s.outputs.n, 2);
  const stored_tensor *x = &s.inputs.at[1], *y = &s.outputs.at[1];
  assert_string_equal(x->dtype, "float32");
  assert_string_equal(x->member, "0");
  assert_true(x->ndim == 2 && x->sizes[0] == 3 && x->sizes[1] == 2);
  assert_true(x->strides[0] == 1 && x->strides[1] == 3 && x->offset == 0);
  assert_null(s.outputs.at[0].dtype);
  assert_string_equal(y->dtype, "float8_e5m2");
  assert_string_equal(y->member, "1");
  /* cut anywhere, it is none */
  for (size_t n = 0; n < sizeof saved - 1; n++) {
    stored cut = {0};
    assert_non_null(stored_read_pickle(&cut, saved, n, a));
  }
  arena_free(a);
}

TEST(what_the_watch_library_writes_is_read) {
  arena *a = arena_new();
  stored s;
  assert_null(
      READ(INPUTS V2 FLOATS "J\1\0\0\0(J\2\0\0\0t(J\3\0\0\0t" ORDERED "tR" OUTPUTS "N" END));
  assert_int_equal(s.inputs.at[0].offset, 1);
  assert_int_equal(s.inputs.at[0].strides[0], 3);
  assert_null(READ(INPUTS OUTPUTS END));
  assert_int_equal(s.inputs.n + s.outputs.n, 0);
  arena_free(a);
}

TEST(what_is_not_plain_is_left_to_torch) {
  arena *a = arena_new();
  stored s;
#define ONE(tensor) assert_non_null(READ(INPUTS tensor OUTPUTS END))
  ONE("K\1");                                                    /* no tensor */
  ONE("cos\nsystem\n(X\4\0\0\0truetR");                          /* another call */
  ONE(V2 FLOATS "K\0K\2\x85K\1\x85" ORDERED "K\1tR");            /* a conjugated one */
  ONE(V2 FLOATS "K\0K\2\x85)" ORDERED "tR");                     /* sizes without strides */
  ONE(V2 FLOATS "J\xff\xff\xff\xffK\2\x85K\1\x85" ORDERED "tR"); /* a negative offset */
  ONE(V2 "((X\7\0\0\0storagectorch\nQUInt8Storage\nX\1\0\0\0"
         "0X\3\0\0\0cpuK\6tQK\0))" ORDERED "tR");
  ONE(V2 "((X\7\0\0\0storagectorch\nFloatStorage\nX\2\0\0\0..X\3\0\0\0cpuK\6tQK\0))" ORDERED "tR");
#undef ONE
  assert_non_null(READ("\x80\2}(X\7\0\0\0weights}X\6\0\0\0inputs]X\7\0\0\0outputs]u."));
  assert_non_null(READ("\x80\2}(X\7\0\0\0weights]X\6\0\0\0inputs]X\7\0\0\0outputs]u."));
  assert_non_null(READ("\x80\2}(X\6\0\0\0inputs]u."));
  assert_non_null(READ("\x80\2\x8a\x9" /* a number of 9 bytes */
                       "123456789."));
  assert_non_null(READ("\x80\4}(X\6\0\0\0inputs]X\7\0\0\0outputs]u."));
  assert_null(READ("\x80\2}(X\6\0\0\0inputs]X\7\0\0\0outputs]u."));
  /* no weights, as the library writes it; and one */
  assert_null(READ("\x80\2}(X\6\0\0\0inputs]X\7\0\0\0outputs]X\x9\0\0\0constants}(uu."));
  assert_non_null(
      READ("\x80\2}(X\6\0\0\0inputs]X\7\0\0\0outputs]X\x9\0\0\0constants}(X\1\0\0\0wNuu."));
  assert_non_null(READ("\x80\2}(X\6\0\0\0inputs]X\7\0\0\0outputs]u.N"));
  assert_non_null(READ("\x80\2]q\0(h\0e."));           /* a list in itself */
  assert_non_null(READ("\x80\2}q\0(X\1\0\0\0ah\0u.")); /* a dictionary in itself */
  arena_free(a);
}
