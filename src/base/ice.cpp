// SPDX-License-Identifier: MIT
#include "base/ice.h"

namespace spalt {

void raise_internal_error(const char* file, int line, const char* what) {
  throw InternalError(file, line, what);
}

}  // namespace spalt
