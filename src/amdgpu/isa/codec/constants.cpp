// SPDX-License-Identifier: MIT
// Inline constants and literals (RDNA 2 ISA guide, section 6.2 "Operands", table "Constants").
#include "amdgpu/isa/codec/constants.h"

#include "amdgpu/isa/codec/codec.h"

namespace spalt::isa {
namespace {

/// How a slot type reads constants.
enum class Reading : uint8_t { bits32, half, half_pair, int16, int64, double64 };

Reading reading(OperandType type) {
  switch (type) {
    case OperandType::f16:
      return Reading::half;
    case OperandType::f16x2:
      return Reading::half_pair;
    case OperandType::b16:
    case OperandType::i16:
    case OperandType::u16:
      return Reading::int16;
    case OperandType::b64:
    case OperandType::i64:
    case OperandType::u64:
      return Reading::int64;
    case OperandType::f64:
      return Reading::double64;
    default:
      return Reading::bits32;
  }
}

constexpr unsigned kFirstFloat = 240, kFloatCount = 9;
// 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1 / (2 * pi)
constexpr uint32_t kFloat32[kFloatCount] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                            0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr uint32_t kFloat16[kFloatCount] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
constexpr uint64_t kFloat64[kFloatCount] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                            0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                            0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

int integer_code(int32_t value) {
  if (value >= 0 && value <= 64) return 128 + value;
  if (value >= -16 && value < 0) return 192 - value;
  return -1;
}

int32_t integer_of_code(uint32_t code) {
  return code <= 192 ? static_cast<int32_t>(code) - 128 : 192 - static_cast<int32_t>(code);
}

int find_float(const uint32_t (&table)[kFloatCount], uint32_t value) {
  for (unsigned i = 0; i < kFloatCount; ++i) {
    if (table[i] == value) return static_cast<int>(kFirstFloat + i);
  }
  return -1;
}

/// 16-bit slots ignore the high half, so 0xffff is -1 as well.
int small_integer_code(uint32_t imm) {
  const int code = integer_code(static_cast<int32_t>(imm));
  return code < 0 && imm >> 16 == 0 ? integer_code(static_cast<int16_t>(imm)) : code;
}

int double_code(uint32_t high) {
  if (high == 0) return 128;
  for (unsigned i = 0; i < kFloatCount; ++i) {
    if (kFloat64[i] == static_cast<uint64_t>(high) << 32) return static_cast<int>(kFirstFloat + i);
  }
  return -1;
}

}  // namespace

int find_inline_constant(uint32_t imm, OperandType type) {
  const Reading how = reading(type);
  if (how == Reading::double64) return double_code(imm);
  const bool small = how == Reading::half || how == Reading::int16;
  const int code = small ? small_integer_code(imm) : integer_code(static_cast<int32_t>(imm));
  if (code >= 0) return code;
  if (how == Reading::bits32) return find_float(kFloat32, imm);
  if (how == Reading::half || how == Reading::half_pair) return find_float(kFloat16, imm);
  return -1;
}

Operand inline_constant_operand(uint32_t code, OperandType type, unsigned dwords) {
  const uint64_t value = inline_constant_value(code, type);
  const uint32_t imm = static_cast<uint32_t>(reading(type) == Reading::double64 ? value >> 32 : value);
  if (inline_constant_code(imm, type) == static_cast<int>(code)) return Operand::of_imm(imm);
  return Operand::of(Reg{static_cast<uint16_t>(code)}, dwords);
}

uint64_t inline_constant_value(uint32_t code, OperandType type) {
  const Reading how = reading(type);
  if (code < kFirstFloat) {
    const int64_t value = integer_of_code(code);
    return how == Reading::int64 || how == Reading::double64 ? static_cast<uint64_t>(value)
                                                             : static_cast<uint32_t>(value);
  }
  const unsigned index = code - kFirstFloat;
  switch (how) {
    case Reading::int64:
    case Reading::double64:
      return kFloat64[index];
    case Reading::half:
    case Reading::half_pair:
    case Reading::int16:
      return kFloat16[index];
    default:
      return kFloat32[index];
  }
}

uint64_t immediate_value(const Operand& operand, OperandType type) {
  if (operand.is_reg()) return inline_constant_value(operand.reg.number, type);
  const Reading how = reading(type);
  if (how == Reading::double64) return static_cast<uint64_t>(operand.imm) << 32;
  const bool extends = how == Reading::int64 && (operand.kind == OperandKind::immediate || type == OperandType::i64);
  return extends ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(operand.imm))) : operand.imm;
}

unsigned type_dwords(OperandType type, unsigned wave_size) {
  switch (type) {
    case OperandType::none:
      return 0;
    case OperandType::b64:
    case OperandType::i64:
    case OperandType::u64:
    case OperandType::f64:
      return 2;
    case OperandType::b96:
      return 3;
    case OperandType::b128:
      return 4;
    case OperandType::b256:
      return 8;
    case OperandType::b512:
      return 16;
    case OperandType::b1024:
      return 32;
    case OperandType::w64:
      return wave_size == 0 ? 0 : 64 / wave_size;
    case OperandType::w128:
      return wave_size == 0 ? 0 : 128 / wave_size;
    case OperandType::w256:
      return wave_size == 0 ? 0 : 256 / wave_size;
    case OperandType::lane_mask:
      return wave_size / 32;
    default:
      return 1;
  }
}

}  // namespace spalt::isa
