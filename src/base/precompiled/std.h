// SPDX-License-Identifier: MIT
// The standard headers that most files include, for g++ to read in one piece (meson.build beside this file). Each file
// still includes what it needs, because most builds do without. Not <cmath>: its text depends on -fmath-errno.
#ifndef SPALT_PRECOMPILED_STD_H
#define SPALT_PRECOMPILED_STD_H
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#endif
