// SPDX-License-Identifier: MIT
#include "amdgpu/isa/codec/modifiers.h"

#include <cstddef>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/halves.h"

namespace spalt::isa {
namespace {

bool bit(uint32_t bits, unsigned index) {
  return bits >> index & 1;
}

/// Where a Mod is in Modifiers: bits of a member of one or four bytes.
struct MemberBits {
  uint8_t at, bytes, shift;
  uint32_t mask;
};

template <class T>
constexpr MemberBits whole(size_t at) {
  const uint32_t mask = std::is_same_v<T, bool> ? 1 : sizeof(T) == 1 ? 0xff : 0xffffffff;
  static_assert(sizeof(T) == 1 || sizeof(T) == 4);
  return {static_cast<uint8_t>(at), sizeof(T), 0, mask};
}

constexpr MemberBits part(size_t at, size_t bytes, unsigned shift, unsigned width) {
  return {static_cast<uint8_t>(at), static_cast<uint8_t>(bytes), static_cast<uint8_t>(shift),
          width == 32 ? 0xffffffffu : (1u << width) - 1};
}

constexpr MemberBits kMembers[] = {
#define SPALT_MODIFIER(type, name, value) whole<type>(offsetof(Modifiers, name)),
#define SPALT_MODIFIER_PAIR(type, name, value, first, second) \
  whole<type>(offsetof(Modifiers, name)), whole<type>(offsetof(Modifiers, name) + sizeof(type)),
#define SPALT_MODIFIER_PART(name, member, first, bits) \
  part(offsetof(Modifiers, member), sizeof(Modifiers::member), first, bits),
#include "amdgpu/isa/modifiers.def"
};

uint32_t load(const Modifiers& mods, const MemberBits& member) {
  const auto* from = reinterpret_cast<const unsigned char*>(&mods) + member.at;
  if (member.bytes == 1) return *from;
  uint32_t value = 0;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

void store(Modifiers& mods, const MemberBits& member, uint32_t value) {
  auto* to = reinterpret_cast<unsigned char*>(&mods) + member.at;
  if (member.bytes == 1) {
    *to = static_cast<unsigned char>(value);
  } else {
    std::memcpy(to, &value, sizeof(value));
  }
}

/// Control values: Vega ISA guide, table "DPP_CTRL"; RDNA 2 ISA guide, section 13.3.8 "DPP16".
bool valid_dpp_ctrl(unsigned ctrl, const EncodingTraits& traits) {
  if (ctrl <= 0xff || ctrl == 0x140 || ctrl == 0x141) return true;
  const unsigned group = ctrl >> 4;
  if (group == 0x10 || group == 0x11 || group == 0x12) return (ctrl & 15) != 0;
  if (!traits.dpp_row_share) return (group == 0x13 && ctrl % 4 == 0) || ctrl == 0x142 || ctrl == 0x143;
  return group == 0x15 || group == 0x16;
}

const char* check_sdwa(const OpcodeInfo& info, const Modifiers& mods) {
  if (mods.dst_sel > 6 || mods.src_sel[0] > 6 || mods.src_sel[1] > 6) return "has a reserved SDWA selector";
  if (mods.dst_unused > 2) return "has a reserved dst_unused";
  const unsigned sources = info.src_count > 1 ? 3 : 1;
  const unsigned floats = info.modifiers & kModSources;
  if (mods.sext & ~(sources & ~floats)) return "sign extends a source that is no integer";
  if (sources == 1 && mods.src_sel[1] != 6) return "selects from a source it does not have";
  if ((mods.neg | mods.abs) & ~floats) return "negates a source that is no float";
  const bool float_result =
      info.dst_count > 0 && (info.dst[0].type == OperandType::f16 || info.dst[0].type == OperandType::f32 ||
                             info.dst[0].type == OperandType::f16x2);
  if (mods.omod != 0 && !float_result) return "has an output modifier on a result that is no float";
  return nullptr;
}

const char* check_vop3(const OpcodeInfo& info, const Modifiers& mods) {
  const unsigned floats = info.modifiers & kModSources;
  if ((mods.neg | mods.abs) & ~floats) return "negates a source that is no float";
  if (mods.clamp && !(info.modifiers & kModClamp)) return "cannot clamp";
  if (mods.omod != 0 && !(info.modifiers & kModOmod)) return "has no output modifier";
  if (info.modifiers & kModPacked) {
    const unsigned sources = (1u << info.src_count) - 1, selects = (info.modifiers & kModOpSel) >> kModOpSelShift;
    if ((mods.op_sel & ~selects) != 0 || (mods.op_sel_hi & ~sources) != 0)
      return "selects from a source it does not have";
    const bool fixed = selects == 0 || (info.modifiers & kModIndexKey) != 0;
    if (fixed && mods.op_sel_hi != sources) return "has no op_sel_hi";
    if (mods.abs != 0 && (info.modifiers & kModNoHigh)) return "has no neg_hi";
  } else if (mods.op_sel & ~((info.modifiers & kModOpSel) >> kModOpSelShift | half_bits(info))) {
    return "has no op_sel";
  }
  return nullptr;
}

}  // namespace

uint32_t get_modifier(const Modifiers& mods, Mod mod) {
  const MemberBits& member = kMembers[static_cast<unsigned>(mod)];
  return load(mods, member) >> member.shift & member.mask;
}

void set_modifier(Modifiers& mods, Mod mod, uint32_t value) {
  const MemberBits& member = kMembers[static_cast<unsigned>(mod)];
  const uint32_t others = load(mods, member) & ~(member.mask << member.shift);
  store(mods, member, others | (value & member.mask) << member.shift);
}

void put_modifiers(const Modifiers& mods, const ModFields& fields, uint32_t* words) {
  for (const ModField& entry : fields) entry.field.set(words, get_modifier(mods, entry.mod));
}

const char* check_modifiers(const OpcodeInfo& info, Format format, const Modifiers& mods, Generation generation) {
  const EncodingTraits& traits = encoding_traits(generation);
  switch (format) {
    case Format::vop3:
    case Format::vop3p:
    case Format::vop3_dpp8:
      return check_vop3(info, mods);
    case Format::vop3_dpp16:
      if (!valid_dpp_ctrl(mods.dpp_ctrl, traits)) return "has a reserved dpp_ctrl";
      return check_vop3(info, mods);
    case Format::sdwa:
      return check_sdwa(info, mods);
    case Format::dpp16:
      if (!valid_dpp_ctrl(mods.dpp_ctrl, traits)) return "has a reserved dpp_ctrl";
      [[fallthrough]];
    case Format::dpp8:
      return (mods.neg | mods.abs) & ~(info.modifiers & kModSources) ? "negates a source that is no float" : nullptr;
    case Format::ds:
      return info.has(kGdsOnly) && !mods.gds ? "exists only with gds" : nullptr;
    default:
      return nullptr;
  }
}

bool slot_present(const OpcodeInfo& info, Format format, const Modifiers& mods, const Placement& placement) {
  if (!placement.optional) return true;
  if (placement.is_dst) {
    if (info.has(kReturns)) return mods.glc || (mods.th & 1) != 0;
    return !mods.lds;
  }
  if (format == Format::mubuf || format == Format::mtbuf) return !placement.address || mods.offen || mods.idxen;
  if (format == Format::exp) {
    // Compressed exports send two 16-bit values per register: sources 0 and 1 are read under enable bits 0..1 and 2..3.
    if (!mods.export_compressed) return bit(mods.export_enable, placement.slot);
    return placement.slot < 2 && (mods.export_enable >> (2 * placement.slot) & 3) != 0;
  }
  return true;
}

unsigned operand_dwords(const OpcodeInfo& info, Format format, const Inst& inst, const Placement& placement,
                        bool saddr_present, unsigned wave_size, Generation generation) {
  const Modifiers& mods = inst.mods;
  const OperandSlot& slot = placement.is_dst ? info.dst[placement.slot] : info.src[placement.slot];
  const unsigned plain = type_dwords(slot.type, wave_size);
  switch (format) {
    case Format::mubuf:
    case Format::mtbuf:
      if (placement.is_dst) return plain + (mods.tfe ? 1 : 0);
      if (placement.address) return (mods.offen ? 1 : 0) + (mods.idxen ? 1 : 0);
      return plain;
    case Format::global:
      return placement.address ? (saddr_present ? 1 : 2) : plain;
    case Format::mimg:
    case Format::vimage:
    case Format::vsample:
      if (slot.role == OperandRole::sreg) return slot.type == OperandType::b256 && mods.r128 ? 4 : plain;
      if (placement.address) {
        const bool listed = inst.nsa.count > 0 || encoding_traits(generation).nsa_always;
        if (listed) return image_address_list(info, mods, format, generation).widths[0];
        // The resource decides how many registers GFX9 reads; that may be more than the least number.
        const unsigned dwords = image_address_dwords(info, mods, generation);
        const Operand& given = inst.src[placement.slot];
        return image_has_dimension(generation) ? dwords : std::max<unsigned>(dwords, given.dwords);
      }
      return image_data_dwords(info, mods, placement.is_dst) + (mods.tfe || mods.lwe ? 1 : 0);
    default:
      return plain;
  }
}

}  // namespace spalt::isa
