// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/affinity.h"

namespace spalt::regalloc {

using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

AffinityBuilder::AffinityBuilder(const mir::Function& function, FileSet files, Arena& arena)
    : function_(function), files_(files), result_(function.vregs.size(), arena) {
  for (uint32_t v = 0; v < function.vregs.size(); ++v) result_.web[VReg(v)] = VReg(v);
}

VReg AffinityBuilder::find(VReg v) {
  while (result_.web[v] != v) v = result_.web[v] = result_.web[result_.web[v]];
  return v;
}

void AffinityBuilder::unite(VReg a, VReg b) {
  if (function_.vregs[a].cls == function_.vregs[b].cls) result_.web[find(b)] = find(a);
}

void AffinityBuilder::finish_webs() {
  for (uint32_t v = 0; v < function_.vregs.size(); ++v) result_.web[VReg(v)] = find(VReg(v));
}

void AffinityBuilder::note_tuple(InstId inst) {
  const auto defs = function_.defs(inst);
  const auto uses = function_.uses(inst);
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

void AffinityBuilder::note_handed(InstId inst) {
  for (const Operand& use : function_.uses(inst)) {
    if (use.reg.is_vgpr()) result_.handed.add(use.reg.vgpr_index(), use.dwords);
  }
}

void AffinityBuilder::note_parts(const Operand& tuple, std::span<const Operand> parts) {
  unsigned offset = tuple.dwords;
  for (size_t i = parts.size(); i-- > 0;) {
    offset -= parts[i].dwords;
    note_part(tuple, offset, parts[i]);
  }
}

void AffinityBuilder::note_part(const Operand& tuple, unsigned offset, const Operand& part) {
  if (!handled(tuple) || !handled(part)) return;
  const VReg web = result_.web[part.vreg()], tuple_web = result_.web[tuple.vreg()];
  const bool one_file = function_.vregs[web].cls.file == function_.vregs[tuple_web].cls.file;
  if (web == tuple_web || !one_file) return;
  result_.part[web] = {tuple_web, static_cast<uint16_t>(offset)};
  if (web != part.vreg()) result_.anchor[tuple_web] = {web, static_cast<uint16_t>(offset)};
  // Loads bring tuples whose parts are handed over in registers that follow each other.
  const isa::Reg reg = result_.fixed[web];
  const bool known = reg.valid() && reg.is_vgpr() && reg.vgpr_index() >= offset;
  if (result_.handed.end() != 0 && known && !result_.fixed[tuple_web].valid()) {
    result_.fixed[tuple_web] = reg.offset(-static_cast<int>(offset));
  }
}

Affinity AffinityBuilder::finish() && {
  for (uint32_t v = static_cast<uint32_t>(function_.vregs.size()); v-- > 0;) {
    const mir::VRegInfo& info = function_.vregs[VReg(v)];
    if (info.hint.valid() && files_.has(info.cls.file)) result_.fixed[result_.web[VReg(v)]] = info.hint;
  }
  return std::move(result_);
}

}  // namespace spalt::regalloc
