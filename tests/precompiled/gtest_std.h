// SPDX-License-Identifier: MIT
// GoogleTest and the standard headers, for g++ to read in one piece into the unit tests (meson.build beside this file).
// Each file still includes what it needs, because most builds do without.
#ifndef SPALT_PRECOMPILED_GTEST_STD_H
#define SPALT_PRECOMPILED_GTEST_STD_H
#include <gtest/gtest.h>

#include "std.h"
#endif
