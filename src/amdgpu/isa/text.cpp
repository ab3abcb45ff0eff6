// SPDX-License-Identifier: MIT
// Assembler text in LLVM's dialect: mnemonic with encoding suffix, operands, modifiers.
#include <cstdarg>
#include <cstdio>

#include "amdgpu/isa/codec.h"
#include "amdgpu/isa/constants.h"
#include "amdgpu/isa/text_internal.h"

namespace spalt::isa {
namespace {

const char* suffix(const Inst& inst, const OpcodeInfo& facts, const Target& target) {
  const auto exists = [&](Format format) { return opcode_number(inst.opcode, format, target.generation) >= 0; };
  if (facts.dst_count + facts.src_count == 0) return "";
  switch (inst.format) {
    case Format::sdwa:
      return "_sdwa";
    case Format::dpp16:
    case Format::dpp8:
      return "_dpp";
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
    case Format::vintrp:
      return exists(Format::vop3) ? "_e32" : "";
    case Format::vop3:
      return exists(Format::vop1) || exists(Format::vop2) || exists(Format::vopc) || exists(Format::vintrp) ? "_e64"
                                                                                                            : "";
    default:
      return "";
  }
}

/// Puts ", " between operands and " " before the first.
class OperandList {
 public:
  explicit OperandList(std::string& out) : out_(out) {}
  std::string& next() {
    out_ += first_ ? " " : ", ";
    first_ = false;
    return out_;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void append_valu_source(std::string& out, const Inst& inst, unsigned index, OperandType type) {
  const Operand& operand = inst.src[index];
  const bool packed = inst.format == Format::vop3p && info(inst.opcode).src[0].type != OperandType::f32;
  const bool neg = !packed && (inst.mods.neg >> index & 1);
  const bool abs = !packed && (inst.mods.abs >> index & 1);
  const bool sext = inst.mods.sext >> index & 1;
  const bool constant = !operand.is_reg() || (operand.reg.number < 256 && is_inline_constant_code(operand.reg.number));
  if (sext) out += "sext(";
  if (neg) out += constant && !abs ? "neg(" : "-";
  if (abs) out += '|';
  append_operand(out, operand, type);
  if (abs) out += '|';
  if (neg && constant && !abs) out += ')';
  if (sext) out += ')';
}

void append_attribute(std::string& out, const Inst& inst) {
  append(out, "attr%u.%c", inst.mods.interp_attribute, "xyzw"[inst.mods.interp_channel & 3]);
}

/// v_interp_mov selects one of three vertex parameters by number.
void append_parameter(std::string& out, uint32_t number) {
  static constexpr const char* kNames[] = {"p10", "p20", "p0"};
  if (number < 3) {
    out += kNames[number];
  } else {
    append(out, "invalid_param_%u", number);
  }
}

void append_valu_operands(std::string& out, const Inst& inst, const OpcodeInfo& facts) {
  OperandList list(out);
  for (unsigned i = 0; i < facts.dst_count; ++i) append_operand(list.next(), inst.dst[i], facts.dst[i].type);
  for (unsigned i = 0; i < facts.src_count; ++i) {
    if (facts.src[i].role == OperandRole::imm) {
      append_parameter(list.next(), inst.src[i].imm);
    } else if (facts.src[i].role == OperandRole::constant) {
      append(list.next(), "0x%x", inst.src[i].imm);
    } else {
      append_valu_source(list.next(), inst, i, facts.src[i].type);
    }
    if (facts.has(kInterp) && i == 0) append_attribute(list.next(), inst);
  }
}

void append_scalar_operands(std::string& out, const Inst& inst, const OpcodeInfo& facts) {
  OperandList list(out);
  for (unsigned i = 0; i < facts.dst_count; ++i) append_operand(list.next(), inst.dst[i], facts.dst[i].type);
  for (unsigned i = 0; i < facts.src_count; ++i) {
    const OperandRole role = facts.src[i].role;
    if (role == OperandRole::simm16 || role == OperandRole::label) {
      const size_t before = out.size();
      append_simm16(list.next(), inst);
      if (out.size() == before + 1) out.resize(before);  // s_endpgm 0 has no text
    } else {
      append_operand(list.next(), inst.src[i], facts.src[i].type);
    }
  }
}

void append_smem_operands(std::string& out, const Inst& inst, const OpcodeInfo& facts) {
  OperandList list(out);
  if (facts.dst_count > 0) append_operand(list.next(), inst.dst[0], facts.dst[0].type);
  if (facts.src_count == 0) return;
  const unsigned base = facts.src_count - 2u;
  if (base == 1) append(list.next(), inst.src[0].imm <= 64 ? "%u" : "0x%x", inst.src[0].imm);
  append_operand(list.next(), inst.src[base], facts.src[base].type);
  const Operand& soffset = inst.src[base + 1];
  const int32_t offset = inst.mods.offset;
  const char* sign = offset < 0 ? "-" : "";
  const unsigned magnitude = static_cast<unsigned>(offset < 0 ? -offset : offset);
  if (soffset.kind == OperandKind::none) {
    if (offset == 0) {
      list.next() += "null";
    } else {
      append(list.next(), "%s0x%x", sign, magnitude);
    }
    return;
  }
  append_operand(list.next(), soffset, facts.src[base + 1].type);
  if (offset != 0) append(out, " offset:%s0x%x", sign, magnitude);
}

/// Absent addresses are written "off", except in FLAT, which has no saddr, and beside a vaddr of GLOBAL or SCRATCH.
void append_vmem_operands(std::string& out, const Inst& inst, const OpcodeInfo& facts) {
  OperandList list(out);
  const bool tied = facts.has(kTiedData);
  if (facts.dst_count > 0 && !tied && inst.dst[0].is_reg()) append_operand(list.next(), inst.dst[0], facts.dst[0].type);
  const bool buffer = inst.format == Format::mubuf || inst.format == Format::mtbuf;
  for (unsigned i = 0; i < facts.src_count; ++i) {
    const bool saddr = !buffer && i + 1 == facts.src_count && facts.src[i].role == OperandRole::sreg;
    if (inst.src[i].kind != OperandKind::none) {
      append_operand(list.next(), inst.src[i], facts.src[i].type);
    } else if (saddr || facts.src[i].role == OperandRole::vgpr) {
      list.next() += "off";
    }
  }
}

void append_image_address(std::string& out, const Inst& inst, const Operand& address) {
  if (inst.mods.nsa_count == 0) return append_register(out, address.reg, address.dwords);
  append(out, "[v%u", address.reg.vgpr_index());
  for (unsigned i = 0; i < inst.mods.nsa_count; ++i) append(out, ", v%u", inst.mods.nsa_vaddr[i]);
  out += ']';
}

void append_image_operands(std::string& out, const Inst& inst, const OpcodeInfo& facts) {
  OperandList list(out);
  if (facts.dst_count > 0 && !facts.has(kTiedData)) append_operand(list.next(), inst.dst[0], facts.dst[0].type);
  const unsigned address = facts.has(kMayStore) ? 1 : 0;
  for (unsigned i = 0; i < facts.src_count; ++i) {
    if (i == address) {
      append_image_address(list.next(), inst, inst.src[i]);
    } else {
      append_operand(list.next(), inst.src[i], facts.src[i].type);
    }
  }
}

void append_export_operands(std::string& out, const Inst& inst) {
  out += ' ';
  append_export_target(out, inst.mods.export_target);
  for (unsigned i = 0; i < 4; ++i) {
    out += i == 0 ? " " : ", ";
    if (inst.mods.export_enable >> i & 1) {
      append_operand(out, inst.src[inst.mods.export_compressed ? i / 2 : i], OperandType::b32);
    } else {
      out += "off";
    }
  }
}

void append_ds_operands(std::string& out, const Inst& inst, const OpcodeInfo& facts) {
  OperandList list(out);
  if (facts.dst_count > 0) append_operand(list.next(), inst.dst[0], facts.dst[0].type);
  for (unsigned i = 0; i < facts.src_count; ++i) append_operand(list.next(), inst.src[i], facts.src[i].type);
}

}  // namespace

void append(std::string& out, const char* format, ...) {
  char buffer[96];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  out += buffer;
}

std::string to_text(const Inst& inst, const Target& target) {
  const OpcodeInfo& facts = info(inst.opcode);
  std::string out = facts.name;
  out += suffix(inst, facts, target);
  switch (inst.format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopk:
    case Format::sopc:
    case Format::sopp:
      append_scalar_operands(out, inst, facts);
      break;
    case Format::smem:
      append_smem_operands(out, inst, facts);
      append_memory_modifiers(out, inst);
      break;
    case Format::ds:
      append_ds_operands(out, inst, facts);
      append_memory_modifiers(out, inst);
      break;
    case Format::flat:
    case Format::global:
    case Format::scratch:
    case Format::mubuf:
    case Format::mtbuf:
      append_vmem_operands(out, inst, facts);
      append_memory_modifiers(out, inst);
      break;
    case Format::mimg:
      append_image_operands(out, inst, facts);
      append_image_modifiers(out, inst);
      break;
    case Format::exp:
      append_export_operands(out, inst);
      append_export_modifiers(out, inst);
      break;
    default:
      append_valu_operands(out, inst, facts);
      append_valu_modifiers(out, inst);
      break;
  }
  return out;
}

}  // namespace spalt::isa
