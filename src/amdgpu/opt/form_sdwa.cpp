// SPDX-License-Identifier: MIT
#include "amdgpu/opt/form_sdwa.h"

#include <optional>

#include "amdgpu/opt/def_use.h"
#include "amdgpu/opt/operand_limits.h"

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

// Values of src0_sel and src1_sel.
constexpr uint8_t kByte0 = 0, kWord0 = 4;

/// A byte or word of a register.
struct Part {
  Operand whole;
  uint8_t select;
  bool sign_extend;
};

std::optional<uint8_t> select_of(uint32_t offset, uint32_t width) {
  if (width == 8 && offset % 8 == 0 && offset <= 24) return static_cast<uint8_t>(kByte0 + offset / 8);
  if (width == 16 && offset % 16 == 0 && offset <= 16) return static_cast<uint8_t>(kWord0 + offset / 16);
  return std::nullopt;
}

bool is_register(const Operand& use) {
  return use.is_vreg() && !use.reg.valid();
}

std::optional<Part> part(const Operand& whole, uint32_t offset, uint32_t width, bool sign_extend) {
  const auto select = select_of(offset, width);
  if (!select || !is_register(whole)) return std::nullopt;
  return Part{whole, *select, sign_extend};
}

std::optional<Part> part_made_by(const mir::Function& function, InstId def) {
  if (function.insts[def].has_modifiers()) return std::nullopt;
  const auto uses = function.uses(def);
  switch (function.insts[def].opcode) {
    case Opcode::v_and_b32:
      for (unsigned i = 0; i < 2; ++i) {
        if (uses[i].is_imm() && uses[i].value == 0xff) return part(uses[1 - i], 0, 8, false);
        if (uses[i].is_imm() && uses[i].value == 0xffff) return part(uses[1 - i], 0, 16, false);
      }
      return std::nullopt;
    case Opcode::v_lshrrev_b32:
      return uses[0].is_imm() ? part(uses[1], uses[0].value, 32 - uses[0].value, false) : std::nullopt;
    case Opcode::v_ashrrev_i32:
      return uses[0].is_imm() ? part(uses[1], uses[0].value, 32 - uses[0].value, true) : std::nullopt;
    case Opcode::v_bfe_u32:
    case Opcode::v_bfe_i32:
      if (!uses[1].is_imm() || !uses[2].is_imm()) return std::nullopt;
      return part(uses[0], uses[1].value, uses[2].value, function.insts[def].opcode == Opcode::v_bfe_i32);
    default:
      return std::nullopt;
  }
}

/// Whether some instruction takes a byte or a word out of a register.
bool makes_parts(const mir::Function& function) {
  for (BlockId block : function.layout) {
    for (InstId inst : function.blocks[block].insts) {
      if (part_made_by(function, inst)) return true;
    }
  }
  return false;
}

class SdwaFormer {
 public:
  SdwaFormer(mir::Function& function, Arena& scratch)
      : function_(function), def_use_(function, scratch), removed_(scratch, function.insts.size(), false) {}

  void run() {
    for (BlockId block : function_.layout) {
      for (InstId inst : function_.blocks[block].insts) {
        if (can_select_parts(inst)) select_parts(inst, block);
      }
    }
    if (!any_removed_) return;
    for (BlockId block : function_.layout) {
      erase_if(function_.blocks[block].insts, [&](InstId inst) { return removed_[inst.index]; });
    }
  }

 private:
  bool can_select_parts(InstId id) const {
    const mir::Inst& inst = function_.insts[id];
    if (is_pseudo(inst.opcode) || !mir::has_flag(inst.opcode, isa::kValu)) return false;
    if (mir::has_flag(inst.opcode, isa::kDstIsSrc | isa::kSwapsOperands) || inst.has_modifiers()) return false;
    const isa::Opcode opcode = mir::to_isa(inst.opcode);
    if (isa::opcode_number(opcode, isa::Format::sdwa, function_.target.generation) < 0) return false;
    if (isa::opcode_number(opcode, isa::Format::vopc, function_.target.generation) >= 0) return false;
    if (function_.defs(id).size() != 1) return false;  // a carry could be written to vcc only
    const isa::OpcodeInfo& info = isa::info(opcode);
    for (unsigned i = 0; i < info.src_count; ++i) {
      if (!is_integer(info.src[i]) || !is_register(function_.uses(id)[i])) return false;
    }
    return info.src_count <= 2;
  }

  static bool is_integer(const isa::OperandSlot& slot) {
    return slot.role != isa::OperandRole::lane_mask &&
           (slot.type == isa::OperandType::b32 || slot.type == isa::OperandType::u32 ||
            slot.type == isa::OperandType::i32);
  }

  void select_parts(InstId user, BlockId block) {
    for (unsigned i = 0; i < isa::info(mir::to_isa(function_.insts[user].opcode)).src_count; ++i) {
      const InstId def = def_use_.single_use_def(function_.uses(user)[i], block);
      if (!def.valid() || removed_[def.index]) continue;
      const auto part = part_made_by(function_, def);
      if (!part) continue;
      Operand sources[2];
      std::copy(function_.uses(user).begin(), function_.uses(user).end(), sources);
      sources[i] = part->whole;
      if (!fits_vop3(function_, function_.insts[user].opcode, {sources, function_.uses(user).size()})) continue;
      function_.uses(user)[i] = part->whole;
      function_.edit_modifiers(user, [&](isa::Modifiers& mods) {
        mods.src_sel[i] = part->select;
        if (part->sign_extend) mods.sext = static_cast<uint8_t>(mods.sext | 1u << i);
      });
      removed_[def.index] = any_removed_ = true;
    }
  }

  mir::Function& function_;
  DefUse def_use_;
  Vector<bool> removed_;
  bool any_removed_ = false;
};

}  // namespace

void form_sdwa(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (!function.target.has_sdwa || !makes_parts(function)) return;
  SdwaFormer(function, context.scratch).run();
}

}  // namespace spalt::opt
