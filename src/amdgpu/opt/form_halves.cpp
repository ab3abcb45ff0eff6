// SPDX-License-Identifier: MIT
#include "amdgpu/opt/form_halves.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/opt/def_use.h"
#include "amdgpu/opt/operand_limits.h"

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

constexpr uint32_t kOne = 0x3f800000, kLowMask = 0xffff, kHighMask = 0xffff0000u;
// Values of src0_sel, dst_sel and dst_unused (Vega ISA guide, "SDWA").
constexpr uint8_t kWord0 = 4, kWord1 = 5, kPreserve = 2;

/// Half a register.
struct Half {
  Operand whole;
  bool high = false;
};

/// A source of a multiply-add: a float, or a half that is converted on the way in.
struct MixSource {
  Operand operand;
  bool is_half = false, high = false, neg = false, abs = false;
};

/// Where a float operation has its operands in a * b + c; kNone is 1.0 as a factor and -0 as the addend.
struct MixForm {
  Opcode opcode;
  int8_t a, b, c;
  bool negates_c = false;
  bool negates_a = false;
};
constexpr int8_t kNone = -1;
constexpr MixForm kMixForms[] = {
    {Opcode::v_mul_f32, 0, 1, kNone},       {Opcode::v_add_f32, 0, kNone, 1},
    {Opcode::v_sub_f32, 0, kNone, 1, true}, {Opcode::v_subrev_f32, 0, kNone, 1, false, true},
    {Opcode::v_fma_f32, 0, 1, 2},
};

const MixForm* mix_form(Opcode opcode) {
  for (const MixForm& form : kMixForms) {
    if (form.opcode == opcode) return &form;
  }
  return nullptr;
}

bool is_imm(const Operand& operand, uint32_t value) {
  return operand.is_imm() && operand.value == value;
}

/// Whether halves may occur at all; most programs have none.
bool may_have_halves(const mir::Function& function) {
  for (BlockId block : function.layout) {
    for (InstId inst : function.blocks[block].insts) {
      switch (function.insts[inst].opcode) {
        case Opcode::v_cvt_f32_f16:
        case Opcode::v_pack_b32_f16:
        case Opcode::v_cvt_pkrtz_f16_f32:
        case Opcode::v_lshl_or_b32:
        case Opcode::v_and_or_b32:
        case Opcode::v_bfe_i32:
          return true;
        case Opcode::v_and_b32:
          if (is_imm(function.uses(inst)[0], kLowMask) || is_imm(function.uses(inst)[1], kLowMask)) return true;
          break;
        default:
          break;
      }
    }
  }
  return false;
}

class HalfFormer {
 public:
  HalfFormer(mir::Function& function, Arena& scratch)
      : function_(function),
        def_use_(function, scratch),
        removed_(scratch, function.insts.size(), false),
        has_mix_(has(Opcode::v_fma_mix_f32)),
        has_move_(has(Opcode::v_mov_b16)),
        has_extension_(has(Opcode::v_cvt_i32_i16)),
        has_sdwa_(function.target.has_sdwa) {}

  void run() {
    // What uses several instructions first: it may need what the rest would change.
    for (BlockId block : function_.layout) {
      block_ = block;
      for (InstId inst : function_.blocks[block].insts) fuse(inst);
    }
    for (BlockId block : function_.layout) {
      block_ = block;
      for (InstId inst : function_.blocks[block].insts) {
        if (!removed_[inst.index]) convert(inst);
      }
    }
    if (!any_removed_) return;
    for (BlockId block : function_.layout) {
      erase_if(function_.blocks[block].insts, [&](InstId inst) { return removed_[inst.index]; });
    }
  }

 private:
  bool has(Opcode opcode) const { return isa::has_opcode(function_.target, mir::to_isa(opcode)); }

  void fuse(InstId inst) {
    switch (function_.insts[inst].opcode) {
      case Opcode::v_mul_f32:
      case Opcode::v_add_f32:
      case Opcode::v_sub_f32:
      case Opcode::v_subrev_f32:
      case Opcode::v_fma_f32:
        return mix(inst);
      case Opcode::v_pack_b32_f16:
        return pack(inst);
      case Opcode::v_cvt_pkrtz_f16_f32:
        return pack_computed(inst);
      case Opcode::v_lshl_or_b32:
      case Opcode::v_and_or_b32:
        return join(inst);
      default:
        return;
    }
  }

  void convert(InstId inst) {
    switch (function_.insts[inst].opcode) {
      case Opcode::v_cvt_f32_f16:
        return convert_high(inst);
      case Opcode::v_bfe_i32:
      case Opcode::v_and_b32:
        return extend(inst);
      default:
        return;
    }
  }

  // What computes an operand

  /// The instruction that computes `use` for this user only, if it has this opcode.
  InstId producer(const Operand& use, Opcode opcode) const {
    const InstId def = def_use_.single_use_def(use, block_);
    if (!def.valid() || removed_[def.index] || function_.insts[def].opcode != opcode) return InstId();
    return def;
  }
  bool is_plain(InstId inst) const { return !function_.insts[inst].has_modifiers(); }
  static bool is_register(const Operand& use) { return use.is_vreg() && !use.reg.valid(); }
  bool is_vgpr(const Operand& use) const { return is_register(use) && use.cls().is_vgpr(); }

  /// x >> 16, for one user.
  InstId shift_to_low(const Operand& use) const {
    const InstId shift = producer(use, Opcode::v_lshrrev_b32);
    const bool fits =
        shift.valid() && is_plain(shift) && is_imm(function_.uses(shift)[0], 16) && is_vgpr(function_.uses(shift)[1]);
    return fits ? shift : InstId();
  }

  /// x & mask, for one user: its x.
  std::optional<Operand> masked(InstId inst, uint32_t mask) const {
    if (!inst.valid() || !is_plain(inst)) return std::nullopt;
    const auto uses = function_.uses(inst);
    for (unsigned i = 0; i < 2; ++i) {
      if (is_imm(uses[i], mask) && is_vgpr(uses[1 - i])) return uses[1 - i];
    }
    return std::nullopt;
  }

  /// The mask of v_and_or_b32, which is in an SGPR where VOP3 has no literals.
  bool has_mask(InstId inst, uint32_t mask) const {
    const Operand& use = function_.uses(inst)[1];
    if (!is_register(use)) return is_imm(use, mask);
    const InstId def = def_use_[use.vreg()].def;
    return def.valid() && function_.insts[def].opcode == Opcode::s_mov_b32 && is_imm(function_.uses(def)[0], mask);
  }

  // Multiply-adds that read halves

  /// A float operation as a * b + c, and the conversions of its operands that the multiply-add does itself.
  struct Computed {
    MixSource sources[3];
    InstId conversions[3];
  };

  std::optional<Computed> as_multiply_add(InstId inst) const {
    const MixForm* form = mix_form(function_.insts[inst].opcode);
    isa::Modifiers rest = function_.modifiers(inst);
    rest.neg = rest.abs = 0;
    rest.clamp = false;
    if (form == nullptr || rest != isa::kNoModifiers) return std::nullopt;
    Computed computed;
    auto& [sources, conversions] = computed;
    sources[0] = mix_source(inst, form->a, conversions[0]);
    sources[1] = mix_source(inst, form->b, conversions[1]);
    sources[2] = mix_source(inst, form->c, conversions[2]);
    if (form->b == kNone) sources[1].operand = Operand::immediate(kOne);
    if (form->c == kNone) sources[2] = {Operand::immediate(0), false, false, true};
    sources[0].neg ^= form->negates_a;
    sources[2].neg ^= form->negates_c;
    return computed;
  }

  void mix(InstId inst) {
    if (!has_mix_ || !reads_conversion(inst)) return;
    const auto computed = as_multiply_add(inst);
    if (!computed) return;
    const auto& sources = computed->sources;
    if (!sources[0].is_half && !sources[1].is_half && !sources[2].is_half) return;
    if (become_mix(inst, Opcode::v_fma_mix_f32, sources)) remove_conversions(*computed);
  }

  bool reads_conversion(InstId inst) const {
    const auto uses = function_.uses(inst);
    return std::any_of(uses.begin(), uses.end(),
                       [this](const Operand& use) { return producer(use, Opcode::v_cvt_f32_f16).valid(); });
  }

  void remove_conversions(const Computed& computed) {
    for (InstId conversion : computed.conversions) {
      if (conversion.valid()) remove_conversion(conversion);
    }
  }

  MixSource mix_source(InstId inst, int8_t index, InstId& conversion) const {
    MixSource source;
    if (index == kNone) return source;
    const isa::Modifiers& outer = function_.modifiers(inst);
    source.operand = function_.uses(inst)[static_cast<size_t>(index)];
    source.neg = outer.neg >> index & 1;
    source.abs = outer.abs >> index & 1;
    const InstId found = producer(source.operand, Opcode::v_cvt_f32_f16);
    if (!found.valid()) return source;
    const isa::Modifiers& inner = function_.modifiers(found);
    isa::Modifiers rest = inner;
    rest.neg = rest.abs = 0;
    const Operand whole = function_.uses(found)[0];
    if (rest != isa::kNoModifiers || !is_register(whole)) return source;
    conversion = found;
    // Signs are the same before and after the conversion.
    if (!source.abs) source.neg ^= inner.neg & 1;
    source.abs |= inner.abs & 1;
    const InstId shift = shift_to_low(whole);
    source.operand = shift.valid() ? function_.uses(shift)[1] : whole;
    source.high = shift.valid();
    source.is_half = true;
    return source;
  }

  void remove_conversion(InstId conversion) {
    const InstId shift = shift_to_low(function_.uses(conversion)[0]);
    if (shift.valid()) remove_later(shift);
    remove_later(conversion);
  }

  /// Whether the instruction can have these sources.
  bool can_mix(Opcode opcode, const MixSource (&sources)[3]) const {
    Operand operands[3];
    for (unsigned i = 0; i < 3; ++i) {
      operands[i] = sources[i].operand;
      // VOP3P instructions of mixed types take no literal.
      if (operands[i].is_imm() && isa::inline_constant_code(operands[i].value, isa::OperandType::f32) < 0) return false;
      if (!operands[i].is_imm() && !is_register(operands[i])) return false;
    }
    return fits_vop3(function_, opcode, operands);
  }

  /// `tied` is what the result keeps of its register.
  bool become_mix(InstId inst, Opcode opcode, const MixSource (&sources)[3], const Operand& tied = Operand()) {
    if (!can_mix(opcode, sources)) return false;
    Operand operands[4];
    isa::Modifiers mods;
    mods.clamp = function_.modifiers(inst).clamp;
    for (unsigned i = 0; i < 3; ++i) {
      operands[i] = sources[i].operand;
      mods.op_sel = static_cast<uint8_t>(mods.op_sel | sources[i].high << i);
      mods.op_sel_hi = static_cast<uint8_t>(mods.op_sel_hi | sources[i].is_half << i);
      mods.neg = static_cast<uint8_t>(mods.neg | sources[i].neg << i);
      mods.abs = static_cast<uint8_t>(mods.abs | sources[i].abs << i);
    }
    operands[3] = tied;
    function_.insts[inst].opcode = opcode;
    function_.set_modifiers(inst, mods);
    function_.set_uses(inst, {operands, tied.is_vreg() ? 4u : 3u});
    return true;
  }

  /// The high half of a register, where the instruction would have to be longer for it than the shift is.
  void convert_high(InstId inst) {
    isa::Modifiers rest = function_.modifiers(inst);
    rest.neg = rest.abs = 0;
    if (rest != isa::kNoModifiers) return;
    const InstId shift = shift_to_low(function_.uses(inst)[0]);
    if (!shift.valid()) return;
    const Operand whole = function_.uses(shift)[1];
    const isa::Modifiers mods = function_.modifiers(inst);
    if (has_mix_) {
      const MixSource sources[] = {{whole, true, true, (mods.neg & 1) != 0, (mods.abs & 1) != 0},
                                   {Operand::immediate(kOne)},
                                   {Operand::immediate(0), false, false, true}};
      if (become_mix(inst, Opcode::v_fma_mix_f32, sources)) remove_later(shift);
    } else if (has_sdwa_) {
      function_.uses(inst)[0] = whole;
      function_.edit_modifiers(inst, [](isa::Modifiers& edited) { edited.src_sel[0] = kWord1; });
      remove_later(shift);
    }
  }

  // Results in half a register

  /// The conversion of the high half writes into the register of the low one.
  void pack(InstId inst) {
    const Operand low = function_.uses(inst)[0], high = function_.uses(inst)[1];
    if (!is_plain(inst) || !producer(low, Opcode::v_cvt_f16_f32).valid()) return;
    const InstId conversion = producer(high, Opcode::v_cvt_f16_f32);
    if (!conversion.valid() || conversion == producer(low, Opcode::v_cvt_f16_f32)) return;
    const isa::Modifiers mods = function_.modifiers(conversion);
    isa::Modifiers rest = mods;
    rest.neg = rest.abs = 0;
    const Operand from = function_.uses(conversion)[0];
    if (rest != isa::kNoModifiers) return;
    Operand tied = low;
    tied.tied = true;
    if (has_mix_) {
      const MixSource sources[] = {{from, false, false, (mods.neg & 1) != 0, (mods.abs & 1) != 0},
                                   {Operand::immediate(kOne)},
                                   {Operand::immediate(0), false, false, true}};
      if (become_mix(inst, Opcode::v_fma_mixhi_f16, sources, tied)) remove_later(conversion);
    } else if (has_sdwa_ && is_vgpr(from)) {
      isa::Modifiers with_half = mods;
      with_half.dst_sel = kWord1;
      with_half.dst_unused = kPreserve;
      replace(inst, Opcode::v_cvt_f16_f32, with_half, {from, tied});
      remove_later(conversion);
    }
  }

  /// The float operation whose result `use` is, for this user only.
  InstId float_producer(const Operand& use) const {
    const InstId def = def_use_.single_use_def(use, block_);
    const bool fits = def.valid() && !removed_[def.index] && mix_form(function_.insts[def].opcode) != nullptr;
    return fits ? def : InstId();
  }

  /// Two colours that are computed for the target: as halves at once. Only exports are packed so, and their rounding is
  /// the implementation's.
  void pack_computed(InstId inst) {
    if (!has_mix_ || !is_plain(inst)) return;
    Operand low = function_.uses(inst)[0];
    const InstId first = float_producer(low), second = float_producer(function_.uses(inst)[1]);
    if (!first.valid() || !second.valid() || first == second) return;
    const auto low_computed = as_multiply_add(first), high_computed = as_multiply_add(second);
    if (!low_computed || !high_computed) return;
    if (!can_mix(Opcode::v_fma_mixlo_f16, low_computed->sources)) return;
    if (!can_mix(Opcode::v_fma_mixhi_f16, high_computed->sources)) return;
    low.tied = true;
    const bool clamps = function_.modifiers(second).clamp;
    become_mix(first, Opcode::v_fma_mixlo_f16, low_computed->sources);
    become_mix(inst, Opcode::v_fma_mixhi_f16, high_computed->sources, low);
    function_.edit_modifiers(inst, [&](isa::Modifiers& edited) { edited.clamp = clamps; });
    remove_conversions(*low_computed);
    remove_conversions(*high_computed);
    remove_later(second);
  }

  /// The low half of one register beside the high half of another: the other half of one of them is replaced.
  void join(InstId inst) {
    if ((!has_move_ && !has_sdwa_) || !is_plain(inst)) return;
    InstId part;
    const auto halves = joined_halves(inst, part);
    if (!halves) return;
    const auto& [low, high] = *halves;
    const bool low_stays = !low.high && (high.high ? def_use_[low.whole.vreg()].uses == 1 : true);
    if (!low_stays && !high.high) return;
    const InstId mask = producer(function_.uses(inst)[1], Opcode::s_mov_b32);
    if (mask.valid()) remove_later(mask);
    Operand tied = low_stays ? low.whole : high.whole;
    tied.tied = true;
    const Half& from = low_stays ? high : low;
    isa::Modifiers mods;
    if (has_move_) {
      mods.op_sel = static_cast<uint8_t>((from.high ? 1u : 0u) | (low_stays ? 1u << isa::kDstHalfBit : 0u));
    } else {
      mods.src_sel[0] = from.high ? kWord1 : kWord0;
      mods.dst_sel = low_stays ? kWord1 : kWord0;
      mods.dst_unused = kPreserve;
    }
    replace(inst, has_move_ ? Opcode::v_mov_b16 : Opcode::v_mov_b32, mods, {from.whole, tied});
    remove_later(part);
  }

  /// What is in the low and in the high half of the result.
  std::optional<std::pair<Half, Half>> joined_halves(InstId inst, InstId& part) const {
    const auto uses = function_.uses(inst);
    const InstId mask = producer(uses[2], Opcode::v_and_b32);
    if (function_.insts[inst].opcode == Opcode::v_lshl_or_b32) {
      const auto low = masked(mask, kLowMask);
      if (!low || !is_imm(uses[1], 16) || !is_vgpr(uses[0])) return std::nullopt;
      part = mask;
      return std::pair(Half{*low, false}, Half{uses[0], false});
    }
    if (!is_vgpr(uses[0])) return std::nullopt;
    const Half low_of_first{uses[0], false}, high_of_first{uses[0], true};
    if (has_mask(inst, kLowMask)) {
      part = mask;
      if (const auto high = masked(mask, kHighMask)) return std::pair(low_of_first, Half{*high, true});
      part = producer(uses[2], Opcode::v_lshlrev_b32);
      if (!part.valid() || !is_plain(part) || !is_imm(function_.uses(part)[0], 16)) return std::nullopt;
      if (!is_vgpr(function_.uses(part)[1])) return std::nullopt;
      return std::pair(low_of_first, Half{function_.uses(part)[1], false});
    }
    if (!has_mask(inst, kHighMask)) return std::nullopt;
    part = mask;
    if (const auto low = masked(mask, kLowMask)) return std::pair(Half{*low, false}, high_of_first);
    part = shift_to_low(uses[2]);
    if (!part.valid()) return std::nullopt;
    return std::pair(Half{function_.uses(part)[1], true}, high_of_first);
  }

  void replace(InstId inst, Opcode opcode, const isa::Modifiers& mods, std::initializer_list<Operand> uses) {
    function_.insts[inst].opcode = opcode;
    function_.set_modifiers(inst, mods);
    function_.set_uses(inst, {uses.begin(), uses.size()});
  }

  /// The low half with zeros or its sign, in an instruction of one dword.
  void extend(InstId inst) {
    if (!has_extension_ || !is_plain(inst)) return;
    const auto uses = function_.uses(inst);
    std::optional<Operand> whole;
    const bool is_signed = function_.insts[inst].opcode == Opcode::v_bfe_i32;
    if (!is_signed) whole = masked(inst, kLowMask);
    if (is_signed && is_vgpr(uses[0]) && is_imm(uses[1], 0) && is_imm(uses[2], 16)) whole = uses[0];
    if (!whole) return;
    function_.insts[inst].opcode = is_signed ? Opcode::v_cvt_i32_i16 : Opcode::v_cvt_u32_u16;
    function_.set_uses(inst, {&*whole, 1});
  }

  void remove_later(InstId inst) {
    removed_[inst.index] = true;
    any_removed_ = true;
  }

  mir::Function& function_;
  DefUse def_use_;
  Vector<bool> removed_;
  BlockId block_;
  bool any_removed_ = false;
  bool has_mix_, has_move_, has_extension_, has_sdwa_;
};

}  // namespace

void form_halves(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (may_have_halves(function)) HalfFormer(function, context.scratch).run();
}

}  // namespace spalt::opt
