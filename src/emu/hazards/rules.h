// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "amdgpu/isa/target.h"
#include "emu/wave/step.h"

namespace spalt::emu {

/// Registers by isa::Reg number; hardware registers (s_setreg) follow at kHardwareRegister.
struct RegRange {
  uint16_t first = 0, count = 0;
  bool overlaps(const RegRange& other) const {
    return first < other.first + other.count && other.first < first + count;
  }
};
constexpr uint16_t kHardwareRegister = 1024;

class RegList {
 public:
  void add(unsigned first, unsigned count) {
    if (size_ < ranges_.size()) ranges_[size_++] = {static_cast<uint16_t>(first), static_cast<uint16_t>(count)};
  }
  bool empty() const { return size_ == 0; }
  const RegRange* begin() const { return ranges_.data(); }
  const RegRange* end() const { return ranges_.data() + size_; }

 private:
  std::array<RegRange, 16> ranges_;
  unsigned size_ = 0;
};

/// What passes between two instructions counts towards their distance.
enum class Passing : uint8_t {
  instructions,  ///< each one wait state, s_nop n n + 1
  vector         ///< vector instructions only
};

using StepTest = bool (*)(const Step&, const isa::Target&);
using StepRegisters = void (*)(const Step&, RegList&);

/// Two instructions that come too close: `second` touches a register of `first` (any register where there is no
/// selection) before `wait_states` have passed or one of `resolved_by` has. Found along the path that a wave takes.
struct HazardRule {
  const char* name;
  const char* what;    ///< what is wrong, said of the second instruction
  const char* cure;    ///< what has to stand between
  const char* source;  ///< who says so
  bool (*exists)(const isa::Target&);
  StepTest first = nullptr;  ///< nullptr: the rule before leads to this one
  StepRegisters first_registers = nullptr;
  StepTest second = nullptr;
  StepRegisters second_registers = nullptr;
  StepTest resolved_by = nullptr;
  uint8_t wait_states = 0;  ///< 0: only resolved_by ends it
  Passing passing = Passing::instructions;
  /// The second instruction itself waits until at most this many of what passes are outstanding; transcendental ones do
  /// not finish in order with the others, so with one of them among those only 0 is safe.
  uint8_t (*tolerates)(const Step&) = nullptr;
  uint8_t transcendentals = 0;  ///< this many transcendental instructions end it as well; 0: no number of them
  bool leads_on = false;        ///< the second instruction is no error; it is the first one of the rule that follows
  bool wave64 = false;          ///< only waves of 64 lanes have it
};

/// The rules of every generation, in a fixed order.
unsigned hazard_rule_count();
const HazardRule& hazard_rule(unsigned index);

/// One instruction that is wrong wherever it stands. `sentence` names the rule and says the cure.
struct SingleRule {
  const char* name;
  const char* sentence;
  const char* source;
  bool (*exists)(const isa::Target&);
  /// `before` is the instruction ahead of it in the code, nullptr at the start.
  bool (*breaks)(const Step& step, const Step* before, const isa::Target& target);
};
std::span<const SingleRule> single_rules();

/// Notes in every step which part it has in which rule, and makes those that break a SingleRule fault. A rule that the
/// code has no second instruction for is left out everywhere, so that nothing is watched in vain.
void assign_hazards(std::vector<Step>& steps, const isa::Target& target, unsigned wave_size);

}  // namespace spalt::emu
