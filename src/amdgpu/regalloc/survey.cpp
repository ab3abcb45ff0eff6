// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/survey.h"

#include <algorithm>

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::RegFile;
using mir::VReg;

constexpr RegFile kFiles[] = {RegFile::sgpr, RegFile::vgpr};

/// Which values are bound to a register, and which registers are, in a walk over all instructions.
class Bindings {
 public:
  Bindings(const mir::Function& function, Arena& arena) : linear_vgprs(arena), function_(function) {}

  void visit(InstId inst) {
    for (const Operand& def : function_.defs(inst)) {
      note_required(def);
      if (!def.is_vreg()) continue;
      const mir::RegClass cls = def.cls();
      if (cls.is_vgpr() && cls.linear) linear_vgprs.push_back(def.vreg());
    }
    for (const Operand& use : function_.uses(inst)) note_required(use);
  }

  unsigned highest_required = 0;  ///< of VGPRs
  Vector<VReg> linear_vgprs;

 private:
  void note_required(const Operand& operand) {
    if (!operand.reg.is_vgpr()) return;
    highest_required = std::max<unsigned>(highest_required, operand.reg.vgpr_index() + operand.dwords);
  }

  const mir::Function& function_;
};

/// The backward walk: kills and demand. `constants_at_end` counts, by block, the dwords that phis of its successors
/// take as constants: they are loaded at its end, all together.
class Demand {
 public:
  Demand(mir::Function& function, FileSet files, Arena& arena)
      : function_(function),
        files_(files),
        live_(arena, function.vregs.size(), BlockId()),
        constants_at_end_{{arena, function.blocks.size(), 0}, {arena, function.blocks.size(), 0}} {}

  void visit_phi(BlockId id, InstId phi) {
    const Operand& def = function_.defs(phi)[0];
    if (!files_.handles(def)) return;
    const RegFile file = def.cls().file;
    const auto preds = preds_of(function_.blocks[id], graph_of(file));
    const auto uses = function_.uses(phi);
    for (size_t i = 0; i < uses.size(); ++i) {
      if (uses[i].is_imm()) constants_at_end_[file][preds[i]] += def.dwords;
    }
  }

  void enter_end(BlockId id, const PerFile<Liveness>& liveness) {
    block_ = id;
    dead_phis_ = {};
    for (RegFile file : kFiles) {
      size_[file] = 0;
      if (!files_.has(file)) continue;
      for (VReg v : liveness[file].live_out[id]) {
        live_[v] = id;
        size_[file] += function_.vregs[v].cls.dwords;
      }
      raise(file, size_[file] + constants_at_end_[file][id]);
    }
  }

  /// Over the instruction, which comes before those that were visited.
  void visit(InstId inst) {
    if (function_.insts[inst].opcode == Opcode::p_phi) return visit_result_of_phi(function_.defs(inst)[0]);
    const auto flags = static_cast<uint16_t>(end_results(function_.defs(inst)) | begin_operands(function_.uses(inst)));
    function_.insts[inst].pass_flags = flags;
  }

  void leave_start() { raise(dead_phis_); }

  const PerFile<unsigned>& most() const { return most_; }

 private:
  RegFile file_of(const Operand& operand) const { return operand.cls().file; }

  /// Values of which files there are, as values_flag.
  uint16_t end_results(std::span<Operand> defs) {
    PerFile<unsigned> dead{};
    uint16_t flags = 0;
    for (Operand& def : defs) {
      if (!files_.handles(def)) continue;
      const RegFile file = file_of(def);
      flags |= values_flag(file);
      def.kill = live_[def.vreg()] != block_;
      if (def.kill) dead[file] += def.dwords;
    }
    if (flags == 0) return 0;
    raise(dead);
    for (const Operand& def : defs) {
      if (!files_.handles(def)) continue;
      if (!def.kill) size_[file_of(def)] -= def.dwords;
      live_[def.vreg()] = BlockId();
    }
    return flags;
  }

  uint16_t begin_operands(std::span<Operand> uses) {
    PerFile<unsigned> copies{};
    uint16_t flags = 0;
    for (Operand& use : uses) {
      if (!files_.handles(use)) continue;
      const RegFile file = file_of(use);
      flags |= values_flag(file);
      use.kill = live_[use.vreg()] != block_;
      // An operand in a required or tied register that lives on needs a copy of its own.
      if (!use.kill && (use.reg.valid() || use.tied)) copies[file] += use.dwords;
    }
    if (flags == 0) return 0;
    for (const Operand& use : uses) {
      if (!use.kill || !files_.handles(use) || live_[use.vreg()] == block_) continue;
      live_[use.vreg()] = block_;
      size_[file_of(use)] += use.dwords;
    }
    raise(copies);
    return flags;
  }

  void visit_result_of_phi(Operand& def) {
    if (!files_.handles(def)) return;
    def.kill = live_[def.vreg()] != block_;
    if (def.kill) dead_phis_[file_of(def)] += def.dwords;
  }

  void raise(RegFile file, unsigned demand) { most_[file] = std::max(most_[file], demand); }
  void raise(const PerFile<unsigned>& more) {
    raise(RegFile::sgpr, size_.sgpr + more.sgpr);
    raise(RegFile::vgpr, size_.vgpr + more.vgpr);
  }

  mir::Function& function_;
  const FileSet files_;
  IdMap<VReg, BlockId> live_;  ///< by value: the block in which it is live at the current place
  PerFile<IdMap<BlockId, uint32_t>> constants_at_end_;
  BlockId block_;
  PerFile<unsigned> size_{}, dead_phis_{}, most_{};  ///< in dwords
};

}  // namespace

Survey survey(mir::Function& function, FileSet files, Arena& arena) {
  LivenessBuilder liveness_builder(function, files, arena);
  AffinityBuilder affinity(function, files, arena);
  Bindings bindings(function, arena);
  Demand demand(function, files, arena);
  for (BlockId id : function.layout) {
    for (InstId inst : function.blocks[id].insts) {
      liveness_builder.visit(id, inst);
      affinity.join(inst);
      bindings.visit(inst);
      if (function.insts[inst].opcode == Opcode::p_phi) demand.visit_phi(id, inst);
    }
  }
  PerFile<Liveness> liveness = std::move(liveness_builder).finish();
  affinity.finish_webs();
  // Wishes of earlier instructions come first, and those are visited last.
  for (auto id = function.layout.rbegin(); id != function.layout.rend(); ++id) {
    demand.enter_end(*id, liveness);
    const auto& insts = function.blocks[*id].insts;
    for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) {
      affinity.note(*inst);
      demand.visit(*inst);
    }
    demand.leave_start();
  }
  return {std::move(liveness), std::move(affinity).finish(), demand.most(), bindings.highest_required,
          std::move(bindings.linear_vgprs)};
}

unsigned widest_vgprs(const mir::Function& function) {
  unsigned widest = 0;
  for (BlockId id : function.layout) {
    for (InstId inst : function.blocks[id].insts) {
      const Opcode opcode = function.insts[inst].opcode;
      if (opcode == Opcode::p_phi || opcode == Opcode::p_start) continue;
      unsigned dwords = 0;
      const auto add = [&](const Operand& operand) {
        if (handles(RegFile::vgpr, operand)) dwords += operand.dwords;
      };
      for (const Operand& def : function.defs(inst)) add(def);
      for (const Operand& use : function.uses(inst)) add(use);
      widest = std::max(widest, dwords);
    }
  }
  return widest;
}

}  // namespace spalt::regalloc
