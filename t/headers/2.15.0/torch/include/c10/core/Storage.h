#pragma once
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/SymInt.h>
#include <c10/util/Exception.h>
#include <c10/util/ExclusivelyOwned.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/UniqueVoidPtr.h>
#include <c10/util/intrusive_ptr.h>
#include <cstddef>
#include <utility>
namespace c10 {
struct Storage;
struct __attribute__((__visibility__("default"))) Storage {
public:
struct use_byte_size_t {
};
struct unsafe_borrow_t {
explicit unsafe_borrow_t() = default;
};
Storage() = default;
Storage(c10::intrusive_ptr<StorageImpl> ptr);
Storage(
use_byte_size_t ,
const SymInt& size_bytes,
Allocator* allocator = nullptr,
bool resizable = false);
Storage(
use_byte_size_t ,
size_t size_bytes,
at::DataPtr data_ptr,
at::Allocator* allocator = nullptr,
bool resizable = false);
Storage(
use_byte_size_t ,
SymInt size_bytes,
at::DataPtr data_ptr,
at::Allocator* allocator = nullptr,
bool resizable = false);
protected:
explicit Storage(unsafe_borrow_t , const Storage& rhs);
public:
bool resizable() const;
const void* data() const;
const at::DataPtr& data_ptr() const;
DeviceType device_type() const;
at::Allocator* allocator() const;
at::Device device() const;
operator bool() const;
protected:
c10::intrusive_ptr<StorageImpl> storage_impl_;
};
}
