#pragma once
#include <bit>
#include <bitset>
#include <cstddef>
namespace c10::utils {
using bitset = std::bitset<64>;
}
