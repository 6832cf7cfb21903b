#pragma once
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/SymInt.h>
#include <c10/core/impl/COW.h>
#include <c10/util/UniqueVoidPtr.h>
#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <variant>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <cstddef>
#include <utility>
namespace c10 {
struct __attribute__((__visibility__("default"))) StorageExtraMeta {
std::optional<std::string> custom_data_ptr_error_msg_ = std::nullopt;
};
struct __attribute__((__visibility__("default"))) StorageImpl : public c10::intrusive_ptr_target {
public:
struct use_byte_size_t {
};
StorageImpl(
use_byte_size_t ,
SymInt size_bytes,
at::DataPtr data_ptr,
at::Allocator* allocator,
bool resizable);
StorageImpl(
use_byte_size_t ,
const SymInt& size_bytes,
at::Allocator* allocator,
bool resizable);
StorageImpl& operator=(StorageImpl&& other) = delete;
StorageImpl& operator=(const StorageImpl&) = delete;
StorageImpl() = delete;
StorageImpl(StorageImpl&& other) = delete;
StorageImpl(const StorageImpl&) = delete;
~StorageImpl() override = default;
void reset();
bool resizable() const;
const at::DataPtr& data_ptr() const;
const void* data() const;
at::DeviceType device_type() const;
at::Allocator* allocator();
const at::Allocator* allocator() const;
Device device() const;
protected:
private:
DataPtr data_ptr_;
SymInt size_bytes_;
bool size_bytes_is_heap_allocated_;
bool resizable_;
bool received_cuda_;
bool has_mutable_data_ptr_check_ = false;
bool throw_on_mutable_data_ptr_ = false;
bool throw_on_immutable_data_ptr_ = false;
bool warn_deprecated_on_mutable_data_ptr_ = false;
Allocator* allocator_;
impl::PyObjectSlot pyobj_slot_;
std::unique_ptr<StorageExtraMeta> extra_meta_ = nullptr;
};
}
