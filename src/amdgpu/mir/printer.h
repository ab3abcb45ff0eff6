// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "amdgpu/mir/function.h"

namespace spalt::mir {

/// The text form of a function; docs/mir.md describes it. parse() reads it back, and printing that gives the same text.
/// Kill flags and pass flags are not part of it.
std::string print(const Function& function);

/// One instruction without indentation or line end.
std::string print_inst(const Function& function, InstId id);
/// "%3:v2", "%3:v2@v[4:5]", "vcc", "0x10", "b3", "undef:2".
std::string print_operand(const Function& function, const Operand& operand);
/// "s3", "s[4:5]", "v[0:3]", "vcc", "exec_lo", "scc", ...
std::string register_name(isa::Reg reg, unsigned dwords);

}  // namespace spalt::mir
