/* aotigen_torch.h - the parts of torch that the macros of aotigen_macros.h use: its C++ by mangled
 * names, and its C shim under names of our own. They precede torch's own headers, and the host may
 * have another library than torch's. */
#ifndef AOTIGEN_TORCH_H
#define AOTIGEN_TORCH_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace aotigen {

/* c10::OperatorHandle of torch 2.6 to 2.15: the first of its two pointers points to the operator's
 * entry. It is returned through memory, since its destructor is not trivial: torch exports it. */
struct torch_operator {
  const void *entry, *place;
  torch_operator(const torch_operator &) = delete;
  ~torch_operator();
};
/* c10::Dispatcher::realSingleton(), c10::Dispatcher::findSchemaOrThrow(const char *, const char *),
 * c10::OperatorHandle::~OperatorHandle(), c10::impl::OperatorEntry::dumpState() const. Weak, like
 * the others. */
void *torch_dispatcher() __asm__("_ZN3c1010Dispatcher13realSingletonEv") __attribute__((weak));
torch_operator find_operator(void *dispatcher, const char *name, const char *overload) __asm__(
    "_ZN3c1010Dispatcher17findSchemaOrThrowEPKcS2_") __attribute__((weak));
void end_operator(torch_operator *) __asm__("_ZN3c1014OperatorHandleD1Ev") __attribute__((weak));
std::string describe_operator(const void *entry) __asm__(
    "_ZNK3c104impl13OperatorEntry9dumpStateB5cxx11Ev") __attribute__((weak));
inline torch_operator::~torch_operator() { end_operator(this); }

/* c10::DataPtr and c10::Allocator of torch 2.6 to 2.11; aotigen_counts_allocations() tests if it is
 * this one. */
typedef void (*torch_deleter)(void *);
struct torch_data {
  void *data;
  std::unique_ptr<void, torch_deleter> context;
  int8_t device[2];
};
struct torch_allocator {
  virtual ~torch_allocator() = default;
  virtual torch_data allocate(size_t n) = 0;
  virtual bool is_simple(const torch_data &) const = 0;
  virtual torch_deleter raw_deleter() const = 0;
  virtual void copy_data(void *to, const void *from, size_t n) const = 0;
};
/* c10::GetCPUAllocator(), c10::SetCPUAllocator(), c10::Allocator::is_simple_data_ptr() and the
 * virtual functions of c10::DefaultCPUAllocator. */
torch_allocator *cpu_allocator() __asm__("_ZN3c1015GetCPUAllocatorEv") __attribute__((weak));
void set_cpu_allocator(torch_allocator *,
                       uint8_t priority) __asm__("_ZN3c1015SetCPUAllocatorEPNS_9AllocatorEh")
    __attribute__((weak));
void is_simple_data() __asm__("_ZNK3c109Allocator18is_simple_data_ptrERKNS_7DataPtrE")
    __attribute__((weak));
extern const void *const default_allocator[] __asm__("_ZTVN3c1019DefaultCPUAllocatorE")
    __attribute__((weak));

/* at::Tensor: as large as a pointer, and returned through memory since its destructor is not
 * trivial. Ours is not called: the object belongs to the handle. */
struct torch_tensor {
  void *implementation;
  torch_tensor(const torch_tensor &) = delete;
  ~torch_tensor();
};
/* at::fromDLPack(DLManagedTensor *, std::function<void(void *)>): the function is called when the
 * last tensor over the memory is gone. Weak: the host may have another library than torch's. */
torch_tensor from_dlpack(void *managed, std::function<void(void *)> release) __asm__(
    "_ZN2at10fromDLPackEP15DLManagedTensorSt8functionIFvPvEE") __attribute__((weak));
extern "C" int32_t aotigen_delete_tensor(void *) __asm__("aoti_torch_delete_tensor_object");
extern "C" int32_t aotigen_new_tensor(void **) __asm__("aoti_torch_new_uninitialized_tensor");

} // namespace aotigen

#endif
