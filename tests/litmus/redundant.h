// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "litmus_test.h"

namespace spalt::litmus {

/// Why nobody can see that elements of this name (Element::name) are missing on the configuration in that scope;
/// nullptr when somebody can.
const char* why_redundant(const std::string& element, const std::string& configuration, const Variant& variant);

}  // namespace spalt::litmus
