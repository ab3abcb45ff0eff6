// SPDX-License-Identifier: MIT
//
// Phases (docs/mir.md, section "Register allocation"):
//   1. a survey of both files: liveness on their graphs, last uses, demand, wishes
// and then for SGPRs and after them for VGPRs
//   2. spilling until the demand is under the limit, each round with a survey of its own
//   3. assignment, which needs no further spilling except where tuples cannot be packed; then the limit is lowered and
//   2 repeats
//   4. copies for moved values and phis
// SGPRs come first because the lanes that hold spilled ones are VGPRs. A program that spills nothing, as most do, is
// walked seven times: once for phis, twice by the survey, twice by assignment, twice to write its results.
#include "amdgpu/regalloc/allocate.h"

#include <algorithm>
#include <vector>

#include "amdgpu/regalloc/assign.h"
#include "amdgpu/regalloc/simplify_phis.h"
#include "amdgpu/regalloc/spill/advance_reloads.h"
#include "amdgpu/regalloc/spill/spill.h"
#include "amdgpu/regalloc/survey.h"
#include "base/bits.h"
#include "base/ice.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Operand;
using mir::RegFile;
using mir::VReg;

/// Moves of values before instructions, as parts of parallel copies, that are worth a second assignment.
constexpr size_t kManyMoves = 8;

class Allocator {
 public:
  Allocator(mir::Function& function, const Config& config, CompileContext& context)
      : function_(function),
        context_(context),
        scratch_(context.scratch),
        survey_(survey_simplified(function, scratch_)),
        sgpr_spills_(context.arena),
        vgpr_spills_(context.arena) {
    const isa::Target& target = function.target;
    const bool limited = config.max_sgprs != 0 && config.max_sgprs < target.sgpr_count;
    max_sgprs_ = limited ? below_reserved(config.max_sgprs) : target.sgpr_count;
    max_vgprs_ = std::min<unsigned>(config.max_vgprs != 0 ? config.max_vgprs : target.vgpr_limit, target.vgpr_limit);
  }

  std::vector<mir::LogicalEdge> run() {
    const size_t blocks = function_.blocks.size();
    const bool spilled = allocate_sgprs();
    std::vector<mir::LogicalEdge> crowded;
    if (spilled || function_.blocks.size() != blocks) {
      crowded = allocate_vgprs(regalloc::survey(function_, FileSet::only(RegFile::vgpr), scratch_));
    } else {
      crowded = allocate_vgprs(survey_);
    }
    function_.stage = mir::Stage::allocated;
    count_registers();
    return crowded;
  }

 private:
  static Survey survey_simplified(mir::Function& function, Arena& scratch) {
    simplify_phis(function, scratch);
    return regalloc::survey(function, {}, scratch);
  }

  /// What is left of a limit under the reserved registers, which come right after all others in the end
  /// (move_reserved).
  unsigned below_reserved(unsigned limit) const {
    const unsigned descriptor = function_.scratch_descriptor.valid() ? 4 : 0,
                   jump = function_.jump_pair.valid() ? 2 : 0;
    const unsigned alignment = std::max({descriptor, jump, 1u});
    return limit < descriptor + jump ? 0 : (limit - descriptor - jump) / alignment * alignment;
  }

  /// Whether anything was spilled.
  bool allocate_sgprs() {
    RegisterSpace space{RegFile::sgpr, {}, {}};
    space.allowed.add(0, max_sgprs_);
    reserve(space.allowed, function_.scratch_descriptor, 4);
    reserve(space.allowed, function_.jump_pair, 2);
    unsigned limit = space.allowed.count();
    space.allowed.add(kVccIndex, 2);
    unsigned demand = survey_.demand.sgpr;
    bool placed = demand <= limit && place_sgprs(space, survey_), spilled = false;
    if (!placed) {
      sgpr_spills_.vgpr_rows = rows_in_vgprs();
      sgpr_spills_.first_slot = first_free_dword();
    }
    for (bool first = demand > limit; !placed; first = false) {
      if (!first) limit = lower(limit, demand);
      spilled = true;
      placed = place_spilled_sgprs(space, limit, demand);
    }
    function_.facts.spilled_sgprs = sgpr_spills_.spilled_dwords;
    const uint32_t scratch_rows = sgpr_spills_.scratch_rows(function_.wave_size);
    if (scratch_rows != 0) function_.facts.scratch_bytes = (sgpr_spills_.first_slot + scratch_rows) * 4;
    return spilled;
  }

  /// The VGPRs that spilled SGPRs may have, apart from one as the window to scratch: half of those that no single
  /// instruction needs.
  unsigned rows_in_vgprs() const {
    const unsigned needed = std::max(widest_vgprs(function_), survey_.highest_required_vgpr);
    const unsigned rows = max_vgprs_ > needed ? (max_vgprs_ - needed) / 2 : 0;
    return rows > 1 ? rows - 1 : 0;
  }

  uint32_t first_free_dword() const { return static_cast<uint32_t>(align_up(function_.facts.scratch_bytes, 4) / 4); }

  /// Where tuples cannot be packed, one dword fewer than before may be live.
  static unsigned lower(unsigned limit, unsigned demand) {
    if (limit == 0 || demand == 0) SPALT_ICE("an instruction needs more registers than there are");
    return std::min(limit, demand) - 1;
  }

  /// False, and nothing is changed, if tuples cannot be packed.
  bool place_sgprs(const RegisterSpace& space, const Survey& known) {
    const ArenaScope scope(scratch_);
    context_.cancellation.poll();
    const Assignment assignment = assign_registers(function_, known, space, scratch_);
    if (!assignment.ok) return false;
    context_.cancellation.poll();
    const auto crowded = apply_assignment(function_, assignment, RegFile::sgpr, scratch_);
    SPALT_ASSERT(crowded.empty());
    return true;
  }

  /// Rounds of spilling are rare, and many where they are needed: each gives its memory back at once.
  bool place_spilled_sgprs(const RegisterSpace& space, unsigned limit, unsigned& demand) {
    const ArenaScope scope(scratch_);
    spill(function_, RegFile::sgpr, limit, sgpr_spills_, context_);
    context_.cancellation.poll();
    const Survey now = regalloc::survey(function_, FileSet::only(RegFile::sgpr), scratch_);
    demand = now.demand.sgpr;
    return place_sgprs(space, now);
  }

  static void reserve(RegisterSet& allowed, isa::Reg first, unsigned count) {
    if (first.valid()) allowed.remove(first.number, count);
  }

  std::vector<mir::LogicalEdge> allocate_vgprs(const Survey& known) {
    if (known.linear_vgprs.size() >= max_vgprs_) SPALT_ICE("more linear VGPRs than registers");
    unsigned limit = max_vgprs_ - known.linear_vgprs.size(), demand = known.demand.vgpr;
    vgpr_spills_.first_slot = first_free_dword();
    std::vector<mir::LogicalEdge> crowded;
    bool placed = demand <= limit && place_vgprs(known, crowded);
    for (bool first = demand > limit; !placed; first = false) {
      if (!first) limit = lower(limit, demand);
      placed = place_spilled_vgprs(limit, demand, crowded);
    }
    function_.facts.spilled_vgprs = vgpr_spills_.spilled_dwords;
    if (vgpr_spills_.next_slot != 0) {
      function_.facts.scratch_bytes = (vgpr_spills_.first_slot + vgpr_spills_.next_slot) * 4;
    }
    return crowded;
  }

  bool place_spilled_vgprs(unsigned limit, unsigned& demand, std::vector<mir::LogicalEdge>& crowded) {
    const ArenaScope scope(scratch_);
    spill(function_, RegFile::vgpr, limit, vgpr_spills_, context_);
    context_.cancellation.poll();
    const uint32_t slots = vgpr_spills_.first_slot + vgpr_spills_.next_slot;
    const Vector<GivenOrder> given = advance_reloads(function_, limit, slots, scratch_);
    if (place_surveyed_vgprs(demand, crowded)) return true;
    if (given.empty()) return false;
    for (const GivenOrder& order : given) function_.blocks[order.block].insts = order.insts;
    return place_surveyed_vgprs(demand, crowded);
  }

  bool place_surveyed_vgprs(unsigned& demand, std::vector<mir::LogicalEdge>& crowded) {
    const Survey now = regalloc::survey(function_, FileSet::only(RegFile::vgpr), scratch_);
    demand = now.demand.vgpr;
    return place_vgprs(now, crowded);
  }

  /// Takes as many registers as leave room for as many waves as there can be, or else as few as possible, because
  /// their number decides how many waves fit; more where tuples need room.
  /// False, and nothing is changed, if they cannot be packed into all. Those of earlier rounds are not given back.
  bool place_vgprs(const Survey& known, std::vector<mir::LogicalEdge>& crowded) {
    const unsigned granule = function_.target.vgpr_granule(function_.wave_size);
    if (total_vgprs_ == 0) {
      const unsigned wanted =
          std::max({known.demand.vgpr, known.highest_required_vgpr, 1u}) + known.linear_vgprs.size();
      // The highest registers are in use where there are linear VGPRs.
      const unsigned for_free =
          known.linear_vgprs.empty() ? function_.target.vgprs_of_most_waves(function_.wave_size) : 0;
      total_vgprs_ = std::max(static_cast<unsigned>(align_up(wanted, granule)), for_free);
      total_vgprs_ = std::min<unsigned>(total_vgprs_, max_vgprs_);
    }
    while (!place_vgprs(known, total_vgprs_, crowded)) {
      if (total_vgprs_ == max_vgprs_) return false;
      total_vgprs_ = std::min(total_vgprs_ + granule, max_vgprs_);
    }
    return true;
  }

  bool place_vgprs(const Survey& known, unsigned total, std::vector<mir::LogicalEdge>& crowded) {
    const ArenaScope scope(scratch_);
    const Assignment assignment = assign_vgprs(known, total);
    if (!assignment.ok) return false;
    if (assignment.moves.size() > kManyMoves && place_with_more_vgprs(known, total, assignment, crowded)) return true;
    crowded = apply_assignment(function_, assignment, RegFile::vgpr, scratch_);
    return true;
  }

  Assignment assign_vgprs(const Survey& known, unsigned total) {
    context_.cancellation.poll();
    Assignment assignment = assign_registers(function_, known, vgpr_space(total, known.linear_vgprs), scratch_);
    context_.cancellation.poll();
    return assignment;
  }

  /// Where tuples come together in little room they push other values around. One granule more is worth it where it
  /// leaves less than half of those moves.
  bool place_with_more_vgprs(const Survey& known, unsigned total, const Assignment& tight,
                             std::vector<mir::LogicalEdge>& crowded) {
    const unsigned more = std::min(total + function_.target.vgpr_granule(function_.wave_size), max_vgprs_);
    if (more == total) return false;
    const Assignment roomy = assign_vgprs(known, more);
    if (!roomy.ok || 2 * roomy.moves.size() >= tight.moves.size()) return false;
    total_vgprs_ = more;
    crowded = apply_assignment(function_, roomy, RegFile::vgpr, scratch_);
    return true;
  }

  /// Linear VGPRs lie above all others.
  RegisterSpace vgpr_space(unsigned total, std::span<const VReg> linear) const {
    RegisterSpace space{RegFile::vgpr, {}, IdMap<VReg, uint16_t>(scratch_)};
    unsigned next = total - static_cast<unsigned>(linear.size());
    space.allowed.add(0, next);
    if (!linear.empty()) space.pinned_linear.assign(function_.vregs.size(), 0);
    for (VReg v : linear) space.pinned_linear[v] = static_cast<uint16_t>(next++);
    return space;
  }

  void count_registers() {
    unsigned sgprs = 0, vgprs = 0;
    bool vcc = false;
    const auto count = [&](isa::Reg reg, unsigned dwords) {
      const unsigned end = reg.number + dwords;
      if (reg.is_vgpr()) {
        vgprs = std::max(vgprs, end - isa::vgpr(0).number);
      } else if (reg.is_sgpr()) {
        sgprs = std::max(sgprs, end);
      } else {
        vcc |= reg.is_vcc();
      }
    };
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        for (const Operand& def : function_.defs(inst)) count(def.reg, def.dwords);
        for (const Operand& use : function_.uses(inst)) count(use.reg, use.dwords);
        if (mir::has_flag(function_.insts[inst].opcode, isa::kReadsVcc | isa::kWritesVcc)) vcc = true;
      }
    }
    count(function_.scratch_descriptor, 4);
    count(function_.jump_pair, 2);
    function_.facts.sgpr_count = static_cast<uint16_t>(sgprs);
    function_.facts.vgpr_count = static_cast<uint16_t>(vgprs);
    function_.facts.uses_vcc = vcc;
  }

  mir::Function& function_;
  CompileContext& context_;
  Arena& scratch_;
  Survey survey_;
  unsigned max_sgprs_ = 0, max_vgprs_ = 0;
  unsigned total_vgprs_ = 0;  ///< that the last attempt took
  SpillState sgpr_spills_, vgpr_spills_;
};

}  // namespace

std::vector<mir::LogicalEdge> try_allocate_registers(mir::Function& function, const Config& config,
                                                     CompileContext& context) {
  if (function.stage != mir::Stage::masked) SPALT_ICE("register allocation needs Stage::masked");
  const ArenaScope scope(context.scratch);
  return Allocator(function, config, context).run();
}

void allocate_registers(mir::Function& function, const Config& config) {
  CompileContext context;
  if (!try_allocate_registers(function, config, context).empty()) SPALT_ICE("copies on a critical logical edge");
}

}  // namespace spalt::regalloc
