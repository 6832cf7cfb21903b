/* 336-no-layout - a torch that cannot be asked for a tensor's layout (before 2.11): what a tensor
 * is path_condition for, each time that it is seen. Compiles tensor.c itself, without those
 * functions. */
#include "shim.h"

/* Never defined. */
#define aoti_torch_get_layout absent_get_layout
#define aoti_torch_is_defined absent_is_defined
/* With the means to fail. */
#define aoti_torch_get_data_ptr old_get_data_ptr
#define aoti_torch_get_storage_size old_get_storage_size
#include "../runtime/tensor/tensor.c"

static bool has_address, has_storage;
static int asked; /* for the storage's size */

int32_t old_get_data_ptr(AtenTensorHandle f, void **ret) {
  *ret = f->data;
  return !has_address;
}

int32_t old_get_storage_size(AtenTensorHandle f, int64_t *ret) {
  asked++;
  *ret = f->storage_size;
  return !has_storage;
}

static fake *f;

BEFORE_EACH {
  has_address = has_storage = true;
  asked = 0;
  f = fake_new("float32", 6, -1);
}

AFTER_EACH { fake_free(f); }

/* The view's state, and of an opaque one why, the same at both sights. */
static void assert_seen(enum ag_view_state state, enum ag_opaque because) {
  for (int i = 0; i < 2; i++) {
    ag_view v = {0};
    ag_view_of_handle(&v, f);
    assert_int_equal(v.state, state);
    if (state == AG_VIEW_OPAQUE) assert_int_equal(v.opaque, because);
  }
}

TEST(strided) {
  assert_seen(AG_VIEW_OK, 0);
  assert_int_equal(asked, 2);
}

TEST(without_an_address) {
  has_address = false;
  assert_seen(AG_VIEW_OPAQUE, AG_OPAQUE_UNDESCRIBED);
  has_address = true; /* another tensor, which torch made in the place of the first */
  assert_seen(AG_VIEW_OK, 0);
}

TEST(without_sizes) {
  capture(2);
  f->layout = 99;
  assert_seen(AG_VIEW_OPAQUE, AG_OPAQUE_UNDESCRIBED);
  free(captured(2));
}

/* Torch's error for the storage is on stderr once. */
TEST(without_a_storage) {
  has_storage = false;
  assert_seen(AG_VIEW_OPAQUE, AG_OPAQUE_GUESSED);
  assert_int_equal(asked, 1);
  has_storage = true; /* another tensor, with its elements elsewhere */
  f->data = (char *)f->data + 4;
  assert_seen(AG_VIEW_OK, 0);
}

TEST(with_strides_of_an_opaque_tensor) {
  f->ndim = 2;
  f->sizes[0] = 2;
  f->sizes[1] = 3;
  f->strides[0] = 1;
  f->strides[1] = 0;
  assert_seen(AG_VIEW_OPAQUE, AG_OPAQUE_GUESSED);
  assert_int_equal(asked, 0);
}

/* c10's: the implementation of each tensor that is not there. */
char undefined_implementation[64] __asm__("_ZN3c1019UndefinedTensorImpl10_singletonE");

TEST(not_there) {
  const char *tensor = undefined_implementation;
  ag_view v = {0};
  ag_view_of_handle(&v, (AtenTensorHandle)(uintptr_t)&tensor);
  assert_int_equal(v.state, AG_VIEW_UNDEFINED);
}
