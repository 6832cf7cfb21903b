#pragma once
#include <type_traits>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/typeid.h>
#include <c10/macros/Macros.h>
namespace caffe2 {
class __attribute__((__visibility__("default"))) Blob final : public c10::intrusive_ptr_target {
public:
Blob() noexcept = default;
~Blob() override;
Blob(Blob&& other) noexcept;
Blob& operator=(Blob&& other) noexcept;
private:
TypeMeta meta_;
void* pointer_{nullptr};
bool has_ownership_{false};
Blob(const Blob&) = delete;
Blob& operator=(const Blob&) = delete;
};
inline std::ostream& operator<<(std::ostream& out, const Blob& v);
}
