// SPDX-License-Identifier: MIT
#include "sampler_states.h"

#include <bit>

#include "vkrun/image_texels.h"

namespace spalt::sampling {
namespace {

using vkrun::ImageBinding;
using vkrun::ImageDesc;
using vkrun::SamplerDesc;

constexpr uint32_t kClampToEdge = 2, kClampToBorder = 3, kAddressModes = 5;
constexpr uint32_t kFloatCustom = 1000287003, kIntCustom = 1000287004;

/// Filters as bits: magnification 1, the mip filter 2; 4: minification differs from magnification.
struct Filters {
  uint32_t mag, min, mip;
};
Filters filters_of(uint32_t number) {
  const uint32_t mag = number & 1;
  return {mag, number >> 2 ^ mag, number < 4 ? number >> 1 : 1};
}

ImageBinding whole(const Kind& kind, const ImageDesc& image) {
  ImageBinding binding;
  binding.use = vkrun::ImageUse::Combined;
  binding.format = image.format;
  binding.view_type = kind.view_type;
  binding.level_count = image.levels;
  binding.layer_count = image.layers;
  return binding;
}

/// Without the first level and, of arrays, the first layer.
ImageBinding part(const Kind& kind, const ImageDesc& image) {
  ImageBinding binding = whole(kind, image);
  binding.first_level = 1;
  --binding.level_count;
  const uint32_t unit = kind.is_cube ? 6 : 1;
  if (kind.is_array && image.layers > unit) {
    binding.first_layer = unit;
    binding.layer_count -= unit;
  }
  return binding;
}

/// Makes the states of one theme.
class Maker {
 public:
  Maker(const Kind& kind, const ImageDesc& image, Operation operation, bool quick)
      : kind_(kind), image_(image), operation_(operation), quick_(quick) {}

  std::vector<SamplerState> plain(bool mixed) {
    for (uint32_t mode = 0; mode < kAddressModes; ++mode) {
      for (const uint32_t filters : filter_numbers()) {
        SamplerDesc sampler = base(mode, filters);
        if (mixed) {
          for (uint32_t axis = 0; axis < 3; ++axis) sampler.address_modes[axis] = (mode + axis * 2) % kAddressModes;
        }
        if (mode == 2 && filters == 5) sampler.lod_bias = -1.25f;
        if (mode == 3 && filters >= 2) sampler.lod_bias = 0.75f;
        if (mode == 4 && filters >= 2) {
          sampler.min_lod = 0.25f;
          // A limit of the operation must not be above it.
          if (!has_own_limit()) sampler.max_lod = 1.625f;
        }
        add(sampler, mixed ? part(kind_, image_) : whole(kind_, image_));
      }
    }
    return std::move(states_);
  }

  std::vector<SamplerState> reduction() {
    for (uint32_t mode = 0; mode < kAddressModes; ++mode) {
      for (const uint32_t filters : {1u, 3u, 5u}) {
        SamplerDesc sampler = base(mode, filters);
        sampler.reduction = 1 + (mode + filters / 2) % 2;
        add(sampler, whole(kind_, image_));
      }
    }
    return std::move(states_);
  }

  std::vector<SamplerState> anisotropy() {
    uint32_t number = 0;
    for (const float most : {1.0f, 2.0f, 3.0f, 4.0f, 8.0f, 16.0f}) {
      for (const uint32_t filters : {1u, 3u, 5u}) {
        SamplerDesc sampler = base(number++ % kAddressModes, filters);
        sampler.anisotropy = most;
        add(sampler, whole(kind_, image_));
      }
    }
    return std::move(states_);
  }

  std::vector<SamplerState> border() {
    constexpr uint32_t kColors = 6;  // three fixed ones, three of one's own
    constexpr std::array<uint32_t, 4> kSwizzles[] = {{0, 0, 0, 0}, {6, 3, 4, 5}, {5, 1, 2, 3}, {4, 4, 6, 6}};
    for (uint32_t color = 0; color < kColors; ++color) {
      for (const auto& swizzle : kSwizzles) {
        const uint32_t filters = has_integers() || facts(operation_).gathers ? 0 : (color + swizzle[0]) % 4;
        SamplerDesc sampler = base(kClampToBorder, filters);
        set_color(sampler, color);
        // Results of comparisons are of the depth alone.
        ImageBinding binding = whole(kind_, image_);
        if (!facts(operation_).compares) binding.swizzle = swizzle;
        add(sampler, binding);
      }
    }
    return std::move(states_);
  }

  std::vector<SamplerState> non_seamless() {
    for (uint32_t mode = 0; mode < kAddressModes; ++mode) {
      for (const uint32_t filters : filter_numbers()) {
        SamplerDesc sampler = base(mode, filters);
        sampler.non_seamless = true;
        sampler.address_modes[1] = (mode + filters) % kAddressModes;
        add(sampler, whole(kind_, image_));
      }
    }
    return std::move(states_);
  }

 private:
  bool has_integers() const { return vkrun::has_integers(*image_.format); }

  bool has_own_limit() const {
    return operation_ == Operation::ClampedGradients || operation_ == Operation::ImplicitClamp;
  }

  std::vector<uint32_t> filter_numbers() const {
    if (has_integers() || facts(operation_).gathers) return {0};
    if (operation_ == Operation::Unnormalized) return {0, 1};
    return {0, 1, 2, 3, 4, 5};
  }

  SamplerDesc base(uint32_t mode, uint32_t number) const {
    const Filters filters = filters_of(number);
    SamplerDesc sampler;
    sampler.address_modes = {mode, mode, mode};
    sampler.mag_filter = filters.mag;
    sampler.min_filter = filters.min;
    sampler.mipmap_mode = filters.mip;
    sampler.border_color = (mode * 2 + number) % 3 * 2 + (has_integers() ? 1 : 0);
    if (facts(operation_).compares) sampler.compare_op = (mode + number * 3) % 8;
    if (operation_ == Operation::Unnormalized) {
      sampler.unnormalized = true;
      sampler.max_lod = 0.0f;
      sampler.address_modes.fill(mode % 2 == 0 ? kClampToEdge : kClampToBorder);
    }
    return sampler;
  }

  void set_color(SamplerDesc& sampler, uint32_t color) const {
    constexpr float kFloats[][4] = {{0.25f, 0.5f, 0.75f, 1.0f}, {1.0f, 0.0f, 0.5f, 0.25f}, {0.0f, 1.0f, 1.0f, 0.0f}};
    constexpr uint32_t kIntegers[][4] = {{1, 2, 3, 1}, {3, 0, 1, 2}, {0, 1, 3, 3}};  // two bits have room for them
    if (color < 3) {
      sampler.border_color = color * 2 + (has_integers() ? 1 : 0);
      return;
    }
    sampler.border_color = has_integers() ? kIntCustom : kFloatCustom;
    std::array<uint32_t, 4>& bits = sampler.custom_border.emplace();
    for (size_t c = 0; c < 4; ++c) {
      bits[c] = has_integers() ? kIntegers[color - 3][c] : std::bit_cast<uint32_t>(kFloats[color - 3][c]);
    }
  }

  void add(const SamplerDesc& sampler, ImageBinding binding) {
    if (facts(operation_).fetches && !states_.empty()) return;  // samplers do not count
    if (operation_ == Operation::Unnormalized) binding.level_count = 1;
    if (quick_ && number_++ % 3 != kind_.view_type % 3) return;
    binding.element = static_cast<uint32_t>(states_.size());
    binding.sampler = states_.size();
    states_.push_back({sampler, binding});
  }

  const Kind& kind_;
  const ImageDesc& image_;
  Operation operation_;
  bool quick_;
  uint32_t number_ = 0;
  std::vector<SamplerState> states_;
};

}  // namespace

const char* theme_name(Theme theme) {
  constexpr const char* kNames[] = {"", " mixed", " reduction", " anisotropy", " border", " non_seamless"};
  return kNames[static_cast<size_t>(theme)];
}

std::vector<SamplerState> sampler_states(const Kind& kind, const ImageDesc& image, Operation operation, Theme theme,
                                         bool quick) {
  Maker maker(kind, image, operation, quick);
  switch (theme) {
    case Theme::Plain:
      return maker.plain(false);
    case Theme::Mixed:
      return maker.plain(true);
    case Theme::Reduction:
      return maker.reduction();
    case Theme::Anisotropy:
      return maker.anisotropy();
    case Theme::Border:
      return maker.border();
    case Theme::NonSeamless:
      return maker.non_seamless();
  }
  return {};
}

}  // namespace spalt::sampling
