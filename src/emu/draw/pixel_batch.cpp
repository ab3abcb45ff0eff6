// SPDX-License-Identifier: MIT
#include "emu/draw/pixel_batch.h"

#include <bit>

#include "emu/vector/float_math.h"

namespace spalt::emu {
namespace {

// What is not there is junk.
constexpr uint32_t kJunk = 0xbad0c0de, kOne = 0x3f800000;

float number(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

uint32_t difference(uint32_t a, uint32_t b, bool half) {
  if (!half) return bits(number(a) - number(b));
  const auto part = [&](unsigned shift) {
    const float value = half_to_float(a >> shift & 0xffff) - half_to_float(b >> shift & 0xffff);
    return float_to_half(value, 0) << shift;
  };
  return part(0) | part(16);
}

uint32_t default_value(unsigned which, unsigned channel) {
  constexpr uint32_t kValues[4][4] = {{0, 0, 0, 0}, {0, 0, 0, kOne}, {kOne, kOne, kOne, 0}, {kOne, kOne, kOne, kOne}};
  return kValues[which & 3][channel];
}

}  // namespace

uint32_t PixelBatch::at_corner(const PixelPrimitive& primitive, unsigned corner, const object::ParameterSource& source,
                               unsigned channel) const {
  if (source.slot >= vertices_.slots()) return kJunk;
  return vertices_.parameter(primitive.corners[corner], source.slot)[channel];
}

ParameterPoints PixelBatch::points(const PixelPrimitive& primitive, unsigned attribute, unsigned channel) const {
  const object::ParameterSource& source = sources_[attribute];
  if (source.point_coord) {
    const auto one = [channel](unsigned where) { return channel == where ? kOne : 0; };
    return {one(3), one(0), one(1)};
  }
  if (source.has_all_vertices()) {
    object::ParameterSource of_slot = source;
    of_slot.slot &= static_cast<uint8_t>(~object::ParameterSource::kAllVertices);
    const auto at = [&](unsigned corner) {
      return corner < primitive.count ? at_corner(primitive, corner, of_slot, channel) : kJunk;
    };
    return {at(0), at(1), at(2)};
  }
  if (source.slot == object::ParameterSource::kDefault) return {default_value(source.default_value, channel), 0, 0};
  if (source.flat) return {at_corner(primitive, primitive.provoking, source, channel), kJunk, kJunk};
  if (primitive.planes.is_point) {
    // The only vertex, or that of a polygon at which the point is.
    const Barycentrics at = linear_at(primitive.planes, {primitive.planes.point_x, primitive.planes.point_y});
    const unsigned corner = at.i > 0.5f ? 1 : at.j > 0.5f ? 2 : 0;
    return {at_corner(primitive, corner, source, channel), 0, 0};
  }
  ParameterPoints result;
  result.p0 = at_corner(primitive, 0, source, channel);
  if (primitive.count > 1) result.p10 = difference(at_corner(primitive, 1, source, channel), result.p0, source.half);
  if (primitive.count > 2) result.p20 = difference(at_corner(primitive, 2, source, channel), result.p0, source.half);
  return result;
}

Barycentrics wave_perspective(const FragmentPlanes& planes, const FragmentPlace& place) {
  if (!planes.is_point) return perspective_at(planes, place);
  return wave_linear(planes, place);
}

Barycentrics wave_linear(const FragmentPlanes& planes, const FragmentPlace& place) {
  if (!planes.is_point) return linear_at(planes, place);
  const std::array<float, 2> at = point_coord_at(planes, place);
  return {at[0], at[1]};
}

std::array<float, 3> wave_pull_model(const FragmentPlanes& planes, const FragmentPlace& place) {
  std::array<float, 3> pull = pull_model_at(planes, place);
  if (!planes.is_point) return pull;
  const std::array<float, 2> at = point_coord_at(planes, place);
  return {at[0] * pull[2], at[1] * pull[2], pull[2]};
}

}  // namespace spalt::emu
