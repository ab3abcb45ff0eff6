// SPDX-License-Identifier: MIT
// VOPD: two operations in one instruction (RDNA 3 ISA guide, section 7.6 "Dual issue VALU").
#include <algorithm>

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

/// The scalar values that both operations read together; a literal counts once.
const char* check_scalars(const OpcodeInfo& x, const OpcodeInfo& y, const Inst& inst, bool has_literal) {
  uint32_t seen[Inst::kMaxSrc + 1];
  unsigned count = 0;
  if (reads_vcc(x) || reads_vcc(y)) seen[count++] = kVcc.number;
  for (const Operand& operand : inst.src) {
    const unsigned number = operand.reg.number;
    if (!operand.is_reg() || number >= 256 || is_inline_constant_code(number) || number == kNull.number) continue;
    if (std::find(seen, seen + count, number) == seen + count) seen[count++] = number;
  }
  return count + (has_literal ? 1 : 0) > 2 ? "reads too many scalar values" : nullptr;
}

/// The VGPRs that an operation reads as source 0, 1 and 2, or -1. An accumulator is source 2; a constant has no bank.
struct BankedSources {
  int registers[3] = {-1, -1, -1};

  BankedSources(const OpcodeInfo& info, const Operand* sources, const Operand& dst) {
    for (unsigned i = 0; i < named_sources(info); ++i) {
      const bool constant = slot_of(info, i).role == OperandRole::constant;
      if (!constant && sources[i].is_reg() && sources[i].reg.is_vgpr()) registers[i] = sources[i].reg.vgpr_index();
    }
    if (info.has(kDstIsSrc)) registers[2] = dst.reg.vgpr_index();
  }
};

/// Registers of the two operations come from different banks: of four for sources 0 and 1, of two for source 2 and for
/// the destinations.
const char* check_banks(const OpcodeInfo& x, const OpcodeInfo& y, const Inst& inst, const Target& target) {
  if ((inst.dst[0].reg.number ^ inst.dst[1].reg.number) % 2 == 0) return "writes both results to one register bank";
  const bool moves = inst.opcode == Opcode::v_mov_b32 && inst.opcode_y == Opcode::v_mov_b32;
  if (moves && target.dual_moves_share_bank) return nullptr;
  const BankedSources first(x, inst.src.data(), inst.dst[0]);
  const BankedSources second(y, inst.src.data() + named_sources(x), inst.dst[1]);
  constexpr int kBanks[3] = {4, 4, 2};
  for (unsigned i = 0; i < 3; ++i) {
    const int a = first.registers[i], b = second.registers[i];
    if (a >= 0 && b >= 0 && a % kBanks[i] == b % kBanks[i]) return "reads two sources from one register bank";
  }
  return nullptr;
}

}  // namespace

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
  if (const char* reason = check_banks(info_x, info_y, inst, target)) return reason;
  if (const char* reason = check_scalars(info_x, info_y, inst, encoder.has_literal)) return reason;
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
  return check_banks(info_x, info_y, inst, target);
}

}  // namespace spalt::isa
