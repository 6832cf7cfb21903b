#pragma once
#include <cstdint>
#include <mutex>
#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/python_stub.h>
namespace c10 {
struct __attribute__((__visibility__("default"))) GeneratorImpl : public c10::intrusive_ptr_target {
GeneratorImpl(Device device_in, DispatchKeySet key_set);
GeneratorImpl(const GeneratorImpl& other) = delete;
GeneratorImpl(GeneratorImpl&& other) = delete;
GeneratorImpl& operator=(const GeneratorImpl& other) = delete;
GeneratorImpl& operator=(GeneratorImpl&& other) = delete;
~GeneratorImpl() override = default;
Device device() const;
std::mutex mutex_;
DispatchKeySet key_set() const;
protected:
Device device_;
DispatchKeySet key_set_;
PyObject* pyobj_ = nullptr;
};
}
