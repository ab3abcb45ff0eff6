// SPDX-License-Identifier: MIT
#include "redundant.h"

namespace spalt::litmus {

const char* why_redundant(const std::string&, const std::string&, const Variant&) {
  return nullptr;
}

}  // namespace spalt::litmus
