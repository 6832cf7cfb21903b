#pragma once
#include <algorithm>
#include <cstdint>
#include <torch/headeronly/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/SmallVector.h>
namespace c10::impl {
class __attribute__((__visibility__("default"))) SizesAndStrides {
public:
SizesAndStrides();
~SizesAndStrides();
SizesAndStrides(const SizesAndStrides& rhs);
bool operator==(const SizesAndStrides& other) const;
bool operator!=(const SizesAndStrides& other) const;
SizesAndStrides& operator=(const SizesAndStrides& rhs);
SizesAndStrides(SizesAndStrides&& rhs) noexcept;
SizesAndStrides& operator=(SizesAndStrides&& rhs) noexcept;
size_t size() const noexcept;
private:
size_t size_{1};
union {
int64_t* outOfLineStorage_;
int64_t inlineStorage_[5 * 2]{};
};
};
}
