// SPDX-License-Identifier: MIT
//
// What the operations of a subgroup do with two values.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp>

namespace spalt::random_programs {

struct GroupOp {
  spv::Op group;
  spv::Op plain;      ///< of two values, or OpNop and then
  uint32_t glsl;      ///< an instruction of GLSL.std.450
  uint64_t identity;  ///< its low bits, or one of these
};
/// With the sign bit where the type has it.
constexpr uint64_t kLeast = 0x8000000000000000, kGreatest = 0x7fffffffffffffff;

}  // namespace spalt::random_programs
