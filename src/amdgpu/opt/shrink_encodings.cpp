// SPDX-License-Identifier: MIT
#include "amdgpu/opt/shrink_encodings.h"

#include <algorithm>
#include <utility>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/mir/machine_inst.h"

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

/// The short forms of a multiply-add with a constant.
struct ConstantForms {
  Opcode addend, factor;
};
constexpr ConstantForms kConstantFma{Opcode::v_fmaak_f32, Opcode::v_fmamk_f32};
constexpr ConstantForms kConstantMad{Opcode::v_madak_f32, Opcode::v_madmk_f32};

class Shrinker {
 public:
  explicit Shrinker(mir::Function& function)
      : function_(function), joins_addresses_(isa::image_addresses_may_join(function.target.generation)) {}

  void run() {
    for (mir::BlockId block : function_.layout) {
      for (InstId inst : function_.blocks[block].insts) shrink(inst);
      if (compares_ > 1) remove_repeated_compares(function_.blocks[block].insts);
      compares_ = 0;
    }
  }

 private:
  void shrink(InstId inst) {
    const Opcode opcode = function_.insts[inst].opcode;
    switch (opcode) {
      case Opcode::v_fma_f32:
        return shrink_multiply_add(inst, kConstantFma);
      case Opcode::v_mad_f32:
        return shrink_multiply_add(inst, kConstantMad);
      case Opcode::s_mov_b32:
        return shrink_move(inst);
      case Opcode::s_add_i32:
      case Opcode::s_mul_i32:
        return shrink_scalar(inst);
      case Opcode::v_mov_b16:
        return avoid_wide_move(inst);
      default:
        if (mir::has_flag(opcode, isa::kVmem) && joins_addresses_) join_addresses(inst);
        if (mir::has_flag(opcode, isa::kWritesScc)) shrink_compare(inst);
    }
  }

  bool exists(Opcode opcode) const { return isa::has_opcode(function_.target, mir::to_isa(opcode)); }

  void become(InstId inst, Opcode opcode, std::initializer_list<Operand> uses) {
    function_.insts[inst].opcode = opcode;
    function_.set_uses(inst, {uses.begin(), uses.size()});
  }

  /// The opcode that has the destination for a source.
  Opcode tied_form(InstId inst) const {
    return mir::from_isa(isa::info(mir::to_isa(function_.insts[inst].opcode)).short_form);
  }

  void shrink_multiply_add(InstId inst, const ConstantForms& forms) {
    if (function_.insts[inst].has_modifiers()) return;
    const Operand def = function_.defs(inst)[0];
    Operand a = function_.uses(inst)[0], b = function_.uses(inst)[1];
    const Operand c = function_.uses(inst)[2];
    const Operand tied = function_.uses(inst)[mir::tied_source(function_.insts[inst].opcode)];
    if (!is_vgpr(b)) std::swap(a, b);
    const bool a_literal = is_literal(a, isa::OperandType::f32), c_literal = is_literal(c, isa::OperandType::f32);
    if (!is_vgpr(b)) return;
    if (same_register(def, tied) && exists(tied_form(inst))) return become(inst, tied_form(inst), {a, b, c});
    if (c_literal && !a_literal && exists(forms.addend)) return become(inst, forms.addend, {a, b, c});
    if (a_literal && is_vgpr(c) && exists(forms.factor)) return become(inst, forms.factor, {b, a, c});
  }

  void shrink_move(InstId inst) {
    const Operand value = function_.uses(inst)[0];
    if (!is_signed_literal16(value) || !exists(Opcode::s_movk_i32)) return;
    become(inst, Opcode::s_movk_i32, {});
    function_.insts[inst].simm16 = static_cast<int32_t>(value.value);
  }

  /// Both operations commute.
  void shrink_scalar(InstId inst) {
    const Opcode opcode = tied_form(inst);
    Operand a = function_.uses(inst)[0], b = function_.uses(inst)[1];
    if (!b.is_imm()) std::swap(a, b);
    if (!is_signed_literal16(b) || !same_register(function_.defs(inst)[0], a) || !exists(opcode)) return;
    become(inst, opcode, {a});
    function_.insts[inst].simm16 = static_cast<int32_t>(b.value);
  }

  /// LLVM 19 does not know the long form (docs/isa-errata.md, "Halves of registers").
  void avoid_wide_move(InstId inst) {
    using isa::kShortHalfReach;
    const Operand to = function_.defs(inst)[0], from = function_.uses(inst)[0];
    Operand kept = function_.uses(inst)[1];
    if (to.reg.vgpr_index() < kShortHalfReach && from.reg.vgpr_index() < kShortHalfReach) return;
    const bool from_high = (function_.modifiers(inst).op_sel & 1) != 0;
    const bool to_high = (function_.modifiers(inst).op_sel >> isa::kDstHalfBit & 1) != 0;
    // Selectors of bytes: 0 to 3 of the second source, 4 to 7 of the first.
    const uint32_t moved = from_high ? 0x0706 : 0x0504;
    kept.tied = false;
    function_.set_modifiers(inst, {});
    become(inst, Opcode::v_perm_b32,
           {from, kept, Operand::immediate(to_high ? moved << 16 | 0x0100 : 0x03020000 | moved)});
  }

  /// A list of address registers of which each follows the one before is one tuple, which takes no dword of encoding.
  void join_addresses(InstId inst) {
    const std::span<const Operand> further = mir::further_addresses(function_, inst);
    if (further.empty()) return;
    const isa::OpcodeInfo& info = isa::info(mir::to_isa(function_.insts[inst].opcode));
    const unsigned first = isa::image_address_operand(info);
    const std::span<Operand> uses = function_.uses(inst);
    isa::Reg next = uses[first].reg.offset(uses[first].dwords);
    for (const Operand& address : further) {
      if (address.reg != next) return;
      next = address.reg.offset(address.dwords);
    }
    uses[first] = Operand::physical(uses[first].reg, next.number - uses[first].reg.number);
    SmallVector<Operand, 8> kept;
    for (size_t i = 0; i < uses.size(); ++i) {
      const bool listed = i >= info.src_count && i < info.src_count + further.size();
      if (!listed) kept.push_back(uses[i]);
    }
    function_.set_uses(inst, kept.span());
  }

  void shrink_compare(InstId inst) {
    const ShortCompare* entry = short_compare(function_.insts[inst].opcode);
    if (entry == nullptr) return;
    ++compares_;
    if (!exists(entry->narrow)) return;
    const Operand a = function_.uses(inst)[0], b = function_.uses(inst)[1];
    if (!is_sgpr(a) || !is_literal(b, isa::OperandType::i32)) return;
    if (entry->is_signed ? !is_signed_literal16(b) : b.value > 0xffff) return;
    become(inst, entry->narrow, {a});
    // The field has 16 bits; the comparison says how they are extended.
    function_.insts[inst].simm16 = static_cast<int16_t>(b.value);
  }

  /// Selection compares anew for each user, as scc may change between them. Where it did not, scc is what it was.
  void remove_repeated_compares(mir::InstList& insts) {
    InstId known;  // the comparison whose result scc is
    erase_if(insts, [&](InstId inst) {
      const Opcode opcode = function_.insts[inst].opcode;
      if (!mir::is_pseudo(opcode) && mir::has_flag(opcode, isa::kWritesScc)) {
        if (known.valid() && is_same_compare(known, inst)) return true;
        known = function_.defs(inst).size() == 1 && function_.defs(inst)[0].is_reg(isa::kScc) ? inst : InstId();
      } else if (known.valid() && (mir::is_pseudo(opcode) || writes_source(inst, known))) {
        known = InstId();
      }
      return false;
    });
  }

  bool is_same_compare(InstId a, InstId b) const {
    const mir::Inst& first = function_.insts[a];
    const mir::Inst& second = function_.insts[b];
    if (first.opcode != second.opcode || first.simm16 != second.simm16) return false;
    if (function_.defs(b).size() != 1) return false;
    const auto x = function_.uses(a), y = function_.uses(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Operand& p, const Operand& q) {
      if (p.is_imm() || q.is_imm()) return p.is_imm() && q.is_imm() && p.value == q.value;
      return p.reg == q.reg && p.dwords == q.dwords && p.reg.is_sgpr();
    });
  }

  bool writes_source(InstId inst, InstId compare) const {
    for (const Operand& def : function_.defs(inst)) {
      for (const Operand& use : function_.uses(compare)) {
        if (use.is_imm() || !def.reg.valid() || !use.reg.valid()) continue;
        if (def.reg < use.reg.offset(use.dwords) && use.reg < def.reg.offset(def.dwords)) return true;
      }
    }
    return false;
  }

  mir::Function& function_;
  uint32_t compares_ = 0;       ///< scalar ones in this block so far
  const bool joins_addresses_;  ///< image instructions may have one tuple where they may have a list
};

}  // namespace

void shrink_encodings(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Shrinker(function).run();
}

}  // namespace spalt::opt
