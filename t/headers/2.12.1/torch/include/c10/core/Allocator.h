#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <new>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/UniqueVoidPtr.h>
#include <c10/util/irange.h>
namespace c10 {
class __attribute__((__visibility__("default"))) DataPtr {
private:
c10::detail::UniqueVoidPtr ptr_;
Device device_;
public:
DataPtr();
DataPtr(void* data, Device device);
DataPtr(void* data, void* ctx, DeleterFnPtr ctx_deleter, Device device);
void* operator->() const;
void clear();
void* get() const;
operator bool() const;
Device device() const;
};
inline bool operator==(const DataPtr& dp, std::nullptr_t) noexcept;
inline bool operator==(std::nullptr_t, const DataPtr& dp) noexcept;
inline bool operator!=(const DataPtr& dp, std::nullptr_t) noexcept;
inline bool operator!=(std::nullptr_t, const DataPtr& dp) noexcept;
struct __attribute__((__visibility__("default"))) Allocator {
virtual ~Allocator() = default;
protected:
};
}
