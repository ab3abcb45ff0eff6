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

  /// How two instructions become one.
  struct Fit {
    bool possible = false;
    bool exchanges_first = false, exchanges_second = false;
  };

  void pair(mir::InstList& insts) {
    // Most small blocks have none.
    const auto can_pair = [this](InstId id) { return mir::has_vopd_number(function_, id); };
    if (std::count_if(insts.begin(), insts.end(), can_pair) < 2) return;
    notes_.clear();
    for (InstId id : insts) notes_.push_back({mir::vopd_half(function_, id), is_fence(id)});
    for (size_t first = 0; first + 1 < insts.size(); ++first) {
      if (!notes_[first].half.can_pair()) continue;
      Fit fit;
      const size_t second = find_partner(insts, first, fit);
      if (second == 0) continue;
      if (fit.exchanges_first) exchange(insts[first]);
      if (fit.exchanges_second) exchange(insts[second]);
      raise(insts, first + 1, second);
      raise(notes_, first + 1, second);
      if (!isa::can_be_vopd_x(notes_[first].half)) std::swap(insts[first], insts[first + 1]);
      function_.insts[insts[first]].dual = true;
      ++first;
    }
  }

  void exchange(InstId id) {
    mir::Inst& inst = function_.insts[id];
    inst.opcode = mir::from_isa(isa::with_sources_exchanged(mir::to_isa(inst.opcode), function_.target.generation));
    std::swap(function_.uses(id)[0], function_.uses(id)[1]);
  }

  /// Moves the element at `from` up to `to`.
  template <class List>
  static void raise(List& list, size_t to, size_t from) {
    const auto begin = list.begin();
    std::rotate(begin + static_cast<long>(to), begin + static_cast<long>(from), begin + static_cast<long>(from) + 1);
  }

  /// The position of the nearest instruction that can issue together with the one at `first`, or 0.
  size_t find_partner(const mir::InstList& insts, size_t first, Fit& fit) const {
    const size_t end = std::min<size_t>(insts.size(), first + 1 + kWindow);
    for (size_t at = first + 1; at < end && !notes_[at].fence; ++at) {
      if (!notes_[at].half.can_pair() || !are_independent(insts, first, at)) continue;
      fit = fit_of(notes_[first].half, notes_[at].half);
      if (fit.possible && can_rise(insts, first, at)) return at;
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

  /// Both halves read before either writes, so only results matter. Where the later one must be the first half, it may
  /// not write what the other reads: GFX12 may read a register that both halves read before the first half writes and
  /// again after that (LLVM's pull requests 191264 and 196198).
  bool are_independent(const mir::InstList& insts, size_t first, size_t second) const {
    const auto defs = function_.defs(insts[first]), others = function_.defs(insts[second]);
    if (overlap(defs, function_.uses(insts[second])) || overlap(defs, others)) return false;
    return isa::can_be_vopd_x(notes_[first].half) || !overlap(function_.uses(insts[first]), others);
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

  Fit fit_of(const isa::VopdHalf& first, const isa::VopdHalf& second) const {
    if (fits(first, second)) return {true, false, false};
    const isa::Generation generation = function_.target.generation;
    const isa::VopdHalf other_second = isa::with_sources_exchanged(second, generation);
    if (other_second.can_pair() && fits(first, other_second)) return {true, false, true};
    const isa::VopdHalf other_first = isa::with_sources_exchanged(first, generation);
    if (other_first.can_pair() && fits(other_first, second)) return {true, true, false};
    return {};
  }

  /// As one instruction, in the order that there is.
  bool fits(const isa::VopdHalf& first, const isa::VopdHalf& second) const {
    const bool in_order = isa::can_be_vopd_x(first);
    const isa::VopdHalf &x = in_order ? first : second, &y = in_order ? second : first;
    return isa::check_vopd(x, y, function_.target) == nullptr && isa::vopd_is_safe(x, y, function_.target);
  }

  mir::Function& function_;
  Vector<Note> notes_;  ///< of the block at hand, by position
};

}  // namespace

void pair_vector(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (!function.has_dual_issue()) return;
  VectorPairer(function, context.scratch).run();
}

}  // namespace spalt::sched
