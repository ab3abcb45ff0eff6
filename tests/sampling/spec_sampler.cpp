// SPDX-License-Identifier: MIT
#include "spec_sampler.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>

namespace spalt::sampling {
namespace {

constexpr int kOutside = -1;  // what a wrapped coordinate is when it asks for the border

int modulo(int value, int by) {
  const int rest = value % by;
  return rest < 0 ? rest + by : rest;
}

int mirror(int value) {
  return value >= 0 ? value : -(1 + value);
}

/// "Wrapping Operation": the texel for an index, or kOutside.
int wrap(int index, int size, uint32_t mode) {
  switch (mode) {
    case 0:  // repeat
      return modulo(index, size);
    case 1:  // mirrored repeat
      return size - 1 - mirror(modulo(index, 2 * size) - size);
    case 2:  // clamp to edge
      return std::clamp(index, 0, size - 1);
    case 3:  // clamp to border
      return index < 0 || index >= size ? kOutside : index;
    default:  // mirror clamp to edge
      return std::clamp(mirror(index), 0, size - 1);
  }
}

/// A component of a custom colour.
double custom_component(const View& view, uint32_t bits) {
  if (view.has_signed_integers) return static_cast<int32_t>(bits);
  if (view.has_integers) return bits;
  return double{std::bit_cast<float>(bits)};
}

/// "Conversion to RGBA" comes after the replacement of texels by borders.
Vec4 border_of(const View& view, const SamplerDesc& sampler) {
  constexpr double kColors[][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
  Vec4 color;
  for (size_t c = 0; c < 4; ++c) {
    color[c] = c == 3 ? 1.0 : 0.0;
    if (!view.has_component[c]) continue;
    color[c] = sampler.custom_border ? custom_component(view, (*sampler.custom_border)[c])
                                     : kColors[sampler.border_color / 2][c];
  }
  return color;
}

/// "Component Swizzle", by the numbers of VkComponentSwizzle.
Vec4 swizzled(const View& view, const Vec4& texel) {
  constexpr uint32_t kIdentity = 0, kZero = 1, kOne = 2, kRed = 3;
  Vec4 result;
  for (size_t c = 0; c < 4; ++c) {
    const uint32_t from = view.swizzle[c];
    result[c] = from == kIdentity ? texel[c] : from == kZero ? 0.0 : from == kOne ? 1.0 : texel[from - kRed];
  }
  return result;
}

bool passes(uint32_t op, double reference, double value) {
  switch (op) {
    case 0:
      return false;
    case 1:
      return reference < value;
    case 2:
      return reference == value;
    case 3:
      return reference <= value;
    case 4:
      return reference > value;
    case 5:
      return reference != value;
    case 6:
      return reference >= value;
    default:
      return true;
  }
}

int level_extent(int size, int level) {
  return std::max(1, size >> level);
}

/// One operation on one level.
class LevelSampler {
 public:
  LevelSampler(const View& view, const SamplerDesc& sampler, const Access& access, int level)
      : view_(view), sampler_(sampler), access_(access), level_(level) {
    for (size_t axis = 0; axis < 3; ++axis) size_[axis] = level_extent(view.size[axis], level);
    place();
  }

  Vec4 filtered(bool linear) const {
    if (!linear) {
      std::array<int, 3> index{};
      for (size_t axis = 0; axis < axes(); ++axis) index[axis] = static_cast<int>(std::floor(at_[axis]));
      return texel(index, true);
    }
    std::array<int, 3> first{};
    std::array<double, 3> weight{};
    for (size_t axis = 0; axis < axes(); ++axis) {
      const double shifted = at_[axis] - 0.5;
      first[axis] = static_cast<int>(std::floor(shifted));
      weight[axis] = shifted - std::floor(shifted);
    }
    return reduced(first, weight);
  }

  /// Texel (i0, j0) and its neighbours, in the order of gathers.
  std::array<Vec4, 4> four_texels() const {
    std::array<int, 3> first{};
    for (size_t axis = 0; axis < 2; ++axis) first[axis] = static_cast<int>(std::floor(at_[axis] - 0.5));
    const auto at = [&](int dx, int dy) { return texel({first[0] + dx, first[1] + dy, 0}, false); };
    return {at(0, 1), at(1, 1), at(1, 0), at(0, 0)};
  }

 private:
  size_t axes() const { return static_cast<size_t>(view_.axes); }

  /// Unnormalized coordinates on the level, and the layer.
  void place() {
    constexpr double kMost = 0x1p+30;  // far outside of any image; offsets still count
    int layers = view_.layers;
    if (view_.is_cube) {
      const FacePoint point = face_of(access_.coordinates);
      at_ = {point.s * size_[0], point.t * size_[1], 0.0};
      face_ = point.face;
      layers /= 6;
    } else {
      for (size_t axis = 0; axis < axes(); ++axis) {
        const double scale = sampler_.unnormalized ? 1.0 : size_[axis];
        at_[axis] = std::clamp(access_.coordinates[axis] * scale, -kMost, kMost) + access_.offset[axis];
      }
    }
    for (size_t axis = 0; axis < axes(); ++axis) {
      at_[axis] += access_.moved[static_cast<size_t>(level_ & 1)][axis];
      const double center = std::floor(at_[axis]) + 0.5;
      if (std::abs(at_[axis] - center) < access_.snap[static_cast<size_t>(level_ & 1)][axis]) at_[axis] = center;
    }
    layer_ = static_cast<int>(std::clamp<double>(std::nearbyint(access_.layer), 0, layers - 1));
    if (view_.is_cube) layer_ *= 6;
  }

  /// The weighted mean, minimum or maximum of the texels that count.
  Vec4 reduced(const std::array<int, 3>& first, const std::array<double, 3>& weight) const {
    Vec4 sum = {};
    Vec4 least = {INFINITY, INFINITY, INFINITY, INFINITY};
    Vec4 most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (unsigned corner = 0; corner < 1u << axes(); ++corner) {
      std::array<int, 3> index = first;
      double w = 1.0;
      for (size_t axis = 0; axis < axes(); ++axis) {
        const bool second = (corner >> axis & 1) != 0;
        index[axis] += second ? 1 : 0;
        w *= second ? weight[axis] : 1.0 - weight[axis];
      }
      if (w == 0.0) continue;
      const Vec4 value = texel(index, false);
      for (size_t c = 0; c < 4; ++c) {
        sum[c] += w * value[c];
        least[c] = std::min(least[c], value[c]);
        most[c] = std::max(most[c], value[c]);
      }
    }
    return sampler_.reduction == 0 ? sum : sampler_.reduction == 1 ? least : most;
  }

  /// After wrapping, border and comparison.
  Vec4 texel(std::array<int, 3> index, bool nearest) const {
    if (view_.is_cube && !sampler_.non_seamless) return cube_texel(index, nearest);
    bool inside = true;
    for (size_t axis = 0; axis < axes(); ++axis) {
      index[axis] = wrap(index[axis], size_[axis], sampler_.address_modes[axis]);
      inside = inside && index[axis] != kOutside;
    }
    if (!inside) return compared(border_of(view_, sampler_));
    return compared(view_.texel(level_, index[0], index[1], view_.axes == 3 ? index[2] : layer_ + face_));
  }

  Vec4 compared(const Vec4& value) const {
    if (!access_.reference) return value;
    const double given = *access_.reference;
    const double reference = view_.clamps_reference ? std::clamp(given, 0.0, 1.0) : given;
    return {passes(sampler_.compare_op.value_or(7), reference, value[0]) ? 1.0 : 0.0, 0.0, 0.0, 1.0};
  }

  /// Texels over an edge are those of the neighbouring face; one over a corner is the mean of the three that meet
  /// there, each compared first.
  Vec4 cube_texel(const std::array<int, 3>& index, bool nearest) const {
    const int n = size_[0];
    const auto on_face = [&](int face, int x, int y) {
      return compared(view_.texel(level_, std::clamp(x, 0, n - 1), std::clamp(y, 0, n - 1), layer_ + face));
    };
    const bool out_x = index[0] < 0 || index[0] >= n;
    const bool out_y = index[1] < 0 || index[1] >= n;
    if (nearest || (!out_x && !out_y)) return on_face(face_, index[0], index[1]);
    const auto neighbour = [&](int x, int y) {
      const FacePoint over = {face_, (x + 0.5) / n, (y + 0.5) / n};
      const FacePoint point = face_of(direction_of(over));
      return on_face(point.face, static_cast<int>(std::floor(point.s * n)), static_cast<int>(std::floor(point.t * n)));
    };
    if (!out_x || !out_y) return neighbour(index[0], index[1]);
    const int inside_x = std::clamp(index[0], 0, n - 1);
    const int inside_y = std::clamp(index[1], 0, n - 1);
    const Vec4 a = on_face(face_, inside_x, inside_y);
    const Vec4 b = neighbour(index[0], inside_y);
    const Vec4 c = neighbour(inside_x, index[1]);
    Vec4 mean;
    for (size_t i = 0; i < 4; ++i) mean[i] = (a[i] + b[i] + c[i]) / 3.0;
    return mean;
  }

  const View& view_;
  const SamplerDesc& sampler_;
  const Access& access_;
  int level_;
  std::array<int, 3> size_{};
  std::array<double, 3> at_{};
  int layer_ = 0;
  int face_ = 0;
};

/// Derivatives of the coordinates on a face from those of the direction.
std::array<double, 3> on_face(const std::array<double, 3>& direction, const std::array<double, 3>& derivative) {
  // The derivative of the projection is that of a quotient: a small difference would lose digits.
  const FacePoint point = face_of(direction);
  const auto select = [&](const std::array<double, 3>& v) -> std::array<double, 3> {
    switch (point.face) {
      case 0:
        return {-v[2], -v[1], v[0]};
      case 1:
        return {v[2], -v[1], -v[0]};
      case 2:
        return {v[0], v[2], v[1]};
      case 3:
        return {v[0], -v[2], -v[1]};
      case 4:
        return {v[0], -v[1], v[2]};
      default:
        return {-v[0], -v[1], -v[2]};
    }
  };
  const std::array<double, 3> c = select(direction);  // sc, tc and the length of the major axis
  const std::array<double, 3> d = select(derivative);
  return {0.5 * (d[0] * c[2] - c[0] * d[2]) / (c[2] * c[2]), 0.5 * (d[1] * c[2] - c[1] * d[2]) / (c[2] * c[2]), 0.0};
}

double base_lod(const View& view, const Access& access) {
  if (!access.gradients) return access.lod;
  return std::log2(footprint_of(view, image_gradients(view, access, *access.gradients)).longer);
}

double clamped_lod(const View& view, const SamplerDesc& sampler, const Access& access) {
  const double least = std::max<double>(sampler.min_lod, access.min_lod);
  return std::clamp<double>(base_lod(view, access) + sampler.lod_bias + access.bias, least,
                            std::max<double>(sampler.max_lod, least));
}

Vec4 filtered(const View& view, const SamplerDesc& sampler, const Access& access) {
  const double lod = clamped_lod(view, sampler, access);
  const bool linear = (lod <= 0.0 ? sampler.mag_filter : sampler.min_filter) != 0;
  const double d = std::clamp<double>(lod, 0.0, view.levels - 1);
  const auto at = [&](int level) { return LevelSampler(view, sampler, access, level).filtered(linear); };
  if (sampler.mipmap_mode == 0) return at(static_cast<int>(std::ceil(d + 0.5)) - 1);
  const int high = static_cast<int>(std::floor(d));
  const int low = std::min(high + 1, view.levels - 1);
  const double weight = d - high;
  if (weight == 0.0) return at(high);
  const Vec4 a = at(high);
  const Vec4 b = at(low);
  Vec4 result;
  for (size_t c = 0; c < 4; ++c) {
    const double extreme = sampler.reduction == 1 ? std::min(a[c], b[c]) : std::max(a[c], b[c]);
    result[c] = sampler.reduction == 0 ? a[c] + weight * (b[c] - a[c]) : extreme;
  }
  return result;
}

}  // namespace

Gradients image_gradients(const View& view, const Access& access,
                          const std::array<std::array<double, 3>, 2>& derivatives) {
  if (!view.is_cube) return derivatives;
  return {on_face(access.coordinates, derivatives[0]), on_face(access.coordinates, derivatives[1])};
}

Footprint footprint_of(const View& view, const Gradients& gradients) {
  double rho[2];
  for (size_t direction = 0; direction < 2; ++direction) {
    double sum = 0.0;
    for (size_t axis = 0; axis < static_cast<size_t>(view.axes); ++axis) {
      const double texels = gradients[direction][axis] * view.size[axis];
      sum += texels * texels;
    }
    rho[direction] = std::sqrt(sum);
  }
  return {std::max(rho[0], rho[1]), std::min(rho[0], rho[1]), gradients[rho[0] >= rho[1] ? 0 : 1]};
}

FacePoint face_of(const std::array<double, 3>& v) {
  const double x = std::abs(v[0]);
  const double y = std::abs(v[1]);
  const double z = std::abs(v[2]);
  const auto on = [](int face, double sc, double tc, double ma) -> FacePoint {
    return {face, 0.5 * (sc / ma + 1.0), 0.5 * (tc / ma + 1.0)};
  };
  if (z >= x && z >= y) return v[2] >= 0.0 ? on(4, v[0], -v[1], z) : on(5, -v[0], -v[1], z);
  if (y >= x) return v[1] >= 0.0 ? on(2, v[0], v[2], y) : on(3, v[0], -v[2], y);
  return v[0] >= 0.0 ? on(0, -v[2], -v[1], x) : on(1, v[2], -v[1], x);
}

std::array<double, 3> direction_of(const FacePoint& point) {
  const double s = 2.0 * point.s - 1.0;
  const double t = 2.0 * point.t - 1.0;
  switch (point.face) {
    case 0:
      return {1.0, -t, -s};
    case 1:
      return {-1.0, -t, s};
    case 2:
      return {s, 1.0, t};
    case 3:
      return {s, -1.0, -t};
    case 4:
      return {s, -t, 1.0};
    default:
      return {-s, -t, -1.0};
  }
}

Vec4 sample(const View& view, const SamplerDesc& sampler, const Access& access) {
  return swizzled(view, filtered(view, sampler, access));
}

Vec4 gather(const View& view, const SamplerDesc& sampler, const Access& access, int component, bool each) {
  const auto c = static_cast<size_t>(access.reference ? 0 : component);
  Vec4 result;
  if (!each) {
    const std::array<Vec4, 4> texels = LevelSampler(view, sampler, access, 0).four_texels();
    for (size_t i = 0; i < 4; ++i) result[i] = swizzled(view, texels[i])[c];
    return result;
  }
  for (size_t i = 0; i < 4; ++i) {
    Access one = access;
    one.offset = {access.four_offsets[i][0], access.four_offsets[i][1], 0};
    result[i] = swizzled(view, LevelSampler(view, sampler, one, 0).four_texels()[3])[c];
  }
  return result;
}

Vec4 fetch(const View& view, const Access& access) {
  const auto at = [&](size_t axis) { return static_cast<int>(access.coordinates[axis]) + access.offset[axis]; };
  const int slice = view.axes == 3 ? at(2) : static_cast<int>(access.layer);
  return swizzled(view, view.texel(static_cast<int>(access.lod), at(0), view.axes > 1 ? at(1) : 0, slice));
}

double selected_lod(const View& view, const SamplerDesc& sampler, const Access& access) {
  return std::clamp<double>(clamped_lod(view, sampler, access), 0.0, view.levels - 1);
}

std::array<double, 2> query_lod(const View& view, const SamplerDesc& sampler, const Access& access) {
  const double d = selected_lod(view, sampler, access);
  const double lod = std::max<double>(base_lod(view, access) + sampler.lod_bias + access.bias, -FLT_MAX);
  return {sampler.mipmap_mode == 0 ? std::ceil(d + 0.5) - 1.0 : d, lod};
}

Vec4 border_color(const View& view, const SamplerDesc& sampler) {
  return swizzled(view, border_of(view, sampler));
}

}  // namespace spalt::sampling
