/* 301-dtype - element types: numbers asked of torch, names, and the values of bits. */
#include <math.h>

#include "../runtime/tensor/dtype.h"
#include "shim.h"

TEST(numbers_are_asked) {
  const ag_dtype *d = ag_dtype_of_number(fake_dtype("float32"));
  assert_non_null(d);
  assert_string_equal(d->name, "float32");
  assert_int_equal(d->number, fake_dtype("float32")); /* not c10's 6 */
  assert_null(ag_dtype_of_number(6));
  assert_null(ag_dtype_of_number(-1));
  assert_null(ag_dtype_of_number(1 << 20));
}

TEST(names) {
  assert_ptr_equal(ag_dtype_of_name("bfloat16"), ag_dtype_of_number(fake_dtype("bfloat16")));
  assert_null(ag_dtype_of_name("float31"));
  assert_null(ag_dtype_of_name(NULL));
  assert_string_equal(ag_dtype_spelling(ag_dtype_of_name("int64"))->printed, "long int");
  assert_string_equal(ag_dtype_spelling(ag_dtype_of_name("int64"))->storage, "LongStorage");
}

static const char *arithmetic(enum ag_class cls, int size) {
  const ag_dtype *d = ag_dtype_of_arithmetic(cls, size);
  return d ? d->name : "none";
}

TEST(arithmetic_types) {
  assert_string_equal(arithmetic(AG_FLOATING, 2), "float16");
  assert_string_equal(arithmetic(AG_FLOATING, 4), "float32");
  assert_string_equal(arithmetic(AG_FLOATING, 8), "float64");
  assert_string_equal(arithmetic(AG_FLOATING, 1), "none");
  assert_string_equal(arithmetic(AG_FLOATING, 16), "none");
  assert_string_equal(arithmetic(AG_SIGNED, 1), "int8");
  assert_string_equal(arithmetic(AG_SIGNED, 8), "int64");
  assert_string_equal(arithmetic(AG_UNSIGNED, 2), "uint16");
  assert_string_equal(arithmetic(AG_BOOL, 1), "bool");
  assert_string_equal(arithmetic(AG_OTHER, 4), "none");
}

static bool is_in(const char *const *names, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

TEST(which_float) {
  static const char *const floats[] = {
      "float16",         "bfloat16",        "float32",       "float64",     "complex32",
      "complex64",       "complex128",      "bcomplex32",    "float8_e5m2", "float8_e4m3fn",
      "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu"};
  static const char *const others[] = {"uint8",  "int8",   "int16",  "int32", "int64",
                                       "uint16", "uint32", "uint64", "bool",  "float4_e2m1fn_x2"};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    assert_true(ag_dtype_is_floating(ag_dtype_of_name(floats[i])));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false(ag_dtype_is_floating(ag_dtype_of_name(others[i])));
  assert_false(ag_dtype_is_floating(NULL));
#define X(name, ...)                                                                               \
  if (!is_in(floats, sizeof floats / sizeof *floats, #name) &&                                     \
      !is_in(others, sizeof others / sizeof *others, #name))                                       \
    fail_msg("%s of shared/dtypes.def is not in a list of this test", #name);
#include "shared/dtypes.def"
#undef X
}

static double value(const char *name, uint64_t bits) {
  return ag_dtype_decode(ag_dtype_of_name(name), &bits);
}

static void same(double a, double b) {
  if (memcmp(&a, &b, sizeof a)) fail_msg("%g is not %g", a, b);
}

TEST(values) {
  same(value("float16", 0x3c00), 1);
  same(value("float16", 0x0001), ldexp(1, -24));
  same(value("float16", 0xfbff), -65504);
  same(value("float16", 0x7c00), INFINITY);
  same(value("bfloat16", 0xc049), -3.140625);
  same(value("bcomplex32", 0x7f80c049), -3.140625); /* the part that it points to */
  same(value("bcomplex32", 0xff80), -INFINITY);
  same(value("float8_e5m2", 0x7b), 57344);
  same(value("float8_e5m2", 0xfc), -INFINITY);
  same(value("float8_e4m3fn", 0x7e), 448);
  same(value("float8_e4m3fn", 0x01), ldexp(1, -9));
  same(value("float8_e4m3fnuz", 0x7f), 240);
  same(value("float8_e5m2fnuz", 0x7f), 57344);
  same(value("float8_e8m0fnu", 0x7f), 1);
  same(value("float8_e8m0fnu", 0x00), ldexp(1, -127));
  same(value("float32", 0x80000000), -0.0);
  same(value("int8", 0xff), -1);
  same(value("uint8", 0xff), 255);
  same(value("uint64", UINT64_MAX), 18446744073709551616.0);
  same(value("bool", 1), 1);
  assert_true(isnan(value("float8_e4m3fn", 0x7f)) && isnan(value("float8_e4m3fn", 0xff)));
  assert_true(isnan(value("float8_e4m3fnuz", 0x80)) && isnan(value("float8_e8m0fnu", 0xff)));
  assert_true(isnan(value("float16", 0x7c01)) && isnan(value("float8_e5m2", 0x7d)));
}

TEST(numbers_have_names) {
  assert_string_equal(ag_dtype_name_of_number(fake_dtype("float32")), "float32");
  assert_string_equal(ag_dtype_name_of_number(13), "quint8");
  assert_string_equal(ag_dtype_name_of_number(fake_dtype("float4_e2m1fn_x2")), "float4_e2m1fn_x2");
  assert_null(ag_dtype_name_of_number(45)); /* this torch says another one */
  assert_null(ag_dtype_name_of_number(15)); /* another in this torch */
  assert_null(ag_dtype_name_of_number(46));
  assert_null(ag_dtype_name_of_number(-1));
}

TEST(devices) {
  assert_string_equal(ag_device_type_name(FAKE_CUDA), "cuda");
  assert_string_equal(ag_device_type_name(99), "an unknown device");
  assert_int_equal(ag_device_type_of_name("xpu"), FAKE_XPU);
  assert_int_equal(ag_device_type_of_name("toaster"), -1);
  assert_int_equal(ag_device_type_of_name(NULL), -1);
}
