// SPDX-License-Identifier: MIT
// Assembler text in LLVM's dialect: mnemonic with encoding suffix, operands, modifiers.
#include "amdgpu/isa/text/print.h"

#include <cstdarg>
#include <cstdio>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/text/layout.h"
#include "amdgpu/isa/text/modifiers.h"
#include "amdgpu/isa/text/names.h"

namespace spalt::isa {
namespace {

/// Opcodes that exist in a short and in a long form say which.
const char* suffix(const Inst& inst, const OpcodeInfo& facts, const Target& target) {
  const auto exists = [&](Format format) { return opcode_number(inst.opcode, format, target.generation) >= 0; };
  if (facts.dst_count + facts.src_count == 0) return "";
  const bool has_short = exists(Format::vop1) || exists(Format::vop2) || exists(Format::vopc) || exists(Format::vintrp);
  switch (inst.format) {
    case Format::sdwa:
      return "_sdwa";
    case Format::dpp16:
    case Format::dpp8:
      return exists(Format::vopc) ? "" : "_dpp";
    case Format::vop3_dpp16:
    case Format::vop3_dpp8:
      return "_e64_dpp";
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
    case Format::vintrp:
      return exists(Format::vop3) ? "_e32" : "";
    case Format::vop3:
      return has_short ? "_e64" : "";
    default:
      return "";
  }
}

/// Which half of a VGPR a 16-bit slot names.
void append_half(std::string& out, const Inst& inst, const Operand& operand, const OperandSlot& slot, unsigned bit,
                 const OpcodeInfo& facts) {
  if (!shows_halves(facts, inst.mods) || !is_half_slot(facts, slot)) return;
  if (operand.is_reg() && operand.reg.is_vgpr()) out += inst.mods.op_sel >> bit & 1 ? ".h" : ".l";
}

void append_valu_source(std::string& out, const Inst& inst, unsigned index, const Target& target) {
  const OpcodeInfo& facts = info(inst.opcode, target.generation);
  const OperandType type = facts.src[index].type;
  const Operand& operand = inst.src[index];
  const bool packed = shows_packed_modifiers(facts);
  const bool neg = !packed && (inst.mods.neg >> index & 1);
  const bool abs = !packed && (inst.mods.abs >> index & 1);
  const bool sext = inst.mods.sext >> index & 1;
  const bool constant = !operand.is_reg() || (operand.reg.number < 256 && is_inline_constant_code(operand.reg.number));
  if (sext) out += "sext(";
  if (neg) out += constant && !abs ? "neg(" : "-";
  if (abs) out += '|';
  append_operand(out, operand, type, target);
  append_half(out, inst, operand, facts.src[index], index, facts);
  if (abs) out += '|';
  if (neg && constant && !abs) out += ')';
  if (sext) out += ')';
}

/// The immediate offset of a scalar load.
void append_hex_offset(std::string& out, const Modifiers& mods) {
  const auto offset = static_cast<uint32_t>(mods.offset);
  append(out, mods.offset < 0 ? "-0x%x" : "0x%x", mods.offset < 0 ? 0 - offset : offset);
}

void append_parameter(std::string& out, uint32_t number) {
  if (number < parameter_names().size()) {
    out += parameter_names()[number];
  } else {
    append(out, "invalid_param_%u", number);
  }
}

void append_scalar_offset(std::string& out, const Inst& inst, unsigned slot, const Target& target) {
  if (inst.src[slot].kind != OperandKind::none) {
    append_operand(out, inst.src[slot], info(inst.opcode, target.generation).src[slot].type, target);
  } else if (inst.mods.offset == 0 && zero_offset_is_null(target.generation)) {
    out += "null";
  } else {
    append_hex_offset(out, inst.mods);
  }
}

void append_image_address(std::string& out, const Inst& inst, const Operand& address, const Target& target) {
  if (inst.nsa.count == 0) return append_register(out, address.reg, address.dwords, target);
  const OpcodeInfo& facts = info(inst.opcode, target.generation);
  const ImageAddressList list = image_address_list(facts, inst.mods, inst.format, target.generation);
  out += '[';
  append_register(out, address.reg, list.widths[0], target);
  for (unsigned i = 0; i < inst.nsa.count; ++i) {
    out += ", ";
    append_register(out, vgpr(inst.nsa.vgprs[i]), list.widths[i + 1], target);
  }
  out += ']';
}

void append_export_target(std::string& out, unsigned target, Generation generation) {
  for (const ExportTarget& entry : export_targets(generation)) {
    if (target < entry.first || target > entry.last) continue;
    return append(out, entry.numbered ? "%s%u" : "%s", entry.name, target - entry.first);
  }
  append(out, "invalid_target_%u", target);
}

void append_export_source(std::string& out, const Inst& inst, unsigned component, const Target& target) {
  if (inst.mods.export_enable >> component & 1) {
    append_operand(out, inst.src[inst.mods.export_compressed ? component / 2 : component], OperandType::b32, target);
  } else {
    out += "off";
  }
}

void append_item(std::string& out, const Inst& inst, const TextItem& item, const Target& target) {
  const OpcodeInfo& facts = info(inst.opcode, target.generation);
  const Operand& source = inst.src[item.slot];
  switch (item.kind) {
    case TextItemKind::dst:
      append_operand(out, inst.dst[item.slot], facts.dst[item.slot].type, target);
      return append_half(out, inst, inst.dst[item.slot], facts.dst[item.slot], kDstHalfBit, facts);
    case TextItemKind::src:
    case TextItemKind::address:
      // An absent scalar offset is the null register; an absent address is "off".
      if (source.kind == OperandKind::none && facts.src[item.slot].role == OperandRole::ssrc)
        return void(out += "null");
      return append_operand(out, source, facts.src[item.slot].type, target);
    case TextItemKind::valu_source:
      return append_valu_source(out, inst, item.slot, target);
    case TextItemKind::constant:
      return append(out, "0x%x", source.imm);
    case TextItemKind::number:
      return append(out, source.imm <= 64 ? "%u" : "0x%x", source.imm);
    case TextItemKind::message:
      return append_message_operand(out, source.imm, target);
    case TextItemKind::gpr_index:
      return append_gpr_index(out, source.imm);
    case TextItemKind::offset:
      return append_hex_offset(out, inst.mods);
    case TextItemKind::parameter:
      return append_parameter(out, source.imm);
    case TextItemKind::attribute:
      return append(out, "attr%u.%c", inst.mods.interp_attribute, "xyzw"[inst.mods.interp_channel & 3]);
    case TextItemKind::simm16:
      return append_simm16(out, inst, target);
    case TextItemKind::scalar_offset:
      return append_scalar_offset(out, inst, item.slot, target);
    case TextItemKind::image_address:
      return append_image_address(out, inst, source, target);
    case TextItemKind::export_target:
      return append_export_target(out, inst.mods.export_target, target.generation);
    case TextItemKind::export_source:
      return append_export_source(out, inst, item.slot, target);
  }
}

/// Each item after " " or ", "; those that have no text (a destination that is not there, s_endpgm 0) leave no trace.
void append_operands(std::string& out, const Inst& inst, const Target& target) {
  const char* separator = " ";
  for (const TextItem& item : text_items(info(inst.opcode, target.generation), inst.format)) {
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

namespace {

/// Both operations, each with the operands that its short form has.
std::string vopd_text(const Inst& inst, const Target& target) {
  std::string out;
  unsigned source = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const OpcodeInfo& facts = info(half == 0 ? inst.opcode : inst.opcode_y, target.generation);
    append(out, half == 0 ? "v_dual_%s " : " :: v_dual_%s ", facts.name + 2);  // without "v_"
    append_operand(out, inst.dst[half], facts.dst[0].type, target);
    for (unsigned i = 0; i < facts.src_count; ++i) {
      if (facts.src[i].role == OperandRole::lane_mask) continue;
      out += ", ";
      const Operand& operand = inst.src[source++];
      if (facts.src[i].role == OperandRole::constant) {
        append(out, "0x%x", operand.imm);
      } else {
        append_operand(out, operand, facts.src[i].type, target);
      }
    }
  }
  return out;
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
  if (inst.format == Format::vopd) return vopd_text(inst, target);
  const OpcodeInfo& facts = info(inst.opcode, target.generation);
  std::string out = facts.name;
  out += suffix(inst, facts, target);
  append_operands(out, inst, target);
  append_modifiers(out, inst, target);
  return out;
}

}  // namespace spalt::isa
