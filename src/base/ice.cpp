// SPDX-License-Identifier: MIT
#include "base/ice.h"

namespace spalt {

void raise_internal_error(const char* file, int line, std::string what) {
  throw InternalError(file, line, std::move(what));
}

}  // namespace spalt
