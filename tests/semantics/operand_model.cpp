// SPDX-License-Identifier: MIT
#include "operand_model.h"

#include "real.h"

namespace spalt::semantics {
namespace {

using isa::Format;
using isa::OperandKind;
using isa::OperandType;

bool is_dpp16(Format format) {
  return format == Format::dpp16 || format == Format::vop3_dpp16;
}
bool is_dpp8(Format format) {
  return format == Format::dpp8 || format == Format::vop3_dpp8;
}

/// The lane that source 0 comes from, or -1 where it has none: beyond the row, or from an inactive lane.
int dpp_lane(const State& state, const isa::Inst& inst, unsigned lane, unsigned wave_size) {
  const int from =
      is_dpp8(inst.format) ? dpp8_lane(inst.mods.dpp8, lane) : dpp16_lane(inst.mods.dpp_ctrl, lane, wave_size);
  if (from < 0) return -1;
  const bool active = (state.exec(wave_size) >> from & 1) != 0;
  return active || inst.mods.fetch_inactive ? from : -1;
}

/// Bytes 0 to 3, words 0 and 1, the dword.
uint64_t sdwa_select(uint64_t value, unsigned select, bool sign) {
  constexpr unsigned kShift[] = {0, 8, 16, 24, 0, 16, 0}, kBits[] = {8, 8, 8, 8, 16, 16, 32};
  uint64_t part = (value >> kShift[select]) & ((uint64_t{1} << kBits[select]) - 1);
  if (sign && (part >> (kBits[select] - 1) & 1) != 0) part |= ~uint64_t{0} << kBits[select];
  return part & 0xffffffffu;
}

uint64_t register_value(const State& state, const isa::Operand& operand, unsigned lane) {
  const unsigned number = operand.reg.number;
  if (operand.reg.is_vgpr()) {
    const auto& low = state.v[operand.reg.vgpr_index()];
    return operand.dwords < 2 ? low[lane] : low[lane] | uint64_t{state.v[operand.reg.vgpr_index() + 1u][lane]} << 32;
  }
  return operand.dwords < 2 ? state.s[number] : state.pair(number);
}

/// A literal is the high half of a double, a sign-extended or zero-extended dword of other 64-bit operands.
uint64_t literal(uint32_t value, OperandType type) {
  if (type == OperandType::f64) return uint64_t{value} << 32;
  if (type == OperandType::i64) return static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
  return value;
}

/// 16-bit results of GFX9 set the upper half to zero, but not those that GFX9 brought (LLVM, zeroesHigh16BitsOfDest).
bool keeps_upper_half(isa::Opcode opcode) {
  using Op = isa::Opcode;
  switch (opcode) {
    case Op::v_mad_f16:
    case Op::v_mad_u16:
    case Op::v_mad_i16:
    case Op::v_fma_f16:
    case Op::v_div_fixup_f16:
    case Op::v_mac_f16:
    case Op::v_madmk_f16:
    case Op::v_madak_f16:
    case Op::v_add_nc_i16:
    case Op::v_sub_nc_i16:
    case Op::v_min3_f16:
    case Op::v_min3_i16:
    case Op::v_min3_u16:
    case Op::v_max3_f16:
    case Op::v_max3_i16:
    case Op::v_max3_u16:
    case Op::v_med3_f16:
    case Op::v_med3_i16:
    case Op::v_med3_u16:
      return true;
    default:
      return false;
  }
}

}  // namespace

unsigned slot_bits(OperandType type) {
  switch (type) {
    case OperandType::f16:
    case OperandType::b16:
    case OperandType::i16:
    case OperandType::u16:
      return 16;
    case OperandType::f64:
    case OperandType::b64:
    case OperandType::i64:
    case OperandType::u64:
      return 64;
    case OperandType::b128:
      return 128;
    default:
      return 32;
  }
}

bool is_float(OperandType type) {
  return type == OperandType::f16 || type == OperandType::f32 || type == OperandType::f64;
}

bool is_packed(const isa::Inst& inst) {
  if (inst.format == Format::vop3p) return true;
  const bool with_dpp = inst.format == Format::vop3_dpp16 || inst.format == Format::vop3_dpp8;
  return with_dpp && (isa::info(inst.opcode).modifiers & isa::kModPacked) != 0;
}

uint64_t inline_constant(unsigned number, OperandType type) {
  if (number >= 128 && number <= 192) return number - 128;
  if (number >= 193 && number <= 208) return ~uint64_t{0} - (number - 193);
  // 0.5, 1.0, 2.0, 4.0 with both signs, then 1 / (2 * pi); the doubles of the guide are cut off for the others.
  constexpr uint32_t kHalf[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
  constexpr uint32_t kSingle[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                  0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
  constexpr uint64_t kDouble[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                  0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                  0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
  const unsigned index = number - 240;
  if (slot_bits(type) == 64) return kDouble[index];
  return slot_bits(type) == 16 || type == OperandType::f16x2 ? kHalf[index] : kSingle[index];
}

int dpp16_lane(unsigned control, unsigned lane, unsigned wave_size) {
  const int self = static_cast<int>(lane), row = self / 16 * 16, column = self % 16;
  const int amount = static_cast<int>(control % 16), last = static_cast<int>(wave_size) - 1;
  if (control < 0x100) return self / 4 * 4 + static_cast<int>(control >> (2 * (lane % 4)) & 3);
  if (control < 0x110) return column + amount > 15 ? -1 : self + amount;  // row_shl
  if (control < 0x120) return column - amount < 0 ? -1 : self - amount;   // row_shr
  if (control < 0x130) return row + (column + 16 - amount) % 16;          // row_ror
  if (control == 0x130) return self == last ? -1 : self + 1;              // wave_shl
  if (control == 0x134) return self == last ? 0 : self + 1;               // wave_rol
  if (control == 0x138) return self - 1;                                  // wave_shr
  if (control == 0x13c) return self == 0 ? last : self - 1;               // wave_ror
  if (control == 0x140) return row + 15 - column;                         // row_mirror
  if (control == 0x141) return self / 8 * 8 + 7 - self % 8;               // row_half_mirror
  if (control == 0x142) return row - 1;                                   // row_bcast15: end of the row before
  if (control == 0x143) return self < 32 ? -1 : 31;                       // row_bcast31
  if (control < 0x160) return row + amount;                               // row_share
  return row + (column ^ amount);                                         // row_xmask
}

int dpp8_lane(uint32_t selects, unsigned lane) {
  return static_cast<int>(lane / 8 * 8 + (selects >> (3 * (lane % 8)) & 7));
}

uint64_t source_value(const State& state, const isa::Inst& inst, unsigned index, OperandType type, unsigned lane,
                      unsigned wave_size) {
  const isa::Operand& operand = inst.src[index];
  const unsigned bits = slot_bits(type);
  uint64_t value = 0;
  if (operand.is_imm()) {
    value = literal(operand.imm, type);
  } else if (operand.reg.number >= 128 && operand.reg.number <= 248) {
    value = inline_constant(operand.reg.number, type);
  } else if (index == 0 && (is_dpp16(inst.format) || is_dpp8(inst.format))) {
    const int from = dpp_lane(state, inst, lane, wave_size);
    value = from < 0 ? 0 : register_value(state, operand, static_cast<unsigned>(from));
  } else {
    value = register_value(state, operand, lane);
  }
  if (is_packed(inst)) return value;
  if (inst.format == Format::sdwa && index < 2) {
    value = sdwa_select(value, inst.mods.src_sel[index], (inst.mods.sext >> index & 1) != 0);
  } else if (bits == 16 && (inst.mods.op_sel >> index & 1) != 0 && !operand.is_imm() && operand.reg.number < 512 &&
             (operand.reg.number < 128 || operand.reg.is_vgpr())) {
    value >>= 16;
  }
  // 128-bit sources are no floats and have no sign.
  const uint64_t sign = bits > 64 ? 0 : uint64_t{1} << (bits - 1);
  if ((inst.mods.abs >> index & 1) != 0) value &= ~sign;
  if ((inst.mods.neg >> index & 1) != 0) value ^= sign;
  return value;
}

bool dpp_writes(const State& state, const isa::Inst& inst, unsigned lane, unsigned wave_size) {
  if (is_dpp8(inst.format) || !is_dpp16(inst.format)) return true;
  if ((inst.mods.row_mask >> (lane / 16) & 1) == 0 || (inst.mods.bank_mask >> (lane % 16 / 4) & 1) == 0) return false;
  return inst.mods.bound_ctrl || dpp_lane(state, inst, lane, wave_size) >= 0;
}

uint64_t old_half(uint64_t old, const isa::Inst& inst, unsigned bits) {
  return bits == 16 && (inst.mods.op_sel >> 3 & 1) != 0 ? old >> 16 : old;
}

uint32_t merged(uint32_t old, uint64_t value, const isa::Inst& inst, unsigned bits, const isa::Target& target) {
  const auto low = static_cast<uint32_t>(value);
  if (inst.format == Format::sdwa && inst.mods.dst_sel < 6) {
    const unsigned select = inst.mods.dst_sel, width = select < 4 ? 8 : 16;
    const unsigned shift = select < 4 ? 8 * select : 16 * (select - 4);
    const uint32_t field = ((1u << width) - 1) << shift, placed = low << shift & field;
    if (inst.mods.dst_unused == 2) return (old & ~field) | placed;
    if (inst.mods.dst_unused == 0) return placed;
    const bool negative = (low >> (width - 1) & 1) != 0;
    return placed | (negative ? static_cast<uint32_t>(~uint64_t{0} << (shift + width)) : 0);
  }
  if (bits != 16) return low;
  if ((inst.mods.op_sel >> 3 & 1) != 0) return (old & 0xffffu) | low << 16;
  const bool clears = target.clears_high_half && !keeps_upper_half(inst.opcode);
  return (clears ? 0 : old & 0xffff0000u) | (low & 0xffffu);
}

}  // namespace spalt::semantics
