// SPDX-License-Identifier: MIT
#include "amdgpu/opt/shrink_encodings.h"

#include <utility>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/opcode_tables.h"

namespace spalt::opt {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

struct ShortCompare {
  Opcode wide, narrow;
  bool is_signed;  ///< how the 16 bits are extended
};
constexpr ShortCompare kShortCompares[] = {
    {Opcode::s_cmp_eq_i32, Opcode::s_cmpk_eq_i32, true},  {Opcode::s_cmp_lg_i32, Opcode::s_cmpk_lg_i32, true},
    {Opcode::s_cmp_gt_i32, Opcode::s_cmpk_gt_i32, true},  {Opcode::s_cmp_ge_i32, Opcode::s_cmpk_ge_i32, true},
    {Opcode::s_cmp_lt_i32, Opcode::s_cmpk_lt_i32, true},  {Opcode::s_cmp_le_i32, Opcode::s_cmpk_le_i32, true},
    {Opcode::s_cmp_eq_u32, Opcode::s_cmpk_eq_u32, false}, {Opcode::s_cmp_lg_u32, Opcode::s_cmpk_lg_u32, false},
    {Opcode::s_cmp_gt_u32, Opcode::s_cmpk_gt_u32, false}, {Opcode::s_cmp_ge_u32, Opcode::s_cmpk_ge_u32, false},
    {Opcode::s_cmp_lt_u32, Opcode::s_cmpk_lt_u32, false}, {Opcode::s_cmp_le_u32, Opcode::s_cmpk_le_u32, false},
};

const ShortCompare* short_compare(Opcode wide) {
  if (wide < Opcode::s_cmp_eq_i32 || wide > Opcode::s_cmp_le_u32) return nullptr;
  for (const ShortCompare& entry : kShortCompares) {
    if (entry.wide == wide) return &entry;
  }
  return nullptr;
}

bool is_literal(const Operand& operand, isa::OperandType type) {
  return operand.is_imm() && isa::inline_constant_code(operand.value, type) < 0;
}
bool is_signed_literal16(const Operand& operand) {
  return is_literal(operand, isa::OperandType::i32) && static_cast<int32_t>(operand.value) >= -0x8000 &&
         static_cast<int32_t>(operand.value) <= 0x7fff;
}
bool is_vgpr(const Operand& operand) {
  return operand.reg.valid() && operand.reg.is_vgpr();
}
bool is_sgpr(const Operand& operand) {
  return operand.reg.valid() && operand.reg.is_sgpr();
}
bool same_register(const Operand& a, const Operand& b) {
  return a.reg.valid() && a.reg == b.reg;
}

/// The short forms of a multiply-add: accumulating, with a constant addend, with a constant factor.
struct ShortMultiplyAdd {
  Opcode accumulate, constant_addend, constant_factor;
};
constexpr ShortMultiplyAdd kShortFma{Opcode::v_fmac_f32, Opcode::v_fmaak_f32, Opcode::v_fmamk_f32};
constexpr ShortMultiplyAdd kShortMad{Opcode::v_mac_f32, Opcode::v_madak_f32, Opcode::v_madmk_f32};

class Shrinker {
 public:
  explicit Shrinker(mir::Function& function) : function_(function) {}

  void run() {
    for (mir::BlockId block : function_.layout) {
      for (InstId inst : function_.blocks[block].insts) shrink(inst);
    }
  }

 private:
  void shrink(InstId inst) {
    switch (function_.insts[inst].opcode) {
      case Opcode::v_fma_f32:
        return shrink_multiply_add(inst, kShortFma);
      case Opcode::v_mad_f32:
        return shrink_multiply_add(inst, kShortMad);
      case Opcode::s_mov_b32:
        return shrink_move(inst);
      case Opcode::s_add_i32:
        return shrink_scalar(inst, Opcode::s_addk_i32);
      case Opcode::s_mul_i32:
        return shrink_scalar(inst, Opcode::s_mulk_i32);
      case Opcode::v_mov_b16:
        return avoid_wide_move(inst);
      default:
        return shrink_compare(inst);
    }
  }

  bool exists(Opcode opcode) const { return isa::has_opcode(function_.target, mir::to_isa(opcode)); }

  void become(InstId inst, Opcode opcode, std::initializer_list<Operand> uses) {
    function_.insts[inst].opcode = opcode;
    function_.set_uses(inst, {uses.begin(), uses.size()});
  }

  void shrink_multiply_add(InstId inst, const ShortMultiplyAdd& forms) {
    if (function_.insts[inst].has_modifiers()) return;
    const Operand def = function_.defs(inst)[0];
    Operand a = function_.uses(inst)[0], b = function_.uses(inst)[1];
    const Operand c = function_.uses(inst)[2];
    if (!is_vgpr(b)) std::swap(a, b);
    const bool a_literal = is_literal(a, isa::OperandType::f32), c_literal = is_literal(c, isa::OperandType::f32);
    if (!is_vgpr(b)) return;
    if (same_register(def, c) && exists(forms.accumulate)) return become(inst, forms.accumulate, {a, b, c});
    if (c_literal && !a_literal && exists(forms.constant_addend)) {
      return become(inst, forms.constant_addend, {a, b, c});
    }
    if (a_literal && is_vgpr(c) && exists(forms.constant_factor)) {
      return become(inst, forms.constant_factor, {b, a, c});
    }
  }

  void shrink_move(InstId inst) {
    const Operand value = function_.uses(inst)[0];
    if (!is_signed_literal16(value) || !exists(Opcode::s_movk_i32)) return;
    become(inst, Opcode::s_movk_i32, {});
    function_.insts[inst].simm16 = static_cast<int32_t>(value.value);
  }

  /// Both operations commute.
  void shrink_scalar(InstId inst, Opcode opcode) {
    Operand a = function_.uses(inst)[0], b = function_.uses(inst)[1];
    if (!b.is_imm()) std::swap(a, b);
    if (!is_signed_literal16(b) || !same_register(function_.defs(inst)[0], a) || !exists(opcode)) return;
    become(inst, opcode, {a});
    function_.insts[inst].simm16 = static_cast<int32_t>(b.value);
  }

  /// The short form reaches v0 to v127; the long one is unknown to LLVM 19 (docs/isa-errata.md, "Halves of registers").
  void avoid_wide_move(InstId inst) {
    constexpr unsigned kReach = 128;
    const Operand to = function_.defs(inst)[0], from = function_.uses(inst)[0];
    Operand kept = function_.uses(inst)[1];
    if (to.reg.vgpr_index() < kReach && from.reg.vgpr_index() < kReach) return;
    const bool from_high = (function_.modifiers(inst).op_sel & 1) != 0;
    const bool to_high = (function_.modifiers(inst).op_sel >> isa::kDstHalfBit & 1) != 0;
    // Selectors of bytes: 0 to 3 of the second source, 4 to 7 of the first.
    const uint32_t moved = from_high ? 0x0706 : 0x0504;
    kept.tied = false;
    function_.set_modifiers(inst, {});
    become(inst, Opcode::v_perm_b32,
           {from, kept, Operand::immediate(to_high ? moved << 16 | 0x0100 : 0x03020000 | moved)});
  }

  void shrink_compare(InstId inst) {
    const ShortCompare* entry = short_compare(function_.insts[inst].opcode);
    if (entry == nullptr || !exists(entry->narrow)) return;
    const Operand a = function_.uses(inst)[0], b = function_.uses(inst)[1];
    if (!is_sgpr(a) || !is_literal(b, isa::OperandType::i32)) return;
    if (entry->is_signed ? !is_signed_literal16(b) : b.value > 0xffff) return;
    become(inst, entry->narrow, {a});
    // The field has 16 bits; the comparison says how they are extended.
    function_.insts[inst].simm16 = static_cast<int16_t>(b.value);
  }

  mir::Function& function_;
};

}  // namespace

void shrink_encodings(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Shrinker(function).run();
}

}  // namespace spalt::opt
