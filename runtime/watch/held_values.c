/* held_values.c - see held_values.h. */
#include "watch/held_values.h"

#include "tensor/element_hash.h"

/* The memory that a dense tensor fills, as a list: its order is the same in both calls. */
static ag_tensor list_memory(const ag_view *view) {
  ag_tensor list = {.dtype = view->t.dtype, .numel = view->t.numel, .ndim = 1, .strides = {1}};
  list.sizes[0] = view->t.numel;
  list.data = (const char *)view->t.data + view->lowest * view->t.dtype->item_size;
  return list;
}

static uint64_t hash_values(const ag_view *view, uint64_t turn) {
  const int64_t n = view->t.numel, item = view->t.dtype->item_size, most = AG_PIECE / item;
  const ag_tensor list = view->dense ? list_memory(view) : view->t;
  uint64_t sum = 0;
  if (n * item < AG_SAMPLED_FROM) return ag_hash_part(&list, 0, n);
  for (int64_t i = (int64_t)(turn % AG_SAMPLE) * most; i < n; i += AG_SAMPLE * most)
    sum += ag_hash_part(&list, i, n - i < most ? n - i : most);
  return sum;
}

void ag_held_values_note(ag_kept_tensor *k, uint64_t turn) {
  const ag_view *view = &k->view;
  if (k->how != AG_KEPT_HELD || view->t.device_type != ag_backend_cpu.device_type ||
      !ag_view_is_readable(view))
    return;
  k->hash = hash_values(view, turn);
  k->values = view->t.numel * view->t.dtype->item_size < AG_SAMPLED_FROM ? AG_VALUES_UNCHANGED
                                                                         : AG_VALUES_SAMPLED;
}

bool ag_held_values_have_changed(ag_kept_tensor *k, uint64_t turn) {
  if (k->values != AG_VALUES_UNCHANGED && k->values != AG_VALUES_SAMPLED) return false;
  if (hash_values(&k->view, turn) == k->hash) return false;
  k->values = AG_VALUES_CHANGED;
  return true;
}

const char *ag_held_values_name(const ag_kept_tensor *k) {
  static const char *const names[] = {NULL, "unchanged", "unchanged as far as it was sampled",
                                      "changed since the run began"};
  return k->how == AG_KEPT_HELD ? names[k->values] : NULL;
}
