// SPDX-License-Identifier: MIT
#include "candidates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace spalt::sampling {
namespace {

Interval hull_of(const std::vector<Vec4>& values) {
  Interval hull{values.front(), values.front()};
  for (const Vec4& value : values) {
    for (size_t c = 0; c < 4; ++c) {
      hull.least[c] = std::min(hull.least[c], value[c]);
      hull.most[c] = std::max(hull.most[c], value[c]);
    }
  }
  return hull;
}

std::array<double, 3> moved_on_face(const std::array<double, 3>& at, double s, double t) {
  FacePoint point = face_of(at);
  point.s += s;
  point.t += t;
  const double length = std::max({std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
  std::array<double, 3> direction = direction_of(point);
  for (double& component : direction) component *= length;
  return direction;
}

/// Moves of a coordinate of a face: none, and one over an edge that is near.
std::vector<double> beyond(double coordinate, double reach) {
  if (coordinate < reach) return {0.0, -reach};
  if (coordinate > 1.0 - reach) return {0.0, reach};
  return {0.0};
}

void add_texels(const View& view, std::vector<Vec4>& all) {
  for (int level = 0; level < view.levels; ++level) {
    const auto size = [&](size_t axis) { return std::max(1, view.size[axis] >> level); };
    const int slices = view.axes == 3 ? size(2) : view.layers;
    for (int slice = 0; slice < slices; ++slice) {
      for (int i = 0; i < size(0) * size(1); ++i) all.push_back(view.texel(level, i % size(0), i / size(0), slice));
    }
  }
}

}  // namespace

bool is_finite(const Access& access) {
  return std::all_of(access.coordinates.begin(), access.coordinates.end(), [](double s) { return std::isfinite(s); });
}

Candidates::Candidates(const Case& test, const View& view, const SamplerDesc& sampler, const Allowance& allowance)
    : test_(test), view_(view), sampler_(sampler), allowance_(allowance), facts_(facts(test.operation)) {
  const bool averages = sampler.mag_filter != 0 || sampler.min_filter != 0 || sampler.mipmap_mode != 0;
  // Integers have no linear filter; a minimum or maximum is one of the texels.
  filtered_ = !facts_.gathers && !facts_.fetches && averages && sampler.reduction == 0 && !view.has_integers;
  std::vector<Vec4> all = {border_color(view, sampler)};
  if (facts_.compares) all = {{0.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 1.0, 1.0}};
  add_texels(view, all);
  Vec4 least = hull_of(all).least, most = hull_of(all).most;
  // Gathers and swizzles put any component anywhere.
  const double lowest = std::min({0.0, *std::min_element(least.begin(), least.end())});
  const double highest = std::max({1.0, *std::max_element(most.begin(), most.end())});
  least.fill(lowest);
  most.fill(highest);
  everything_ = {least, most};
  range_ = highest - lowest;
}

const std::vector<Interval>& Candidates::of(const Access& access) {
  intervals_.clear();
  values_.clear();
  kink_ = 0.0;
  if (!is_finite(access)) {
    add_undefined();
    return intervals_;
  }
  add_access(access);
  // A layer halfway between two may be rounded to the even one or upwards ("Layer rounding").
  if (test_.kind->is_array && access.layer - std::floor(access.layer) == 0.5) {
    Access up = access;
    up.layer += 0.25;
    add_access(up);
  }
  if (test_.operation == Operation::QueryLod) {
    add_queries();
  } else {
    add_intervals();
  }
  return intervals_;
}

/// Any texel or border, and what is between them: coordinates that are no numbers.
void Candidates::add_undefined() {
  intervals_.push_back(everything_);
}

void Candidates::add_access(const Access& access) {
  two_levels_ = false;
  if (facts_.fetches) {
    values_.push_back(fetch(view_, access));
    return;
  }
  switch (facts_.lod) {
    case LodSource::none:
      add_moved(access);
      break;
    case LodSource::operand:
      add_lods(access, access.lod - allowance_.lod, access.lod + allowance_.lod);
      break;
    case LodSource::gradients:
    case LodSource::quad:
      add_footprints(access);
      break;
  }
}

/// A quad has a difference along x in each row and one along y in each column, and a device takes one for all
/// invocations or those of each. On cubes these may be differences of directions, at any of them, or of places on the
/// face.
std::vector<Gradients> Candidates::gradients_of(const Access& access) const {
  if (!access.quad) return {image_gradients(view_, access, *access.gradients)};
  const auto difference = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::array<double, 3>{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  };
  std::vector<Gradients> all;
  const auto& at = *access.quad;
  for (size_t row = 0; row < 2; ++row) {
    for (size_t column = 0; column < 2; ++column) {
      const size_t right = 2 * row, below = column;
      const std::array<std::array<double, 3>, 2> differences = {difference(at[right + 1], at[right]),
                                                                difference(at[below + 2], at[below])};
      all.push_back(image_gradients(view_, access, differences));
      if (!view_.is_cube) continue;
      const auto on_face = [&](size_t lane) -> std::array<double, 3> {
        const FacePoint point = face_of(at[lane]);
        return {point.s, point.t, 0.0};
      };
      all.push_back({difference(on_face(right + 1), on_face(right)), difference(on_face(below + 2), on_face(below))});
    }
  }
  return all;
}

void Candidates::add_footprints(const Access& access) {
  const std::vector<Gradients> all = gradients_of(access);
  if (sampler_.anisotropy > 1.0f && test_.operation != Operation::QueryLod) {
    for (const Gradients& gradients : all) add_anisotropic(access, gradients);
    return;
  }
  double least = INFINITY, most = -INFINITY;
  for (const Gradients& gradients : all) {
    const double lod = std::log2(footprint_of(view_, gradients).longer);
    least = std::min(least, lod);
    most = std::max(most, lod);
  }
  add_lods(access, least - allowance_.footprint, most + allowance_.footprint);
}

/// eta is the ratio of the lengths or, of a device whose limits are powers of two, at most such a one; N is the whole
/// number from it on, the next even one or the next power of two ("rounded up to the nearest supported sampling
/// rate"); the level of detail may take N in place of eta. Samples lie as in the specification's example.
void Candidates::add_anisotropic(const Access& access, const Gradients& gradients) {
  const Footprint footprint = footprint_of(view_, gradients);
  if (footprint.longer == 0.0) return add_lods(access, -INFINITY, -INFINITY);
  const auto limit = static_cast<double>(sampler_.anisotropy);
  std::vector<std::pair<unsigned, double>> done;
  const auto add_once = [&](unsigned samples, double ratio) {
    const std::pair<unsigned, double> scheme(samples, ratio);
    if (std::find(done.begin(), done.end(), scheme) != done.end()) return;
    done.push_back(scheme);
    add_scheme(access, footprint, samples, ratio);
  };
  for (const double most : {limit, std::exp2(std::floor(std::log2(limit)))}) {
    // The ratio may be off a little, so that it passes a whole number.
    for (const double error : {1.0 - 1e-5, 1.0 + 1e-5}) {
      const double eta = std::clamp(footprint.longer / footprint.shorter * error, 1.0, most);
      const auto least = static_cast<unsigned>(std::ceil(eta));
      for (const unsigned samples : {least, least + least % 2, std::bit_ceil(least)}) {
        add_once(samples, eta);
        add_once(samples, samples);
      }
    }
  }
}

/// The mean of what each sample may be, or its least or most.
void Candidates::add_scheme(const Access& access, const Footprint& footprint, unsigned samples, double ratio) {
  const double lod = std::log2(footprint.longer / ratio);
  Interval mean{{}, {}};
  for (unsigned i = 1; i <= samples; ++i) {
    const double along = samples == 1 ? 0.0 : i / (samples + 1.0) - 0.5;
    Access one = access;
    if (view_.is_cube) {
      one.coordinates = moved_on_face(access.coordinates, along * footprint.axis[0], along * footprint.axis[1]);
    } else {
      for (size_t axis = 0; axis < 3; ++axis) one.coordinates[axis] += along * footprint.axis[axis];
    }
    values_.clear();
    add_lods(one, lod - allowance_.footprint, lod + allowance_.footprint);
    const Interval hull = hull_of(values_);
    for (size_t c = 0; c < 4; ++c) {
      mean.least[c] += hull.least[c] / samples;
      mean.most[c] += hull.most[c] / samples;
    }
  }
  values_.clear();
  intervals_.push_back(mean);
}

/// Both ends of the range; between two levels results change linearly, but not across one or halfway; at level 0 the
/// other filter begins.
void Candidates::add_lods(const Access& access, double least, double most) {
  std::vector<double> done;
  add_lod(access, least, done);
  add_lod(access, most, done);
  const double bias = sampler_.lod_bias + access.bias;
  const double end = std::min(most + bias, 16.0);
  for (double level = std::max(std::ceil((least + bias) * 2.0) / 2.0, -0.5); level <= end; level += 0.5) {
    for (const double past : {0.0, 0x1p-30}) add_lod(access, level - bias + past, done);
  }
}

/// Once for all that lead to the same texels.
void Candidates::add_lod(const Access& access, double lod, std::vector<double>& done) {
  Access moved = access;
  moved.lod = lod;
  moved.gradients.reset();
  double selected = selected_lod(view_, sampler_, moved);
  two_levels_ = sampler_.mipmap_mode != 0 && selected != std::floor(selected);
  if (sampler_.mipmap_mode == 0) selected = std::ceil(selected + 0.5) - (selected > 0.0 ? 0.75 : 1.0);
  const bool is_new = std::find(done.begin(), done.end(), selected) == done.end();
  if (!is_new && test_.operation != Operation::QueryLod) return;
  done.push_back(selected);
  add_moved(moved);
}

/// As it is, and on cubes from the faces on the other side of edges that are as near as rounding goes.
void Candidates::add_moved(const Access& access) {
  if (test_.operation == Operation::QueryLod) return add(access);
  add_moved(access, 0);
  if (!view_.is_cube) return;
  const double reach = (allowance_.texel + float_error(access, 0)) / view_.size[0];
  const FacePoint point = face_of(access.coordinates);
  for (const double s : beyond(point.s, reach)) {
    for (const double t : beyond(point.t, reach)) {
      if (s == 0.0 && t == 0.0) continue;
      Access moved = access;
      moved.coordinates = moved_on_face(access.coordinates, s, t);
      add_moved(moved, 0);
    }
  }
}

/// Two levels that are blended may be off in different directions. Where a float does not tell texels apart, it is any
/// of them.
void Candidates::add_moved(const Access& access, size_t axis) {
  if (axis >= static_cast<size_t>(view_.axes) || axis >= access.coordinates.size()) return add(access);
  const double reach = allowance_.texel + float_error(access, axis);
  kink_ = std::max(kink_, 0.5 * std::min(reach, 1.0) * range_);
  // Levels, and the gathers that four offsets are, need not agree on which one.
  const bool several = two_levels_ || test_.operation == Operation::GatherFourOffsets;
  if (reach > 0.5 && several) return add_undefined();
  if (reach > 0.5) {
    for (int half = 0; half < 4 * view_.size[axis]; ++half) {
      Access moved = access;
      for (size_t parity = 0; parity < 2; ++parity) moved.moved[parity][axis] = 0.5 * half;
      add_moved(moved, axis + 1);
    }
    return;
  }
  // Which texels count at all changes at their centers: for a minimum or maximum each level may be there or beside it.
  constexpr int kHere = 2;
  constexpr int kSteps[][2] = {{0, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  constexpr int kExtremes[][2] = {{kHere, kHere}, {1, 1},      {-1, -1},   {1, -1},    {-1, 1},
                                  {kHere, 1},     {kHere, -1}, {1, kHere}, {-1, kHere}};
  const bool extreme = sampler_.reduction != 0;
  const size_t count = !two_levels_ ? 3 : extreme ? std::size(kExtremes) : std::size(kSteps);
  for (size_t i = 0; i < count; ++i) {
    Access moved = access;
    for (size_t parity = 0; parity < 2; ++parity) {
      const int step = extreme ? kExtremes[i][parity] : kSteps[i][parity];
      if (step == kHere) {
        moved.snap[parity][axis] = reach;
      } else {
        moved.moved[parity][axis] = step * reach;
      }
    }
    add_moved(moved, axis + 1);
  }
}

/// Of a product of floats, in texels of level 0; a projection divides as well.
double Candidates::float_error(const Access& access, size_t axis) const {
  if (view_.is_cube) return view_.size[0] * 0x1p-22;
  const double scale = sampler_.unnormalized ? 1.0 : view_.size[axis];
  const double error = test_.operation == Operation::Projective ? 0x1p-20 : 0x1p-22;
  return std::abs(access.coordinates[axis]) * scale * error;
}

void Candidates::add(const Access& access) {
  if (test_.operation == Operation::QueryLod) {
    const std::array<double, 2> lod = query_lod(view_, sampler_, access);
    values_.push_back({lod[0], lod[1], 0.0, 0.0});
  } else if (facts_.gathers) {
    values_.push_back(
        gather(view_, sampler_, access, kGatherComponent, test_.operation == Operation::GatherFourOffsets));
  } else if (access.reference) {
    const double value = sample(view_, sampler_, access)[0];
    values_.push_back({value, value, value, value});
  } else {
    values_.push_back(sample(view_, sampler_, access));
  }
}

void Candidates::add_intervals() {
  if (values_.empty()) return;
  if (filtered_) {
    intervals_.push_back(hull_of(values_));
    return;
  }
  for (const Vec4& value : values_) intervals_.push_back({value, value});
}

/// The level is one of them without a mip filter, the level of detail is between them.
void Candidates::add_queries() {
  const Interval hull = hull_of(values_);
  if (sampler_.mipmap_mode != 0) {
    intervals_.push_back(hull);
    return;
  }
  for (const Vec4& value : values_) {
    Interval one = hull;
    one.least[0] = one.most[0] = value[0];
    intervals_.push_back(one);
  }
}

}  // namespace spalt::sampling
