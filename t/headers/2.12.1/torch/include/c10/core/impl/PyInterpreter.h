#pragma once
#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/python_stub.h>
#include <string>
#include <vector>
namespace c10 {
struct IValue;
struct TensorImpl;
namespace impl {
struct PyObjectSlot;
}
}
namespace c10::impl {
struct __attribute__((__visibility__("default"))) PyInterpreter;
struct __attribute__((__visibility__("default"))) PyInterpreterVTable {
virtual ~PyInterpreterVTable() = default;
virtual std::string name() const = 0;
virtual c10::Device device(const TensorImpl* self) const = 0;
virtual int64_t dim(const TensorImpl* self) const = 0;
virtual c10::IntArrayRef strides(const TensorImpl* self) const = 0;
virtual c10::IntArrayRef sizes(const TensorImpl* self) const = 0;
virtual c10::Layout layout(const TensorImpl* self) const = 0;
virtual int64_t numel(const TensorImpl* self) const = 0;
};
struct __attribute__((__visibility__("default"))) PyInterpreter {
const PyInterpreterVTable* vtable_;
PyInterpreter(const PyInterpreterVTable* vtable);
const PyInterpreterVTable& operator*() const noexcept;
const PyInterpreterVTable* operator->() const noexcept;
};
}
