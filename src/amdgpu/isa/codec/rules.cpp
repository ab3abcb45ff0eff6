// SPDX-License-Identifier: MIT
// The rules of encoding that are no field: which formats take literals, what a vector instruction may read.
#include "amdgpu/isa/codec/rules.h"

#include <algorithm>

#include "amdgpu/isa/codec/constants.h"

namespace spalt::isa {

Format base_format(Opcode opcode, Format format, Generation generation) {
  if (!is_variant(format)) return format;
  const bool long_form = is_long_vector(format);
  for (Format base : {Format::vop1, Format::vop2, Format::vopc, Format::vop3, Format::vop3p}) {
    if (is_long_vector(base) == long_form && opcode_number(opcode, base, generation) >= 0) return base;
  }
  return Format::invalid;
}

unsigned format_dwords(Format format, Format base, Generation generation) {
  return format_layout(base, generation).dwords + (is_variant(format) ? 1u : 0u);
}

bool takes_literal(Format format, const Target& target) {
  switch (format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopc:
    case Format::sopk:
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
      return true;
    case Format::vop3:
    case Format::vop3p:
      return target.vop3_literal;
    default:
      return false;
  }
}

bool slot_takes_literal(const OpcodeInfo& info, Format format, const Placement& placement) {
  if (!placement.is_dst && info.src[placement.slot].role == OperandRole::vconst) return false;
  if (format == Format::vop3 && info.has(kIgnoresExec)) return placement.slot == 0;
  return format != Format::vop3p || info.src[0].type != OperandType::f32;
}

bool has_simm16(const OpcodeInfo& info) {
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (info.src[i].role == OperandRole::simm16 || info.src[i].role == OperandRole::label) return true;
  }
  return false;
}

bool saddr_present(const OpcodeInfo& info, const Inst& inst) {
  return info.src_count > 0 && inst.src[info.src_count - 1].is_reg();
}

/// Counts the distinct scalar values that a vector instruction reads. As LLVM does, a pair and its low half are two
/// values, and so are a named vcc and the one that the encoding implies.
const char* check_constant_bus(const OpcodeInfo& info, const Inst& inst, Format format, bool has_literal,
                               const Target& target) {
  constexpr uint32_t kImpliedVcc = ~0u;
  uint32_t seen[Inst::kMaxSrc + 1];
  unsigned count = 0;
  if (info.has(kReadsVcc)) seen[count++] = kImpliedVcc;
  for (unsigned i = 0; i < info.src_count; ++i) {
    const Operand& operand = inst.src[i];
    const unsigned number = operand.reg.number;
    if (!operand.is_reg() || number >= 256 || is_inline_constant_code(number) || number == kNull.number) continue;
    // v_writelane has a path of its own for m0 as the lane.
    if (number == kM0.number && i == 1 && info.has(kIgnoresExec)) continue;
    const bool implied = info.src[i].role == OperandRole::lane_mask && !is_long_vector(format);
    const uint32_t value = implied ? kImpliedVcc : number | static_cast<uint32_t>(operand.dwords) << 16;
    if (std::find(seen, seen + count, value) == seen + count) seen[count++] = value;
  }
  const unsigned limit = scalar_source_limit(info, target.constant_bus_limit);
  return count + (has_literal ? 1 : 0) > limit ? "reads too many scalar values" : nullptr;
}

/// Rules over the whole instruction that hold in both directions.
const char* check_instruction(const OpcodeInfo& info, const Inst& inst, Format format) {
  const Reg dst = inst.dst[0].reg;
  if (format == Format::smem) {
    if (inst.dst[0].is_reg() && (dst == kM0 || dst == kExec || dst == kExecHi)) return "cannot load into m0 or exec";
    // Before soffset, which a prefetch has before its count.
    const unsigned end = info.src_count - (info.src_count > 0 && info.src[info.src_count - 1].role == OperandRole::imm);
    const bool buffer = end >= 2 && info.src[end - 2].type == OperandType::b128;
    if (buffer && inst.mods.offset < 0) return "takes no negative offset";
  }
  if (info.has(kTiedData) && inst.dst[0].is_reg() && dst != inst.src[0].reg) return "returns into its data register";
  return nullptr;
}

}  // namespace spalt::isa
