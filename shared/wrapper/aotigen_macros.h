/* aotigen_macros.h - the C++ side of aotigen.h: turns the arguments of a launch into
 * `aotigen_value`s. Only aotigen.h includes it, and only where a level is on. It stands before
 * torch's own headers, so it recognises the tensor classes of AOTInductor by their members
 * (`get()`, or `data()` and `sizes()`), not by their names.
 */
#ifndef AOTIGEN_MACROS_H
#define AOTIGEN_MACROS_H

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "aotigen_torch.h"

namespace aotigen {

struct value : aotigen_value {
  value() : aotigen_value() { kind = AOTIGEN_V_NOTHING; }
  template <class T> value(const T &x) : aotigen_value() { set(x, 0); }

private:
  template <class T> auto set(const T &x, int) -> std::enable_if_t<std::is_pointer_v<T>> {
    kind = AOTIGEN_V_HANDLE;
    v.handle = x;
  }
  template <class T> auto set(const T &x, int) -> std::enable_if_t<std::is_floating_point_v<T>> {
    kind = AOTIGEN_V_FLOAT;
    v.f = static_cast<double>(x);
  }
  template <class T>
  auto set(const T &x, int) -> std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> {
    if constexpr (std::is_same_v<T, bool>) {
      kind = AOTIGEN_V_BOOL;
      v.i = x;
    } else if constexpr (std::is_unsigned_v<T>) {
      kind = AOTIGEN_V_UINT;
      v.u = x;
    } else {
      kind = AOTIGEN_V_INT;
      v.i = static_cast<int64_t>(x);
    }
  }
  template <class T>
  auto set(const T &x, int) -> std::enable_if_t<std::is_same_v<T, std::nullptr_t>> {
    kind = AOTIGEN_V_HANDLE;
    v.handle = x;
  }
  /* RAIIAtenTensorHandle, ConstantHandle */
  template <class T>
  auto set(const T &x, int) -> std::enable_if_t<std::is_pointer_v<decltype(x.get())>> {
    kind = AOTIGEN_V_HANDLE;
    v.handle = x.get();
  }
  /* ArrayRefTensor */
  template <class T>
  auto set(const T &x, int) -> std::enable_if_t<std::is_pointer_v<decltype(x.data())> &&
                                                std::is_pointer_v<decltype(x.sizes().data())>> {
    using element = std::remove_cv_t<std::remove_pointer_t<decltype(x.data())>>;
    kind = AOTIGEN_V_ARRAY;
    v.handle = x.data();
    sizes = x.sizes().data();
    strides = x.strides().data();
    ndim = static_cast<int32_t>(x.sizes().size());
    item_size = sizeof(element);
    arithmetic = std::is_same_v<element, bool>       ? 4
                 : std::is_floating_point_v<element> ? 1
                 : !std::is_integral_v<element>      ? 0
                 : std::is_signed_v<element>         ? 2
                                                     : 3;
  }
  template <class T> void set(const T &, long) {}
};

/* A view of `base` that only the call itself creates: described without creating it. */
template <class T>
value view(const T &base, int64_t ndim, const int64_t *sizes, const int64_t *strides,
           int64_t offset) {
  value x(base);
  if (x.kind == AOTIGEN_V_HANDLE) x.kind = AOTIGEN_V_VIEW;
  x.ndim = static_cast<int32_t>(ndim);
  x.sizes = sizes;
  x.strides = strides;
  x.offset = offset;
  return x;
}

inline void raise(const char *message) {
  if (message) throw std::runtime_error(message);
}

/* Begins a run, and ends it when the function returns or throws. */
struct run : aotigen_run {
  run(aotigen_model *m, int folding, const void *s)
      : aotigen_run(), exceptions(std::uncaught_exceptions()) {
    aotigen_run_begin(this, m, folding, const_cast<void *>(s));
  }
  run(const run &) = delete;
  run &operator=(const run &) = delete;
  ~run() { aotigen_run_end(this, std::uncaught_exceptions() > exceptions); }
  int exceptions;
};

/* Throws a report on the device in place of `e`, if the device failed. */
inline void failed(run &r, const std::exception &e) { raise(aotigen_run_failed(&r, e.what())); }

/* The same for an exception that is about to leave an entry point. */
inline void entry_failed(aotigen_model *m, const char *what) {
  raise(aotigen_entry_failed(m, what));
}

/* An entry point is in flight. */
struct entry {
  entry(aotigen_model *m, const char *name)
      : exceptions(std::uncaught_exceptions()), place(aotigen_entry_begin(m, name)) {}
  entry(const entry &) = delete;
  entry &operator=(const entry &) = delete;
  ~entry() { aotigen_entry_end(place, std::uncaught_exceptions() > exceptions); }
  const int exceptions, place;
};

/* Tells the library the schemas of the ops that sites call by the proxy executor, if they are
 * registered. The proxy executor throws if they are not. */
struct opened {
  explicit opened(aotigen_model *m) {
#if defined _GLIBCXX_USE_CXX11_ABI && _GLIBCXX_USE_CXX11_ABI
    if (!&torch_dispatcher || !&find_operator || !&end_operator || !&describe_operator) return;
    for (uint32_t i = 0; i < m->nsites; i++) {
      const aotigen_op *op = m->sites[i].op;
      if (!op) continue;
      try {
        const torch_operator found = find_operator(torch_dispatcher(), op->name, op->overload);
        aotigen_op_registered(m, i, describe_operator(found.entry).c_str());
      } catch (const std::exception &) {
      }
    }
#endif
  }
};

/* Wraps torch's allocator, and tells the library what an operator allocates. */
struct __attribute__((visibility("hidden"))) counting_allocator : torch_allocator {
  torch_data allocate(size_t n) override {
    torch_data made = below()->allocate(n);
    torch_deleter &deleter = made.context.get_deleter();
    if (made.data && made.data == made.context.get() &&
        aotigen_operator_allocated(made.data, n, deleter))
      deleter = release;
    return made;
  }
  bool is_simple(const torch_data &x) const override { return below()->is_simple(x); }
  torch_deleter raw_deleter() const override { return below()->raw_deleter() ? release : nullptr; }
  void copy_data(void *to, const void *from, size_t n) const override {
    below()->copy_data(to, from, n);
  }
  static void release(void *at) {
    torch_deleter deleter = below()->raw_deleter();
    aotigen_operator_freed(at, &deleter);
    if (deleter) deleter(at);
  }
  static torch_allocator *&below() {
    static torch_allocator *allocator;
    return allocator;
  }
};

inline void count_allocations() {
  if (!&cpu_allocator || !&set_cpu_allocator || !&is_simple_data || !&default_allocator ||
      !aotigen_counts_allocations(default_allocator, reinterpret_cast<void *>(&is_simple_data)))
    return;
  counting_allocator::below() = cpu_allocator();
  set_cpu_allocator(new counting_allocator, 0);
}

inline void load(aotigen_model *m, const std::string &device,
                 const std::optional<std::string> &cubin_dir, const void *blob,
                 const void *blob_end) {
  count_allocations();
  raise(aotigen_load(m, device.c_str(), cubin_dir ? cubin_dir->c_str() : nullptr, blob, blob_end));
}

/* `result{r}, f(...)` stores what f returns, an error code of the shim; if f is void, the comma is
 * the language's own. */
struct result {
  aotigen_run &r;
};
inline void operator,(result to, int32_t error) { to.r.error = error; }

inline void before(run &r, uint32_t site, std::initializer_list<value> values) {
  raise(aotigen_before(&r, site, values.begin(), values.size()));
}
inline void after(run &r, uint32_t site, std::initializer_list<value> late) {
  raise(aotigen_after(&r, site, late.begin(), late.size()));
}
inline void weights(run &r, std::initializer_list<value> values) {
  raise(aotigen_check_weights(&r, values.begin(), values.size()));
}
/* A tensor like `handle` over memory of the library's, if the library wants that; else NULL. An
 * AtenTensorHandle is an at::Tensor on the heap. */
inline void *allocate(run &r, uint32_t buffer, const void *handle) {
  aotigen_memory m;
  if (!aotigen_allocate(&r, buffer, handle, &m)) return nullptr;
  void *owner = m.owner, *place = ::operator new(sizeof(torch_tensor));
  try {
    if (!&from_dlpack) throw std::runtime_error("this torch has no at::fromDLPack()");
    ::new (place) torch_tensor(from_dlpack(&m, [owner](void *) { aotigen_release(owner); }));
  } catch (const std::exception &e) {
    ::operator delete(place);
    aotigen_not_allocated(&r, buffer, owner, e.what());
    return nullptr;
  }
  return place;
}

template <class Handle> void allocated(run &r, uint32_t buffer, Handle &handle) {
  void *made = allocate(r, buffer, handle);
  if (!made) return;
  aotigen_delete_tensor(handle);
  handle = static_cast<Handle>(made);
}

/* The same for an object that owns its handle. */
template <class Object> void own(Object &object, void *made) {
  if (made) object = Object(static_cast<decltype(object.get())>(made));
}
template <class Object> void reused(run &r, uint32_t buffer, Object &object) {
  own(object, allocate(r, buffer, object.get()));
}
/* The same for an input or weight: a copy of it, or NULL. */
inline void *copy_given(run &r, uint32_t given, const void *handle) {
  void *copy = allocate(r, r.model->nbuffers + given, handle);
  if (copy && !aotigen_copy_given(&r, given, copy, handle)) {
    aotigen_delete_tensor(copy);
    copy = nullptr;
  }
  return copy;
}
/* The run owns the handles, and takes them out of the array later. */
template <class Handle> void guard_inputs(run &r, Handle *handles) {
  if (!aotigen_has_copies(&r, 0)) return;
  for (uint32_t i = 0; i < r.model->ninputs; i++) {
    void *copy = copy_given(r, i, handles[i]);
    if (!copy) continue;
    aotigen_delete_tensor(handles[i]);
    handles[i] = static_cast<Handle>(copy);
  }
}
/* For std::shared_ptr<std::vector<ConstantHandle>>: returns a vector with the copies in place of
 * the weights, and owns them. */
template <class Pointer> Pointer copy_weights(run &r, const Pointer &all) {
  using vector = typename Pointer::element_type;
  using constant = typename vector::value_type;
  using handle = decltype(std::declval<const constant &>().get());
  vector *given = new vector(*all);
  std::vector<handle> copies;
  for (uint32_t i = 0; i < r.model->nweights && i < given->size(); i++) {
    void *copy = copy_given(r, r.model->ninputs + i, (*all)[i].get());
    if (!copy) continue;
    copies.push_back(static_cast<handle>(copy));
    (*given)[i] = constant(copies.back());
  }
  return Pointer(given, [copies](vector *p) {
    delete p;
    for (handle x : copies) aotigen_delete_tensor(x);
  });
}
template <bool wanted, class Pointer> Pointer guard_weights(run &r, const Pointer &all) {
  if constexpr (wanted)
    return aotigen_has_copies(&r, 1) ? copy_weights(r, all) : all;
  else
    return all;
}
template <class Object> void handed_over(run &r, Object &object) {
  own(object, aotigen_hand_over(&r, object.get()));
}

/* The handles that an op's call takes, in a longer array if the run wants that. The additional
 * tensors are ours, and undefined until torch stores one. */
template <class Handle> struct room {
  room(run &of, Handle *given, size_t n) : r(of), handles(given) {
    void *spare;
    if (!r.room) return;
    longer.assign(given, given + n);
    while (longer.size() < n + r.room && !aotigen_new_tensor(&spare)) {
      longer.push_back(static_cast<Handle>(spare));
      undefined = implementation(spare);
    }
    handles = longer.data();
    first = n;
  }
  room(const room &) = delete;
  room &operator=(const room &) = delete;
  ~room() {
    for (size_t i = first; i < longer.size(); i++) {
      r.more += implementation(longer[i]) != undefined;
      aotigen_delete_tensor(longer[i]);
    }
  }
  static void *implementation(const void *tensor) {
    return static_cast<const torch_tensor *>(tensor)->implementation;
  }
  run &r;
  Handle *handles;
  std::vector<Handle> longer;
  size_t first = 0;
  void *undefined = nullptr;
};
/* aoti_torch_proxy_executor_call_function() with such an array; any other function unchanged. */
template <class Function> Function *with_room(run &, Function *f) { return f; }
template <class Result, class Executor, class Index, class Ints, class Int, class Count,
          class Handle>
auto with_room(run &r, Result (*f)(Executor, Index, Ints, Int *, Count, Handle *)) {
  return [&r, f](Executor executor, Index index, Ints nints, Int *ints, Count n, Handle *given) {
    const room<Handle> x(r, given, static_cast<size_t>(n));
    return f(executor, index, nints, ints, n, x.handles);
  };
}

static_assert(sizeof(value) == sizeof(aotigen_value),
              "an initializer list of values is an array of aotigen_value");

} // namespace aotigen

/* The linked weights; weak, since a wrapper may store them elsewhere. */
extern "C" const uint8_t aotigen_blob_begin[] __asm__("_binary_constants_bin_start")
    __attribute__((weak));
extern "C" const uint8_t aotigen_blob_end[] __asm__("_binary_constants_bin_end")
    __attribute__((weak));

/* With these, the weights follow the ELF file or are a file of their own, and only their size is
 * linked. */
#if defined USE_MMAP_SELF || defined USE_MMAP_EXTERNAL
#define AOTIGEN_LOADED(device, cubin_dir)                                                          \
  ::aotigen::load(&aotigen_model_, device, cubin_dir, nullptr, nullptr)
#else
#define AOTIGEN_LOADED(device, cubin_dir)                                                          \
  ::aotigen::load(&aotigen_model_, device, cubin_dir, aotigen_blob_begin, aotigen_blob_end)
#endif
/* Runs when the library is opened, before its loader makes the proxy executor of the model. */
#define AOTIGEN_OPENED() const ::aotigen::opened aotigen_opened_(&aotigen_model_);
#define AOTIGEN_WEIGHTS_CHANGED() aotigen_weights_changed(&aotigen_model_)
/* Has no catch, since no line can be inserted at the function's end. */
#define AOTIGEN_RUN_UNCAUGHT(folding, stream)                                                      \
  ::aotigen::run aotigen_run_(&aotigen_model_, folding, stream)
/* The function's whole body stands between these and AOTIGEN_RUN_END(). */
#define AOTIGEN_RUN(stream)                                                                        \
  AOTIGEN_RUN_UNCAUGHT(0, stream);                                                                 \
  try {
#define AOTIGEN_FOLD(stream)                                                                       \
  AOTIGEN_RUN_UNCAUGHT(1, stream);                                                                 \
  try {
#define AOTIGEN_RUN_END()                                                                          \
  }                                                                                                \
  catch (const std::exception &aotigen_error_) {                                                   \
    ::aotigen::failed(aotigen_run_, aotigen_error_);                                               \
    throw;                                                                                         \
  }
/* Around the call of constant folding, if the function then returns what was folded; and in the run
 * function, behind the check of its weights. */
#define AOTIGEN_FOLDING(weights)                                                                   \
  aotigen_folding_begin(&aotigen_model_, weights);                                                 \
  try {
#define AOTIGEN_FOLDING_END(initialization, weights)                                               \
  }                                                                                                \
  catch (const std::exception &aotigen_error_) {                                                   \
    if ((initialization) &&                                                                        \
        aotigen_folding_failed(&aotigen_model_, weights, aotigen_error_.what()))                   \
      return {};                                                                                   \
    throw;                                                                                         \
  }
#define AOTIGEN_FOLDED(weights) ::aotigen::raise(aotigen_folding_fault(&aotigen_run_, weights))
#define AOTIGEN_NAME_OF(name, number) name##number
#define AOTIGEN_NAME(name, number) AOTIGEN_NAME_OF(name, number)
/* The body of an entry point, or that of its own `try`, stands between these. */
#define AOTIGEN_ENTRY()                                                                            \
  try {                                                                                            \
    const ::aotigen::entry AOTIGEN_NAME(aotigen_entry_, __COUNTER__)(&aotigen_model_, __func__);
#define AOTIGEN_ENTRY_END()                                                                        \
  }                                                                                                \
  catch (const std::exception &aotigen_error_) {                                                   \
    ::aotigen::entry_failed(&aotigen_model_, aotigen_error_.what());                               \
    throw;                                                                                         \
  }                                                                                                \
  catch (...) {                                                                                    \
    ::aotigen::entry_failed(&aotigen_model_, nullptr);                                             \
    throw;                                                                                         \
  }
#define AOTIGEN_ENTRY_DELETES() aotigen_entry_deletes(&aotigen_model_)
/* The expansion depends on AOTIGEN_GUARD at the use of the macro, not at its definition, so one
 * precompiled header serves all levels. The numbers are sums of enum aotigen_guard: pages, which
 * may be requested by name, or copies; pages or poison; red zones or pages. */
#define AOTIGEN_CHECK_INPUTS_NOW(handles)                                                          \
  do {                                                                                             \
    aotigen_check_inputs(&aotigen_run_, reinterpret_cast<const void *const *>(handles));           \
    if constexpr (((AOTIGEN_GUARD)&38) != 0) ::aotigen::guard_inputs(aotigen_run_, handles);       \
  } while (0)
#define AOTIGEN_GUARD_WEIGHTS()                                                                    \
  auto constants_ =                                                                                \
      ::aotigen::guard_weights<((AOTIGEN_GUARD)&70) != 0>(aotigen_run_, this->constants_)
#define AOTIGEN_INPUTS_OWNED() ::aotigen::raise(aotigen_inputs_owned(&aotigen_run_))
#define AOTIGEN_WEIGHTS_BOUND(...) ::aotigen::weights(aotigen_run_, {__VA_ARGS__})
#define AOTIGEN_VIEW(...) ::aotigen::view(__VA_ARGS__)
#define AOTIGEN_NO_VALUES
#define AOTIGEN_NOTHING ::aotigen::value()
/* Every launch is counted. A filtered-out one costs only this count and the test of its flag. */
#define AOTIGEN_BEFORE(site, ...)                                                                  \
  do {                                                                                             \
    ++aotigen_run_.launch;                                                                         \
    if (aotigen_run_.wanted[site])                                                                 \
      ::aotigen::before(aotigen_run_, site, {__VA_ARGS__});                                        \
    else                                                                                           \
      aotigen_run_.unseen = aotigen_run_.launch;                                                   \
  } while (0)
/* The same in a model with several streams, before a launch that is passed its own. */
#define AOTIGEN_BEFORE_ON(site, stream, ...)                                                       \
  do {                                                                                             \
    aotigen_run_.passed_stream = static_cast<void *>(stream);                                      \
    AOTIGEN_BEFORE(site, __VA_ARGS__);                                                             \
  } while (0)
#define AOTIGEN_STREAM_OP(op, stream, event) aotigen_stream_op(&aotigen_run_, op, stream, event)
/* Right before a call whose result the statement ignores. */
#define AOTIGEN_RESULT ::aotigen::result{aotigen_run_},
/* Replaces torch's function in one statement by a #define, which preserves the statement's text:
 * torch throws that text if the call fails. */
#define AOTIGEN_WITH_ROOM(function) ::aotigen::with_room(aotigen_run_, function)
#define AOTIGEN_AFTER(site) AOTIGEN_AFTER_MADE(site, )
/* Also passes the tensors that the launch itself created. */
#define AOTIGEN_AFTER_MADE(site, ...)                                                              \
  do {                                                                                             \
    if (aotigen_run_.wanted[site]) ::aotigen::after(aotigen_run_, site, {__VA_ARGS__});            \
  } while (0)
#define AOTIGEN_ALLOCATED(buffer, handle) ::aotigen::allocated(aotigen_run_, buffer, handle)
#define AOTIGEN_REUSED(buffer, object)                                                             \
  do {                                                                                             \
    if constexpr (((AOTIGEN_GUARD)&14) != 0) ::aotigen::reused(aotigen_run_, buffer, object);      \
  } while (0)
#define AOTIGEN_HANDED_OVER(object)                                                                \
  do {                                                                                             \
    if constexpr (((AOTIGEN_GUARD)&7) != 0) ::aotigen::handed_over(aotigen_run_, object);          \
  } while (0)
#define AOTIGEN_GRID(kernel, x, y, z) ::aotigen::raise(aotigen_grid(kernel, x, y, z))
#define AOTIGEN_BEFORE_OUTPUTS() ::aotigen::raise(aotigen_before_outputs(&aotigen_run_))

#endif
