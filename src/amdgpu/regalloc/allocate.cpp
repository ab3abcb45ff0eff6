// SPDX-License-Identifier: MIT
//
// Phases, for SGPRs and then for VGPRs (docs/mir.md, section "Register allocation"):
//   1. liveness on the file's graph
//   2. spilling until the demand is under the limit
//   3. assignment, which needs no further spilling except where tuples cannot be packed; then the limit is lowered and
//   2 repeats
//   4. copies for moved values and phis
// SGPRs come first because the lanes that hold spilled ones are VGPRs.
#include "amdgpu/regalloc/allocate.h"

#include <algorithm>
#include <vector>

#include "amdgpu/regalloc/assign.h"
#include "amdgpu/regalloc/simplify_phis.h"
#include "amdgpu/regalloc/spill/spill.h"
#include "base/bits.h"
#include "base/ice.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Operand;
using mir::RegFile;
using mir::VReg;

constexpr unsigned kVcc = 106;

class Allocator {
 public:
  Allocator(mir::Function& function, const Config& config) : function_(function) {
    const isa::Target& target = function.target;
    max_sgprs_ = std::min<unsigned>(config.max_sgprs != 0 ? config.max_sgprs : target.sgpr_count, target.sgpr_count);
    max_vgprs_ = std::min<unsigned>(config.max_vgprs != 0 ? config.max_vgprs : target.vgpr_limit, target.vgpr_limit);
  }

  std::vector<mir::LogicalEdge> run() {
    simplify_phis(function_);
    allocate_sgprs();
    std::vector<mir::LogicalEdge> crowded = allocate_vgprs();
    function_.stage = mir::Stage::allocated;
    count_registers();
    return crowded;
  }

 private:
  void allocate_sgprs() {
    RegisterSpace space{RegFile::sgpr, {}, {}};
    space.allowed.add(0, max_sgprs_);
    reserve(space.allowed, function_.scratch_descriptor, 4);
    reserve(space.allowed, function_.jump_pair, 2);
    const unsigned limit = space.allowed.count();
    space.allowed.add(kVcc, 2);
    sgpr_spills_.vgpr_rows = rows_in_vgprs();
    sgpr_spills_.first_slot = first_free_dword();
    const auto crowded = apply_assignment(function_, assign_sgprs(space, limit), RegFile::sgpr);
    SPALT_ASSERT(crowded.empty());
    function_.facts.spilled_sgprs = sgpr_spills_.spilled_dwords;
    const uint32_t scratch_rows = sgpr_spills_.scratch_rows(function_.wave_size);
    if (scratch_rows != 0) function_.facts.scratch_bytes = (sgpr_spills_.first_slot + scratch_rows) * 4;
  }

  /// The VGPRs that spilled SGPRs may have, apart from one as the window to scratch: half of those that no single
  /// instruction needs.
  unsigned rows_in_vgprs() const {
    const unsigned needed = std::max(widest_vgpr_inst(), highest_required_vgpr());
    const unsigned rows = max_vgprs_ > needed ? (max_vgprs_ - needed) / 2 : 0;
    return rows > 1 ? rows - 1 : 0;
  }

  uint32_t first_free_dword() const { return static_cast<uint32_t>(align_up(function_.facts.scratch_bytes, 4) / 4); }

  /// Where tuples cannot be packed, one value fewer may be live.
  Assignment assign_sgprs(const RegisterSpace& space, unsigned limit) {
    Liveness liveness = compute_liveness(function_, RegFile::sgpr);
    for (;; --limit) {
      spill(function_, RegFile::sgpr, limit, sgpr_spills_, liveness);
      mark_kills(function_, liveness, RegFile::sgpr);
      Assignment result = assign_registers(function_, liveness, space);
      if (result.ok) return result;
      if (limit == 0) SPALT_ICE("an instruction needs more SGPRs than there are");
    }
  }

  static void reserve(RegisterSet& allowed, isa::Reg first, unsigned count) {
    if (first.valid()) allowed.remove(first.number, count);
  }

  std::vector<mir::LogicalEdge> allocate_vgprs() {
    const std::vector<VReg> linear = linear_vgprs();
    if (linear.size() >= max_vgprs_) SPALT_ICE("more linear VGPRs than registers");
    const unsigned limit = max_vgprs_ - static_cast<unsigned>(linear.size());
    vgpr_spills_.first_slot = first_free_dword();
    auto crowded = apply_assignment(function_, assign_vgprs(linear, limit), RegFile::vgpr);
    function_.facts.spilled_vgprs = vgpr_spills_.spilled_dwords;
    if (vgpr_spills_.next_slot != 0) {
      function_.facts.scratch_bytes = (vgpr_spills_.first_slot + vgpr_spills_.next_slot) * 4;
    }
    return crowded;
  }

  /// Takes as few registers as possible, because their number decides how many waves fit; more where tuples need room;
  /// and spills further when all are taken.
  Assignment assign_vgprs(const std::vector<VReg>& linear, unsigned limit) {
    const unsigned granule = function_.target.vgpr_granule(function_.wave_size);
    Liveness liveness = compute_liveness(function_, RegFile::vgpr);
    const unsigned demand = spill(function_, RegFile::vgpr, limit, vgpr_spills_, liveness);
    const unsigned wanted = std::max({demand, highest_required_vgpr(), 1u}) + static_cast<unsigned>(linear.size());
    unsigned total = std::min<unsigned>(static_cast<unsigned>(align_up(wanted, granule)), max_vgprs_);
    for (;;) {
      mark_kills(function_, liveness, RegFile::vgpr);
      Assignment result = assign_registers(function_, liveness, vgpr_space(total, linear));
      if (result.ok) return result;
      if (total < max_vgprs_) {
        total = std::min(total + granule, max_vgprs_);
        continue;
      }
      if (limit == 0) SPALT_ICE("an instruction needs more VGPRs than there are");
      spill(function_, RegFile::vgpr, --limit, vgpr_spills_, liveness);
    }
  }

  /// Linear VGPRs lie above all others.
  RegisterSpace vgpr_space(unsigned total, const std::vector<VReg>& linear) const {
    RegisterSpace space{RegFile::vgpr, {}, {}};
    unsigned next = total - static_cast<unsigned>(linear.size());
    space.allowed.add(0, next);
    space.pinned_linear.assign(function_.vregs.size(), 0);
    for (VReg v : linear) space.pinned_linear[v] = static_cast<uint16_t>(next++);
    return space;
  }

  std::vector<VReg> linear_vgprs() const {
    std::vector<VReg> result;
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        for (const Operand& def : function_.defs(inst)) {
          if (!def.is_vreg()) continue;
          const mir::RegClass cls = function_.vregs[def.vreg()].cls;
          if (cls.is_vgpr() && cls.linear) result.push_back(def.vreg());
        }
      }
    }
    return result;
  }

  /// The most VGPRs that the operands of one instruction take.
  unsigned widest_vgpr_inst() const {
    unsigned widest = 0;
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        const mir::Opcode opcode = function_.insts[inst].opcode;
        if (opcode == mir::Opcode::p_phi || opcode == mir::Opcode::p_start) continue;
        unsigned dwords = 0;
        for (const auto list : {function_.defs(inst), function_.uses(inst)}) {
          for (const Operand& operand : list) dwords += handles(function_, RegFile::vgpr, operand) ? operand.dwords : 0;
        }
        widest = std::max(widest, dwords);
      }
    }
    return widest;
  }

  unsigned highest_required_vgpr() const {
    unsigned highest = 0;
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        for (const auto list : {function_.defs(inst), function_.uses(inst)}) {
          for (const Operand& operand : list) {
            if (operand.reg.valid() && operand.reg.is_vgpr()) {
              highest = std::max<unsigned>(highest, operand.reg.vgpr_index() + operand.dwords);
            }
          }
        }
      }
    }
    return highest;
  }

  void count_registers() {
    unsigned sgprs = 0, vgprs = 0;
    bool vcc = false;
    const auto count = [&](isa::Reg reg, unsigned dwords) {
      if (!reg.valid()) return;
      const unsigned end = reg.number + dwords;
      if (reg.is_sgpr()) sgprs = std::max(sgprs, end);
      if (reg.is_vgpr()) vgprs = std::max(vgprs, end - isa::vgpr(0).number);
      if (reg.number == kVcc || reg.number == kVcc + 1) vcc = true;
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
  unsigned max_sgprs_ = 0, max_vgprs_ = 0;
  SpillState sgpr_spills_, vgpr_spills_;
};

}  // namespace

std::vector<mir::LogicalEdge> try_allocate_registers(mir::Function& function, const Config& config) {
  if (function.stage != mir::Stage::masked) SPALT_ICE("register allocation needs Stage::masked");
  return Allocator(function, config).run();
}

void allocate_registers(mir::Function& function, const Config& config) {
  if (!try_allocate_registers(function, config).empty()) SPALT_ICE("copies on a critical logical edge");
}

}  // namespace spalt::regalloc
