#pragma once
#include <c10/util/intrusive_ptr.h>
#include <ATen/core/jit_type_base.h>
namespace c10 {
struct Type;
class __attribute__((__visibility__("default"))) RRefInterface : public c10::intrusive_ptr_target {
public:
RRefInterface() = default;
RRefInterface(const RRefInterface& other) = delete;
RRefInterface(RRefInterface&& other) = delete;
RRefInterface& operator=(const RRefInterface& other) = delete;
RRefInterface& operator=(RRefInterface&& other) = delete;
~RRefInterface() override = default;
virtual const TypePtr type() const = 0;
};
}
