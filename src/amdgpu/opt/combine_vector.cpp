// SPDX-License-Identifier: MIT
#include "amdgpu/opt/combine_vector.h"

#include <bit>
#include <utility>

#include "amdgpu/opt/def_use.h"
#include "amdgpu/opt/operand_limits.h"

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

constexpr uint32_t kSignBit = 0x80000000, kAllLanes = 0xffffffff;

/// The vector comparison of the same operands, or Opcode::invalid.
Opcode vector_comparison(Opcode scalar) {
  switch (scalar) {
    case Opcode::s_cmp_eq_i32:
    case Opcode::s_cmp_eq_u32:
      return Opcode::v_cmp_eq_u32;
    case Opcode::s_cmp_lg_i32:
    case Opcode::s_cmp_lg_u32:
      return Opcode::v_cmp_ne_u32;
    case Opcode::s_cmp_lt_i32:
      return Opcode::v_cmp_lt_i32;
    case Opcode::s_cmp_le_i32:
      return Opcode::v_cmp_le_i32;
    case Opcode::s_cmp_gt_i32:
      return Opcode::v_cmp_gt_i32;
    case Opcode::s_cmp_ge_i32:
      return Opcode::v_cmp_ge_i32;
    case Opcode::s_cmp_lt_u32:
      return Opcode::v_cmp_lt_u32;
    case Opcode::s_cmp_le_u32:
      return Opcode::v_cmp_le_u32;
    case Opcode::s_cmp_gt_u32:
      return Opcode::v_cmp_gt_u32;
    case Opcode::s_cmp_ge_u32:
      return Opcode::v_cmp_ge_u32;
    default:
      return Opcode::invalid;
  }
}

/// The operation of the same sources in the other order, if both orders have a short form, which DPP needs.
Opcode with_swapped_sources(Opcode opcode) {
  switch (opcode) {
    case Opcode::v_sub_f32:
      return Opcode::v_subrev_f32;
    case Opcode::v_subrev_f32:
      return Opcode::v_sub_f32;
    case Opcode::v_sub_nc_u32:
      return Opcode::v_subrev_nc_u32;
    case Opcode::v_subrev_nc_u32:
      return Opcode::v_sub_nc_u32;
    case Opcode::v_add_f32:
    case Opcode::v_mul_f32:
    case Opcode::v_min_f32:
    case Opcode::v_max_f32:
    case Opcode::v_add_nc_u32:
    case Opcode::v_min_i32:
    case Opcode::v_max_i32:
    case Opcode::v_min_u32:
    case Opcode::v_max_u32:
    case Opcode::v_and_b32:
    case Opcode::v_or_b32:
    case Opcode::v_xor_b32:
      return opcode;
    default:
      return Opcode::invalid;
  }
}

bool is_free_vgpr(const Operand& use) {
  return use.is_vreg() && use.cls().is_vgpr() && !use.reg.valid() && !use.tied;
}

/// What may be one side of a fusion.
enum Side : uint32_t {
  kNoSide = 0,
  kScalarShift = 1u << 0,
  kAdd = 1u << 1,
  kAdd3 = 1u << 2,
  kSelect = 1u << 3,
  kMask = 1u << 4,
  kShift = 1u << 5,
  kFlip = 1u << 6,
  kDifference = 1u << 7,
  kEquality = 1u << 8,
  kMaskOfFlag = 1u << 9,
  kLaneMove = 1u << 10
};

Side side_of(const mir::Inst& inst) {
  switch (inst.opcode) {
    case Opcode::v_mov_b32:
      return inst.has_modifiers() ? kLaneMove : kNoSide;
    case Opcode::s_lshl_b32:
      return kScalarShift;
    case Opcode::v_add_nc_u32:
      return kAdd;
    case Opcode::v_add3_u32:
      return kAdd3;
    case Opcode::v_cndmask_b32:
      return kSelect;
    case Opcode::v_and_b32:
      return kMask;
    case Opcode::v_lshrrev_b32:
      return kShift;
    case Opcode::v_xor_b32:
      return kFlip;
    case Opcode::v_sub_nc_u32:
    case Opcode::v_subrev_nc_u32:
      return kDifference;
    case Opcode::v_cmp_eq_u32:
    case Opcode::v_cmp_eq_i32:
    case Opcode::v_cmp_ne_u32:
    case Opcode::v_cmp_ne_i32:
      return kEquality;
    case Opcode::s_cselect_b32:
    case Opcode::s_cselect_b64:
      return kMaskOfFlag;
    default:
      return kNoSide;
  }
}

uint32_t find_sides(const mir::Function& function) {
  uint32_t sides = 0;
  for (BlockId block : function.layout) {
    for (InstId inst : function.blocks[block].insts) sides |= side_of(function.insts[inst]);
  }
  return sides;
}

/// Whether both sides of some fusion are there.
bool may_combine(uint32_t sides) {
  const auto has = [sides](uint32_t first, uint32_t second) { return (sides & first) != 0 && (sides & second) != 0; };
  return has(kAdd, kScalarShift) || has(kAdd | kAdd3, kSelect) || has(kMask, kShift) || has(kSelect, kFlip) ||
         has(kDifference, kSelect) || has(kEquality, kDifference | kFlip) || has(kMaskOfFlag, kSelect) ||
         has(kLaneMove, kLaneMove);
}

class Combiner {
 public:
  Combiner(mir::Function& function, uint32_t sides, Arena& scratch)
      : function_(function),
        def_use_(function, scratch),
        removed_(scratch, function.insts.size(), false),
        mask_uses_(scratch),
        has_lane_moves_((sides & kLaneMove) != 0) {}

  void run() {
    count_mask_uses();
    for (BlockId block : function_.layout) {
      block_ = block;
      for (InstId inst : function_.blocks[block].insts) combine(inst);
    }
    remove();
  }

 private:
  /// Uses of a lane mask that are the mask of a v_cndmask in the block of the definition.
  void count_mask_uses() {
    mask_uses_.assign(function_.vregs.size(), 0);
    for (BlockId block : function_.layout) {
      for (InstId inst : function_.blocks[block].insts) {
        if (function_.insts[inst].opcode != Opcode::v_cndmask_b32) continue;
        const Operand& mask = function_.uses(inst)[2];
        if (mask.is_vreg() && def_use_[mask.vreg()].block == block) ++mask_uses_[mask.value];
      }
    }
  }

  void combine(InstId inst) {
    if (function_.insts[inst].has_modifiers()) return;
    if (has_lane_moves_ && move_then_combine(inst)) return;
    switch (function_.insts[inst].opcode) {
      case Opcode::v_add_nc_u32:
        shift_then_add(inst);
        return condition_then_add(inst);
      case Opcode::v_add3_u32:
        return condition_then_add(inst);
      case Opcode::v_sub_nc_u32:
      case Opcode::v_subrev_nc_u32:
        return condition_then_subtract(inst);
      case Opcode::v_and_b32:
        return shift_then_mask(inst);
      case Opcode::v_cndmask_b32:
        return negate_then_select(inst);
      case Opcode::v_cmp_eq_u32:
      case Opcode::v_cmp_eq_i32:
      case Opcode::v_cmp_ne_u32:
      case Opcode::v_cmp_ne_i32:
        return subtract_then_compare(inst);
      case Opcode::s_cselect_b32:
      case Opcode::s_cselect_b64:
        return compare_then_select(inst);
      default:
        return;
    }
  }

  /// The instruction that computes `use` for this user only, if it has this opcode and can be taken apart.
  InstId producer(const Operand& use, Opcode opcode) const {
    const InstId def = def_use_.single_use_def(use, block_);
    if (!def.valid() || removed_[def.index] || function_.insts[def].opcode != opcode) return InstId();
    if (function_.insts[def].has_modifiers() || def_use_.scc_reads(def) != 0) return InstId();
    return def;
  }

  void shift_then_add(InstId add) {
    for (unsigned i = 0; i < 2; ++i) {
      const InstId shift = producer(function_.uses(add)[i], Opcode::s_lshl_b32);
      // s_lshl_b32 and v_lshl_add_u32 both take the low five bits of the amount.
      if (shift.valid() && replace(add, Opcode::v_lshl_add_u32,
                                   {function_.uses(shift)[0], function_.uses(shift)[1], function_.uses(add)[1 - i]})) {
        return remove_later(shift);
      }
    }
  }

  /// A condition as 0 or 1 is the carry of a sum.
  void condition_then_add(InstId add) {
    if (function_.insts[add].opcode == Opcode::v_lshl_add_u32) return;  // by now
    const std::span<const Operand> terms = std::as_const(function_).uses(add);
    for (unsigned i = 0; i < terms.size(); ++i) {
      const InstId number = condition_as_number(terms[i]);
      if (!number.valid()) continue;
      const Operand a = terms[i == 0 ? 1 : 0];
      const Operand b = terms.size() == 2 ? Operand::immediate(0) : terms[i == 2 ? 1 : 2];
      const Operand carry = function_.uses(number)[2], sum = function_.defs(add)[0];
      if (!replace(add, Opcode::v_add_co_ci_u32, {a, b, carry})) continue;
      add_unused_mask(add, sum);
      return remove_later(number);
    }
  }

  /// And one that is subtracted is the borrow of a difference.
  void condition_then_subtract(InstId subtract) {
    const auto [minuend, subtrahend] = difference(subtract);
    const InstId number = condition_as_number(subtrahend);
    if (!number.valid()) return;
    const Operand borrow = function_.uses(number)[2], result = function_.defs(subtract)[0];
    InstId inner = producer(minuend, Opcode::v_sub_nc_u32);
    if (!inner.valid()) inner = producer(minuend, Opcode::v_subrev_nc_u32);
    if (inner.valid()) {
      const auto [from, what] = difference(inner);
      if (replace(subtract, Opcode::v_sub_co_ci_u32, {from, what, borrow})) {
        remove_later(inner);
      } else {
        inner = InstId();
      }
    }
    if (!inner.valid() && !replace(subtract, Opcode::v_subrev_co_ci_u32, {Operand::immediate(0), minuend, borrow})) {
      return;
    }
    add_unused_mask(subtract, result);
    remove_later(number);
  }

  struct Difference {
    Operand minuend, subtrahend;
  };
  Difference difference(InstId inst) const {
    const auto uses = function_.uses(inst);
    if (function_.insts[inst].opcode == Opcode::v_sub_nc_u32) return {uses[0], uses[1]};
    return {uses[1], uses[0]};
  }

  /// The instruction that makes 0 or 1 of a lane mask for this user only.
  InstId condition_as_number(const Operand& use) const {
    const InstId number = producer(use, Opcode::v_cndmask_b32);
    if (!number.valid()) return InstId();
    const auto choice = function_.uses(number);
    const bool is_number = choice[0].is_imm() && choice[0].value == 0 && choice[1].is_imm() && choice[1].value == 1;
    return is_number && choice[2].is_vreg() ? number : InstId();
  }

  /// The instruction makes a lane mask beside `result` that nobody reads.
  void add_unused_mask(InstId inst, const Operand& result) {
    const Operand null = Operand::physical(isa::kNull, function_.wave_size / 32);
    const Operand defs[] = {result, function_.target.has_null_sgpr ? null : function_.def(function_.lane_mask_class())};
    const InstId wide = function_.create(function_.insts[inst].opcode, defs, function_.uses(inst));
    function_.insts[inst] = function_.insts[wide];
  }

  void shift_then_mask(InstId mask) {
    for (unsigned i = 0; i < 2; ++i) {
      const Operand bits = function_.uses(mask)[i];
      // A mask of all bits has another meaning to v_bfe_u32, which takes five bits of the width.
      if (!bits.is_imm() || !std::has_single_bit(bits.value + 1) || bits.value == 0) continue;
      const InstId shift = producer(function_.uses(mask)[1 - i], Opcode::v_lshrrev_b32);
      if (!shift.valid()) continue;
      const auto width = static_cast<uint32_t>(std::popcount(bits.value));
      if (replace(mask, Opcode::v_bfe_u32,
                  {function_.uses(shift)[1], function_.uses(shift)[0], Operand::immediate(width)})) {
        return remove_later(shift);
      }
    }
  }

  void negate_then_select(InstId select) {
    for (unsigned i = 0; i < 2; ++i) {
      const InstId flip = producer(function_.uses(select)[i], Opcode::v_xor_b32);
      if (!flip.valid()) continue;
      Operand value = function_.uses(flip)[1], sign = function_.uses(flip)[0];
      if (!sign.is_imm()) std::swap(value, sign);
      if (!sign.is_imm() || sign.value != kSignBit || !value.is_vreg() || value.reg.valid()) continue;
      Operand sources[] = {function_.uses(select)[0], function_.uses(select)[1], function_.uses(select)[2]};
      sources[i] = value;
      if (!fits_vop3(function_, Opcode::v_cndmask_b32, sources)) continue;
      function_.uses(select)[i] = value;
      function_.edit_modifiers(select, [i](isa::Modifiers& mods) { mods.neg |= static_cast<uint8_t>(1u << i); });
      remove_later(flip);
    }
  }

  void subtract_then_compare(InstId compare) {
    for (unsigned i = 0; i < 2; ++i) {
      const Operand zero = function_.uses(compare)[i];
      if (!zero.is_imm() || zero.value != 0) continue;
      for (Opcode opcode : {Opcode::v_sub_nc_u32, Opcode::v_subrev_nc_u32, Opcode::v_xor_b32}) {
        const InstId difference = producer(function_.uses(compare)[1 - i], opcode);
        if (difference.valid() && replace(compare, function_.insts[compare].opcode,
                                          {function_.uses(difference)[0], function_.uses(difference)[1]})) {
          return remove_later(difference);
        }
      }
    }
  }

  void compare_then_select(InstId select) {
    const auto uses = function_.uses(select);
    if (!uses[0].is_imm() || uses[0].value != kAllLanes || !uses[1].is_imm() || uses[1].value != 0) return;
    const InstId compare = def_use_.scc_def(select);
    if (!compare.valid() || removed_[compare.index] || def_use_.scc_reads(compare) != 1) return;
    const Opcode opcode = vector_comparison(function_.insts[compare].opcode);
    const Operand mask = function_.defs(select)[0];
    if (opcode == Opcode::invalid || !mask.is_vreg() || mask.dwords != function_.wave_size / 32) return;
    // A comparison leaves 0 for inactive lanes, which no v_cndmask sees; other users may see them.
    const DefUse::Value& value = def_use_[mask.vreg()];
    if (value.uses == 0 || value.uses != mask_uses_[mask.value] || value.wants_own_register) return;
    if (!replace(select, opcode, {function_.uses(compare)[0], function_.uses(compare)[1]})) return;
    if (value.uses == 1) function_.vregs[mask.vreg()].hint = isa::kVcc;
    remove_later(compare);
  }

  /// The v_mov_b32 with DPP that computes `use` for this user only, if each lane that runs gets a value by it.
  InstId lane_move(const Operand& use) const {
    const InstId def = def_use_.single_use_def(use, block_);
    if (!def.valid() || removed_[def.index]) return InstId();
    const mir::Inst& move = function_.insts[def];
    if (move.opcode != Opcode::v_mov_b32 || !move.has_modifiers() || !is_free_vgpr(function_.uses(def)[0])) {
      return InstId();
    }
    isa::Modifiers rest = function_.modifiers(def);
    const bool is_whole = rest.bound_ctrl;
    rest.bound_ctrl = false;
    rest.dpp_ctrl = 0;
    return is_whole && rest == isa::kNoModifiers ? def : InstId();
  }

  /// The operation reads its first source from other lanes itself.
  bool move_then_combine(InstId inst) {
    const Opcode opcode = function_.insts[inst].opcode, swapped = with_swapped_sources(opcode);
    if (swapped == Opcode::invalid) return false;
    for (unsigned i = 0; i < 2; ++i) {
      const Operand other = function_.uses(inst)[1 - i];
      const InstId move = lane_move(function_.uses(inst)[i]);
      if (!move.valid() || !is_free_vgpr(other)) continue;
      const Operand sources[] = {function_.uses(move)[0], other};
      function_.insts[inst].opcode = i == 0 ? opcode : swapped;
      function_.set_uses(inst, sources);
      function_.set_modifiers(inst, isa::Modifiers(function_.modifiers(move)));
      remove_later(move);
      return true;
    }
    return false;
  }

  /// Makes `inst` another operation of these sources if its encoding can read them all.
  bool replace(InstId inst, Opcode opcode, std::initializer_list<Operand> sources) {
    const std::span<const Operand> span(sources.begin(), sources.size());
    // A physical register may change between the two instructions.
    for (const Operand& source : span) {
      if (!source.is_imm() && (!source.is_vreg() || source.reg.valid())) return false;
    }
    if (!fits_vop3(function_, opcode, span)) return false;
    function_.insts[inst].opcode = opcode;
    function_.set_uses(inst, span);
    return true;
  }

  void remove_later(InstId inst) {
    removed_[inst.index] = true;
    any_removed_ = true;
  }

  void remove() {
    if (!any_removed_) return;
    for (BlockId block : function_.layout) {
      erase_if(function_.blocks[block].insts, [&](InstId inst) { return removed_[inst.index]; });
    }
  }

  mir::Function& function_;
  DefUse def_use_;
  Vector<bool> removed_;
  Vector<uint32_t> mask_uses_;
  BlockId block_;
  const bool has_lane_moves_;
  bool any_removed_ = false;
};

}  // namespace

void combine_vector(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  const uint32_t sides = find_sides(function);
  if (may_combine(sides)) Combiner(function, sides, context.scratch).run();
}

}  // namespace spalt::opt
