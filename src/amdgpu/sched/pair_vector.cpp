// SPDX-License-Identifier: MIT
#include "amdgpu/sched/pair_vector.h"

#include <algorithm>

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
  VectorPairer(mir::Function& function, Arena& scratch) : function_(function), notes_(scratch) {}

  void run() {
    for (mir::BlockId block : function_.layout) pair(function_.blocks[block].insts);
  }

 private:
  /// What there is to know of an instruction.
  struct Note {
    isa::VopdHalf half;
    bool fence = false;
  };

  void pair(mir::InstList& insts) {
    notes_.clear();
    for (InstId id : insts) notes_.push_back({mir::vopd_half(function_, id), is_fence(id)});
    for (size_t first = 0; first + 1 < insts.size(); ++first) {
      if (!notes_[first].half.can_pair()) continue;
      const size_t second = find_partner(insts, first);
      if (second == 0) continue;
      raise(insts, first + 1, second);
      raise(notes_, first + 1, second);
      if (!encodes(first, first + 1)) std::swap(insts[first], insts[first + 1]);
      function_.insts[insts[first]].dual = true;
      ++first;
    }
  }

  /// Moves the element at `from` up to `to`.
  template <class List>
  static void raise(List& list, size_t to, size_t from) {
    const auto begin = list.begin();
    std::rotate(begin + static_cast<long>(to), begin + static_cast<long>(from), begin + static_cast<long>(from) + 1);
  }

  /// The position of the nearest instruction that can issue together with the one at `first`, or 0.
  size_t find_partner(const mir::InstList& insts, size_t first) const {
    const size_t end = std::min<size_t>(insts.size(), first + 1 + kWindow);
    for (size_t at = first + 1; at < end && !notes_[at].fence; ++at) {
      if (can_pair(insts, first, at) && can_rise(insts, first, at)) return at;
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
  bool can_pair(const mir::InstList& insts, size_t first, size_t second) const {
    const bool in_order = encodes(first, second);
    if (!in_order && !encodes(second, first)) return false;
    const auto defs = function_.defs(insts[first]), others = function_.defs(insts[second]);
    if (overlap(defs, function_.uses(insts[second])) || overlap(defs, others)) return false;
    return in_order || !overlap(function_.uses(insts[first]), others);
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

  /// As one instruction, in this order.
  bool encodes(size_t x, size_t y) const {
    return isa::check_vopd(notes_[x].half, notes_[y].half, function_.target) == nullptr;
  }

  mir::Function& function_;
  Vector<Note> notes_;  ///< of the block at hand, by position
};

}  // namespace

void pair_vector(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (!function.target.has_dual_issue || function.wave_size != 32) return;
  VectorPairer(function, context.scratch).run();
}

}  // namespace spalt::sched
