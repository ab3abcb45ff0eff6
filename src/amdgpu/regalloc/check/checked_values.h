// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>

#include "amdgpu/mir/function.h"

namespace spalt::regalloc {

/// A dword of a value of the unallocated function: kind, number and dword in one word.
using Value = uint64_t;
constexpr Value kKindVReg = 0, kKindConstant = 1, kKindPhysical = 2;
constexpr Value make_value(Value kind, uint64_t number, unsigned dword) {
  return kind << 56 | number << 8 | dword;
}
constexpr bool is_vreg_value(Value value) {
  return value >> 56 == kKindVReg;
}
constexpr mir::VReg vreg_of(Value value) {
  return mir::VReg(static_cast<uint32_t>(value >> 8));
}

/// Which value every virtual register is. All that load the same constant are the same value, and a phi with one
/// operand is that operand.
class CheckedValues {
 public:
  explicit CheckedValues(const mir::Function& before);

  Value value_of(mir::VReg v, unsigned dword) const {
    return is_constant(v) ? make_value(kKindConstant, constant_of_[v], dword) : make_value(kKindVReg, v.index, dword);
  }
  bool is_constant(mir::VReg v) const { return constant_of_[v] != kNone; }
  /// A phi of nothing: any content will do.
  bool is_undefined(mir::VReg v) const { return is_undefined_[v] != 0; }

  Value constant(uint32_t pattern, unsigned dwords, unsigned dword) {
    return make_value(kKindConstant, constant_number(pattern, dwords), dword);
  }
  /// What a constant load (`is_constant_load`) of either function leaves in a dword of its destination.
  Value loaded_constant(const mir::Function& function, mir::InstId inst, unsigned dword) {
    return make_value(kKindConstant, loaded_number(function, inst), dword);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  uint32_t constant_number(uint32_t pattern, unsigned dwords);
  uint32_t loaded_number(const mir::Function& function, mir::InstId inst);
  void collect_single_phi(const mir::Function& before, mir::VReg phi, const mir::Operand& operand);

  std::map<uint64_t, uint32_t> constants_;
  IdMap<mir::VReg, uint32_t> constant_of_;  ///< number of the constant that the value is, if any
  IdMap<mir::VReg, uint8_t> is_undefined_;
};

}  // namespace spalt::regalloc
