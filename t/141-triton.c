/* 141-triton.c - the metadata of a Triton kernel, as torch 2.8 and later write it into the wrapper.
 */
#include "model/triton.h"
#include "unit.h"

static const char source[] =
    "    /*\n"
    "    async_compile.triton('triton_red_0', '''\n"
    "    import triton\n"
    "    @triton_heuristics.reduction(\n"
    "        triton_meta={'signature': {'in_out_ptr0': '*fp32', 'in_ptr0': '*bf16', 'out_ptr1': "
    "'*i1', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}, 'device': D(cc=90), 'constants': {}, "
    "'configs': [{(0,): [['tt.divisibility', 16]], (3,): [['tt.divisibility', 16]], (1,): "
    "[['tt.pointer_range', 32]]}]},\n"
    "        inductor_meta={'kernel_name': 'triton_red_0', 'mutated_arg_names': ['in_out_ptr0'], "
    "'num_load': 2},\n"
    "    )\n"
    "    def triton_red_0(in_out_ptr0, in_ptr0, out_ptr1, xnumel, XBLOCK):\n"
    "        tmp0 = tl.load(in_ptr0 + (x0), xmask)\n"
    "        tmp1 = tl.where(xmask, tmp0, float(\"-inf\"))\n"
    "%s"
    "        tl.store(out_ptr1 + (x0), tmp1, xmask)\n"
    "    ''', device_str='cuda')\n"
    "    */\n";

static triton kernel(arena *a, const char *more) {
  char text[4096];
  snprintf(text, sizeof text, source, more);
  triton k;
  assert_true(triton_read(&k, "triton_red_0", text, strlen(text), a));
  return k;
}

TEST(signature_divisibility_and_mutation) {
  arena *a = arena_new();
  triton k = kernel(a, "");
  assert_int_equal(k.params.n, 5);
  const triton_param *p = triton_find_param(&k, "in_out_ptr0");
  assert_string_equal(p->type, "*fp32");
  assert_true(p->divisible16 && p->mutated);
  p = triton_find_param(&k, "in_ptr0");
  assert_true(p->loaded && !p->stored && !p->divisible16 && !p->mutated);
  p = triton_find_param(&k, "out_ptr1");
  assert_true(p->stored && !p->loaded);
  assert_true(triton_find_param(&k, "xnumel")->divisible16);
  assert_null(triton_find_param(&k, "nothing"));
  arena_free(a);
}

/* An access through a descriptor is one of what it was made of. */
TEST(descriptors_have_directions) {
  static const struct {
    const char *text;
    bool loaded, stored;
  } uses[] = {
      {"        tmp2 = xnumel.load([x0])\n", true, false},
      {"        xnumel.store([x0], tmp1)\n", false, true},
      {"        xnumel.atomic_add([x0], tmp1)\n", true, true},
      {"        tmp2 = xnumel.gather(x0, 0)\n", true, false},
      {"        tmp2 = tl.load_tensor_descriptor(xnumel, [x0])\n", true, false},
      {"        tl.store_tensor_descriptor(xnumel, [x0], tmp1)\n", false, true},
      {"        tmp2 = tl._experimental_descriptor_load(xnumel, [x0], [16], tl.float32)\n", true,
       false},
      {"        desc = tl.make_tensor_descriptor(xnumel, shape=[4], strides=[1], "
       "block_shape=[4])\n        tmp2 = desc.load([x0])\n",
       true, false},
      {"        desc = tl.make_tensor_descriptor(xnumel, [4], [1], [4])\n        desc.store([x0], "
       "tmp1)\n",
       false, true},
      {"        desc = tl.make_tensor_descriptor(xnumel, [4], [1], [4])\n        other = "
       "tl.make_tensor_descriptor(in_ptr0, [4], [1], [4])\n        tmp2 = desc.load([x0])\n",
       true, false},
      {"        tl.make_tensor_descriptor(xnumel, [4], [1], [4])\n        desc.store([x0], tmp1)\n",
       false, false},
      {"        tmp2 = tl.load(xnumel + x0)\n", true, false},
      {"        tmp2 = xnumel.to(tl.float32)\n", false, false}};
  arena *a = arena_new();
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    triton k = kernel(a, uses[i].text);
    const triton_param *p = triton_find_param(&k, "xnumel");
    assert_int_equal(p->loaded, uses[i].loaded);
    assert_int_equal(p->stored, uses[i].stored);
  }
  arena_free(a);
}

TEST(only_a_constant_neg_inf_is_on_purpose) {
  arena *a = arena_new();
  assert_false(kernel(a, "").makes_neg_inf); /* the mask of a reduction */
  assert_true(
      kernel(a, "        tmp2 = tl.full([1], float(\"-inf\"), tl.float32)\n").makes_neg_inf);
  assert_false(kernel(a, "        tmp2 = tl.full([1], 1.0, tl.float32)\n").makes_neg_inf);
  arena_free(a);
}

TEST(the_source_loses_the_wrappers_indentation) {
  arena *a = arena_new();
  triton k = kernel(a, "");
  assert_non_null(strstr(k.source, "\nimport triton\n"));
  assert_non_null(strstr(k.source, "\ndef triton_red_0("));
  assert_null(strstr(k.source, "device_str"));
  arena_free(a);
}

TEST(text_without_a_kernel_or_cut_short) {
  arena *a = arena_new();
  triton k;
  char text[4096];
  snprintf(text, sizeof text, source, "");
  assert_false(triton_read(&k, "k", "int x;", 6, a));
  for (size_t n = 0; n < strlen(text); n += 7)
    triton_read(&k, "k", text, n, a); /* the sanitizers watch */
  arena_free(a);
}

TEST(element_types_have_torchs_names) {
  assert_string_equal(triton_find_dtype("tensordesc<bf16[32, 64]>"), "bfloat16");
  assert_string_equal(triton_find_dtype("tensordesc<fp32[8]>"), "float32");
  assert_null(triton_find_dtype("tensordesc<[8]>"));
  assert_null(triton_find_dtype("tensordesc<a long name of no type[8]>"));
  assert_null(triton_find_dtype("nvTmaDesc"));
  assert_string_equal(triton_find_dtype("*fp32"), "float32");
  assert_string_equal(triton_find_dtype("*fp8e4nv"), "float8_e4m3fn");
  assert_string_equal(triton_find_dtype("*i1"), "bool");
  assert_null(triton_find_dtype("constexpr"));
}
