// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/affinity.h"

namespace spalt::regalloc {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

class Builder {
 public:
  Builder(const mir::Function& function, mir::RegFile file) : function_(function), file_(file) {}

  Affinity run() {
    const size_t count = function_.vregs.size();
    result_.web.resize(count);
    result_.part.resize(count);
    result_.fixed.resize(count);
    for (uint32_t v = 0; v < count; ++v) result_.web[VReg(v)] = VReg(v);
    for_each_inst([this](InstId inst) { join(inst); });
    for (uint32_t v = 0; v < count; ++v) result_.web[VReg(v)] = find(VReg(v));
    for (uint32_t v = 0; v < count; ++v) prefer(VReg(v), function_.vregs[VReg(v)].hint);
    for_each_inst([this](InstId inst) { note(inst); });
    return std::move(result_);
  }

 private:
  template <class Visit>
  void for_each_inst(Visit&& visit) {
    for (mir::BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) visit(inst);
    }
  }

  bool handled(const Operand& operand) const { return handles(function_, file_, operand); }

  VReg find(VReg v) {
    while (result_.web[v] != v) v = result_.web[v] = result_.web[result_.web[v]];
    return v;
  }
  void unite(VReg a, VReg b) {
    if (function_.vregs[a].cls == function_.vregs[b].cls) result_.web[find(b)] = find(a);
  }
  void prefer(VReg v, isa::Reg reg) {
    if (reg.valid() && !result_.fixed[result_.web[v]].valid()) result_.fixed[result_.web[v]] = reg;
  }

  void join(InstId inst) {
    const auto defs = function_.defs(inst);
    if (defs.empty() || !handled(defs[0])) return;
    const Opcode opcode = function_.insts[inst].opcode;
    const bool all = opcode == Opcode::p_phi || opcode == Opcode::p_copy;
    for (const Operand& use : function_.uses(inst)) {
      if (handled(use) && (all || use.tied)) unite(defs[0].vreg(), use.vreg());
    }
  }

  void note(InstId inst) {
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    for (const auto list : {defs, uses}) {
      for (const Operand& operand : list) {
        if (handled(operand)) prefer(operand.vreg(), operand.reg);
      }
    }
    switch (function_.insts[inst].opcode) {
      case Opcode::p_vec:
        return note_parts(defs[0], uses);
      case Opcode::p_split:
        return note_parts(uses[0], defs);
      case Opcode::p_extract:
        return note_part(uses[0], uses[1].value, defs[0]);
      default:
        return;
    }
  }

  void note_parts(const Operand& tuple, std::span<const Operand> parts) {
    unsigned offset = 0;
    for (const Operand& part : parts) {
      note_part(tuple, offset, part);
      offset += part.dwords;
    }
  }

  void note_part(const Operand& tuple, unsigned offset, const Operand& part) {
    if (!handled(tuple) || !handled(part)) return;
    const VReg web = result_.web[part.vreg()];
    if (result_.part[web].tuple.valid() || web == result_.web[tuple.vreg()]) return;
    result_.part[web] = {result_.web[tuple.vreg()], static_cast<uint16_t>(offset)};
  }

  const mir::Function& function_;
  const mir::RegFile file_;
  Affinity result_;
};

}  // namespace

Affinity compute_affinity(const mir::Function& function, mir::RegFile file) {
  return Builder(function, file).run();
}

}  // namespace spalt::regalloc
