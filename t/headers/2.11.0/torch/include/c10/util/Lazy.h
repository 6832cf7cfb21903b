#pragma once
#include <atomic>
#include <utility>
