#pragma once
#include <chrono>
#include <climits>
#include <ctime>
#include <iomanip>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <torch/headeronly/macros/Macros.h>
#include <cstddef>
#include <typeinfo>
#include <c10/util/StringUtil.h>
namespace std {
template <class First, class Second>
std::ostream& operator<<(std::ostream& out, const std::pair<First, Second>& p);
}
namespace std {
template <class... Types> std::ostream& operator<<( std::ostream& out, const std::vector<Types...>& seq);
template <class... Types> std::ostream& operator<<( std::ostream& out, const std::map<Types...>& seq);
template <class... Types> std::ostream& operator<<( std::ostream& out, const std::set<Types...>& seq);
template <class First, class Second>
inline std::ostream& operator<<(
std::ostream& out,
const std::pair<First, Second>& p);
inline std::ostream& operator<<(
std::ostream& out,
const std::nullptr_t& );
}
