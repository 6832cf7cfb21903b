#pragma once
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GeneratorImpl.h>
namespace at {
class Tensor;
struct __attribute__((__visibility__("default"))) Generator {
Generator() = default;
explicit Generator(c10::intrusive_ptr<c10::GeneratorImpl> gen_impl);
bool operator==(const Generator& rhs) const = default;
std::mutex& mutex();
DispatchKeySet key_set() const;
Device device() const;
template<typename T>
T* get() const;
private:
c10::intrusive_ptr<c10::GeneratorImpl> impl_;
};
}
