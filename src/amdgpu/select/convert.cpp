// SPDX-License-Identifier: MIT
// Conversions between types.
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

/// Conversions with an operand or a result that has not 32 bits.
struct Conversion {
  Op op;
  ir::Type from, to;
  M opcode;
};
constexpr Conversion kConversions[] = {
    {Op::f_to_f, ir::kF16, ir::kF32, M::v_cvt_f32_f16}, {Op::f_to_f, ir::kF32, ir::kF16, M::v_cvt_f16_f32},
    {Op::f_to_s, ir::kF16, ir::kI16, M::v_cvt_i16_f16}, {Op::f_to_u, ir::kF16, ir::kI16, M::v_cvt_u16_f16},
    {Op::s_to_f, ir::kI16, ir::kF16, M::v_cvt_f16_i16}, {Op::u_to_f, ir::kI16, ir::kF16, M::v_cvt_f16_u16},
    {Op::f_to_f, ir::kF64, ir::kF32, M::v_cvt_f32_f64}, {Op::f_to_f, ir::kF32, ir::kF64, M::v_cvt_f64_f32},
    {Op::f_to_s, ir::kF64, ir::kI32, M::v_cvt_i32_f64}, {Op::f_to_u, ir::kF64, ir::kI32, M::v_cvt_u32_f64},
    {Op::s_to_f, ir::kI32, ir::kF64, M::v_cvt_f64_i32}, {Op::u_to_f, ir::kI32, ir::kF64, M::v_cvt_f64_u32},
};

constexpr M kByteOpcodes[] = {M::v_cvt_f32_ubyte0, M::v_cvt_f32_ubyte1, M::v_cvt_f32_ubyte2, M::v_cvt_f32_ubyte3};

}  // namespace

M Selector::conversion_opcode(Value value) const {
  const ir::Type from = operand_type(value), to = function_.type(value);
  for (const Conversion& entry : kConversions) {
    if (entry.op == inst(value).op && entry.from == from && entry.to == to) return entry.opcode;
  }
  SPALT_ICE("lowering left a conversion that the target has not");
}

/// A condition as 0 or `if_true`.
void Selector::select_widen(Value value, uint32_t if_true) {
  const Value a = input(value, 0);
  const Operand yes = Operand::immediate(if_true), no = Operand::immediate(0);
  if (if_true == 1 && copy_carry(value, a)) return;
  if (is_scalar(value)) {
    const bool polarity = condition(a);
    salu(M::s_cselect_b32, define(value), {polarity ? yes : no, polarity ? no : yes});
    return;
  }
  const Operand choice = mask(a);
  valu(M::v_cndmask_b32, define(value), {no, yes, choice});
}

/// The byte of a word that an integer value is, if it is one: x & 0xff, a field of 8 bits, x >> 24.
std::optional<Selector::Byte> Selector::byte_of(Value value) const {
  if (inst(value).operand_count < 2 || !is_constant(input(value, 1))) return std::nullopt;
  const Value word = input(value, 0);
  const uint32_t c = constant(input(value, 1));
  switch (inst(value).op) {
    case Op::iand:
      return c == 0xff ? std::optional(Byte{word, 0}) : std::nullopt;
    case Op::ushr:
      return c == 24 ? std::optional(Byte{word, 3}) : std::nullopt;
    case Op::bfe_u:
      if (c % 8 != 0 || c > 24 || !is_constant(input(value, 2), 8)) return std::nullopt;
      return Byte{word, c / 8};
    default:
      return std::nullopt;
  }
}

/// A byte is the same number signed and unsigned.
void Selector::select_integer_to_float(Value value) {
  const Value a = input(value, 0);
  const bool single = function_.type(value) == ir::kF32;
  const auto byte = single && fusable(a, value) ? byte_of(a) : std::nullopt;
  if (!byte) return select_conversion(value);
  valu(kByteOpcodes[byte->number], define(value), {source(byte->word)});
}

/// The integer as a float with an output modifier.
bool Selector::fuse_scaled_integer(Value value, Operand def, uint8_t omod) {
  const ir::Inst& conversion = inst(value);
  if ((conversion.op != Op::s_to_f && conversion.op != Op::u_to_f) || is_scalar(value)) return false;
  if (conversion.type != ir::kF32 || operand_type(value) != ir::kI32) return false;
  const Value a = input(value, 0);
  const auto byte = fusable(a, value) ? byte_of(a) : std::nullopt;
  const M opcode = byte ? kByteOpcodes[byte->number] : row_of(conversion.op).vector32;
  if ((isa::info(mir::to_isa(opcode)).modifiers & isa::kModOmod) == 0) return false;
  mir::Inst& made = emit(opcode, {def}, {source(byte ? byte->word : a)});
  isa::Modifiers mods;
  mods.omod = omod;
  out_.set_modifiers(made, mods);
  return true;
}

void Selector::select_conversion(Value value) {
  const ir::Type type = operand_type(value);
  const bool words = type.bits() == 32 && function_.type(value).bits() == 32;
  const M opcode = words ? row_of(inst(value).op).vector32 : conversion_opcode(value);
  const Value a = input(value, 0);
  if (function_.type(a).is_float()) {
    const FloatSource sources[] = {float_source(a)};
    float_op(opcode, type, define(value), sources);
  } else {
    valu(opcode, define(value), {source(a)});
  }
}

/// Two conversions to nearest even; v_cvt_pkrtz_f16_f32 would truncate.
void Selector::select_pack_half(Value value) {
  const FloatSource low[] = {float_source(input(value, 0))}, high[] = {float_source(input(value, 1))};
  const Operand low_half = temp(mir::kV1), high_half = temp(mir::kV1);
  float_op(M::v_cvt_f16_f32, ir::kF32, low_half, low);
  float_op(M::v_cvt_f16_f32, ir::kF32, high_half, high);
  valu(M::v_pack_b32_f16, define(value), {low_half, high_half});
}

void Selector::select_unpack_half_hi(Value value) {
  const Operand high = temp(mir::kV1);
  valu(M::v_lshrrev_b32, high, {Operand::immediate(16), source(input(value, 0))});
  valu(M::v_cvt_f32_f16, define(value), {high});
}

/// To f16 and back; what is below the smallest normal f16, 2^-14, keeps only its sign.
void Selector::select_quantize_f16(Value value) {
  const FloatSource in[] = {float_source(input(value, 0))};
  const Operand half = temp(mir::kV1), back = temp(mir::kV1), sign = temp(mir::kV1);
  const Operand small = temp(out_.lane_mask_class());
  float_op(M::v_cvt_f16_f32, ir::kF32, half, in);
  valu(M::v_cvt_f32_f16, back, {half});
  FloatMods magnitude;
  magnitude.abs = 2;
  valu(M::v_cmp_gt_f32, small, {Operand::immediate(0x38800000), back}, magnitude);
  valu(M::v_and_b32, sign, {Operand::immediate(0x80000000u), back});
  valu(M::v_cndmask_b32, define(value), {back, sign, small});
}

}  // namespace spalt::select
