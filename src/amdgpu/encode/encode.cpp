// SPDX-License-Identifier: MIT
#include "amdgpu/encode/encode.h"

#include "amdgpu/encode/branches.h"
#include "amdgpu/isa/codec.h"
#include "base/ice.h"

namespace spalt::encode {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Operand;

isa::Operand to_isa(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::vreg:
    case Operand::Kind::reg:
      return isa::Operand::of(operand.reg, operand.dwords);
    case Operand::Kind::imm:
      return isa::Operand::of_imm(operand.value);
    default:
      return isa::Operand();
  }
}

}  // namespace

isa::Inst to_isa(const mir::Function& function, InstId id) {
  const mir::Inst& inst = function.insts[id];
  if (mir::is_pseudo(inst.opcode))
    SPALT_ICE("pseudo operation reaches encoding: " + std::string(mir::name(inst.opcode)));
  isa::Inst out;
  out.opcode = mir::to_isa(inst.opcode);
  out.simm16 = inst.simm16;
  out.mods = inst.mods;
  const isa::OpcodeInfo& info = isa::info(out.opcode);
  const auto defs = function.defs(id);
  const auto uses = function.uses(id);
  for (unsigned i = 0; i < info.dst_count && i < defs.size(); ++i) out.dst[i] = to_isa(defs[i]);
  // The tied register of a compare-and-swap holds new value and comparator; the instruction returns the first half.
  const bool half_returned = info.has(isa::kReturns) && info.dst[0].type != info.src[0].type;
  if (half_returned && !defs.empty()) out.dst[0].dwords = static_cast<uint8_t>(defs[0].dwords / 2);
  unsigned next = 0;
  for (unsigned i = 0; i < info.src_count; ++i) {
    const isa::OperandRole role = info.src[i].role;
    if (role == isa::OperandRole::simm16) continue;  // in Inst::simm16
    if (next >= uses.size()) break;
    out.src[i] = to_isa(uses[next++]);  // a label becomes an empty operand
  }
  return out;
}

Program encode(const mir::Function& function) {
  Program program;
  std::vector<uint32_t> block_start(function.blocks.size(), 0);
  std::vector<Branch> branches;
  const isa::Target& target = function.target;
  for (BlockId id : function.layout) {
    block_start[id.index] = static_cast<uint32_t>(program.words.size());
    for (InstId inst : function.blocks[id].insts) {
      const auto at = static_cast<uint32_t>(program.words.size());
      const isa::Inst machine = to_isa(function, inst);
      for (const Operand& use : function.uses(inst)) {
        if (use.kind == Operand::Kind::block) branches.push_back({at, use.value, machine.opcode});
      }
      const auto encoded = isa::encode(machine, target);
      if (!encoded) {
        SPALT_ICE("cannot encode " + isa::to_text(machine, target) + ": " + encoded.error().message);
      }
      program.words.insert(program.words.end(), encoded->words, encoded->words + encoded->count);
      ++program.instruction_count;
    }
  }
  for (Branch& branch : branches) branch.target = block_start[branch.target];
  const auto inserted = resolve_branches(program.words, branches, function.jump_pair, target);
  program.branches_reach = inserted.has_value();
  program.instruction_count += inserted.value_or(0);
  return program;
}

/// Most instructions take one dword or two, but waits, copies and reloads join them; each operand of a phi may become a
/// copy.
bool may_need_jump_pair(const mir::Function& function) {
  constexpr uint64_t kWordsPerInstruction = 3;
  uint64_t words = 0;
  for (BlockId id : function.layout) {
    for (InstId inst : function.blocks[id].insts) {
      const bool phi = function.insts[inst].opcode == mir::Opcode::p_phi;
      words += phi ? function.insts[inst].use_count : kWordsPerInstruction;
    }
  }
  return words > kBranchReach;
}

}  // namespace spalt::encode
