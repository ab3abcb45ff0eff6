// SPDX-License-Identifier: MIT
#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/text/names.h"
#include "amdgpu/isa/text/print.h"

namespace spalt::isa {
namespace {

void append_tuple(std::string& out, const char* file, unsigned first, unsigned dwords) {
  if (dwords == 1) {
    append(out, "%s%u", file, first);
  } else {
    append(out, "%s[%u:%u]", file, first, first + dwords - 1);
  }
}

bool is_int16(OperandType type) {
  return type == OperandType::b16 || type == OperandType::i16 || type == OperandType::u16;
}

bool is_64bit(OperandType type) {
  return type == OperandType::b64 || type == OperandType::i64 || type == OperandType::u64 || type == OperandType::f64;
}

void append_constant_code(std::string& out, uint32_t code, OperandType type) {
  if (code <= 208) {
    append(out, "%d", code <= 192 ? static_cast<int>(code) - 128 : 192 - static_cast<int>(code));
  } else if (is_int16(type)) {
    append(out, "0x%x", static_cast<unsigned>(inline_constant_value(code, type)));
  } else if (code == 248) {
    out += is_64bit(type) ? kInverseTwoPi64 : kInverseTwoPi32;
  } else {
    out += inline_float_names()[code - 240];
  }
}

}  // namespace

void append_register(std::string& out, Reg reg, unsigned dwords, const Target& target) {
  const unsigned number = reg.number;
  if (reg.is_vgpr()) return append_tuple(out, "v", reg.vgpr_index(), dwords);
  if (number < encoding_traits(target.generation).sgpr_count) return append_tuple(out, "s", number, dwords);
  if (number >= kTtmp0.number && number < kM0.number) return append_tuple(out, "ttmp", number - 108, dwords);
  for (const RegisterName& name : register_names()) {
    if (name.number != number) continue;
    out += dwords == 2 && name.pair != nullptr ? name.pair : name.single;
    return;
  }
  append(out, "reg%u", number);
}

void append_immediate(std::string& out, const Operand& operand, OperandType type) {
  const uint32_t imm = operand.imm;
  const bool integer = is_int16(type) || (is_64bit(type) && type != OperandType::f64);
  // A literal in a 64-bit integer slot is not sign extended, so it is never a negative inline value. Neither is 0xffff
  // in a 16-bit one, for the assembler.
  const bool only_literal = operand.kind == OperandKind::literal && integer && imm > 64;
  int code = only_literal ? -1 : inline_constant_code(imm, type);
  if (code < 0 && (type == OperandType::f16 || is_int16(type))) {
    const uint32_t low = imm & 0xffff;
    code = only_literal ? -1 : inline_constant_code(low, type);
    if (code < 0) return append(out, "0x%x", low);
  }
  if (code < 0) return append(out, "0x%x", imm);
  append_constant_code(out, static_cast<uint32_t>(code), type);
}

void append_operand(std::string& out, const Operand& operand, OperandType type, const Target& target) {
  if (operand.is_imm()) return append_immediate(out, operand, type);
  if (!operand.is_reg()) {
    out += "off";
  } else if (operand.reg.number < 256 && is_inline_constant_code(operand.reg.number)) {
    append_constant_code(out, operand.reg.number, type);
  } else {
    append_register(out, operand.reg, operand.dwords, target);
  }
}

}  // namespace spalt::isa
