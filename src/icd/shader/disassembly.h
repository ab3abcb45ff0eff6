// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "icd/shader/program.h"

namespace spalt::icd {

/// The code as assembly in LLVM's dialect, an instruction a line.
std::string disassemble(const Program& program);

}  // namespace spalt::icd
