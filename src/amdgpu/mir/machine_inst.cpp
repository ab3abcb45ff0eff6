// SPDX-License-Identifier: MIT
#include "amdgpu/mir/machine_inst.h"

#include <algorithm>

#include "base/ice.h"

namespace spalt::mir {
namespace {

/// Appends the sources of one half of a dual issue; the mask of v_dual_cndmask, always vcc, is not among them.
unsigned add_dual_sources(isa::Inst& out, unsigned at, const isa::Inst& half) {
  const isa::OpcodeInfo& info = isa::info(half.opcode);
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (info.src[i].role != isa::OperandRole::lane_mask) out.src[at++] = half.src[i];
  }
  return at;
}

/// Of the operands after those of the text, the ones that name address registers.
std::span<const Operand> addresses_among(std::span<const Operand> uses) {
  constexpr size_t kMost = std::tuple_size_v<decltype(isa::AddressRegisters::vgprs)>;
  size_t count = 0;
  while (count < uses.size() && count < kMost) {
    const Operand& use = uses[count];
    if (use.tied || !use.reg.valid() || !use.reg.is_vgpr()) break;
    ++count;
  }
  return uses.first(count);
}

}  // namespace

std::span<const Operand> further_addresses(const Function& function, InstId id) {
  if (is_pseudo(function.insts[id].opcode)) return {};
  const isa::OpcodeInfo& info = isa::info(to_isa(function.insts[id].opcode));
  const auto uses = function.uses(id);
  if (!info.has(isa::kVmem) || uses.size() <= info.src_count) return {};
  return addresses_among(uses.subspan(info.src_count));
}

isa::Inst machine_inst(const Function& function, InstId id) {
  const Inst& inst = function.insts[id];
  if (is_pseudo(inst.opcode)) SPALT_ICE("pseudo operation reaches encoding: " + std::string(name(inst.opcode)));
  constexpr static isa::Inst kEmpty;
  isa::Inst out = kEmpty;
  out.opcode = to_isa(inst.opcode);
  out.simm16 = inst.simm16;
  if (inst.has_modifiers()) out.mods = function.modifiers(inst);
  const isa::OpcodeInfo& info = isa::info(out.opcode);
  const auto defs = function.defs(id);
  const auto uses = function.uses(id);
  for (unsigned i = 0; i < info.dst_count && i < defs.size(); ++i) out.dst[i] = machine_operand(defs[i]);
  // The tied register of a compare-and-swap holds new value and comparator; the instruction returns the first half.
  const bool half_returned =
      info.has(isa::kReturns) && info.has(isa::kTiedData) && info.dst[0].type != info.src[0].type;
  if (half_returned && !defs.empty()) out.dst[0].dwords = static_cast<uint8_t>(defs[0].dwords / 2);
  unsigned next = 0;
  for (unsigned i = 0; i < info.src_count; ++i) {
    const isa::OperandRole role = info.src[i].role;
    if (role == isa::OperandRole::simm16) continue;  // in Inst::simm16
    if (next >= uses.size()) break;
    out.src[i] = machine_operand(uses[next++]);  // a label becomes an empty operand
  }
  if (info.has(isa::kVmem) && next < uses.size()) {
    for (const Operand& use : addresses_among(uses.subspan(next))) {
      out.nsa.vgprs[out.nsa.count++] = static_cast<uint8_t>(use.reg.vgpr_index());
    }
  }
  return out;
}

isa::Inst dual_machine_inst(const Function& function, InstId first, InstId second) {
  const isa::Inst x = machine_inst(function, first), y = machine_inst(function, second);
  isa::Inst out;
  out.format = isa::Format::vopd;
  out.opcode = x.opcode;
  out.opcode_y = y.opcode;
  out.dst = {x.dst[0], y.dst[0]};
  add_dual_sources(out, add_dual_sources(out, 0, x), y);
  return out;
}

isa::VopdHalf vopd_half(const Function& function, InstId id) {
  const Inst& inst = function.insts[id];
  if (!has_vopd_number(function, id)) return {};
  const auto defs = function.defs(id);
  // v_dual_cndmask_b32 has no field for the mask.
  const bool other_mask = inst.opcode == Opcode::v_cndmask_b32 && function.uses(id)[2].reg != isa::kVcc;
  if (inst.has_modifiers() || other_mask || defs.empty()) return {};
  constexpr unsigned kMost = 3;
  isa::Operand sources[kMost];
  unsigned count = 0, next = 0;
  const isa::OpcodeInfo& info = isa::info(to_isa(inst.opcode));
  for (const Operand& use : function.uses(id).first(std::min<size_t>(info.src_count, inst.use_count))) {
    if (info.src[next++].role == isa::OperandRole::lane_mask) continue;
    if (count == kMost) return {};
    sources[count++] = machine_operand(use);
  }
  return isa::vopd_half(to_isa(inst.opcode), machine_operand(defs[0]), {sources, count}, function.target);
}

}  // namespace spalt::mir
