// SPDX-License-Identifier: MIT
#include "emu/image/image_access.h"

#include <algorithm>

#include "emu/image/image_facts.h"
#include "emu/launch/program.h"

namespace spalt::emu {
namespace {

/// The slice that an address names, and whether it is there.
struct Slice {
  uint64_t index;
  bool inside;
};

Slice slice_of(const ImageDescriptor& image, const AddressOperands& address, uint32_t level, unsigned lane) {
  const bool third_axis = address.dim.axes == 3;
  const uint64_t index = (third_axis ? address.coordinates[2] : address.slice).bits(lane);
  const uint32_t count = image.is_3d ? image.level_depth(level) : image.layers;
  return {image.first_layer + index, index < count};
}

}  // namespace

ImageDescriptor read_resource(Wave& wave, const Step& step) {
  return read_image_descriptor(wave, step.src[resource_slot(step)].index, step.inst.mods.r128);
}

std::optional<TexelPlace> named_texel(const ImageDescriptor& image, const AddressOperands& address, unsigned lane) {
  const uint32_t relative = address.lod.bits(lane);
  if (!image.bound || relative > image.last_level - image.base_level) return std::nullopt;
  TexelPlace at;
  at.level = image.base_level + relative;
  at.x = address.coordinates[0].bits(lane);
  at.y = address.coordinates[1].bits(lane);
  const uint32_t sample = address.sample.bits(lane);
  const Slice slice = slice_of(image, address, at.level, lane);
  if (at.level < image.min_lod >> 8 || at.x >= image.level_width(at.level) || at.y >= image.level_height(at.level) ||
      !slice.inside || sample >= image.samples) {
    return std::nullopt;
  }
  at.slice = static_cast<uint32_t>(slice.index * image.samples + sample);
  return at;
}

namespace {

Transfer& begin_read(Wave& wave, const Step& step, TexelRead::Kind kind) {
  AccessShape shape = load_shape(4, 0);
  shape.sampler = step.path != MemoryPath::plain;
  Transfer& transfer = begin_transfer(wave, step, shape);
  TexelRead& read = transfer.texels;
  read.kind = kind;
  read.halves = step.inst.mods.d16;
  read.results = 0;
  read.registers = static_cast<uint8_t>(step.dst_dwords - (step.inst.mods.tfe || step.inst.mods.lwe ? 1 : 0));
  read.tap_count.fill(0);
  return transfer;
}

}  // namespace

Transfer& begin_query(Wave& wave, const Step& step, texel::Number number) {
  Transfer& transfer = begin_read(wave, step, TexelRead::Kind::known);
  transfer.texels.layout.number = number;
  transfer.texels.results = static_cast<uint8_t>(std::max(1, std::popcount(step.inst.mods.dmask)));
  return transfer;
}

void set_results(Transfer& transfer, unsigned lane, unsigned dmask, const texel::Texel& components) {
  unsigned count = 0;
  if (dmask == 0) transfer.data[0][lane] = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if ((dmask >> component & 1) != 0) transfer.data[count++][lane] = components[component];
  }
}

Transfer& begin_texel_read(Wave& wave, const Step& step, const ImageDescriptor& image, TexelRead::Kind kind) {
  Transfer& transfer = begin_read(wave, step, kind);
  TexelRead& read = transfer.texels;
  const isa::Modifiers& mods = step.inst.mods;
  read.layout = image.layout;
  read.texel_bytes = image.bound ? image.shape->bytes : uint8_t{4};
  read.compare = TexelRead::kNoCompare;
  read.reduction = TexelRead::Reduction::average;
  for (unsigned component = 0; component < 4; ++component) {
    if ((mods.dmask >> component & 1) != 0) read.select[read.results++] = image.dst_sel[component];
  }
  // Without a component, the first register becomes 0, and nothing is fetched.
  if (mods.dmask == 0) read.select[read.results++] = abi::kSelect0;
  if (!image.bound) read.select.fill(abi::kSelect0);
  return transfer;
}

void begin_lane(Transfer& transfer, unsigned lane) {
  transfer.texels.first_tap[lane] = static_cast<uint16_t>(transfer.texels.taps.size());
}

bool add_texel(Wave& wave, Transfer& transfer, const ImageDescriptor& image, const TexelPlace& at, unsigned lane,
               double weight) {
  const std::optional<uint8_t*> place =
      locate(wave, TransferKind::load, lane, texel_address(image, at), transfer.texels.texel_bytes);
  if (!place) return false;
  const bool absent = *place == nullptr;
  if (absent) transfer.absent_lanes |= uint64_t{1} << lane;
  transfer.texels.taps.push_back(
      {*place, weight, absent ? Tap::Kind::absent : Tap::Kind::texel, texel_in_block(image, at)});
  ++transfer.texels.tap_count[lane];
  return true;
}

void add_tap(Transfer& transfer, Tap::Kind kind, unsigned lane, double weight) {
  transfer.texels.taps.push_back({nullptr, weight, kind, 0});
  ++transfer.texels.tap_count[lane];
}

}  // namespace spalt::emu
