// SPDX-License-Identifier: MIT
#include "amdgpu/isa/codec/operand_codec.h"

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/constants.h"

namespace spalt::isa {
namespace {

constexpr const char* kOutOfRange = "has a register tuple that leaves its file or is not aligned";
constexpr const char* kWrongWidth = "has a register tuple of the wrong width";

bool aligned(unsigned number, unsigned dwords) {
  return number % (dwords >= 3 ? 4 : dwords) == 0;
}

/// Values that are read as an operand but are no register tuple: apertures and condition bits.
bool is_special_value(unsigned number, const EncodingTraits& traits) {
  return number >= 224 && number < 256 && (traits.special_values >> (number - 224) & 1) != 0;
}

unsigned number_of(uint32_t code, const EncodingTraits& traits) {
  if (code == traits.m0_code) return kM0.number;
  return code == traits.null_code ? kNull.number : code == kNull.number ? Reg::kNoneNumber : code;
}

/// In FLAT, GLOBAL and SCRATCH, code 127 may mean "no address"; in SMEM it is exec_hi.
bool is_vmem_saddr(const Placement& placement) {
  return placement.field.shift != 25;
}

/// SMEM of GFX9: bits that say which of offset and register there are.
constexpr Field kSoffsetEnable{0, 14, 1}, kImmediate{0, 17, 1}, kOffset{1, 0, 21}, kSoffset{1, 25, 7},
    kOffsetSgpr{1, 0, 7};

/// The registers that a slot takes, before looking at the tuple.
const char* check_role(Reg reg, OperandRole role) {
  switch (role) {
    case OperandRole::vdst:
    case OperandRole::vgpr:
      return reg.is_vgpr() ? nullptr : "needs a VGPR";
    case OperandRole::sdst:
    case OperandRole::sreg:
    case OperandRole::lane_mask:
      return reg.is_scalar() ? nullptr : "needs an SGPR";
    case OperandRole::ssrc:
      return reg.is_vgpr() ? "takes no VGPR" : nullptr;
    case OperandRole::vconst:
      return reg.is_vgpr() || is_inline_constant_code(reg.number) ? nullptr : "needs a VGPR or an inline constant";
    default:
      return nullptr;
  }
}

const char* check_register(const Operand& operand, const OperandSlot& slot, unsigned dwords,
                           const EncodingTraits& traits) {
  if (!operand.is_reg()) return "needs a register";
  if (const char* reason = check_role(operand.reg, slot.role)) return reason;
  const unsigned number = operand.reg.number;
  // Without a wave size, the width may be that of either.
  const bool fits = dwords != 0
                        ? operand.dwords == dwords
                        : operand.dwords == type_dwords(slot.type, 32) || operand.dwords == type_dwords(slot.type, 64);
  if (!fits) return kWrongWidth;
  if (number < 256 && is_inline_constant_code(number)) return nullptr;
  return valid_tuple(operand.reg, operand.dwords, traits) ? nullptr : kOutOfRange;
}

}  // namespace

bool valid_tuple(Reg reg, unsigned dwords, const EncodingTraits& traits) {
  const unsigned number = reg.number;
  if (dwords == 0) return false;
  if (number >= Reg::kVgprBegin) return number + dwords <= Reg::kVgprEnd;
  if (number < traits.sgpr_count) return number + dwords <= traits.sgpr_count && aligned(number, dwords);
  if (reg.is_sgpr()) return number % 2 + dwords <= 2;  // flat_scratch, xnack_mask
  if (reg.is_vcc()) return number + dwords <= Reg::kTtmpBegin;
  if (number < 124) return number + dwords <= 124 && aligned(number, dwords);  // ttmp; ttmp0 is 108, a multiple of 4
  if (number == kM0.number) return dwords == 1;
  if (number == kNull.number) return traits.null_code != 0xff;
  if (reg.is_scalar()) return number + dwords <= Reg::kScalarEnd;  // exec
  return is_special_value(number, traits) && dwords <= 2 && (number != kLdsDirect.number || dwords == 1);
}

const char* OperandEncoder::add_literal(uint32_t value) {
  if (has_literal && literal != value) return "has two different literals";
  has_literal = true;
  literal = value;
  return nullptr;
}

const char* OperandEncoder::encode_source(const Operand& operand, const OperandSlot& slot, uint32_t& code) {
  if (operand.is_reg()) {
    code = source_code(operand.reg, traits);
    return nullptr;
  }
  if (slot.role == OperandRole::sreg || slot.role == OperandRole::vgpr || slot.role == OperandRole::lane_mask) {
    return "needs a register";
  }
  const int constant = operand.kind == OperandKind::immediate ? inline_constant_code(operand.imm, slot.type) : -1;
  if (constant >= 0) {
    code = static_cast<uint32_t>(constant);
    return nullptr;
  }
  if (!literal_allowed) return "takes no literal in this format";
  code = kLiteralCode;
  return add_literal(operand.imm);
}

const char* OperandEncoder::encode(Operand operand, const OperandSlot& slot, const Placement& placement,
                                   unsigned dwords) {
  const Field& field = placement.field;
  if (operand.kind == OperandKind::none) {
    if (!placement.optional) return "is missing";
    if (placement.coding == Coding::saddr7) field.set(words, traits.no_saddr);
    if (placement.coding == Coding::soffset9) encode_scalar_offset(operand);
    return nullptr;
  }
  if (placement.coding == Coding::number) {
    if (!operand.is_imm() || operand.imm > field.mask()) return "does not fit its field";
    field.set(words, operand.imm);
    return nullptr;
  }
  if (placement.coding == Coding::literal) {
    if (!operand.is_imm()) return "needs a constant";
    const char* reason = add_literal(operand.imm);
    return reason;
  }
  if (checked && operand.is_reg()) {
    if (const char* reason = check_register(operand, slot, dwords, traits)) return reason;
  }
  uint32_t code = 0;
  switch (placement.coding) {
    case Coding::source9:
    case Coding::source8:
      if (const char* reason = encode_source(operand, slot, code)) return reason;
      if (code > field.mask()) return "takes no VGPR";
      field.set(words, code);
      return nullptr;
    case Coding::sdwa:
      if (const char* reason = encode_source(operand, slot, code)) return reason;
      field.set(words, code);
      placement.flag.set(words, code < 256);
      return nullptr;
    case Coding::vgpr8:
      if (!operand.is_reg() || !operand.reg.is_vgpr()) return "needs a VGPR";
      field.set(words, operand.reg.vgpr_index());
      return nullptr;
    case Coding::vgpr9:
      if (!operand.is_reg() || !operand.reg.is_vgpr()) return "needs a VGPR";
      field.set(words, operand.reg.number);
      return nullptr;
    case Coding::opposite7:
      if (!operand.is_reg() || !operand.reg.is_vgpr()) return "needs a VGPR";
      field.set(words, operand.reg.vgpr_index() / 2u);
      return nullptr;
    default:
      break;
  }
  if (!operand.is_reg() || !operand.reg.is_scalar()) return "needs an SGPR";
  if (placement.coding == Coding::soffset9) {
    encode_scalar_offset(operand);
    return nullptr;
  }
  return encode_scalar(operand.reg, placement);
}

const char* OperandEncoder::encode_scalar(Reg reg, const Placement& placement) {
  const Field& field = placement.field;
  const bool is_vcc = reg == kVcc;
  const uint32_t code = source_code(reg, traits);
  switch (placement.coding) {
    case Coding::vcc:
      return is_vcc ? nullptr : "must be vcc in this format";
    case Coding::sdwa_mask:
      placement.flag.set(words, !is_vcc);
      if (!is_vcc) field.set(words, code);
      return nullptr;
    case Coding::saddr7:
      if (is_vmem_saddr(placement) && (code == traits.no_saddr || (traits.no_saddr_127 && code == kExecHi.number))) {
        return "cannot be that register";
      }
      field.set(words, code);
      return nullptr;
    case Coding::pair6:
      field.set(words, code / 2);
      return nullptr;
    case Coding::quad5:
      field.set(words, code / 4);
      return nullptr;
    default:
      field.set(words, code);
      return nullptr;
  }
}

void OperandEncoder::encode_scalar_offset(const Operand& operand) {
  const bool present = operand.is_reg(), offset = kOffset.get(words) != 0;
  kImmediate.set(words, !present || offset);
  kSoffsetEnable.set(words, present && offset);
  if (present) (offset ? kSoffset : kOffsetSgpr).set(words, source_code(operand.reg, traits));
}

const char* OperandDecoder::decode_scalar_offset(Operand& operand, const OperandSlot& slot) {
  const bool enabled = kSoffsetEnable.get(words) != 0, immediate = kImmediate.get(words) != 0;
  if (!immediate) offset = 0;
  if (immediate && !enabled) return nullptr;
  return decode_source((enabled ? kSoffset : kOffsetSgpr).get(words), slot, 1, operand);
}

const char* OperandDecoder::decode_source(uint32_t code, const OperandSlot& slot, unsigned dwords, Operand& operand) {
  const bool register_only =
      slot.role == OperandRole::sreg || slot.role == OperandRole::vgpr || slot.role == OperandRole::lane_mask;
  if (code < 256 && !register_only) {
    if (is_inline_constant_code(code)) {
      operand = inline_constant_operand(code, slot.type, dwords);
      return nullptr;
    }
    if (code == kLiteralCode && literal_allowed) {
      if (literal == nullptr) return "ends before its literal";
      used_literal = true;
      operand = Operand::of_literal(*literal);
      return nullptr;
    }
  }
  operand = Operand::of(Reg{static_cast<uint16_t>(code < 256 ? number_of(code, traits) : code)}, dwords);
  if (const char* reason = check_role(operand.reg, slot.role)) return reason;
  return valid_tuple(operand.reg, dwords, traits) ? nullptr : kOutOfRange;
}

const char* OperandDecoder::decode(Operand& operand, const OperandSlot& slot, const Placement& placement,
                                   unsigned dwords) {
  const uint32_t value = placement.field.get(words);
  switch (placement.coding) {
    case Coding::source9:
    case Coding::source8:
      return decode_source(value, slot, dwords, operand);
    case Coding::sdwa:
      return decode_source(placement.flag.get(words) ? value : 256 + value, slot, dwords, operand);
    case Coding::vgpr8:
      operand = Operand::of(vgpr(value), dwords);
      return valid_tuple(operand.reg, dwords, traits) ? nullptr : kOutOfRange;
    case Coding::number:
      operand = Operand::of_imm(value);
      return nullptr;
    case Coding::literal:
      if (literal == nullptr) return "ends before its literal";
      used_literal = true;
      operand = Operand::of_literal(*literal);
      return nullptr;
    case Coding::vcc:
      operand = Operand::of(kVcc, dwords);
      return nullptr;
    case Coding::sdwa_mask:
      return decode_source(placement.flag.get(words) ? value : kVcc.number, slot, dwords, operand);
    case Coding::saddr7:
      if (value == traits.no_saddr) return nullptr;
      if (is_vmem_saddr(placement) && traits.no_saddr_127 && value == kExecHi.number) return nullptr;
      return decode_source(value, slot, dwords, operand);
    case Coding::pair6:
      return decode_source(value * 2, slot, dwords, operand);
    case Coding::quad5:
      return decode_source(value * 4, slot, dwords, operand);
    case Coding::vgpr9:
      if (value < 256) return "needs a VGPR";
      return decode_source(value, slot, dwords, operand);
    case Coding::soffset9:
      return decode_scalar_offset(operand, slot);
    case Coding::opposite7:
      operand = Operand::of(vgpr(value * 2 + (words[1] >> 24 & 1 ? 0 : 1)), dwords);
      return nullptr;
    case Coding::resource9:
      if (value > 127) return "needs an SGPR";
      return decode_source(value, slot, dwords, operand);
    case Coding::scalar7:
      return decode_source(value, {OperandRole::sreg, slot.type}, dwords, operand);
  }
  return nullptr;
}

}  // namespace spalt::isa
