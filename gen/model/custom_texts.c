/* custom_texts.c - see custom_texts.h. The enumerations are those of torch/_export/serde/schema.py,
 * which are not those of c10. */
#include "model/custom_texts.h"
#include "base/shown.h"
#include <string.h>

enum { TEXT_MOST = 200, NESTED_MOST = 8 };

static const char *const scalar_types[] = {[1] = "uint8",
                                           [2] = "int8",
                                           [3] = "int16",
                                           [4] = "int32",
                                           [5] = "int64",
                                           [6] = "float16",
                                           [7] = "float32",
                                           [8] = "float64",
                                           [9] = "complex32",
                                           [10] = "complex64",
                                           [11] = "complex128",
                                           [12] = "bool",
                                           [13] = "bfloat16",
                                           [28] = "uint16",
                                           [29] = "float8_e4m3fn",
                                           [30] = "float8_e5m2",
                                           [31] = "float8_e4m3fnuz",
                                           [32] = "float8_e5m2fnuz"};
static const char *const memory_formats[] = {[1] = "contiguous_format",
                                             [2] = "channels_last",
                                             [3] = "channels_last_3d",
                                             [4] = "preserve_format"};
static const char *const layouts[] = {
    [1] = "sparse_coo", [2] = "sparse_csr", [3] = "sparse_csc", [4] = "sparse_bsr",
    [5] = "sparse_bsc", [6] = "_mkldnn",    [7] = "strided"};

static const char *copy(json_span value, arena *a) { return arena_strndup(a, value.at, value.n); }

/* "torch.float32" for 7; the number where the enumeration has no such value. */
static const char *format_enum(json_span value, const char *const *names, size_t n, arena *a) {
  const long long x = json_span_integer(value, -1);
  return x >= 0 && x < (long long)n && names[x] ? arena_printf(a, "torch.%s", names[x])
                                                : copy(value, a);
}

/* "cuda:0" for {"type": "cuda", "index": 0}. */
static const char *format_device(json_span value, arena *a) {
  const char *type = json_span_short_text(json_span_member(value, "type"), TEXT_MOST, a);
  const long long index = json_span_integer(json_span_member(value, "index"), -1);
  if (!type) return copy(value, a);
  return index >= 0 ? arena_printf(a, "%s:%lld", type, index) : type;
}

static const char *format_value(const char *kind, json_span value, int depth, arena *a);

static const char *format_list(const char *kind, json_span list, int depth, arena *a) {
  const char *t = "[";
  json_walk w = json_walk_begin(list);
  for (size_t i = 0; json_walk_next(&w) && strlen(t) <= TEXT_MOST; i++)
    t = arena_printf(a, "%s%s%s", t, i ? ", " : "", format_value(kind, w.value, depth + 1, a));
  return arena_printf(a, "%s]", t);
}

/* The only member of an object, as of {"as_name": "s0"}. */
static bool find_only(json_span object, json_walk *member) {
  json_walk w = json_walk_begin(object);
  if (!json_span_is_object(object) || !json_walk_next(&w)) return false;
  *member = w;
  return !json_walk_next(&w);
}

static const char *format_value(const char *kind, json_span value, int depth, arena *a) {
  json_walk only;
#define ENUM(names) format_enum(value, names, sizeof names / sizeof *names, a)
  if (depth > NESTED_MOST) return "...";
  if (json_span_is_array(value)) return format_list(kind, value, depth, a);
  if (!strcmp(kind, "as_device")) return format_device(value, a);
  if (!strcmp(kind, "as_scalar_type")) return ENUM(scalar_types);
  if (!strcmp(kind, "as_memory_format")) return ENUM(memory_formats);
  if (!strcmp(kind, "as_layout")) return ENUM(layouts);
#undef ENUM
  if (!strcmp(kind, "as_none") || (value.n == 4 && !memcmp(value.at, "null", 4))) return "None";
  if (find_only(value, &only)) return format_value(copy(only.key, a), only.value, depth + 1, a);
  if (value.n == 4 && !memcmp(value.at, "true", 4)) return "True";
  if (value.n == 5 && !memcmp(value.at, "false", 5)) return "False";
  const char *name = !strcmp(kind, "as_name") ? json_span_short_text(value, TEXT_MOST, a) : NULL;
  return name ? name : copy(value, a);
}

/* A text of at most TEXT_MOST bytes, which ends with a character. */
static const char *cut(const char *text, arena *a) {
  size_t n = strlen(text);
  if (n <= TEXT_MOST) return text;
  for (n = TEXT_MOST; n && ((unsigned char)text[n] & 0xc0) == 0x80;) n--;
  return arena_printf(a, "%.*s ...", (int)n, text);
}

const char *custom_text_format(json_span arg, arena *a) {
  static const char *const tensors[] = {"as_tensor", "as_tensors", "as_nested_tensors", "as_graph"};
  json_walk only, inner;
  if (!find_only(arg, &only)) return NULL;
  const char *kind = copy(only.key, a);
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
    if (!strcmp(kind, tensors[i])) return NULL;
  /* An optional tensor is told where there is none. */
  if (!strcmp(kind, "as_optional_tensors")) return NULL;
  if (!strcmp(kind, "as_optional_tensor") && find_only(only.value, &inner) &&
      strncmp(inner.key.at, "as_tensor\"", 10) == 0)
    return NULL;
  return shown_text(cut(format_value(kind, only.value, 0, a), a), a);
}
