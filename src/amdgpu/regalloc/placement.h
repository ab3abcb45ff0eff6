// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "amdgpu/regalloc/register_file.h"
#include "amdgpu/regalloc/register_set.h"

namespace spalt::regalloc {

/// One value that has to be somewhere around one instruction.
struct PlacedValue {
  enum Span : uint8_t {
    before = 1,  ///< read by the instruction and dead after it
    after = 2,   ///< result
    through = 3  ///< lives across it, or: an operand and the result tied to it
  };
  mir::VReg value;
  uint8_t dwords = 1;
  Span span = through;
  uint16_t index = RegisterSet::kNone;  ///< where it is now or would like to be; none: anywhere
  bool movable = true;                  ///< false: required to be at `index`
  bool placed = false;
};

/// The registers around one instruction: those occupied when it reads, and when it has written. Solving puts every
/// value somewhere so that no two meet in either; values that are already somewhere stay if they can.
class Placement {
 public:
  Placement(mir::RegFile file, const RegisterSet& allowed, Arena& arena)
      : file_(file), allowed_(allowed), values_(arena), given_(arena), order_(arena) {}

  void clear() {
    values_.clear();
    before_ = after_ = RegisterSet();
  }
  /// Registers that hold something else before or after the instruction.
  void block(RegisterSet before, RegisterSet after) {
    before_ = before_ | before;
    after_ = after_ | after;
  }
  size_t add(const PlacedValue& value) {
    values_.push_back(value);
    return values_.size() - 1;
  }
  const PlacedValue& operator[](size_t i) const { return values_[i]; }

  /// False if the values do not fit, whatever their order.
  bool solve();

 private:
  bool fits(const PlacedValue& value, unsigned index) const;
  void occupy(const PlacedValue& value);
  void vacate(const PlacedValue& value);
  bool place_anywhere(PlacedValue& value);
  bool solve_in_place();
  bool clear_window(PlacedValue& value);
  bool repack();
  void place_required();
  void order_by_size();

  const mir::RegFile file_;
  const RegisterSet allowed_;
  RegisterSet before_, after_;          ///< occupied
  Vector<PlacedValue> values_, given_;  ///< given_: before solving in place
  Vector<uint32_t> order_;              ///< of order_by_size
  RegisterSet initial_before_, initial_after_;
};

/// A free place for a tuple: exact halves of broken pairs and single holes first, the lowest otherwise.
unsigned find_place(mir::RegFile file, const RegisterSet& free, unsigned dwords);

/// The same for VGPRs of which the first is even (`parity` 0) or odd (1).
unsigned find_vgprs(const RegisterSet& free, unsigned dwords, unsigned parity);

}  // namespace spalt::regalloc
