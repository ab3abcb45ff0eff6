// SPDX-License-Identifier: MIT
// The sizes of image addresses and data, and the encoding of address registers that do not follow each other.
#include "amdgpu/isa/codec/image_address.h"

#include <algorithm>
#include <bit>

#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/codec/layout_family.h"
#include "amdgpu/isa/generation_set.h"

namespace spalt::isa {
namespace {

constexpr uint8_t kCoordinates[8] = {1, 2, 3, 3, 2, 3, 3, 4};
/// Per direction; cube and array layers have no gradient.
constexpr uint8_t kGradientCount[8] = {1, 2, 3, 2, 1, 2, 2, 2};

constexpr Field kNsaDwords10{0, 1, 2}, kNsaFlag11{0, 0, 1}, kFifthAddress12{1, 24, 8};

bool is_ray(const OpcodeInfo& info) {
  return (info.image_args & kImageRay) != 0;
}

unsigned node_dwords(const OpcodeInfo& info) {
  return info.src[0].type == OperandType::b64 ? 2 : 1;
}

/// Where the register of list entry `i` (from 1) stands.
Field address_field(unsigned i, Format format) {
  if (format == Format::vimage || format == Format::vsample) {
    return i == 4 ? kFifthAddress12 : Field{2, static_cast<uint8_t>(8 * i), 8};
  }
  return {static_cast<uint8_t>(2 + (i - 1) / 4), static_cast<uint8_t>((i - 1) % 4 * 8), 8};
}

const char* check_ranges(const ImageAddressList& list, const AddressRegisters& nsa) {
  for (unsigned i = 1; i < list.count; ++i) {
    if (nsa.vgprs[i - 1] + list.widths[i] > 256) return "has an address register that leaves its file";
  }
  return nullptr;
}

}  // namespace

bool is_image(Format format) {
  return format == Format::mimg || format == Format::vimage || format == Format::vsample;
}

bool takes_sampler(const OpcodeInfo& info) {
  return !is_ray(info) && info.src_count != 0 && info.src[info.src_count - 1].type == OperandType::b128;
}

bool may_go_as_load(Opcode sample, Generation generation) {
  constexpr GenerationSet kAccelerated = generations(Generation::gfx11_5, Generation::gfx11_5);
  const bool is_plain =
      sample == Opcode::image_sample || sample == Opcode::image_sample_l || sample == Opcode::image_sample_lz;
  return is_plain && kAccelerated.has(generation);
}

bool image_has_dimension(Generation generation) {
  return family_of(generation) != Family::gfx9;
}

unsigned image_address_dwords(const OpcodeInfo& info, const Modifiers& mods, Generation generation) {
  const unsigned args = info.image_args;
  // Node, extent, origin, then two vectors, of 16-bit components with a16.
  if (is_ray(info)) return node_dwords(info) + 4 + (mods.a16 ? 3 : 6);
  unsigned dwords = static_cast<unsigned>(std::popcount(args & (kImageOffset | kImageBias | kImageCompare)));
  if (!image_has_dimension(generation)) return dwords + (args & kImageGradients ? 2 : 1);
  const unsigned dim = mods.dim & 7;
  const unsigned lod = args & (kImageLod | kImageOnlyLod) ? 1 : 0;
  const unsigned coordinates = (args & kImageOnlyLod ? 0 : kCoordinates[dim]) + lod;
  dwords += mods.a16 ? (coordinates + 1) / 2 : coordinates;
  const unsigned gradients = kGradientCount[dim];
  if (args & kImageGradients) dwords += 2 * gradients;
  if (args & kImageHalfGradients) dwords += 2 * ((gradients + 1) / 2);
  return dwords;
}

ImageAddressList image_address_list(const OpcodeInfo& info, const Modifiers& mods, Format format,
                                    Generation generation) {
  const EncodingTraits& traits = encoding_traits(generation);
  ImageAddressList list;
  const unsigned dwords = image_address_dwords(info, mods, generation);
  const unsigned limit = format == Format::vsample ? traits.nsa_registers - 1u : traits.nsa_registers;
  if (is_ray(info) && traits.nsa_last_is_range) {
    const uint8_t vectors = mods.a16 ? 3 : 4;
    list.widths[list.count++] = static_cast<uint8_t>(node_dwords(info));
    list.widths[list.count++] = 1;
    for (unsigned i = 2; i < vectors + 1u; ++i) list.widths[list.count++] = 3;
    return list;
  }
  if (dwords > limit && !traits.nsa_last_is_range) return list;
  list.count = std::min(dwords, limit);
  std::fill(list.widths, list.widths + list.count, uint8_t{1});
  if (list.count > 0) list.widths[list.count - 1] = static_cast<uint8_t>(dwords - list.count + 1);
  return list;
}

bool image_addresses_may_join(Generation generation) {
  const EncodingTraits& traits = encoding_traits(generation);
  return traits.nsa_registers != 0 && !traits.nsa_always;
}

unsigned image_address_operand(const OpcodeInfo& info) {
  return info.src_count - (takes_sampler(info) ? 3u : 2u);
}

unsigned image_data_dwords(const OpcodeInfo& info, const Modifiers& mods, bool is_result) {
  if (is_ray(info)) return 4;
  const bool gather = (info.image_args & kImageGather) != 0;
  const unsigned components = gather ? 4 : static_cast<unsigned>(std::popcount(mods.dmask));
  unsigned dwords = components == 0 ? 1 : components;
  if (is_result && info.has(kAtomic) && info.src[0].type == OperandType::b64) dwords /= 2;  // compare, new
  if (mods.d16) dwords = (dwords + 1) / 2;
  return dwords;
}

const char* encode_image_address(const OpcodeInfo& info, const Inst& inst, Format format, Generation generation,
                                 EncodedInst& out) {
  const EncodingTraits& traits = encoding_traits(generation);
  const AddressRegisters& nsa = inst.nsa;
  if (nsa.count == 0 && !traits.nsa_always) return nullptr;
  const ImageAddressList list = image_address_list(info, inst.mods, format, generation);
  if (nsa.count + 1u != list.count || nsa.count > nsa.vgprs.size()) {
    return "has the wrong number of address registers";
  }
  if (const char* reason = check_ranges(list, nsa)) return reason;
  if (!traits.nsa_always) {
    const unsigned dwords = (nsa.count + 3u) / 4;
    (traits.nsa_last_is_range ? kNsaFlag11 : kNsaDwords10).set(out.words, dwords);
    out.count = static_cast<uint8_t>(2 + dwords);
  }
  for (unsigned i = 1; i < list.count; ++i) address_field(i, format).set(out.words, nsa.vgprs[i - 1]);
  return nullptr;
}

const char* decode_image_address(const OpcodeInfo& info, std::span<const uint32_t> words, Generation generation,
                                 Inst& inst) {
  const EncodingTraits& traits = encoding_traits(generation);
  if (traits.nsa_registers == 0) return nullptr;
  if (!traits.nsa_always) {
    const unsigned dwords = (traits.nsa_last_is_range ? kNsaFlag11 : kNsaDwords10).get(words.data());
    if (dwords == 0) return nullptr;
    if (words.size() < 2 + dwords) return "ends before its address registers";
    const ImageAddressList list = image_address_list(info, inst.mods, inst.format, generation);
    if (list.count < 2 || (list.count - 1 + 3) / 4 != dwords) return "has the wrong number of address registers";
    inst.size_bytes = static_cast<uint8_t>(8 + 4 * dwords);
  }
  const ImageAddressList list = image_address_list(info, inst.mods, inst.format, generation);
  inst.nsa.count = static_cast<uint8_t>(list.count - 1);
  for (unsigned i = 1; i < list.count; ++i) {
    inst.nsa.vgprs[i - 1] = static_cast<uint8_t>(address_field(i, inst.format).get(words.data()));
  }
  return check_ranges(list, inst.nsa);
}

}  // namespace spalt::isa
