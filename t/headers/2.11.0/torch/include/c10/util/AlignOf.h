#pragma once
#include <cstddef>
namespace c10 {
}
