// SPDX-License-Identifier: MIT
#include "amdgpu/abi/descriptor_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "amdgpu/abi/descriptor_fields.h"
#include "amdgpu/abi/image_format.h"
#include "amdgpu/abi/image_layout.h"

namespace spalt::abi {
namespace {

using Words = std::span<const uint32_t>;

/// Lines of a text: names in a column of this width.
class Lines {
 public:
  explicit Lines(Words words) : words_(words) {}

  void line(const char* name, const std::string& value) {
    constexpr size_t kColumn = 20;
    text_ += name;
    text_.append(kColumn - std::char_traits<char>::length(name), ' ');
    text_ += value;
    text_ += '\n';
  }
  /// Nothing where the target lacks the field.
  void number(const char* name, const DescriptorField& field, uint64_t add = 0) {
    if (field.exists()) line(name, std::to_string(field.get(words_) + add));
  }
  /// A fixed-point number with 8 fraction bits.
  void fixed(const char* name, const DescriptorField& field, bool has_sign) {
    auto value = static_cast<int64_t>(field.get(words_));
    const auto limit = static_cast<int64_t>(field.max()) / 2 + 1;
    if (has_sign && value >= limit) value -= 2 * limit;
    std::array<char, 32> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.8g", static_cast<double>(value) / 256);
    line(name, buffer.data());
  }
  /// The number and its name; numbers beyond the names are reserved.
  void named(const char* name, const DescriptorField& field, std::span<const char* const> names) {
    if (!field.exists()) return;
    const uint64_t value = field.get(words_);
    line(name, std::to_string(value) + ' ' + (value < names.size() ? names[value] : "reserved"));
  }
  void address(const char* name, uint64_t value) {
    std::array<char, 32> buffer;
    std::snprintf(buffer.data(), buffer.size(), "0x%llx", static_cast<unsigned long long>(value));
    line(name, buffer.data());
  }
  uint64_t get(const DescriptorField& field) const { return field.get(words_); }
  std::string take() { return std::move(text_); }

 private:
  Words words_;
  std::string text_;
};

constexpr const char* kNumbers[] = {"unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "float", "ufloat", "srgb"};

std::string format_text(uint16_t code, const isa::Target& target) {
  const texel::Layout* layout = image_format_layout(code, target);
  if (layout == nullptr) return std::to_string(code) + " reserved";
  const char* shape = facts(layout->shape).name;
  if (*shape == 's') ++shape;
  return std::to_string(code) + ' ' + shape + ' ' + kNumbers[static_cast<size_t>(layout->number)];
}

std::string selects_text(Words words, const DescriptorField (&fields)[4]) {
  std::string text;
  for (const DescriptorField& field : fields) text += "01??xyzw"[field.get(words)];
  return text;
}

constexpr const char* kTypes[] = {"null",     "buffer",   "buffer",  "buffer",       "buffer", "buffer",
                                  "buffer",   "buffer",   "1d",      "2d",           "3d",     "cube",
                                  "1d_array", "2d_array", "2d_msaa", "2d_msaa_array"};
constexpr const char* kBorderOrders[] = {"xyzw", "xwyz", "wzyx", "wxyz", "zyxw", "yxwz"};
constexpr const char* kClamps[] = {"wrap",          "mirror",
                                   "clamp_to_edge", "mirror_once_to_edge",
                                   "half_border",   "mirror_once_half_border",
                                   "border",        "mirror_once_border"};
constexpr const char* kCompares[] = {"never",   "less",      "equal",         "less_equal",
                                     "greater", "not_equal", "greater_equal", "always"};
constexpr const char* kReductions[] = {"average", "minimum", "maximum"};
constexpr const char* kXyFilters[] = {"point", "linear", "point_anisotropic", "linear_anisotropic"};
constexpr const char* kZFilters[] = {"as_xy", "point", "linear"};
constexpr const char* kMipFilters[] = {"none", "point", "linear", "point_anisotropic"};
constexpr const char* kBorders[] = {"transparent_black", "opaque_black", "opaque_white", "palette"};

}  // namespace

std::string buffer_descriptor_text(std::span<const uint32_t, 4> words, const isa::Target& target) {
  const BufferFields& f = buffer_fields(target);
  Lines lines(words);
  lines.address("address", f.base.get(words));
  lines.number("stride", f.stride);
  lines.number("records", f.num_records);
  const auto code = static_cast<uint16_t>(f.format.get(words) | f.number_format.get(words) << kDataFormatBits);
  lines.line("format", format_text(code, target));
  lines.line("select", selects_text(words, f.dst_sel));
  lines.number("out_of_bounds", f.oob_select);
  return lines.take();
}

std::string image_descriptor_text(std::span<const uint32_t, 8> words, const isa::Target& target) {
  const ImageFields& f = image_fields(target);
  Lines lines(words);
  lines.address("address", f.base.get(words) * kImageAlignment);
  lines.named("type", f.type, kTypes);
  lines.line("format", format_text(static_cast<uint16_t>(f.format.get(words)), target));
  lines.number("width", f.width, 1);
  lines.number("height", f.height, 1);
  lines.number("depth_or_last_layer", f.depth);
  lines.number("first_layer", f.base_array);
  lines.number("slices_count", f.uav_3d);
  lines.number("first_level", f.base_level);
  lines.number("last_level", f.last_level);
  lines.number("levels", f.max_mip, 1);
  lines.number("pitch_field", f.pitch);
  lines.fixed("view_min_lod", f.min_lod, false);
  lines.line("select", selects_text(words, f.dst_sel));
  lines.named("border_select", f.bc_swizzle, kBorderOrders);
  lines.number("resource_level", f.resource_level);
  return lines.take();
}

std::string sampler_descriptor_text(std::span<const uint32_t, 4> words, const isa::Target& target) {
  const SamplerFields& f = sampler_fields(target);
  Lines lines(words);
  lines.named("clamp_x", f.clamp[0], kClamps);
  lines.named("clamp_y", f.clamp[1], kClamps);
  lines.named("clamp_z", f.clamp[2], kClamps);
  lines.named("mag_filter", f.xy_mag, kXyFilters);
  lines.named("min_filter", f.xy_min, kXyFilters);
  lines.named("z_filter", f.z_filter, kZFilters);
  lines.named("mip_filter", f.mip_filter, kMipFilters);
  lines.named("reduction", f.filter_mode, kReductions);
  lines.fixed("min_lod", f.min_lod, false);
  lines.fixed("max_lod", f.max_lod, false);
  lines.fixed("lod_bias", f.lod_bias, true);
  lines.line("max_anisotropy", std::to_string(1u << std::min<uint64_t>(f.max_aniso_ratio.get(words), 4)));
  lines.number("aniso_threshold", f.aniso_threshold);
  lines.number("aniso_bias", f.aniso_bias);
  lines.number("perf_mip", f.perf_mip);
  lines.named("compare", f.compare, kCompares);
  lines.number("unnormalized", f.force_unnormalized);
  lines.number("truncate", f.trunc_coord);
  lines.number("separate_faces", f.disable_cube_wrap);
  lines.named("border", f.border_color_type, kBorders);
  lines.number("palette_index", f.border_color_index);
  return lines.take();
}

}  // namespace spalt::abi
