// SPDX-License-Identifier: MIT
#include "amdgpu/isa/codec/vopd.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/operand_codec.h"
#include "amdgpu/isa/codec/rules.h"
#include "amdgpu/isa/opcode_tables.h"

namespace spalt::isa {
namespace {

/// The first operation has fewer opcode bits.
constexpr Field kOpcodeX{0, 22, 4}, kOpcodeY{0, 17, 5};

const OperandSlot& slot_of(const OpcodeInfo& info, unsigned index) {
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (info.src[i].role == OperandRole::lane_mask) continue;
    if (index-- == 0) return info.src[i];
  }
  return info.src[0];
}

unsigned named_sources(const OpcodeInfo& info) {
  unsigned count = 0;
  for (unsigned i = 0; i < info.src_count; ++i) count += info.src[i].role != OperandRole::lane_mask;
  return count;
}

bool reads_vcc(const OpcodeInfo& info) {
  return named_sources(info) != info.src_count;
}

bool reads_scalar(const VopdHalf& half, unsigned number) {
  return std::find(half.scalars, half.scalars + half.scalar_count, number) != half.scalars + half.scalar_count;
}

void add_scalar(VopdHalf& half, unsigned number) {
  if (reads_scalar(half, number)) return;
  if (half.scalar_count == std::size(half.scalars)) {
    half.number = -1;
  } else {
    half.scalars[half.scalar_count++] = static_cast<uint16_t>(number);
  }
}

void add_literal(VopdHalf& half, uint32_t value) {
  if (half.has_literal && half.literal != value) half.number = -1;
  half.has_literal = true;
  half.literal = value;
}

/// `first`: of those that are no constant. The others have room for a VGPR only.
void add_source(VopdHalf& half, const OperandSlot& slot, unsigned position, bool first, const Operand& operand) {
  if (operand.is_reg() && operand.reg.is_vgpr()) {
    half.registers[position] = static_cast<int16_t>(operand.reg.vgpr_index());
  } else if (!first || operand.kind == OperandKind::none) {
    half.number = -1;
  } else if (operand.is_reg()) {
    const unsigned number = operand.reg.number;
    if (!is_inline_constant_code(number) && number != kNull.number) add_scalar(half, number);
  } else if (operand.kind == OperandKind::literal || inline_constant_code(operand.imm, slot.type) < 0) {
    add_literal(half, operand.imm);
  }
}

/// The scalar values that both operations read together; a literal counts once.
const char* check_scalars(const VopdHalf& x, const VopdHalf& y) {
  if (x.has_literal && y.has_literal && x.literal != y.literal) return "has two different literals";
  unsigned count = x.scalar_count + (x.has_literal || y.has_literal ? 1u : 0u);
  for (unsigned i = 0; i < y.scalar_count; ++i) count += reads_scalar(x, y.scalars[i]) ? 0 : 1;
  return count > 2 ? "reads too many scalar values" : nullptr;
}

/// Registers of the two operations come from different banks: of four for sources 0 and 1, of two for source 2 and for
/// the destinations. Some targets read one register for both.
const char* check_banks(const VopdHalf& x, const VopdHalf& y, const Target& target) {
  if ((x.result ^ y.result) % 2 == 0) return "writes both results to one register bank";
  const bool moves = x.opcode == Opcode::v_mov_b32 && y.opcode == Opcode::v_mov_b32;
  if (moves && target.dual_moves_share_bank) return nullptr;
  constexpr int kBanks[3] = {4, 4, 2};
  for (unsigned i = 0; i < 3; ++i) {
    const int a = x.registers[i], b = y.registers[i];
    if (a < 0 || b < 0 || a % kBanks[i] != b % kBanks[i]) continue;
    if (a != b || !target.dual_sources_may_be_one) return "reads two sources from one register bank";
  }
  return nullptr;
}

/// The operations of an instruction: destination 0 and the first sources are the first one's.
std::pair<VopdHalf, VopdHalf> halves_of(const Inst& inst, const OpcodeInfo& x, const OpcodeInfo& y,
                                        const Target& target) {
  const std::span<const Operand> sources(inst.src);
  return {vopd_half(inst.opcode, inst.dst[0], sources.first(named_sources(x)), target),
          vopd_half(inst.opcode_y, inst.dst[1], sources.subspan(named_sources(x), named_sources(y)), target)};
}

}  // namespace

VopdHalf vopd_half(Opcode opcode, const Operand& result, std::span<const Operand> sources, const Target& target) {
  const OpcodeInfo& info = isa::info(opcode, target.generation);
  VopdHalf half;
  half.opcode = opcode;
  half.number = static_cast<int16_t>(vopd_number(opcode, target.generation));
  if (!target.has(info.feature) || !result.is_reg() || !result.reg.is_vgpr()) half.number = -1;
  if (!half.can_pair()) return half;
  half.result = static_cast<uint8_t>(result.reg.vgpr_index());
  if (info.has(kDstIsSrc)) half.registers[2] = half.result;
  if (reads_vcc(info)) add_scalar(half, kVcc.number);
  bool first = true;
  for (unsigned i = 0; i < sources.size(); ++i) {
    const OperandSlot& slot = slot_of(info, i);
    if (slot.role == OperandRole::constant) {
      add_literal(half, sources[i].imm);
    } else {
      add_source(half, slot, i, first, sources[i]);
      first = false;
    }
  }
  return half;
}

bool can_be_vopd_x(int number) {
  return number >= 0 && static_cast<uint32_t>(number) <= kOpcodeX.mask();
}

bool can_be_vopd_x(const VopdHalf& half) {
  return can_be_vopd_x(half.number);
}

bool vopd_is_safe(const VopdHalf& x, const VopdHalf& y, const Target& target) {
  if (!target.dual_sources_alternate) return true;
  for (unsigned i = 0; i < 2; ++i) {
    const int a = x.registers[i], b = y.registers[i];
    if (a >= 0 && b >= 0 && (a ^ b) % 2 == 0) return false;
  }
  return true;
}

Opcode with_sources_exchanged(Opcode opcode, Generation generation) {
  if (opcode == Opcode::v_sub_f32) return Opcode::v_subrev_f32;
  if (opcode == Opcode::v_subrev_f32) return Opcode::v_sub_f32;
  return info(opcode, generation).has(kCommutative) ? opcode : Opcode::invalid;
}

VopdHalf with_sources_exchanged(const VopdHalf& half, Generation generation) {
  VopdHalf result = half;
  result.opcode = half.can_pair() ? with_sources_exchanged(half.opcode, generation) : Opcode::invalid;
  // Source 1 has room for a VGPR only.
  const bool possible = result.opcode != Opcode::invalid && half.registers[0] >= 0 && half.registers[1] >= 0;
  result.number = possible ? static_cast<int16_t>(vopd_number(result.opcode, generation)) : int16_t{-1};
  std::swap(result.registers[0], result.registers[1]);
  return result;
}

const char* check_vopd(const VopdHalf& x, const VopdHalf& y, const Target& target) {
  if (!can_be_vopd_x(x) || !y.can_pair()) return "cannot be one of two operations";
  if (const char* reason = check_banks(x, y, target)) return reason;
  return check_scalars(x, y);
}

const char* encode_vopd(const Inst& inst, const Target& target, EncodedInst& out) {
  const Generation generation = target.generation;
  const int x = opcode_number(inst.opcode, Format::vopd, generation);
  const int y = opcode_number(inst.opcode_y, Format::vopd, generation);
  if (x < 0 || static_cast<uint32_t>(x) > kOpcodeX.mask() || y < 0) return "cannot be one of two operations";
  const OpcodeInfo &info_x = info(inst.opcode, generation), &info_y = info(inst.opcode_y, generation);
  if (!(inst.mods == Modifiers{})) return "has a modifier that the format has not";
  out = {};
  out.count = 2;
  out.words[0] = format_layout(Format::vopd, generation).marker;
  kOpcodeX.set(out.words, static_cast<uint32_t>(x));
  kOpcodeY.set(out.words, static_cast<uint32_t>(y));
  OperandEncoder encoder{out.words, encoding_traits(generation)};
  encoder.literal_allowed = true;
  const unsigned second = named_sources(info_x);
  for (const Placement& placement : place_vopd(info_x, info_y)) {
    const Operand& operand = placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
    const OpcodeInfo& info = placement.is_dst ? info_x : placement.slot < second ? info_x : info_y;
    const OperandSlot& slot =
        placement.is_dst ? info.dst[0] : slot_of(info, placement.slot - (placement.slot < second ? 0 : second));
    if (const char* reason = encoder.encode(operand, slot, placement, 1)) return reason;
  }
  const auto [half_x, half_y] = halves_of(inst, info_x, info_y, target);
  if (const char* reason = check_vopd(half_x, half_y, target)) return reason;
  if (encoder.has_literal) out.words[out.count++] = encoder.literal;
  return nullptr;
}

const char* decode_vopd(std::span<const uint32_t> words, const Target& target, Inst& inst) {
  const Generation generation = target.generation;
  inst.opcode = opcode_at(Format::vopd, kOpcodeX.get(words.data()), target);
  inst.opcode_y = opcode_at(Format::vopd, kOpcodeY.get(words.data()), target);
  if (inst.opcode == Opcode::invalid || inst.opcode_y == Opcode::invalid) return "has an unknown opcode";
  const OpcodeInfo &info_x = info(inst.opcode, generation), &info_y = info(inst.opcode_y, generation);
  OperandDecoder decoder{words.data(), words.size() > 2 ? &words[2] : nullptr, encoding_traits(generation),
                         inst.mods.offset};
  decoder.literal_allowed = true;
  const unsigned second = named_sources(info_x);
  for (const Placement& placement : place_vopd(info_x, info_y)) {
    Operand& operand = placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
    const OpcodeInfo& info = placement.is_dst ? info_x : placement.slot < second ? info_x : info_y;
    const OperandSlot& slot =
        placement.is_dst ? info.dst[0] : slot_of(info, placement.slot - (placement.slot < second ? 0 : second));
    if (const char* reason = decoder.decode(operand, slot, placement, 1)) return reason;
  }
  if (decoder.used_literal) inst.size_bytes = static_cast<uint8_t>(inst.size_bytes + 4);
  const auto [half_x, half_y] = halves_of(inst, info_x, info_y, target);
  return check_banks(half_x, half_y, target);
}

}  // namespace spalt::isa
