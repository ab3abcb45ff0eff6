// SPDX-License-Identifier: MIT
// Which field of a format holds which operand slot. Slots are in assembler order, fields are where the hardware put
// them.
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/codec/layout_family.h"

namespace spalt::isa {
namespace {

/// Adds placements slot by slot.
class Placer {
 public:
  explicit Placer(const OpcodeInfo& info) : info_(info) {}

  void dst(unsigned slot, Coding coding, Field field, bool optional = false) {
    if (slot < info_.dst_count) add({true, static_cast<uint8_t>(slot), coding, optional, false, field, {}});
  }
  void src(unsigned slot, Coding coding, Field field, bool optional = false) {
    if (slot < info_.src_count) add({false, static_cast<uint8_t>(slot), coding, optional, false, field, {}});
  }
  void flagged(bool is_dst, unsigned slot, Coding coding, Field field, Field flag) {
    add({is_dst, static_cast<uint8_t>(slot), coding, false, false, field, flag});
  }
  void address(unsigned slot, Field field, bool optional = false) {
    if (slot < info_.src_count) add({false, static_cast<uint8_t>(slot), Coding::vgpr8, optional, true, field, {}});
  }
  const OpcodeInfo& info() const { return info_; }
  OperandRole src_role(unsigned slot) const { return info_.src[slot].role; }
  Placements result() const { return result_; }

 private:
  void add(const Placement& placement) { result_.items[result_.count++] = placement; }

  const OpcodeInfo& info_;
  Placements result_;
};

bool is_scalar_dst(const OpcodeInfo& info, unsigned slot) {
  return info.dst[slot].role == OperandRole::sdst || info.dst[slot].role == OperandRole::lane_mask;
}

void place_scalar(Placer& p, Format format) {
  const Field kSdst{0, 16, 7};
  if (format == Format::sopk) {
    p.dst(0, Coding::scalar7, kSdst);
    for (unsigned i = 0; i < p.info().src_count; ++i) {
      if (p.src_role(i) == OperandRole::sreg) p.src(i, Coding::scalar7, kSdst);
      if (p.src_role(i) == OperandRole::constant) p.src(i, Coding::literal, {});
    }
    return;
  }
  if (format == Format::sopp) return;
  p.dst(0, Coding::scalar7, kSdst);
  uint8_t shift = 0;
  for (unsigned i = 0; i < p.info().src_count; ++i) {
    if (p.src_role(i) == OperandRole::constant) {
      p.src(i, Coding::literal, {});
      continue;
    }
    p.src(i, p.src_role(i) == OperandRole::imm ? Coding::number : Coding::source8, {0, shift, 8});
    shift = 8;
  }
}

/// [data,] base, soffset; a prefetch has base, soffset, count.
void place_smem(Placer& p, Family family) {
  const Field kSdata{0, 6, 7};
  const OpcodeInfo& info = p.info();
  p.dst(0, Coding::scalar7, kSdata, info.has(kReturns));
  unsigned slot = 0, end = info.src_count;
  if (end == 0) return;
  if (p.src_role(end - 1) == OperandRole::imm) p.src(--end, Coding::number, {0, 6, 5});  // lines to prefetch
  if (end == 3)
    p.src(slot++, p.src_role(0) == OperandRole::imm ? Coding::number : Coding::scalar7,
          p.src_role(0) == OperandRole::imm && family == Family::gfx12 ? Field{0, 6, 5} : kSdata);
  if (end - slot == 2) p.src(slot++, Coding::pair6, {0, 0, 6});
  p.src(slot, family == Family::gfx9 ? Coding::soffset9 : Coding::saddr7, {1, 25, 7}, true);
}

/// VOP1, VOP2, VOPC and their SDWA and DPP variants: the variants move source 0 into the second dword.
void place_vop12c(Placer& p, Format format) {
  const OpcodeInfo& info = p.info();
  const bool sdwa = format == Format::sdwa;
  const bool dpp = format == Format::dpp16 || format == Format::dpp8;
  if (info.dst_count > 0 && info.dst[0].role == OperandRole::lane_mask) {
    if (sdwa) {
      p.flagged(true, 0, Coding::sdwa_mask, {1, 8, 7}, {1, 15, 1});
    } else {
      p.dst(0, Coding::vcc, {});
    }
  } else {
    p.dst(0, info.dst[0].role == OperandRole::sdst ? Coding::scalar7 : Coding::vgpr8, {0, 17, 8});
  }
  p.dst(1, Coding::vcc, {});
  unsigned position = 0;
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (p.src_role(i) == OperandRole::lane_mask) {
      p.src(i, Coding::vcc, {});
    } else if (p.src_role(i) == OperandRole::constant) {
      p.src(i, Coding::literal, {});
    } else if (position++ == 0) {
      if (sdwa) {
        p.flagged(false, i, Coding::sdwa, {1, 0, 8}, {1, 23, 1});
      } else {
        p.src(i, dpp ? Coding::vgpr8 : Coding::source9, dpp ? Field{1, 0, 8} : Field{0, 0, 9});
      }
    } else if (sdwa) {
      p.flagged(false, i, Coding::sdwa, {0, 9, 8}, {1, 31, 1});
    } else {
      p.src(i, Coding::vgpr8, {0, 9, 8});
    }
  }
}

/// DPP forms have source 0 in the third dword.
void place_vop3(Placer& p, bool dpp, bool scalar_source1) {
  const Field kSources[] = {{1, 0, 9}, {1, 9, 9}, {1, 18, 9}};
  p.dst(0, is_scalar_dst(p.info(), 0) ? Coding::scalar7 : Coding::vgpr8, {0, 0, 8});
  p.dst(1, Coding::scalar7, {0, 8, 7});
  const unsigned first = p.info().has(kInterp) ? 1 : 0;
  for (unsigned i = 0; i + first < 3; ++i) {
    const bool number = i < p.info().src_count && p.src_role(i) == OperandRole::imm;
    if (dpp && i == 0) {
      p.src(0, Coding::vgpr8, {2, 0, 8});
      continue;
    }
    if (dpp && i == 1 && !scalar_source1 && p.src_role(i) != OperandRole::lane_mask) {
      p.src(1, Coding::vgpr9, kSources[1]);
      continue;
    }
    p.src(i, number ? Coding::number : Coding::source9, kSources[i + first]);
  }
}

void place_ds(Placer& p) {
  p.dst(0, Coding::vgpr8, {1, 24, 8});
  p.src(0, Coding::vgpr8, p.info().has(kNoAddress) ? Field{1, 8, 8} : Field{1, 0, 8});
  p.src(1, Coding::vgpr8, {1, 8, 8});
  p.src(2, Coding::vgpr8, {1, 16, 8});
}

/// Fields of the vector memory formats.
struct MemoryFields {
  Field dst, data, address;
  Field saddr;     ///< FLAT, GLOBAL, SCRATCH; soffset of the buffer formats
  Field resource;  ///< buffer and image formats
  Field sampler;
};
constexpr MemoryFields kMemoryFields[kFamilyCount] = {
    {{1, 24, 8}, {1, 8, 8}, {1, 0, 8}, {1, 16, 7}, {1, 16, 5}, {1, 21, 5}},
    {{1, 24, 8}, {1, 8, 8}, {1, 0, 8}, {1, 16, 7}, {1, 16, 5}, {1, 21, 5}},
    {{1, 24, 8}, {1, 8, 8}, {1, 0, 8}, {1, 16, 7}, {1, 16, 5}, {1, 26, 5}},
    {{1, 0, 8}, {1, 23, 8}, {2, 0, 8}, {0, 0, 7}, {1, 9, 9}, {1, 23, 9}}};

/// Load: dst, vaddr, saddr. Store and atomic: vaddr, vdata, saddr. The addtid forms have no vaddr.
void place_flat(Placer& p, Format format, Family family) {
  const MemoryFields& fields = kMemoryFields[static_cast<unsigned>(family)];
  const OpcodeInfo& info = p.info();
  const bool stores = info.has(kMayStore);
  p.dst(0, Coding::vgpr8, fields.dst, true);
  if (info.src_count == 0) return;  // cache control
  const unsigned expected = (stores ? 2u : 1u) + (format == Format::flat ? 0u : 1u);
  unsigned slot = 0;
  if (info.src_count == expected) p.address(slot++, fields.address, format == Format::scratch);
  if (stores) p.src(slot++, Coding::vgpr8, fields.data);
  p.src(slot, Coding::saddr7, fields.saddr, true);
}

void place_buffer(Placer& p, Family family) {
  const MemoryFields& fields = kMemoryFields[static_cast<unsigned>(family)];
  const bool gfx12 = family == Family::gfx12;
  const Field vdata = gfx12 ? fields.dst : fields.data;
  p.dst(0, Coding::vgpr8, vdata, true);
  if (p.info().src_count == 0) return;  // cache control
  unsigned slot = 0;
  if (p.info().src_count == 4) p.src(slot++, Coding::vgpr8, vdata);
  p.address(slot++, fields.address, true);
  p.src(slot++, gfx12 ? Coding::resource9 : Coding::quad5, fields.resource);
  if (gfx12) {
    p.src(slot, Coding::saddr7, fields.saddr, true);
  } else {
    p.src(slot, Coding::source8, {1, 24, 8});
  }
}

void place_image(Placer& p, Family family) {
  const MemoryFields& fields = kMemoryFields[static_cast<unsigned>(family)];
  const bool gfx12 = family == Family::gfx12;
  const Coding resource = gfx12 ? Coding::resource9 : Coding::quad5;
  const Field vdata = gfx12 ? fields.dst : fields.data;
  p.dst(0, Coding::vgpr8, vdata, true);
  unsigned slot = 0;
  if (p.info().has(kMayStore)) p.src(slot++, Coding::vgpr8, vdata);
  p.address(slot++, fields.address);
  p.src(slot++, resource, fields.resource);
  p.src(slot, resource, fields.sampler);
}

/// VINTERP: VGPRs only, in 9-bit fields.
void place_vinterp(Placer& p) {
  p.dst(0, Coding::vgpr8, {0, 0, 8});
  p.src(0, Coding::source9, {1, 0, 9});
  p.src(1, Coding::source9, {1, 9, 9});
  p.src(2, Coding::source9, {1, 18, 9});
}

void place_vintrp(Placer& p) {
  p.dst(0, Coding::vgpr8, {0, 18, 8});
  p.src(0, p.src_role(0) == OperandRole::imm ? Coding::number : Coding::vgpr8, {0, 0, 8});
}

}  // namespace

Placements place_operands(const OpcodeInfo& info, Format format, Generation generation) {
  Placer p(info);
  const Family family = family_of(generation);
  switch (format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopk:
    case Format::sopc:
    case Format::sopp:
      place_scalar(p, format);
      break;
    case Format::smem:
      place_smem(p, family);
      break;
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
    case Format::sdwa:
    case Format::dpp16:
    case Format::dpp8:
      place_vop12c(p, format);
      break;
    case Format::vop3:
    case Format::vop3p:
      place_vop3(p, false, true);
      break;
    case Format::vop3_dpp16:
    case Format::vop3_dpp8:
      place_vop3(p, true, encoding_traits(generation).dpp_scalar_source && !(info.modifiers & kModPacked));
      break;
    case Format::vintrp:
      place_vintrp(p);
      break;
    case Format::vinterp:
      place_vinterp(p);
      break;
    case Format::ldsdir:
      p.dst(0, Coding::vgpr8, {0, 0, 8});
      break;
    case Format::ds:
      place_ds(p);
      break;
    case Format::flat:
    case Format::global:
    case Format::scratch:
      place_flat(p, format, family);
      break;
    case Format::mubuf:
    case Format::mtbuf:
      place_buffer(p, family);
      break;
    case Format::mimg:
    case Format::vimage:
    case Format::vsample:
      place_image(p, family);
      break;
    case Format::exp:
      for (unsigned i = 0; i < 4; ++i) p.src(i, Coding::vgpr8, {1, static_cast<uint8_t>(8 * i), 8}, true);
      break;
    default:
      break;
  }
  return p.result();
}

Field saddr_field(Generation generation) {
  return kMemoryFields[static_cast<unsigned>(family_of(generation))].saddr;
}

Field scratch_vaddr_field(Generation generation) {
  return family_of(generation) == Family::gfx12 ? Field{1, 17, 1} : Field{1, 23, 1};
}

/// Operands of the second operation follow those of the first, as in the text.
Placements place_vopd(const OpcodeInfo& x, const OpcodeInfo& y) {
  Placements result;
  unsigned slot = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const OpcodeInfo& info = half == 0 ? x : y;
    const auto word = static_cast<uint8_t>(half);
    const Placement dst{true,  word,  half == 0 ? Coding::vgpr8 : Coding::opposite7,
                        false, false, half == 0 ? Field{1, 24, 8} : Field{1, 17, 7},
                        {}};
    result.items[result.count++] = dst;
    bool first = true;
    for (unsigned i = 0; i < info.src_count; ++i) {
      if (info.src[i].role == OperandRole::lane_mask) continue;  // vcc, which the text does not name
      Placement placement{false, static_cast<uint8_t>(slot++), Coding::literal, false, false, {}, {}};
      if (info.src[i].role != OperandRole::constant) {
        placement.coding = first ? Coding::source9 : Coding::vgpr8;
        placement.field = first ? Field{word, 0, 9} : Field{word, 9, 8};
        first = false;
      }
      result.items[result.count++] = placement;
    }
  }
  return result;
}

}  // namespace spalt::isa
