// SPDX-License-Identifier: MIT
// image_get_resinfo: the size of a level of the view, and how many levels there are.
#include "emu/image/image_access.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// Width, height, depth or layers, levels; 0s for levels that the view does not have. Cubes count faces; 1D arrays have
/// their layers in place of a height. (GFX9 has 2D arrays in their place.)
texel::Texel size_of(const ImageDescriptor& image, uint32_t relative) {
  if (!image.bound || relative > image.last_level - image.base_level) return {};
  const uint32_t level = image.base_level + relative;
  const uint32_t third = image.is_3d ? image.level_depth(level) : image.layers;
  const uint32_t second = image.is_1d ? image.layers : image.level_height(level);
  return {image.level_width(level), second, third, image.level_count()};
}

void image_get_resinfo(Wave& wave, const Step& step) {
  const ImageDescriptor image = read_resource(wave, step);
  const AddressOperands address = read_address(wave, step, image);
  if (wave.state() == WaveState::faulted) return;
  Transfer& transfer = begin_query(wave, step, texel::Number::uint);
  for_each_lane(transfer.lanes, [&](unsigned lane) {
    set_results(transfer, lane, step.inst.mods.dmask, size_of(image, address.lod.bits(lane)));
  });
  end_transfer(wave, transfer);
}

constexpr HandlerRow kRows[] = {
    {Op::image_get_resinfo, image_get_resinfo},
};

}  // namespace

void add_image_queries(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
