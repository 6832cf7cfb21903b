#pragma once
#include <ATen/core/ivalue.h>
#include <c10/util/hash.h>
namespace c10 {
template <class Key_, class Value_>
bool operator==(const Dict<Key_, Value_>& lhs, const Dict<Key_, Value_>& rhs);
template <class Key_, class Value_>
bool operator!=(const Dict<Key_, Value_>& lhs, const Dict<Key_, Value_>& rhs);
}
