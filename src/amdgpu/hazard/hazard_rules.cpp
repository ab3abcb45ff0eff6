// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/hazard_rules.h"

#include <iterator>

namespace spalt::hazard {
namespace {

using isa::OpcodeInfo;
using isa::OperandType;

bool is_opcode(const OpcodeInfo& info, isa::Opcode opcode) {
  return &info == &isa::info(opcode);
}

bool is_float(OperandType type) {
  return type == OperandType::f16 || type == OperandType::f32 || type == OperandType::f64 || type == OperandType::f16x2;
}

/// The result says the type: the data of a compare and swap is a pair without one.
bool is_float_memory_atomic(const OpcodeInfo& info) {
  return info.has(isa::kVmem) && info.has(isa::kAtomic) && info.dst_count != 0 && is_float(info.dst[0].type);
}

/// A vector instruction waits for the atomic to have read its mode; so does any wait for a memory counter.
bool is_vector_or_wait(const OpcodeInfo& info) {
  return info.has(isa::kValu) || is_opcode(info, isa::Opcode::s_waitcnt) ||
         is_opcode(info, isa::Opcode::s_waitcnt_vmcnt) || is_opcode(info, isa::Opcode::s_waitcnt_vscnt) ||
         is_opcode(info, isa::Opcode::s_waitcnt_expcnt) || is_opcode(info, isa::Opcode::s_waitcnt_lgkmcnt);
}

bool is_denorm_mode(const OpcodeInfo& info) {
  return is_opcode(info, isa::Opcode::s_denorm_mode);
}

constexpr HazardRule kRules[] = {
    {"FloatAtomicToDenormMode",
     "LLVM 19 hazard recognizer for GFX10: a float atomic may see the denormal mode set after it",
     &isa::Target::float_atomic_denorm_mode_hazard, 3, is_float_memory_atomic, is_vector_or_wait, is_denorm_mode},
};
static_assert(std::size(kRules) == kHazardRuleCount);

}  // namespace

std::span<const HazardRule> hazard_rules() {
  return kRules;
}

}  // namespace spalt::hazard
