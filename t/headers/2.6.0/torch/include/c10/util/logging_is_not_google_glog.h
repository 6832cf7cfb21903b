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
#include <c10/util/Flags.h>
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
inline std::ostream& operator<<(std::ostream& out, const std::nullptr_t&);
}
