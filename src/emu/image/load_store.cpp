// SPDX-License-Identifier: MIT
// image_load and image_store with and without a level (sections "Image Load" and "Image Store" of the ISA guides):
// integer coordinates, one texel for each lane. What is out of range reads as 0, through dst_sel, and is not stored.
#include <algorithm>

#include "emu/image/image_access.h"
#include "emu/image/texel_value.h"
#include "emu/launch/program.h"
#include "texel/channel.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

bool faulted(const Wave& wave) {
  return wave.state() == WaveState::faulted;
}

void image_load(Wave& wave, const Step& step) {
  const ImageDescriptor image = read_resource(wave, step);
  const AddressOperands address = read_address(wave, step, image);
  if (faulted(wave)) return;
  Transfer& transfer = begin_texel_read(wave, step, image, TexelRead::Kind::load);
  const bool fetches = step.inst.mods.dmask != 0;
  for_each_lane(transfer.lanes, [&](unsigned lane) {
    const auto place = fetches ? named_texel(image, address, lane) : std::nullopt;
    begin_lane(transfer, lane);
    if (!faulted(wave) && place && add_texel(wave, transfer, image, *place, lane)) return;
    add_tap(transfer, Tap::Kind::zero, lane);
  });
  end_transfer(wave, transfer);
}

/// How the data registers of a store become channels in memory.
class StoredTexel {
 public:
  StoredTexel(const Wave& wave, const Step& step, const ImageDescriptor& image)
      : wave_(wave), data_(step.src[0].index), halves_(step.inst.mods.d16), number_(image.layout.number) {
    unsigned registers = 0;
    std::array<int, 4> position{};
    for (unsigned component = 0; component < 4; ++component) {
      const bool enabled = (step.inst.mods.dmask >> component & 1) != 0;
      position[component] = enabled ? static_cast<int>(registers++) : fill(wave);
    }
    // A channel gets the first component that is read from it; one that is read by none what missing components get.
    for (unsigned channel = 0; channel < 4; ++channel) {
      const auto reads = [channel](uint8_t select) { return select == abi::kSelectX + channel; };
      const auto at = std::find_if(image.dst_sel.begin(), image.dst_sel.end(), reads);
      from_[channel] =
          at == image.dst_sel.end() ? fill(wave) : position[static_cast<size_t>(at - image.dst_sel.begin())];
    }
  }

  texel::Texel channels(unsigned lane) const {
    texel::Texel channels{};
    for (unsigned channel = 0; channel < 4; ++channel) {
      if (from_[channel] != kZero) channels[channel] = value(static_cast<unsigned>(from_[channel]), lane);
    }
    return channels;
  }

 private:
  static constexpr int kZero = -1;
  /// What stands for components that dmask leaves out: 0, or the first one that it has.
  static int fill(const Wave& wave) { return wave.program().target().format_store_repeats_x ? 0 : kZero; }

  uint32_t value(unsigned index, unsigned lane) const {
    if (!halves_) return wave_.vgpr(data_ + index)[lane];
    return texel::widen16(number_, wave_.vgpr(data_ + index / 2)[lane] >> index % 2 * 16);
  }

  const Wave& wave_;
  unsigned data_;
  bool halves_;
  texel::Number number_;
  std::array<int, 4> from_{};
};

AccessShape shape_of(const ImageDescriptor& image) {
  if (!image.bound) return store_shape(4, 1);
  const unsigned bytes = std::min(image.texel_bytes(), 4u);
  return store_shape(bytes, image.texel_bytes() / bytes);
}

void set_bytes(Transfer& transfer, unsigned lane, const std::array<std::byte, 16>& bytes) {
  for (unsigned c = 0; c < transfer.components; ++c) {
    uint32_t& data = transfer.data[c][lane] = 0;
    for (unsigned i = 0; i < transfer.component_bytes; ++i) {
      data |= std::to_integer<uint32_t>(bytes[c * transfer.component_bytes + i]) << (8 * i);
    }
  }
}

void image_store(Wave& wave, const Step& step) {
  const ImageDescriptor image = read_resource(wave, step);
  const AddressOperands address = read_address(wave, step, image);
  if (image.bound && image.shape->is_compressed()) {
    wave.fault(FaultKind::invalid_instruction, "stores to a compressed image");
  }
  if (faulted(wave)) return;
  Transfer& transfer = begin_transfer(wave, step, shape_of(image));
  const StoredTexel stored(wave, step, image);
  const texel::Codec& codec = texel::codec_of(image.layout);
  for_each_lane(transfer.lanes, [&](unsigned lane) {
    if (faulted(wave)) return;
    const auto place = step.inst.mods.dmask != 0 ? named_texel(image, address, lane) : std::nullopt;
    if (!place) {
      place_lane(wave, transfer, lane, 0, 0);
      return;
    }
    std::array<std::byte, 16> bytes{};
    codec.encode(stored.channels(lane), bytes.data());
    set_bytes(transfer, lane, bytes);
    place_lane(wave, transfer, lane, texel_address(image, *place), kAllValid);
  });
  end_transfer(wave, transfer);
}

constexpr HandlerRow kRows[] = {
    {Op::image_load, image_load},
    {Op::image_load_mip, image_load},
    {Op::image_store, image_store},
    {Op::image_store_mip, image_store},
};

}  // namespace

void add_image_load_store(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
