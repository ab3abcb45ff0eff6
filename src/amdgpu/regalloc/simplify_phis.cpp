// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/simplify_phis.h"

#include <algorithm>

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

bool is_single_phi(const mir::Function& function, InstId inst) {
  return function.insts[inst].opcode == Opcode::p_phi && function.uses(inst).size() == 1;
}

/// Follows a chain of removed phis and shortens it.
VReg resolve(IdMap<VReg, VReg>& same_as, VReg v) {
  VReg end = v;
  while (same_as[end].valid()) end = same_as[end];
  while (same_as[v].valid() && same_as[v] != end) {
    const VReg next = same_as[v];
    same_as[v] = end;
    v = next;
  }
  return end;
}

/// A VGPR is written while the block's lanes run, an SGPR at once.
void insert_copy(const mir::Function& function, mir::InstList& insts, InstId copy) {
  const bool vgpr = function.vregs[function.defs(copy)[0].vreg()].cls.is_vgpr();
  size_t at = 0;
  while (at < insts.size() && function.insts[insts[at]].opcode == Opcode::p_phi) ++at;
  if (vgpr) {
    const auto is_start = [&function](InstId id) { return function.insts[id].opcode == Opcode::p_logical_start; };
    const auto start = std::find_if(insts.begin(), insts.end(), is_start);
    if (start != insts.end()) at = static_cast<size_t>(start - insts.begin()) + 1;
  }
  insts.insert(insts.begin() + static_cast<long>(at), copy);
}

}  // namespace

void simplify_phis(mir::Function& function, Arena& scratch) {
  IdMap<VReg, VReg> same_as(scratch);
  bool any = false;
  mir::InstList removed(scratch);
  for (BlockId id : function.layout) {
    auto& insts = function.blocks[id].insts;
    removed.clear();
    for (InstId inst : insts) {
      if (is_single_phi(function, inst)) removed.push_back(inst);
    }
    if (removed.empty()) continue;
    if (!any) same_as.assign(function.vregs.size(), VReg());
    any = true;
    erase_if(insts, [&function](InstId inst) { return is_single_phi(function, inst); });
    for (InstId phi : removed) {
      const Operand def = function.defs(phi)[0];
      Operand value = function.uses(phi)[0];
      // Phis of an unreachable loop may name only each other.
      const VReg source = value.is_vreg() ? resolve(same_as, value.vreg()) : VReg();
      if (source == def.vreg()) value = Operand::undefined(def.dwords);
      if (value.is_vreg()) {
        same_as[def.vreg()] = source;
      } else {
        insert_copy(function, insts, function.create(Opcode::p_copy, {&def, 1}, {&value, 1}));
      }
    }
  }
  if (!any) return;
  for (BlockId id : function.layout) {
    for (InstId inst : function.blocks[id].insts) {
      for (Operand& use : function.uses(inst)) {
        if (use.is_vreg()) use.value = resolve(same_as, use.vreg()).index;
      }
    }
  }
}

}  // namespace spalt::regalloc
