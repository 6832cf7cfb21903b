/* op_table.c - see op_table.h. A call form that its declaration does not show needs an entry
 * here. */
#include "model/op_table.h"
#include "base/arena.h"
#include "shared/glob.h"
#include <string.h>

bool op_table_match(const char *pattern, const char *name) {
  return ag_glob((ag_slice){pattern, strlen(pattern)}, (ag_slice){name, strlen(name)});
}

/* The namespaces of torch 2.6 to 2.15 without other packages. */
static const char *const of_torch[] = {"aten",
                                       "prim",
                                       "prims",
                                       "inductor",
                                       "inductor_prims",
                                       "quantized",
                                       "c10d",
                                       "_c10d_functional",
                                       "_c10d_functional_autograd",
                                       "c10d_functional",
                                       "symm_mem",
                                       "higher_order",
                                       "profiler",
                                       "mkldnn",
                                       "onednn",
                                       "mkl",
                                       "rngprims",
                                       "debugprims",
                                       "streams",
                                       "fsdp",
                                       "_quantized",
                                       "quantized_decomposed",
                                       "sparse",
                                       "cuda",
                                       "prepacked",
                                       "xnnpack",
                                       "mkldnn_prepacked",
                                       "static_runtime",
                                       "_caffe2",
                                       "_test",
                                       "export",
                                       "triton_kernel_wrap",
                                       NULL};

bool op_table_is_torchs(const char *op) {
  static const char python[] = "torch.ops.";
  if (strncmp(op, python, sizeof python - 1) == 0) op += sizeof python - 1;
  size_t n = strcspn(op, ":.");
  for (const char *const *space = of_torch; *space; space++)
    if (strlen(*space) == n && strncmp(op, *space, n) == 0) return true;
  return false;
}

static const struct {
  const char *pattern;
  enum effect effect;
} not_launches[] = {
    /* allocation */
    {"aoti_torch_empty_strided*", EFFECT_ALLOCATES},
    {"aoti_torch__alloc_from_pool", EFFECT_ALLOCATES},
    {"aoti_torch_create_tensor_from_blob*", EFFECT_ALLOCATES},
    {"aoti_torch_new_uninitialized_tensor", EFFECT_UNINITIALIZED},
    {"allocate_scratch_tensor*", EFFECT_ALLOCATES},
    /* views and second handles */
    {"aoti_torch_new_tensor_handle", EFFECT_ALIASES},
    {"aoti_torch_assign_tensors_out", EFFECT_ALIASES},
    {"aoti_torch__reinterpret_tensor", EFFECT_ALIASES},
    {"aoti_torch_as_strided", EFFECT_ALIASES},
    {"aoti_torch_*view_as_real", EFFECT_ALIASES},
    {"aoti_torch_*view_as_complex", EFFECT_ALIASES},
    {"aoti_torch_*view_dtype", EFFECT_ALIASES},
    {"reinterpret_tensor_wrapper", EFFECT_ALIASES},
    /* ownership, metadata, conversion */
    {"aoti_torch_assign_tensors", EFFECT_NONE},
    {"aoti_torch_delete_*", EFFECT_NONE},
    {"aoti_torch_get_*", EFFECT_NONE},
    {"aoti_torch_is_*", EFFECT_NONE},
    {"aoti_torch_set_*", EFFECT_NONE},
    {"aoti_torch_*_to_ivalue", EFFECT_NONE},
    {"aoti_torch_ivalue_to_*", EFFECT_NONE},
    {"aoti_torch_unsafe_alloc_void_handle_from_tensor", EFFECT_NONE},
    {"steal_from_*", EFFECT_NONE},
    {"alloc_tensors_by_stealing_*", EFFECT_NONE},
    {"wrap_with_raii_handle_if_needed", EFFECT_NONE},
    {"unwrap_raii_handle_if_needed", EFFECT_NONE},
    {"borrow_arrayref_tensor_as_tensor", EFFECT_NONE},
    {"copy_arrayref_tensor_to_tensor", EFFECT_NONE},
    {"convert_*", EFFECT_NONE},
    {"get_data_ptr_wrapper", EFFECT_NONE},
    {"c_to_arrayref_tensor*", EFFECT_NONE},
    {"arrayref_tensor_to_c*", EFFECT_NONE},
    {"assert_*", EFFECT_NONE},
    {"is_raii_handle*", EFFECT_NONE},
    {"temporary_reference*", EFFECT_NONE},
    {"expensive_copy_to_tensor_if_needed", EFFECT_NONE},
    {"scalar_to_tensor_handle", EFFECT_NONE},
    {"tensor_handle_to_tensor_pointer", EFFECT_NONE},
    {"new_tensor_handle", EFFECT_NONE},
    {"to_*_handle", EFFECT_NONE},
    {"torch_*", EFFECT_NONE}, /* conversions of the stable ABI: torch_list_push_back and others */
    {"from", EFFECT_NONE},
    {"to", EFFECT_NONE},
    {"move", EFFECT_NONE},
    {"forward", EFFECT_NONE},
    {"swap", EFFECT_NONE},
    {"get", EFFECT_NONE},
    {"exchange", EFFECT_NONE},
    /* checks and PyTorch's own debugging calls */
    {"check_input*", EFFECT_NONE},
    {"__check_inputs_outputs", EFFECT_NONE},
    {"aoti_torch_check*", EFFECT_NONE},
    {"aoti_torch_print_*", EFFECT_NONE},
    {"aoti_torch_save_*", EFFECT_NONE},
    {"aoti_torch_warn", EFFECT_NONE},
};

enum effect op_table_find_effect(const char *callee) {
  for (size_t i = 0; i < sizeof not_launches / sizeof *not_launches; i++)
    if (op_table_match(not_launches[i].pattern, callee)) return not_launches[i].effect;
  return EFFECT_LAUNCH;
}

bool op_table_is_copy(const char *callee) {
  return op_table_match("aoti_torch_clone*", callee) || op_table_match("aoti_torch_*copy_", callee);
}
bool op_table_is_item(const char *callee) { return op_table_match("aoti_torch_item_*", callee); }
bool op_table_is_proxy(const char *callee) {
  return op_table_match("aoti_torch_proxy_executor_call_function*", callee);
}
bool op_table_is_product(const char *callee) {
  static const char *const names[] = {"mm_out", "addmm_out", "bmm_out", "baddbmm_out"};
  const char *name = op_table_match("aoti_torch_cuda_*", callee) ? callee + 16 : "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* The text behind the namespace that `name` begins with, and behind one of `marks`; or NULL. */
static const char *skip_collective_space(const char *name, const char *marks) {
  /* the longer of two that begin alike comes first */
  static const char *const spaces[] = {"_c10d_functional_autograd", "_c10d_functional",
                                       "c10d_functional", NULL};
  for (const char *const *space = spaces; *space; space++) {
    size_t n = strlen(*space);
    if (strncmp(name, *space, n) == 0 && name[n] && strchr(marks, name[n]))
      return name + n + strspn(name + n, ":") + (name[n] != ':');
  }
  return NULL;
}

const char *op_table_find_collective(const char *kernel) {
  static const char shim[] = "aoti_torch_", python[] = "torch.ops.";
  if (strncmp(kernel, python, sizeof python - 1) == 0) kernel += sizeof python - 1;
  if (strncmp(kernel, shim, sizeof shim - 1) != 0) return skip_collective_space(kernel, ":.");
  const char *device = kernel + sizeof shim - 1, *end = strchr(device, '_');
  const char *found = skip_collective_space(device, "_");
  return found || !end ? found : skip_collective_space(end + 1, "_");
}

bool op_table_is_wait(const char *collective) {
  size_t n = strcspn(collective, ".");
  return (n == 11 && strncmp(collective, "wait_tensor", n) == 0) ||
         (n == 12 && strncmp(collective, "wait_tensors", n) == 0);
}

bool op_table_is_unasserted(const char *callee, size_t index) {
  static const struct {
    const char *pattern;
    size_t from;
  } rows[] = {
      {"*scaled_dot_product_*attention*", 1}, /* logsumexp padding, random state, debug mask */
      {"*_flash_attention_forward*", 1},
      {"*_efficient_attention_forward*", 1},
      {"*_cudnn_attention_forward*", 1},
      {"*native_dropout*", 1},
      {"*miopen*", 1},
      {"*cudnn_batch_norm*", 3},
      {"*mkldnn_rnn_layer*", 3},
      {"*_cudnn_rnn*", 3},
      {"*_embedding_bag*", 1},
  };
  if (op_table_match("*backward*", callee)) return false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (index >= rows[i].from && op_table_match(rows[i].pattern, callee)) return true;
  return false;
}

/* Flash attention's forward returns undefined cumulative lengths, which its backward accepts. */
bool op_table_takes_undefined(const char *callee) {
  return op_table_match("*attention*backward*", callee);
}

bool op_table_makes_neg_inf(const char *op) {
  static const char *const ops[] = {
      "where",          "masked_fill",   "masked_fill_",    "full", "full_like", "fill", "fill_",
      "masked_scatter", "scalar_tensor", "constant_pad_nd", NULL};
  const char *dot = strrchr(op, '.');
  return strings_index(ops, dot ? dot + 1 : op) >= 0;
}

static const char *const long_ops[] = {
#define X(name) name,
#include "model/aten_ops.def"
#undef X
    NULL};

size_t op_table_measure_op(const char *name) {
  size_t best = 0;
  for (const char *const *op = long_ops; *op; op++) {
    size_t n = strlen(*op);
    if (n > best && strncmp(name, *op, n) == 0 && (name[n] == '_' || name[n] == '\0')) best = n;
  }
  return best;
}

/* ---- element types -------------------------------------------------------------------------- */

static const struct {
  const char *name, *cpp, *triton;
  int bytes;
} dtypes[] = {
#define X(name, cls, bytes, exponent, mantissa, special, number, dlpack, aten, printed, storage,   \
          numpy, cpp, triton)                                                                      \
  {#name, cpp, triton, bytes},
#include "shared/dtypes.def"
#undef X
};

/* True if `name` is one of the names in `spellings`, which '|' separates. */
static bool is_spelled(const char *spellings, const char *name) {
  size_t n = strlen(name);
  for (const char *s = spellings; s; s = (s = strchr(s, '|')) ? s + 1 : NULL)
    if (strcspn(s, "|") == n && memcmp(s, name, n) == 0) return true;
  return false;
}

const char *op_table_find_dtype(const char *element) {
  const char *name = element;
  for (const char *p = element;
       (p = strstr(p, "::")) && !(strchr(element, '<') && p > strchr(element, '<')); p += 2)
    name = p + 2;
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    if (is_spelled(dtypes[i].cpp, name)) return dtypes[i].name;
  return NULL;
}

const char *op_table_find_triton_dtype(const char *type) {
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    if (dtypes[i].triton && strcmp(dtypes[i].triton, type) == 0) return dtypes[i].name;
  return NULL;
}

int op_table_measure_dtype(const char *name) {
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    if (strcmp(dtypes[i].name, name) == 0) return dtypes[i].bytes;
  return 0;
}
