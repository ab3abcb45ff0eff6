// SPDX-License-Identifier: MIT
#include "images.h"

#include <bit>

namespace spalt::run {
namespace {

vkrun::TexelPlace place_of(const Texels::Place& place) {
  return {static_cast<uint32_t>(place.level), static_cast<uint32_t>(place.x), static_cast<uint32_t>(place.y),
          static_cast<uint32_t>(place.slice)};
}

double number_of(const texel::Format& format, uint32_t bits) {
  if (format.layout.number == texel::Number::uint) return bits;
  if (format.layout.number == texel::Number::sint) return static_cast<int32_t>(bits);
  return std::bit_cast<float>(bits);
}

uint32_t bits_of(const texel::Format& format, double number) {
  if (vkrun::has_integers(format)) return static_cast<uint32_t>(static_cast<int64_t>(number));
  return std::bit_cast<uint32_t>(static_cast<float>(number));
}

}  // namespace

Texels::Texels(const vkrun::Manifest& manifest, vkrun::BufferContents& contents, const std::string& name) {
  for (size_t i = 0; i < manifest.images.size(); ++i) {
    if (manifest.images[i].name != name) continue;
    desc_ = &manifest.images[i];
    bytes_ = &contents.at(manifest.buffers.size() + i);
    return;
  }
  throw vkrun::Error("the manifest has no image " + name);
}

Vec4 Texels::load(const Place& place) const {
  const texel::Texel bits = load_bits(place);
  Vec4 value;
  for (size_t c = 0; c < 4; ++c) value[c] = number_of(*desc_->format, bits[c]);
  return value;
}

void Texels::store(const Place& place, const Vec4& value) {
  texel::Texel bits;
  for (size_t c = 0; c < 4; ++c) bits[c] = bits_of(*desc_->format, value[c]);
  store_bits(place, bits);
}

texel::Texel Texels::load_bits(const Place& place) const {
  return vkrun::load_texel(*desc_, *bytes_, place_of(place));
}

void Texels::store_bits(const Place& place, const texel::Texel& bits) {
  vkrun::store_texel(*desc_, *bytes_, place_of(place), bits);
}

int Texels::width(int level) const {
  return static_cast<int>(vkrun::level_size(*desc_, static_cast<uint32_t>(level)).width);
}

int Texels::height(int level) const {
  return static_cast<int>(vkrun::level_size(*desc_, static_cast<uint32_t>(level)).height);
}

int Texels::slices(int level) const {
  return static_cast<int>(vkrun::level_size(*desc_, static_cast<uint32_t>(level)).slices);
}

sampling::View Texels::view(bool is_cube) const {
  sampling::View view;
  view.axes = static_cast<int>(desc_->dimensions);
  view.is_cube = is_cube;
  view.size = {static_cast<int>(desc_->width), static_cast<int>(desc_->height), static_cast<int>(desc_->depth)};
  view.levels = levels();
  view.layers = static_cast<int>(desc_->layers);
  for (size_t c = 0; c < 4; ++c) {
    const texel::Select select = desc_->format->swizzle[c];
    view.has_component[c] = select != texel::Select::zero && select != texel::Select::one;
  }
  view.texel = [this](int level, int x, int y, int slice) { return load({x, y, slice, level}); };
  return view;
}

const vkrun::SamplerDesc& sampler_at(const vkrun::Manifest& manifest, uint32_t set, uint32_t binding,
                                     uint32_t element) {
  const auto is_there = [&](const auto& descriptor) {
    return descriptor.set == set && descriptor.binding == binding && descriptor.element == element;
  };
  for (const vkrun::SamplerDesc& sampler : manifest.samplers) {
    if (sampler.is_bound && is_there(sampler)) return sampler;
  }
  for (const vkrun::ImageDesc& image : manifest.images) {
    for (const vkrun::ImageBinding& view : image.bindings) {
      if (view.use == vkrun::ImageUse::Combined && is_there(view)) return manifest.samplers[view.sampler];
    }
  }
  throw vkrun::Error("the manifest has no such sampler");
}

}  // namespace spalt::run
