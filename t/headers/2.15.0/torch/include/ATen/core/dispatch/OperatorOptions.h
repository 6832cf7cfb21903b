#pragma once
#include <cstdint>
namespace c10 {
enum class AliasAnalysisKind : uint8_t {
INTERNAL_SPECIAL_CASE,
CONSERVATIVE,
FROM_SCHEMA,
PURE_FUNCTION
};
}
