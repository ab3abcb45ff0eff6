// SPDX-License-Identifier: MIT
#include "amdgpu/sched/pair_vector.h"

#include <algorithm>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/mir/machine_inst.h"

namespace spalt::sched {
namespace {

using mir::InstId;
using mir::Operand;

/// How far a second half may come from.
constexpr size_t kWindow = 8;

bool overlap(const Operand& a, const Operand& b) {
  return a.reg.valid() && b.reg.valid() && a.reg < b.reg.offset(b.dwords) && b.reg < a.reg.offset(a.dwords);
}

bool overlap(std::span<const Operand> list, std::span<const Operand> others) {
  for (const Operand& a : list) {
    for (const Operand& b : others) {
      if (overlap(a, b)) return true;
    }
  }
  return false;
}

class VectorPairer {
 public:
  explicit VectorPairer(mir::Function& function) : function_(function) {}

  void run() {
    for (mir::BlockId block : function_.layout) pair(function_.blocks[block].insts);
  }

 private:
  void pair(mir::InstList& insts) {
    for (size_t first = 0; first + 1 < insts.size(); ++first) {
      if (!is_candidate(insts[first])) continue;
      const size_t second = find_partner(insts, first);
      if (second == 0) continue;
      const auto begin = insts.begin() + static_cast<long>(first);
      std::rotate(begin + 1, insts.begin() + static_cast<long>(second), insts.begin() + static_cast<long>(second) + 1);
      if (!encodes(insts[first], insts[first + 1])) std::swap(insts[first], insts[first + 1]);
      function_.insts[insts[first]].dual = true;
      ++first;
    }
  }

  bool is_candidate(InstId id) const {
    const mir::Inst& inst = function_.insts[id];
    // v_dual_cndmask_b32 has no field for the mask.
    if (inst.opcode == mir::Opcode::v_cndmask_b32 && function_.uses(id)[2].reg != isa::kVcc) return false;
    return !inst.has_modifiers() && mir::has_flag(inst.opcode, isa::kValu) &&
           isa::opcode_number(mir::to_isa(inst.opcode), isa::Format::vopd, function_.target.generation) >= 0;
  }

  /// The position of the nearest instruction that can issue together with the one at `first`, or 0.
  size_t find_partner(const mir::InstList& insts, size_t first) const {
    const size_t end = std::min<size_t>(insts.size(), first + 1 + kWindow);
    for (size_t at = first + 1; at < end; ++at) {
      if (is_fence(insts[at])) return 0;
      if (is_candidate(insts[at]) && can_pair(insts[first], insts[at]) && can_rise(insts, first, at)) return at;
    }
    return 0;
  }

  /// Vector instructions stay on their side of waits and changes of exec.
  bool is_fence(InstId id) const {
    const mir::Inst& inst = function_.insts[id];
    if (mir::has_flag(inst.opcode, isa::kSideEffects | isa::kTerminator | isa::kBranch)) return true;
    const Operand exec = Operand::physical(isa::kExec, 2);
    return overlap(function_.defs(id), {&exec, 1});
  }

  /// Both halves read before either writes, so only results matter.
  bool can_pair(InstId first, InstId second) const {
    if (overlap(function_.defs(first), function_.uses(second)) ||
        overlap(function_.defs(first), function_.defs(second)))
      return false;
    if (encodes(first, second)) return true;
    return !overlap(function_.uses(first), function_.defs(second)) && encodes(second, first);
  }

  bool can_rise(const mir::InstList& insts, size_t first, size_t at) const {
    for (size_t between = first + 1; between < at; ++between) {
      const InstId other = insts[between], rising = insts[at];
      if (overlap(function_.defs(other), function_.uses(rising)) ||
          overlap(function_.defs(other), function_.defs(rising)) ||
          overlap(function_.uses(other), function_.defs(rising))) {
        return false;
      }
    }
    return true;
  }

  bool encodes(InstId x, InstId y) const {
    isa::EncodedInst unused;
    return isa::try_encode(mir::dual_machine_inst(function_, x, y), function_.target, unused) == nullptr;
  }

  mir::Function& function_;
};

}  // namespace

void pair_vector(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (!function.target.has_dual_issue || function.wave_size != 32) return;
  VectorPairer(function).run();
}

}  // namespace spalt::sched
