#pragma once
#include <c10/core/AutogradState.h>
