// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// The literals and labels of an OpSwitch. A literal takes as many words as its selector begins, the low one first;
/// what exceeds the selector's width extends the sign.
class SwitchCases {
 public:
  /// `in[1]` is within bounds.
  SwitchCases(const Reader& r, const Instruction& in) : in_(in) {
    const uint32_t type = r.ids[in[1]].type;
    if (type != kNone && r.types[type].kind == TypeKind::integer) width_ = ir::Type{r.types[type].scalar}.bits();
  }
  bool complete() const { return (in_.count - 3) % words() == 0; }
  uint32_t count() const { return (in_.count - 3) / words(); }
  uint64_t literal(uint32_t index) const {
    const uint32_t at = 3 + index * words();
    if (width_ == 64) return in_[at] | uint64_t{in_[at + 1]} << 32;
    return in_[at] & ((uint64_t{1} << width_) - 1);
  }
  uint32_t label(uint32_t index) const { return in_[3 + (index + 1) * words() - 1]; }

 private:
  uint32_t words() const { return width_ == 64 ? 3 : 2; }
  const Instruction& in_;
  uint32_t width_ = 32;
};

/// Appends the blocks that the terminator of `block` names, in the order of its operands; those of OpSwitch by the
/// values of the cases, after the default. Labels are repeated as the instruction has them.
bool append_successors(Reader& r, uint32_t block, uint32_t function, Vector<uint32_t>& out);

}  // namespace spalt::spirv
