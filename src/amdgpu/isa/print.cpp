// SPDX-License-Identifier: MIT
// Assembler text in LLVM's dialect: mnemonic with encoding suffix, operands, modifiers.
#include "amdgpu/isa/print.h"

#include <cstdarg>
#include <cstdio>

#include "amdgpu/isa/codec.h"
#include "amdgpu/isa/constants.h"
#include "amdgpu/isa/text_layout.h"
#include "amdgpu/isa/text_names.h"

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

void append_parameter(std::string& out, uint32_t number) {
  if (number < parameter_names().size()) {
    out += parameter_names()[number];
  } else {
    append(out, "invalid_param_%u", number);
  }
}

void append_scalar_offset(std::string& out, const Inst& inst, unsigned slot) {
  if (inst.src[slot].kind != OperandKind::none) {
    append_operand(out, inst.src[slot], info(inst.opcode).src[slot].type);
  } else if (inst.mods.offset == 0) {
    out += "null";
  } else {
    const auto offset = static_cast<uint32_t>(inst.mods.offset);
    append(out, inst.mods.offset < 0 ? "-0x%x" : "0x%x", inst.mods.offset < 0 ? 0 - offset : offset);
  }
}

void append_image_address(std::string& out, const Inst& inst, const Operand& address) {
  if (inst.mods.nsa_count == 0) return append_register(out, address.reg, address.dwords);
  append(out, "[v%u", address.reg.vgpr_index());
  for (unsigned i = 0; i < inst.mods.nsa_count; ++i) append(out, ", v%u", inst.mods.nsa_vaddr[i]);
  out += ']';
}

void append_export_target(std::string& out, unsigned target) {
  for (const ExportTarget& entry : export_targets()) {
    if (target < entry.first || target > entry.last) continue;
    return append(out, entry.numbered ? "%s%u" : "%s", entry.name, target - entry.first);
  }
  append(out, "invalid_target_%u", target);
}

void append_export_source(std::string& out, const Inst& inst, unsigned component) {
  if (inst.mods.export_enable >> component & 1) {
    append_operand(out, inst.src[inst.mods.export_compressed ? component / 2 : component], OperandType::b32);
  } else {
    out += "off";
  }
}

void append_item(std::string& out, const Inst& inst, const TextItem& item, const Target& target) {
  const OpcodeInfo& facts = info(inst.opcode);
  const Operand& source = inst.src[item.slot];
  switch (item.kind) {
    case TextItemKind::dst:
      return append_operand(out, inst.dst[item.slot], facts.dst[item.slot].type);
    case TextItemKind::src:
    case TextItemKind::address:
      return append_operand(out, source, facts.src[item.slot].type);
    case TextItemKind::valu_source:
      return append_valu_source(out, inst, item.slot, facts.src[item.slot].type);
    case TextItemKind::constant:
      return append(out, "0x%x", source.imm);
    case TextItemKind::number:
      return append(out, source.imm <= 64 ? "%u" : "0x%x", source.imm);
    case TextItemKind::parameter:
      return append_parameter(out, source.imm);
    case TextItemKind::attribute:
      return append(out, "attr%u.%c", inst.mods.interp_attribute, "xyzw"[inst.mods.interp_channel & 3]);
    case TextItemKind::simm16:
      return append_simm16(out, inst, target);
    case TextItemKind::scalar_offset:
      return append_scalar_offset(out, inst, item.slot);
    case TextItemKind::image_address:
      return append_image_address(out, inst, source);
    case TextItemKind::export_target:
      return append_export_target(out, inst.mods.export_target);
    case TextItemKind::export_source:
      return append_export_source(out, inst, item.slot);
  }
}

/// Each item behind " " or ", "; those that have no text (a destination that is not there, s_endpgm 0) leave no trace.
void append_operands(std::string& out, const Inst& inst, const Target& target) {
  const char* separator = " ";
  for (const TextItem& item : text_items(info(inst.opcode), inst.format)) {
    if (item.kind == TextItemKind::dst && inst.dst[item.slot].kind == OperandKind::none) continue;
    const size_t before = out.size();
    out += separator;
    const size_t start = out.size();
    append_item(out, inst, item, target);
    if (out.size() == start) {
      out.resize(before);
    } else {
      separator = item.kind == TextItemKind::export_target ? " " : ", ";
    }
  }
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
  append_operands(out, inst, target);
  append_modifiers(out, inst);
  return out;
}

}  // namespace spalt::isa
