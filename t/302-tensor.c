/* 302-tensor - what a marker hands over, as a strided tensor. */
#include "../runtime/tensor/tensor.h"
#include "shim.h"

static ag_view v;

static const char *shown(void) {
  static ag_text t;
  ag_text_clear(&t);
  ag_view_describe(&t, &v);
  return ag_text_string(&t);
}

TEST(plain) {
  fake *f = fake_new("float32", 2, 3, -1);
  f->offset = 1;
  f->storage_size = 28;
  aotigen_value x = handle(f);
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_OK);
  assert_int_equal(v.t.numel, 6);
  assert_int_equal(v.first_byte, 4);
  assert_true(v.contiguous && v.dense && ag_view_fits_storage(&v));
  assert_int_equal(v.end - v.begin, 24);
  assert_string_equal(shown(), "float32 [2, 3] on cpu");
  f->storage_size = 27;
  ag_view_of_value(&v, &x, NULL);
  assert_false(ag_view_fits_storage(&v));
  fake_free(f);
}

TEST(view) {
  fake *f = fake_new("float16", 4, 6, -1);
  const int64_t sizes[] = {3, 2}, strides[] = {1, 6}, overlong[] = {5, 6};
  aotigen_value x = {.v.handle = f,
                     .sizes = sizes,
                     .strides = strides,
                     .offset = 3,
                     .ndim = 2,
                     .kind = AOTIGEN_V_VIEW};
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_OK);
  assert_ptr_equal(v.t.data, (char *)f->data + 6);
  assert_false(v.dense);
  assert_int_equal(v.highest, 9);
  assert_string_equal(shown(), "float16 [3, 2], strides [1, 6], on cpu");
  assert_true(ag_view_fits_storage(&v));
  x.sizes = overlong; /* to element 3 + 4 + 5 * 6 of 24 */
  ag_view_of_value(&v, &x, NULL);
  assert_false(ag_view_fits_storage(&v));
  fake_free(f);
}

TEST(layouts) {
  fake *f = fake_new("float32", 2, 3, 4, -1);
  aotigen_value x = handle(f);
  const int64_t transposed[] = {1, 8, 2}, expanded[] = {0, 4, 1};
  memcpy(f->strides, transposed, sizeof transposed);
  ag_view_of_value(&v, &x, NULL);
  assert_true(v.dense && !v.contiguous);
  memcpy(f->strides, expanded, sizeof expanded);
  ag_view_of_value(&v, &x, NULL);
  assert_true(!v.dense && !v.contiguous);
  assert_int_equal(v.highest, 12);
  f->sizes[1] = 0;
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.t.numel, 0);
  assert_true(v.contiguous && ag_view_fits_storage(&v) && v.begin == v.end);
  fake_free(f);
}

TEST(none) {
  aotigen_value x = integer(3);
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_NONE);
  x = handle(NULL);
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_NULL);
  int on_the_stack = 0;
  const aotigen_param pointer = {.name = "p", .kind = AOTIGEN_POINTER};
  x = (aotigen_value){.v.handle = &on_the_stack, .kind = AOTIGEN_V_HANDLE};
  ag_view_of_value(&v, &x, &pointer); /* not asked of torch */
  assert_int_equal(v.state, AG_VIEW_NONE);
}

static void assert_opaque(const aotigen_value *x, enum ag_opaque opaque, const char *text) {
  ag_text t = {0};
  ag_view_of_value(&v, x, NULL);
  assert_int_equal(v.state, AG_VIEW_OPAQUE);
  assert_int_equal(v.opaque, opaque);
  ag_view_describe(&t, &v);
  assert_string_equal(ag_text_string(&t), text);
  ag_text_free(&t);
}

/* Torch is not asked for what it would complain about on stderr. */
TEST(undefined_and_opaque) {
  fake *f = fake_new("float32", 2, -1);
  aotigen_value x = handle(f);
  capture(2);
  f->undefined = true;
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_UNDEFINED);
  f->undefined = false;
  f->layout = FAKE_MKDNN;
  assert_opaque(&x, AG_OPAQUE_LAYOUT, "of layout mkldnn");
  f->layout = 99;
  assert_opaque(&x, AG_OPAQUE_LAYOUT, "of layout torch's layout number 99");
  fake_has_no_layout = true;
  assert_opaque(&x, AG_OPAQUE_UNDESCRIBED, "a tensor that torch does not describe");
  fake_has_no_layout = false;
  f->layout = FAKE_STRIDED;
  f->dtype = 7;
  assert_opaque(&x, AG_OPAQUE_DTYPE, "of dtype torch's dtype number 7");
  f->dtype = 13;
  assert_opaque(&x, AG_OPAQUE_DTYPE, "of dtype quint8");
  assert_equal_freed(captured(2), "");
  fake_free(f);
}

TEST(broken) {
  fake *f = fake_new("float32", 2, 2, -1);
  aotigen_value x = handle(f);
  f->sizes[0] = f->sizes[1] = INT64_C(1) << 40;
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_BROKEN);
  f->sizes[0] = 2;
  f->sizes[1] = -1;
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_BROKEN);
  f->sizes[1] = 2;
  f->ndim = AG_MAX_DIMS + 1;
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_BROKEN);
  fake_free(f);
}

/* If there is no shape, none is compared. */
TEST(same) {
  static ag_view a, b;
  a.state = b.state = AG_VIEW_BROKEN;
  a.t.ndim = b.t.ndim = -1;
  b.t.sizes[0] = 1;
  assert_true(ag_view_is_same(&a, &b));
  b.state = AG_VIEW_NULL;
  assert_false(ag_view_is_same(&a, &b));
}

TEST(array) {
  float elements[6] = {0};
  const int64_t sizes[] = {6}, strides[] = {1};
  aotigen_value x = {.v.handle = elements,
                     .sizes = sizes,
                     .strides = strides,
                     .ndim = 1,
                     .item_size = 4,
                     .arithmetic = 1,
                     .kind = AOTIGEN_V_ARRAY};
  const aotigen_param wrong = {.name = "p", .dtype = "float64"};
  ag_view_of_value(&v, &x, &wrong);
  assert_int_equal(v.state, AG_VIEW_OK);
  assert_string_equal(v.t.dtype->name, "float32");
  assert_int_equal(v.storage_bytes, -1);
  const aotigen_param half = {.name = "p", .dtype = "bfloat16"};
  x.item_size = 2; /* the wrapper's name where its size is right */
  ag_view_of_value(&v, &x, &half);
  assert_string_equal(v.t.dtype->name, "bfloat16");
  x.arithmetic = 0;
  ag_view_of_value(&v, &x, NULL);
  assert_int_equal(v.state, AG_VIEW_OPAQUE);
}

TEST(index_of) {
  ag_tensor t = {.ndim = 2, .sizes = {4, 6}};
  ag_text s = {0};
  ag_tensor_describe_index(&s, &t, 8);
  assert_string_equal(ag_text_string(&s), "[1, 2]");
  ag_text_free(&s);
}
