// SPDX-License-Identifier: MIT
#include "amdgpu/isa/codec/modifiers.h"

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/halves.h"

namespace spalt::isa {
namespace {

bool bit(uint32_t bits, unsigned index) {
  return bits >> index & 1;
}

void set_bit(uint8_t& bits, unsigned index, uint32_t value) {
  bits = static_cast<uint8_t>((bits & ~(1u << index)) | (value & 1) << index);
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
  switch (mod) {
    case Mod::neg:
      return mods.neg;
    case Mod::abs:
      return mods.abs;
    case Mod::op_sel:
      return mods.op_sel;
    case Mod::op_sel_hi:
      return mods.op_sel_hi & 3;
    case Mod::op_sel_hi2:
      return bit(mods.op_sel_hi, 2);
    case Mod::omod:
      return mods.omod;
    case Mod::clamp:
      return mods.clamp;
    case Mod::glc:
      return mods.glc;
    case Mod::slc:
      return mods.slc;
    case Mod::dlc:
      return mods.dlc;
    case Mod::offen:
      return mods.offen;
    case Mod::idxen:
      return mods.idxen;
    case Mod::lds:
      return mods.lds;
    case Mod::tfe:
      return mods.tfe;
    case Mod::gds:
      return mods.gds;
    case Mod::format:
      return mods.format;
    case Mod::offset:
    case Mod::signed_offset:
      return static_cast<uint32_t>(mods.offset);
    case Mod::offset1:
      return mods.offset1;
    case Mod::dpp_ctrl:
      return mods.dpp_ctrl;
    case Mod::dpp8:
      return mods.dpp8;
    case Mod::row_mask:
      return mods.row_mask;
    case Mod::bank_mask:
      return mods.bank_mask;
    case Mod::bound_ctrl:
      return mods.bound_ctrl;
    case Mod::fetch_inactive:
      return mods.fetch_inactive;
    case Mod::dst_sel:
      return mods.dst_sel;
    case Mod::dst_unused:
      return mods.dst_unused;
    case Mod::src0_sel:
      return mods.src_sel[0];
    case Mod::src1_sel:
      return mods.src_sel[1];
    case Mod::sext0:
      return bit(mods.sext, 0);
    case Mod::sext1:
      return bit(mods.sext, 1);
    case Mod::neg0:
      return bit(mods.neg, 0);
    case Mod::neg1:
      return bit(mods.neg, 1);
    case Mod::abs0:
      return bit(mods.abs, 0);
    case Mod::abs1:
      return bit(mods.abs, 1);
    case Mod::dmask:
      return mods.dmask;
    case Mod::dim:
      return mods.dim;
    case Mod::unorm:
      return mods.unorm;
    case Mod::r128:
      return mods.r128;
    case Mod::lwe:
      return mods.lwe;
    case Mod::d16:
      return mods.d16;
    case Mod::a16:
      return mods.a16;
    case Mod::export_target:
      return mods.export_target;
    case Mod::export_enable:
      return mods.export_enable;
    case Mod::export_done:
      return mods.export_done;
    case Mod::export_compressed:
      return mods.export_compressed;
    case Mod::export_valid_mask:
      return mods.export_valid_mask;
    case Mod::interp_attribute:
      return mods.interp_attribute;
    case Mod::interp_channel:
      return mods.interp_channel;
    case Mod::interp_high:
      return mods.interp_high;
    case Mod::wait_vm_vsrc:
      return mods.wait_vm_vsrc;
    case Mod::wait_va_vdst:
      return mods.wait_va_vdst;
    case Mod::wait_exp:
      return mods.wait_exp;
    case Mod::export_row:
      return mods.export_row;
    case Mod::declare_array:
      return mods.declare_array;
    case Mod::scope:
      return mods.scope;
    case Mod::th:
      return mods.th;
  }
  return 0;
}

void set_modifier(Modifiers& mods, Mod mod, uint32_t value) {
  const auto byte = static_cast<uint8_t>(value);
  const bool flag = value != 0;
  switch (mod) {
    case Mod::neg:
      mods.neg = byte;
      break;
    case Mod::abs:
      mods.abs = byte;
      break;
    case Mod::op_sel:
      mods.op_sel = byte;
      break;
    case Mod::op_sel_hi:
      mods.op_sel_hi = static_cast<uint8_t>((mods.op_sel_hi & ~3u) | (value & 3));
      break;
    case Mod::op_sel_hi2:
      set_bit(mods.op_sel_hi, 2, value);
      break;
    case Mod::omod:
      mods.omod = byte;
      break;
    case Mod::clamp:
      mods.clamp = flag;
      break;
    case Mod::glc:
      mods.glc = flag;
      break;
    case Mod::slc:
      mods.slc = flag;
      break;
    case Mod::dlc:
      mods.dlc = flag;
      break;
    case Mod::offen:
      mods.offen = flag;
      break;
    case Mod::idxen:
      mods.idxen = flag;
      break;
    case Mod::lds:
      mods.lds = flag;
      break;
    case Mod::tfe:
      mods.tfe = flag;
      break;
    case Mod::gds:
      mods.gds = flag;
      break;
    case Mod::format:
      mods.format = byte;
      break;
    case Mod::offset:
    case Mod::signed_offset:
      mods.offset = static_cast<int32_t>(value);
      break;
    case Mod::offset1:
      mods.offset1 = byte;
      break;
    case Mod::dpp_ctrl:
      mods.dpp_ctrl = static_cast<uint16_t>(value);
      break;
    case Mod::dpp8:
      mods.dpp8 = value;
      break;
    case Mod::row_mask:
      mods.row_mask = byte;
      break;
    case Mod::bank_mask:
      mods.bank_mask = byte;
      break;
    case Mod::bound_ctrl:
      mods.bound_ctrl = flag;
      break;
    case Mod::fetch_inactive:
      mods.fetch_inactive = flag;
      break;
    case Mod::dst_sel:
      mods.dst_sel = byte;
      break;
    case Mod::dst_unused:
      mods.dst_unused = byte;
      break;
    case Mod::src0_sel:
      mods.src_sel[0] = byte;
      break;
    case Mod::src1_sel:
      mods.src_sel[1] = byte;
      break;
    case Mod::sext0:
      set_bit(mods.sext, 0, value);
      break;
    case Mod::sext1:
      set_bit(mods.sext, 1, value);
      break;
    case Mod::neg0:
      set_bit(mods.neg, 0, value);
      break;
    case Mod::neg1:
      set_bit(mods.neg, 1, value);
      break;
    case Mod::abs0:
      set_bit(mods.abs, 0, value);
      break;
    case Mod::abs1:
      set_bit(mods.abs, 1, value);
      break;
    case Mod::dmask:
      mods.dmask = byte;
      break;
    case Mod::dim:
      mods.dim = byte;
      break;
    case Mod::unorm:
      mods.unorm = flag;
      break;
    case Mod::r128:
      mods.r128 = flag;
      break;
    case Mod::lwe:
      mods.lwe = flag;
      break;
    case Mod::d16:
      mods.d16 = flag;
      break;
    case Mod::a16:
      mods.a16 = flag;
      break;
    case Mod::export_target:
      mods.export_target = byte;
      break;
    case Mod::export_enable:
      mods.export_enable = byte;
      break;
    case Mod::export_done:
      mods.export_done = flag;
      break;
    case Mod::export_compressed:
      mods.export_compressed = flag;
      break;
    case Mod::export_valid_mask:
      mods.export_valid_mask = flag;
      break;
    case Mod::interp_attribute:
      mods.interp_attribute = byte;
      break;
    case Mod::interp_channel:
      mods.interp_channel = byte;
      break;
    case Mod::interp_high:
      mods.interp_high = flag;
      break;
    case Mod::wait_vm_vsrc:
      mods.wait_vm_vsrc = flag;
      break;
    case Mod::wait_va_vdst:
      mods.wait_va_vdst = byte;
      break;
    case Mod::wait_exp:
      mods.wait_exp = byte;
      break;
    case Mod::export_row:
      mods.export_row = flag;
      break;
    case Mod::declare_array:
      mods.declare_array = flag;
      break;
    case Mod::scope:
      mods.scope = byte;
      break;
    case Mod::th:
      mods.th = byte;
      break;
  }
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

unsigned operand_dwords(const OpcodeInfo& info, Format format, const Modifiers& mods, const Placement& placement,
                        bool saddr_present, unsigned wave_size, Generation generation) {
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
        const bool listed = mods.nsa_count > 0 || encoding_traits(generation).nsa_always;
        return listed ? image_address_list(info, mods, format, generation).widths[0]
                      : image_address_dwords(info, mods, generation);
      }
      return image_data_dwords(info, mods, placement.is_dst) + (mods.tfe || mods.lwe ? 1 : 0);
    default:
      return plain;
  }
}

}  // namespace spalt::isa
