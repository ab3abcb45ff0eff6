// SPDX-License-Identifier: MIT
//
// Coordinates and levels of detail are moved by what a device may be off, in all directions, and each time the
// specification says what would be right. Where nothing is filtered the result must be one of these; where something
// is, it must lie between the least and the most of them. Away from edges and ties all of them are the same texel.
#include "judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "vkrun/image_texels.h"

namespace spalt::sampling {
namespace {

/// What rounding in the conversion of texels and of results may do.
double rounding_of(const vkrun::ImageDesc& image) {
  switch (image.format->layout.number) {
    case texel::Number::srgb:
      return 0.004;  // a polynomial in place of the curve is a legal decoder
    case texel::Number::uint:
    case texel::Number::sint:
      return 0.0;
    default:
      return 1e-5;
  }
}

bool is_gather(Operation operation) {
  return operation == Operation::Gather || operation == Operation::GatherOffset ||
         operation == Operation::CompareGather;
}

bool is_filtered(const SamplerDesc& sampler, Operation operation) {
  if (is_gather(operation)) return false;
  return sampler.mag_filter != 0 || sampler.min_filter != 0 || sampler.mipmap_mode != 0;
}

/// Where four texels meet at a corner of a cube there are three, and what a gather gives is the device's choice.
bool is_at_corner(const View& view, const Access& access) {
  const FacePoint point = face_of(access.coordinates);
  const auto is_out = [](double coordinate, int size) {
    const double first = coordinate * size - 0.5;
    return first < 0.01 || first > size - 1.01;
  };
  return is_out(point.s, view.size[0]) && is_out(point.t, view.size[1]);
}

/// A result is linear between texel centers only: where the moves pass one, the extreme lies between them, by up to
/// half of what they change.
double kink_of(const vkrun::ImageDesc& image, const Allowance& allowance) {
  return (image.format->layout.number == texel::Number::snorm ? 1.0 : 0.5) * allowance.texel;
}

class Candidates {
 public:
  Candidates(const Case& test, const View& view, const SamplerDesc& sampler, const Allowance& allowance)
      : test_(test), view_(view), sampler_(sampler), allowance_(allowance) {}

  /// What is right for the access, moved in all directions.
  const std::vector<Vec4>& of(const Access& access) {
    values_.clear();
    const double lod_reach = access.gradients ? allowance_.footprint : allowance_.lod;
    const bool has_lod = !is_gather(test_.operation) && test_.operation != Operation::Unnormalized;
    for (int step = has_lod ? -1 : 0; step <= (has_lod ? 1 : 0); ++step) {
      Access moved = access;
      moved.bias += step * lod_reach;
      add_moved_coordinates(moved);
    }
    // Between two levels results change linearly, but not across one; at level 0 the other filter begins.
    const double footprint = has_lod ? query_lod(view_, sampler_, access)[1] : 0.0;
    const double level = std::nearbyint(footprint);
    if (has_lod && std::abs(level - footprint) < lod_reach) {
      for (const double beyond : {0.0, 0x1p-30}) {
        Access moved = access;
        moved.bias += level - footprint + beyond;
        add_moved_coordinates(moved);
      }
    }
    return values_;
  }

 private:
  /// As it is, and on cubes from the faces on the other side of edges that are as near as rounding goes.
  void add_moved_coordinates(const Access& access) {
    add_moved_coordinates(access, 0);
    if (!view_.is_cube) return;
    const double reach = (allowance_.texel + float_error(access, 0)) / view_.size[0];
    const FacePoint point = face_of(access.coordinates);
    for (const double s : beyond(point.s, reach)) {
      for (const double t : beyond(point.t, reach)) {
        if (s == 0.0 && t == 0.0) continue;
        Access moved = access;
        moved.coordinates = moved_on_face(access.coordinates, s, t);
        add_moved_coordinates(moved, 0);
      }
    }
  }

  /// Moves of a coordinate of a face: none, and one over an edge that is near.
  static std::vector<double> beyond(double coordinate, double reach) {
    if (coordinate < reach) return {0.0, -reach};
    if (coordinate > 1.0 - reach) return {0.0, reach};
    return {0.0};
  }

  /// Two levels that are blended may be off in different directions.
  void add_moved_coordinates(const Access& access, size_t axis) {
    if (axis >= static_cast<size_t>(view_.axes) || axis >= access.coordinates.size()) return add(access);
    constexpr double kSteps[][2] = {{0, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    const size_t steps = sampler_.mipmap_mode != 0 && !is_gather(test_.operation) ? 5 : 3;
    const double reach = allowance_.texel + float_error(access, axis);
    for (size_t i = 0; i < steps; ++i) {
      Access moved = access;
      for (size_t parity = 0; parity < 2; ++parity) moved.moved[parity][axis] = kSteps[i][parity] * reach;
      add_moved_coordinates(moved, axis + 1);
    }
  }

  /// Of a product of floats, in texels of level 0.
  double float_error(const Access& access, size_t axis) const {
    if (view_.is_cube) return view_.size[0] * 0x1p-22;
    const double scale = sampler_.unnormalized ? 1.0 : view_.size[axis];
    return std::abs(access.coordinates[axis]) * scale * 0x1p-22;
  }

  static std::array<double, 3> moved_on_face(const std::array<double, 3>& at, double s, double t) {
    FacePoint point = face_of(at);
    point.s += s;
    point.t += t;
    const double length = std::max({std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
    std::array<double, 3> direction = direction_of(point);
    for (double& component : direction) component *= length;
    return direction;
  }

  void add(const Access& access) {
    if (is_gather(test_.operation)) {
      values_.push_back(gather(view_, sampler_, access, kGatherComponent));
    } else if (access.reference) {
      const double value = sample(view_, sampler_, access)[0];
      values_.push_back({value, value, value, value});
    } else {
      values_.push_back(sample(view_, sampler_, access));
    }
  }

  const Case& test_;
  const View& view_;
  const SamplerDesc& sampler_;
  const Allowance& allowance_;
  std::vector<Vec4> values_;
};

/// How far the result is from what is allowed.
double distance_from(const std::vector<Vec4>& candidates, const Vec4& result, bool filtered) {
  if (filtered) {
    double worst = 0.0;
    for (size_t c = 0; c < 4; ++c) {
      const auto [least, most] = std::minmax_element(candidates.begin(), candidates.end(),
                                                     [&](const Vec4& a, const Vec4& b) { return a[c] < b[c]; });
      worst = std::max({worst, (*least)[c] - result[c], result[c] - (*most)[c]});
    }
    return worst;
  }
  double best = INFINITY;
  for (const Vec4& candidate : candidates) {
    double worst = 0.0;
    for (size_t c = 0; c < 4; ++c) worst = std::max(worst, std::abs(candidate[c] - result[c]));
    best = std::min(best, worst);
  }
  return best;
}

std::string text_of(const Vec4& value) {
  char text[128];
  std::snprintf(text, sizeof(text), "(%.7g, %.7g, %.7g, %.7g)", value[0], value[1], value[2], value[3]);
  return text;
}

std::string describe(const SamplerDesc& sampler, const Access& access, const Vec4& expected, const Vec4& result) {
  char text[512];
  std::snprintf(
      text, sizeof(text),
      "filters %u %u %u, address %u %u %u, bias %g, lod %g to %g, border %u, compare %d; at (%.9g, %.9g, %.9g) "
      "layer %g lod %g reference %g",
      sampler.mag_filter, sampler.min_filter, sampler.mipmap_mode, sampler.address_modes[0], sampler.address_modes[1],
      sampler.address_modes[2], double{sampler.lod_bias}, double{sampler.min_lod}, double{sampler.max_lod},
      sampler.border_color, sampler.compare_op ? int(*sampler.compare_op) : -1, access.coordinates[0],
      access.coordinates[1], access.coordinates[2], access.layer, access.lod, access.reference.value_or(0.0));
  return std::string(text) + ": expected " + text_of(expected) + ", got " + text_of(result);
}

}  // namespace

Verdict judge(const Case& test, const std::vector<uint8_t>& results, const Allowance& allowance) {
  Verdict verdict;
  const View view = test.view();
  const double rounding = rounding_of(test.manifest.images[0]);
  const double kink = kink_of(test.manifest.images[0], allowance);
  const size_t count = test.accesses.size();
  for (size_t state = 0; state < test.manifest.samplers.size(); ++state) {
    const SamplerDesc& sampler = test.manifest.samplers[state];
    const bool filtered = is_filtered(sampler, test.operation);
    Candidates candidates(test, view, sampler, allowance);
    for (size_t i = 0; i < count; ++i, ++verdict.results) {
      if (view.is_cube && is_gather(test.operation) && is_at_corner(view, test.accesses[i])) continue;
      float values[4];
      std::memcpy(values, results.data() + (state * count + i) * sizeof(values), sizeof(values));
      const Vec4 result = {double{values[0]}, double{values[1]}, double{values[2]}, double{values[3]}};
      const std::vector<Vec4>& right = candidates.of(test.accesses[i]);
      const double distance = distance_from(right, result, filtered) - rounding - (filtered ? kink : 0.0);
      verdict.worst = std::max(verdict.worst, distance);
      if (distance <= 0.0) continue;
      if (verdict.wrong++ == 0) verdict.first = describe(sampler, test.accesses[i], right[right.size() / 2], result);
    }
  }
  return verdict;
}

}  // namespace spalt::sampling
