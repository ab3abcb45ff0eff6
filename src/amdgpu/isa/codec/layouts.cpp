// SPDX-License-Identifier: MIT
// Where each format keeps its opcode and what marks it, per generation; and what differs in the coding of operands.
#include <iterator>

#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/codec/layout_family.h"

namespace spalt::isa {
namespace {

constexpr unsigned kFormatCount = static_cast<unsigned>(Format::count);

struct LayoutTable {
  FormatLayout layouts[kFormatCount];

  constexpr FormatLayout& operator[](Format format) { return layouts[static_cast<unsigned>(format)]; }
  constexpr explicit LayoutTable(Family family) : layouts{} {
    add_scalar_and_short();
    switch (family) {
      case Family::gfx9:
        add_gfx9();
        break;
      case Family::gfx10:
        add_gfx10();
        break;
      case Family::gfx11:
        add_gfx11();
        break;
      case Family::gfx12:
        add_gfx12();
        break;
    }
  }

 private:
  constexpr void add_scalar_and_short() {
    auto& t = *this;
    t[Format::sop2] = {0x80000000, 0xc0000000, {0, 23, 7}, {}, 1};
    t[Format::sopk] = {0xb0000000, 0xf0000000, {0, 23, 5}, {}, 1};
    t[Format::sop1] = {0xbe800000, 0xff800000, {0, 8, 8}, {}, 1};
    t[Format::sopc] = {0xbf000000, 0xff800000, {0, 16, 7}, {}, 1};
    t[Format::sopp] = {0xbf800000, 0xff800000, {0, 16, 7}, {}, 1};
    t[Format::vop2] = {0x00000000, 0x80000000, {0, 25, 6}, {}, 1};
    t[Format::vop1] = {0x7e000000, 0xfe000000, {0, 9, 8}, {}, 1};
    t[Format::vopc] = {0x7c000000, 0xfe000000, {0, 17, 8}, {}, 1};
  }
  constexpr void add_gfx9() {
    auto& t = *this;
    t[Format::smem] = {0xc0000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::vop3] = {0xd0000000, 0xfc000000, {0, 16, 10}, {}, 2};
    t[Format::vop3p] = {0xd3800000, 0xff800000, {0, 16, 7}, {}, 2};
    t[Format::vintrp] = {0xd4000000, 0xfc000000, {0, 16, 2}, {}, 1};
    t[Format::ds] = {0xd8000000, 0xfc000000, {0, 17, 8}, {}, 2};
    add_flat(14);
    t[Format::mubuf] = {0xe0000000, 0xfc000000, {0, 18, 7}, {}, 2};
    t[Format::mtbuf] = {0xe8000000, 0xfc000000, {0, 15, 4}, {}, 2};
    t[Format::mimg] = {0xf0000000, 0xfc000000, {0, 18, 7}, {0, 0, 1}, 2};
    t[Format::exp] = {0xc4000000, 0xfc000000, {}, {}, 2};
  }
  constexpr void add_gfx10() {
    auto& t = *this;
    t[Format::smem] = {0xf4000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::vop3] = {0xd4000000, 0xfc000000, {0, 16, 10}, {}, 2};
    t[Format::vop3p] = {0xcc000000, 0xff800000, {0, 16, 7}, {}, 2};
    t[Format::vintrp] = {0xc8000000, 0xfc000000, {0, 16, 2}, {}, 1};
    t[Format::ds] = {0xd8000000, 0xfc000000, {0, 18, 8}, {}, 2};
    add_flat(14);
    t[Format::mubuf] = {0xe0000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::mtbuf] = {0xe8000000, 0xfc000000, {0, 16, 3}, {1, 21, 1}, 2};
    t[Format::mimg] = {0xf0000000, 0xfc000000, {0, 18, 7}, {0, 0, 1}, 2};
    t[Format::exp] = {0xf8000000, 0xfc000000, {}, {}, 2};
  }
  constexpr void add_gfx11() {
    auto& t = *this;
    add_gfx11_vector();
    t[Format::smem] = {0xf4000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::ds] = {0xd8000000, 0xfc000000, {0, 18, 8}, {}, 2};
    add_flat(16);
    t[Format::mubuf] = {0xe0000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::mtbuf] = {0xe8000000, 0xfc000000, {0, 15, 4}, {}, 2};
    t[Format::mimg] = {0xf0000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::exp] = {0xf8000000, 0xfc000000, {}, {}, 2};
  }
  constexpr void add_gfx12() {
    auto& t = *this;
    add_gfx11_vector();
    t[Format::smem] = {0xf4000000, 0xfc000000, {0, 13, 6}, {}, 2};
    t[Format::ds] = {0xd8000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::flat] = {0xec000000, 0xff000000, {0, 14, 7}, {}, 3};
    t[Format::scratch] = {0xed000000, 0xff000000, {0, 14, 7}, {}, 3};
    t[Format::global] = {0xee000000, 0xff000000, {0, 14, 7}, {}, 3};
    t[Format::mtbuf] = {0xc4200000, 0xfc200000, {0, 14, 4}, {}, 3};
    t[Format::mubuf] = {0xc4000000, 0xfc000000, {0, 14, 8}, {}, 3};
    t[Format::vimage] = {0xd0000000, 0xfc000000, {0, 14, 8}, {}, 3};
    t[Format::vsample] = {0xe4000000, 0xfc000000, {0, 14, 8}, {}, 3};
    t[Format::exp] = {0xf8000000, 0xfc000000, {}, {}, 2};
  }
  constexpr void add_gfx11_vector() {
    auto& t = *this;
    t[Format::vop3] = {0xd4000000, 0xfc000000, {0, 16, 10}, {}, 2};
    t[Format::vop3p] = {0xcc000000, 0xff800000, {0, 16, 7}, {}, 2};
    t[Format::vopd] = {0xc8000000, 0xfc000000, {0, 22, 4}, {}, 2};
    t[Format::vinterp] = {0xcd000000, 0xff000000, {0, 16, 5}, {}, 2};
    t[Format::ldsdir] = {0xce000000, 0xff000000, {0, 20, 2}, {}, 1};
  }
  /// The segment number stands at `shift`.
  constexpr void add_flat(unsigned shift) {
    auto& t = *this;
    const uint32_t mask = 0xfc000000 | 3u << shift;
    t[Format::flat] = {0xdc000000, mask, {0, 18, 7}, {}, 2};
    t[Format::scratch] = {0xdc000000 | 1u << shift, mask, {0, 18, 7}, {}, 2};
    t[Format::global] = {0xdc000000 | 2u << shift, mask, {0, 18, 7}, {}, 2};
  }
};
constexpr LayoutTable kLayouts[kFamilyCount] = {LayoutTable(Family::gfx9), LayoutTable(Family::gfx10),
                                                LayoutTable(Family::gfx11), LayoutTable(Family::gfx12)};

/// Bits of EncodingTraits::special_values.
constexpr uint32_t special(unsigned code) {
  return 1u << (code - 224);
}
constexpr uint32_t kApertures = special(235) | special(236) | special(237) | special(238);
constexpr uint32_t kConditions = special(251) | special(252) | special(253);
constexpr uint32_t kPops = special(239), kLdsDirectValue = special(254), kSccValue = special(253);

constexpr EncodingTraits make_gfx9() {
  EncodingTraits t{};
  t.null_code = 0xff;
  t.m0_code = 124;
  t.sgpr_count = 102;
  t.no_saddr = 127;
  t.special_values = kApertures | kConditions | kPops | kLdsDirectValue;
  return t;
}
constexpr EncodingTraits make_gfx10(bool scratch_without_address) {
  EncodingTraits t{};
  t.null_code = 125;
  t.m0_code = 124;
  t.sgpr_count = 106;
  t.no_saddr = t.flat_saddr = 125;
  t.no_saddr_127 = true;
  t.scratch_without_address = scratch_without_address;
  t.dpp_row_share = true;
  t.nsa_registers = 13;
  t.special_values = kApertures | kConditions | kPops | kLdsDirectValue;
  return t;
}
constexpr EncodingTraits make_gfx11() {
  EncodingTraits t{};
  t.null_code = 124;
  t.m0_code = 125;
  t.sgpr_count = 106;
  t.no_saddr = t.flat_saddr = 124;
  t.scratch_without_address = true;
  t.scratch_vaddr_bit = true;
  t.dpp_row_share = true;
  t.nsa_registers = 5;
  t.nsa_last_is_range = true;
  t.special_values = kApertures | kSccValue;
  return t;
}
constexpr EncodingTraits make_gfx11_5() {
  EncodingTraits t = make_gfx11();
  t.dpp_scalar_source = true;
  return t;
}
constexpr EncodingTraits make_gfx12() {
  EncodingTraits t = make_gfx11_5();
  t.optional_soffset = true;
  t.nsa_always = true;
  return t;
}
constexpr EncodingTraits kTraits[kGenerationCount] = {make_gfx9(),  make_gfx10(false), make_gfx10(true),
                                                      make_gfx11(), make_gfx11_5(),    make_gfx12()};

}  // namespace

const FormatLayout& format_layout(Format format, Generation generation) {
  const auto index = static_cast<unsigned>(format);
  return kLayouts[static_cast<unsigned>(family_of(generation))].layouts[index < kFormatCount ? index : 0];
}

Format format_of(uint32_t word, Generation generation) {
  // Ordered so that a longer marker is tried before a shorter one that contains it.
  static constexpr Format kOrder[] = {Format::vop1,   Format::vopc,    Format::vop2,    Format::sop1,    Format::sopc,
                                      Format::sopp,   Format::sopk,    Format::sop2,    Format::vop3p,   Format::vop3,
                                      Format::vopd,   Format::vinterp, Format::ldsdir,  Format::smem,    Format::ds,
                                      Format::flat,   Format::global,  Format::scratch, Format::mtbuf,   Format::mubuf,
                                      Format::vintrp, Format::mimg,    Format::vimage,  Format::vsample, Format::exp};
  for (Format format : kOrder) {
    const FormatLayout& layout = format_layout(format, generation);
    if (layout.marker_mask != 0 && (word & layout.marker_mask) == layout.marker) return format;
  }
  return Format::invalid;
}

const EncodingTraits& encoding_traits(Generation generation) {
  return kTraits[static_cast<unsigned>(generation)];
}

}  // namespace spalt::isa
