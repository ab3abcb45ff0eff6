// SPDX-License-Identifier: MIT
#include "amdgpu/encode/encode.h"

#include <optional>

#include "amdgpu/encode/branches.h"
#include "amdgpu/mir/machine_inst.h"
#include "base/ice.h"

namespace spalt::encode {

using mir::BlockId;
using mir::InstId;
using mir::Operand;

namespace {

/// Gathers Program::origins.
class OriginList {
 public:
  explicit OriginList(Arena& scratch) : places_(scratch), origins_(scratch) {}

  /// Of the instruction that ends before word `end`.
  void add(uint32_t origin, uint32_t end) {
    if (origin == 0) return;
    if (origins_.empty() || origins_.back() != origin) {
      places_.push_back(end_);
      origins_.push_back(origin);
    }
    end_ = end;
  }
  std::span<uint32_t> places() { return {places_.data(), places_.size()}; }
  void write(Vector<CodeOrigin>& out) const {
    for (size_t i = 0; i < places_.size(); ++i) out.push_back({places_[i], origins_[i]});
  }

 private:
  Vector<uint32_t> places_, origins_;
  uint32_t end_ = 0;
};

/// The operands of an instruction as isa::encode_operands asks for them.
struct MachineOperands {
  std::span<const Operand> defs, uses;

  const Operand* find(const isa::Placement& placement) const {
    const std::span<const Operand> operands = placement.is_dst ? defs : uses;
    return placement.slot < operands.size() ? &operands[placement.slot] : nullptr;
  }
  isa::Reg reg(const isa::Placement& placement) const {
    const Operand* found = find(placement);
    const bool is_reg = found != nullptr && (found->kind == Operand::Kind::vreg || found->kind == Operand::Kind::reg);
    return is_reg ? found->reg : isa::kNoReg;
  }
  isa::Operand operand(const isa::Placement& placement) const {
    const Operand* found = find(placement);
    return found != nullptr ? mir::machine_operand(*found) : isa::Operand();
  }
};

/// Straight from the operands if the encoder can do that; else a whole instruction is made for it. `second`: the other
/// half if the instruction is the first one of a pair.
[[gnu::noinline]] void encode_inst(const mir::Function& function, InstId id, InstId second, isa::Encoder& encoder,
                                   isa::EncodedInst& out) {
  const mir::Inst& inst = function.insts[id];
  if (!inst.dual && !is_pseudo(inst.opcode)) {
    const MachineOperands operands{function.defs(id), function.uses(id)};
    const isa::Modifiers* mods = inst.has_modifiers() ? &function.modifiers(inst) : nullptr;
    if (encoder.encode_directly(mir::to_isa(inst.opcode), inst.simm16, mods, operands, out)) return;
  }
  const isa::Inst machine = inst.dual ? mir::dual_machine_inst(function, id, second) : mir::machine_inst(function, id);
  if (const char* reason = encoder.encode(machine, inst.dual || !inst.has_modifiers(), out)) {
    SPALT_ICE("cannot encode " + isa::to_text(machine, function.target) + ": it " + reason);
  }
}

}  // namespace

Program encode(const mir::Function& function, CompileContext& context, bool verify, isa::EncodeTemplates* templates) {
  const ArenaScope scope(context.scratch);
  Program program(&context.arena);
  size_t instructions = 0;
  for (BlockId id : function.layout) instructions += function.blocks[id].insts.size();
  program.words.reserve(instructions * 2);
  Vector<uint32_t> block_start(context.scratch, function.blocks.size(), 0);
  Vector<Branch> branches(context.scratch);
  const isa::Target& target = function.target;
  std::optional<isa::EncodeTemplates> own;
  if (templates == nullptr) templates = &own.emplace(target, context.scratch);
  isa::Encoder encoder(*templates, verify);
  OriginList origins(context.scratch);
  uint32_t counted_from = 0;  // the word after s_getpc_b64
  for (BlockId block : function.layout) {
    block_start[block.index] = static_cast<uint32_t>(program.words.size());
    const mir::InstList& insts = function.blocks[block].insts;
    for (size_t i = 0; i < insts.size(); ++i) {
      const InstId id = insts[i];
      const mir::Inst& inst = function.insts[id];
      if (inst.opcode == mir::Opcode::p_fall_through) continue;
      const auto at = static_cast<uint32_t>(program.words.size());
      for (const Operand& use : function.uses(id)) {
        if (use.kind == Operand::Kind::block) branches.push_back({at, use.value, mir::to_isa(inst.opcode)});
        if (use.kind != Operand::Kind::table) continue;
        // What is inserted for branches comes after both.
        if (counted_from == 0 || !branches.empty()) SPALT_ICE("the tables are addressed from nowhere");
        program.tables = TableReference{at + 1, counted_from};
      }
      // The two halves of a dual issue are one instruction.
      if (inst.dual) ++i;
      isa::EncodedInst encoded;
      encode_inst(function, id, insts[i], encoder, encoded);
      program.words.resize_for_overwrite(at + encoded.count);
      for (unsigned word = 0; word < encoded.count; ++word) program.words[at + word] = encoded.words[word];
      if (inst.opcode == mir::Opcode::s_getpc_b64) counted_from = static_cast<uint32_t>(program.words.size());
      ++program.instruction_count;
      origins.add(inst.origin, program.words.size());
    }
  }
  for (Branch& branch : branches) branch.target = block_start[branch.target];
  const auto inserted =
      resolve_branches(program.words, branches, function.jump_pair, target, context.scratch, origins.places());
  origins.write(program.origins);
  program.branches_reach = inserted.has_value();
  program.instruction_count += inserted.value_or(0);
  if (program.tables) program.words[program.tables->at] = (program.words.size() - program.tables->from) * 4;
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
