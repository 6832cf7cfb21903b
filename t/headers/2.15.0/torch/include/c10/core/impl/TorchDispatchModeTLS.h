#pragma once
#include <c10/core/SafePyObject.h>
namespace c10::impl {
enum class TorchDispatchModeKey : int8_t {
FAKE,
PROXY,
FUNCTIONAL,
NUM_MODE_KEYS
};
__attribute__((__visibility__("default"))) std::string to_string(TorchDispatchModeKey mode_key);
}
