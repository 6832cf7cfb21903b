#pragma once
#include <ostream>
#include <sstream>
