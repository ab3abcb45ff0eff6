// SPDX-License-Identifier: MIT
#include <algorithm>

#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/text/hints.h"
#include "amdgpu/isa/text/modifiers.h"
#include "amdgpu/isa/text/print.h"

namespace spalt::isa {
namespace {

void append_bits(std::string& out, const ModText& text, const BitList& list, uint32_t bits) {
  append(out, " %s:[", text.name);
  for (unsigned i = 0; i < list.count(); ++i) append(out, i == 0 ? "%u" : ",%u", bits >> list.bit(i) & 1);
  out += ']';
}

void append_dpp_control(std::string& out, unsigned value, Generation generation) {
  for (const DppControl& control : dpp_controls(generation)) {
    const unsigned lanes = value - control.base;
    if (value < control.base || lanes < control.first || lanes > control.last) continue;
    append(out, control.counts ? " %s:%u" : " %s", control.name, lanes);
    return;
  }
  append(out, " quad_perm:[%u,%u,%u,%u]", value & 3, value >> 2 & 3, value >> 4 & 3, value >> 6 & 3);
}

void append_dpp_lanes(std::string& out, uint32_t lanes) {
  out += " dpp8:[";
  for (unsigned i = 0; i < 8; ++i) append(out, i == 0 ? "%u" : ",%u", lanes >> (3 * i) & 7);
  out += ']';
}

bool reads_lane_mask(const OpcodeInfo& facts) {
  return (facts.modifiers & kModHalves) != 0 && facts.src_count > 0 &&
         facts.src[facts.src_count - 1].role == OperandRole::lane_mask;
}

bool is_power_of_two(unsigned value) {
  return value != 0 && (value & (value - 1)) == 0;
}

/// Bitmask swizzles: lane = ((lane & and) | or) ^ xor, five bits each.
void append_bitmask_swizzle(std::string& out, unsigned offset) {
  const unsigned and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;
  const unsigned group = 32 - and_mask;
  if (and_mask == 31 && or_mask == 0 && is_power_of_two(xor_mask)) {
    append(out, "SWAP,%u", xor_mask);
  } else if (and_mask == 31 && or_mask == 0 && xor_mask > 0 && is_power_of_two(xor_mask + 1)) {
    append(out, "REVERSE,%u", xor_mask + 1);
  } else if (group > 1 && is_power_of_two(group) && or_mask < group && xor_mask == 0) {
    append(out, "BROADCAST,%u,%u", group, or_mask);
  } else {
    out += "BITMASK_PERM,\"";
    const unsigned from_zero = or_mask ^ xor_mask, from_one = (and_mask | or_mask) ^ xor_mask;
    for (unsigned i = 5; i-- > 0;) {
      const unsigned zero = from_zero >> i & 1, one = from_one >> i & 1;
      out += zero == one ? (zero ? '1' : '0') : (zero ? 'i' : 'p');
    }
    out += '"';
  }
}

void append_swizzle(std::string& out, unsigned offset) {
  if ((offset & 0xff00) == 0x8000) {
    append(out, " offset:swizzle(QUAD_PERM,%u,%u,%u,%u)", offset & 3, offset >> 2 & 3, offset >> 4 & 3,
           offset >> 6 & 3);
  } else if ((offset & 0x8000) == 0) {
    out += " offset:swizzle(";
    append_bitmask_swizzle(out, offset);
    out += ')';
  } else {
    append(out, " offset:%u", offset);
  }
}

void append_buffer_format(std::string& out, unsigned format, Generation generation) {
  const auto names = buffer_format_names(generation);
  if (names.empty()) {
    constexpr unsigned kData8 = 1, kUnorm = 0;
    const unsigned data = format & 15, number = format >> 4;
    out += " format:[";
    if (data != kData8) append(out, "BUF_DATA_FORMAT_%s", data_format_names()[data]);
    if (number != kUnorm)
      append(out, "%sBUF_NUM_FORMAT_%s", data != kData8 ? "," : "", number_format_names()[number & 7]);
    out += ']';
  } else if (format < names.size()) {
    append(out, " format:[BUF_FMT_%s]", names[format]);
  } else {
    append(out, " format:%u", format);
  }
}

void append_temporal_hint(std::string& out, const OpcodeInfo& facts, const Modifiers& mods) {
  const char* word = temporal_hint_word(facts, mods.th, mods.scope);
  if (word != nullptr) {
    append(out, " th:%s", word);
  } else {
    append(out, facts.has(kAtomic) ? " th:TH_ATOMIC_0x%x" : " th:0x%x", mods.th);
  }
}

void append_keyword(std::string& out, const ModText& text, uint32_t value) {
  if (value < text.keywords.size()) {
    append(out, " %s:%s%s", text.name, text.prefix, text.keywords[value]);
  } else {
    append(out, " %s:%u", text.name, value);
  }
}

void append_modifier(std::string& out, const Inst& inst, const OpcodeInfo& facts, const ModText& text, uint32_t value,
                     Generation generation) {
  switch (text.syntax) {
    case ModSyntax::implied:
      break;
    case ModSyntax::flag:
      append(out, " %s", text.name);
      break;
    case ModSyntax::switched:
    case ModSyntax::switched_any:
      append(out, " %s:1", text.name);
      break;
    case ModSyntax::decimal:
      append(out, " %s:%d", text.name, static_cast<int32_t>(value));
      break;
    case ModSyntax::signed_hex: {
      const bool negative = static_cast<int32_t>(value) < 0;
      append(out, negative ? " %s:-0x%x" : " %s:0x%x", text.name, negative ? 0 - value : value);
      break;
    }
    case ModSyntax::hex:
      append(out, " %s:0x%x", text.name, value);
      break;
    case ModSyntax::bits:
      append_bits(out, text, bit_list(facts, inst.format, text.mod), value);
      break;
    case ModSyntax::keyword:
      append_keyword(out, text, value);
      break;
    case ModSyntax::phrase:
      append(out, " %s", text.keywords[value % text.keywords.size()]);
      break;
    case ModSyntax::dpp_control:
      append_dpp_control(out, value, generation);
      break;
    case ModSyntax::dpp_lanes:
      append_dpp_lanes(out, value);
      break;
    case ModSyntax::swizzle:
      append_swizzle(out, value);
      break;
    case ModSyntax::buffer_format:
      append_buffer_format(out, value, generation);
      break;
    case ModSyntax::byte_select:
      // A source has the high bit of its byte number first.
      append(out, " %s:%u", text.name, value >= 4 ? value >> 2 : (value & 1) << 1 | (value >> 1 & 1));
      break;
    case ModSyntax::temporal_hint:
      append_temporal_hint(out, facts, inst.mods);
      break;
  }
}

}  // namespace

void append_modifiers(std::string& out, const Inst& inst, const Target& target) {
  const OpcodeInfo& facts = info(inst.opcode, target.generation);
  const ModTexts texts(facts, inst.opcode, inst.format, target.generation);
  // The immediate offset of a scalar load without an offset register is an operand.
  const bool offset_is_operand =
      inst.format == Format::smem && (facts.src_count == 0 || inst.src[facts.src_count - 1].kind == OperandKind::none ||
                                      facts.src[facts.src_count - 1].role == OperandRole::imm);
  // LLVM gives v_cndmask_b16 no op_sel; only halves of scalars need one.
  const bool halves_are_named = reads_lane_mask(facts) && (inst.mods.op_sel & ~vgpr_half_bits(facts, inst)) == 0;
  for (const ModText& text : texts) {
    if (text.mod == Mod::op_sel && halves_are_named) continue;
    const uint32_t value = text_value(inst.mods, text.mod);
    if (!text.always && value == absent_value(facts, text)) continue;
    if (!texts.has(text) || (offset_is_operand && text.mod == Mod::signed_offset)) continue;
    append_modifier(out, inst, facts, text, value, target.generation);
  }
}

}  // namespace spalt::isa
