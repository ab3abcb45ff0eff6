// SPDX-License-Identifier: MIT
#include "emu/image/sample_lane.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "base/bits.h"
#include "emu/image/border.h"
#include "emu/image/cube.h"
#include "emu/image/image_facts.h"
#include "emu/launch/program.h"

namespace spalt::emu {
namespace {

constexpr int64_t kFaces = 6, kLayerStep = 8;

bool asks_quad(LodSource source) {
  return source <= LodSource::quad_biased_clamped;
}
bool has_gradients(LodSource source) {
  return source == LodSource::gradients || source == LodSource::gradients_clamped;
}
bool has_clamp(LodSource source) {
  return source == LodSource::quad_clamped || source == LodSource::quad_biased_clamped ||
         source == LodSource::gradients_clamped;
}

double or_zero(double value) {
  return std::isnan(value) ? 0 : value;
}

}  // namespace

SampleInstruction::SampleInstruction(Wave& wave, const Step& step, LodSource source)
    : wave_(wave),
      image_(read_resource(wave, step)),
      address_(read_address(wave, step, image_)),
      sampler_(read_sampler_descriptor(wave, step.src[resource_slot(step) + 1].index)),
      source_(source) {
  const isa::Target& target = wave.program().target();
  const bool truncates_all = image_facts(target).truncates_all && sampler_.truncates;
  normalized_ = !sampler_.unnormalized && !step.inst.mods.unorm;
  on_cube_ = address_.dim.has_face && image_.is_cube;
  seamless_ = on_cube_ && sampler_.seamless;
  truncates_nearest_ = sampler_.truncates;
  truncates_linear_ = truncates_layers_ = truncates_all;
  const bool can_be_anisotropic = sampler_.magnifies_anisotropic || sampler_.minifies_anisotropic;
  const bool forced = sampler_.isotropic_if_one_level && image_.level_count() == 1;
  if (can_be_anisotropic && !forced && normalized_) anisotropy_ = sampler_.max_anisotropy;
}

float SampleInstruction::reference(unsigned lane) const {
  const float value = address_.reference.number(lane);
  return image_.layout.number == texel::Number::unorm ? std::clamp(value, 0.0F, 1.0F) : value;
}

// ---- where a lane samples ----

/// Addresses of cubes are one larger than coordinates of faces.
std::array<double, 3> SampleInstruction::coordinates_of(unsigned lane) const {
  std::array<double, 3> at{};
  for (unsigned axis = 0; axis < address_.dim.axes; ++axis) {
    at[axis] = double{address_.coordinates[axis].number(lane)} - (address_.dim.has_face ? 1 : 0);
  }
  return at;
}

/// The number in the address, rounded to the nearest even. It may be below 0. Limits are far above what floats tell
/// faces apart at.
int64_t SampleInstruction::layer_number(unsigned lane) const {
  constexpr double kMost = 1099511627776.0;  // 2^40
  const double value = std::clamp(or_zero(address_.slice.number(lane)), -kMost, kMost);
  return static_cast<int64_t>(truncates_layers_ ? std::floor(value) : std::nearbyint(value));
}

/// Of a layer below 0, too: face 4 of layer -1 is -4.
unsigned SampleInstruction::face_of(unsigned lane) const {
  const int64_t face = layer_number(lane) & (kLayerStep - 1);
  return static_cast<unsigned>(std::min<int64_t>(face, kFaces - 1));
}

void SampleInstruction::set_slice(SamplePoint& point, unsigned lane) const {
  if (image_.is_3d) return;
  int64_t layer = address_.dim.has_slice || address_.dim.has_face ? layer_number(lane) : 0;
  if (on_cube_) {
    const int64_t cubes = std::max<int64_t>(image_.layers / kFaces, 1);
    point.face = face_of(lane);
    const int64_t cube = std::clamp<int64_t>(layer >= 0 ? layer / kLayerStep : 0, 0, cubes - 1);
    point.slice = image_.first_layer + static_cast<uint32_t>(cube * kFaces);
    return;
  }
  layer = std::clamp<int64_t>(layer, 0, image_.layers - 1);
  point.slice = image_.first_layer + static_cast<uint32_t>(layer);
}

SamplePoint SampleInstruction::point_of(unsigned lane) const {
  SamplePoint point;
  point.at = coordinates_of(lane);
  set_slice(point, lane);
  if (!address_.offset.exists()) return point;
  constexpr unsigned kOffsetBits = 6, kOffsetDistance = 8;
  const uint32_t packed = address_.offset.bits(lane);
  for (unsigned axis = 0; axis < 3; ++axis) {
    point.offset[axis] =
        static_cast<int>(sign_extend(bits_of(packed, axis * kOffsetDistance, kOffsetBits), kOffsetBits));
  }
  return point;
}

// ---- the level of detail ----

/// The coordinates of a lane; of cubes as seen on `face`. Those of lanes that do not run count as 0.
std::array<double, 3> SampleInstruction::coordinates_in_quad(unsigned lane, unsigned face) const {
  if ((wave_.exec() >> lane & 1) == 0) return {};
  const std::array<double, 3> own = coordinates_of(lane);
  if (!on_cube_ || face_of(lane) == face) return own;
  const std::array<double, 2> seen = seen_on_face(point_of_cube(face_of(lane), own[0], own[1]), face);
  return {seen[0], seen[1], 0};
}

Gradients SampleInstruction::quad_gradients(unsigned base, unsigned face) const {
  const std::array<double, 3> origin = coordinates_in_quad(base, face), right = coordinates_in_quad(base + 1, face),
                              below = coordinates_in_quad(base + 2, face);
  Gradients gradients;
  for (unsigned axis = 0; axis < 3; ++axis) {
    gradients.by_x[axis] = right[axis] - origin[axis];
    gradients.by_y[axis] = below[axis] - origin[axis];
  }
  return gradients;
}

Gradients SampleInstruction::own_gradients(unsigned lane) const {
  Gradients gradients;
  for (unsigned axis = 0; axis < address_.dim.axes; ++axis) {
    gradients.by_x[axis] = address_.by_x[axis].number(lane);
    gradients.by_y[axis] = address_.by_y[axis].number(lane);
  }
  return gradients;
}

PixelFootprint SampleInstruction::footprint(unsigned lane) {
  if (!normalized_) return {};
  const unsigned axes = address_.dim.axes;
  if (has_gradients(source_)) return footprint_of(image_, own_gradients(lane), axes, anisotropy_);
  if (asks_quad(source_)) {
    const unsigned base = lane & ~3u, face = on_cube_ ? face_of(lane) : 0;
    if (base != quad_ || face != quad_face_) {
      quad_ = base;
      quad_face_ = face;
      choice_holds_ = false;
      quad_footprint_ = footprint_of(image_, quad_gradients(base, face), axes, anisotropy_);
    }
    return quad_footprint_;
  }
  PixelFootprint none;
  if (source_ == LodSource::level) none.lambda = or_zero(address_.lod.number(lane));
  return none;
}

LodLimits SampleInstruction::limits(unsigned lane) const {
  LodLimits limits;
  limits.bias = or_zero(address_.bias.number(lane));
  if (has_clamp(source_)) limits.min_lod = address_.lod.number(lane);
  return limits;
}

int32_t SampleInstruction::lod_of(unsigned lane, const PixelFootprint& footprint) const {
  return normalized_ ? biased_lod(sampler_, footprint.lambda, limits(lane)) : 0;
}

SampleInstruction::Query SampleInstruction::query(unsigned lane) {
  const PixelFootprint pixel = footprint(lane);
  const Levels levels = levels_of(image_, sampler_.mip_filter, lod_of(lane, pixel));
  const double level = (levels.first - image_.base_level) + levels.second_weight / double{kFractionSteps};
  const double lod = raw_lod(sampler_, pixel.lambda, limits(lane));
  return {static_cast<float>(level), static_cast<float>(std::max(lod, -double{FLT_MAX}))};
}

// ---- texels ----

uint32_t SampleInstruction::size_of(unsigned axis, uint32_t level) const {
  if (axis == 0) return image_.level_width(level);
  if (axis == 1) return image_.level_height(level);
  return image_.is_3d ? image_.level_depth(level) : 1;
}

double SampleInstruction::texels(const SamplePoint& point, unsigned axis, uint32_t size) const {
  return (normalized_ ? point.at[axis] * size : point.at[axis]) + point.offset[axis];
}

SampleInstruction::Axis SampleInstruction::axis_of(const SamplePoint& point, unsigned axis, uint32_t size,
                                                   bool linear) const {
  Axis result;
  // A coordinate that the instruction does not have names the first texel.
  if (axis >= address_.dim.axes) return result;
  double u = texels(point, axis, size);
  if (on_cube_) u = std::clamp(or_zero(u), 0.0, static_cast<double>(size));
  const Footprint footprint =
      linear ? linear_footprint(u, truncates_linear_) : nearest_footprint(u, truncates_nearest_);
  result.texel = {footprint.first, footprint.first + 1};
  result.count = linear ? 2 : 1;
  // Over the edge of a cube lies another face.
  if (!seamless_ || !linear) {
    const uint8_t clamp = on_cube_ && !linear ? uint8_t{SamplerDescriptor::kClampToEdge} : sampler_.clamp[axis];
    for (unsigned i = 0; i < result.count; ++i) result.texel[i] = wrap(result.texel[i], size, clamp);
  }
  result.weight[1] = footprint.second_weight / double{kFractionSteps};
  result.weight[0] = 1 - result.weight[1];
  return result;
}

uint32_t SampleInstruction::slice_of(const SamplePoint& point, int64_t z) const {
  if (!image_.is_3d) return (point.slice + (on_cube_ ? point.face : 0)) * image_.samples;
  return static_cast<uint32_t>(z) + (image_.layers_are_slices ? image_.first_layer : 0);
}

void SampleInstruction::add_texel_or_border(Transfer& transfer, unsigned lane, const TexelPlace& at, bool border,
                                            double weight) {
  if (!ready()) return;
  if (!border) {
    add_texel(wave_, transfer, image_, at, lane, weight);
    return;
  }
  if (!has_border_) {
    const auto texel = border_texel(wave_, image_, sampler_, lane);
    if (!texel) return;
    transfer.texels.border = *texel;
    has_border_ = true;
  }
  add_tap(transfer, Tap::Kind::border, lane, weight);
}

void SampleInstruction::add_level(Transfer& transfer, unsigned lane, const SamplePoint& point, uint32_t level,
                                  bool linear, double weight) {
  constexpr uint8_t kAsXy = 0, kLinear = 2;
  const bool linear_z = sampler_.z_filter == kAsXy ? linear : sampler_.z_filter == kLinear;
  const Axis x = axis_of(point, 0, size_of(0, level), linear);
  const Axis y = axis_of(point, 1, size_of(1, level), linear && address_.dim.axes > 1);
  const Axis z = axis_of(point, 2, size_of(2, level), linear_z && image_.is_3d);
  for (unsigned k = 0; k < z.count; ++k) {
    for (unsigned j = 0; j < y.count; ++j) {
      for (unsigned i = 0; i < x.count; ++i) {
        const double part = weight * x.weight[i] * y.weight[j] * z.weight[k];
        if (part == 0) continue;
        const bool border = x.texel[i] == kBorder || y.texel[j] == kBorder || z.texel[k] == kBorder;
        const TexelPlace at{static_cast<uint32_t>(x.texel[i]), static_cast<uint32_t>(y.texel[j]),
                            slice_of(point, z.texel[k]), level};
        add_texel_or_border(transfer, lane, at, border, part);
      }
    }
  }
}

void SampleInstruction::add_cube_texel(Transfer& transfer, unsigned lane, const SamplePoint& point, uint32_t level,
                                       int64_t x, int64_t y, double weight) {
  const uint32_t size = size_of(0, level);
  CubeTexel texel{point.face, x, y};
  const auto outside = [size](int64_t i) { return i < 0 || i >= int64_t{size}; };
  if (outside(x) && outside(y)) texel.y = std::clamp<int64_t>(y, 0, int64_t{size} - 1);
  if (outside(texel.x) || outside(texel.y)) texel = across_edge(texel, size);
  // Only descriptors of cubes that are not square lead beyond the neighbour.
  texel.x = std::clamp<int64_t>(texel.x, 0, int64_t{size} - 1);
  texel.y = std::clamp<int64_t>(texel.y, 0, int64_t{size_of(1, level)} - 1);
  const TexelPlace at{static_cast<uint32_t>(texel.x), static_cast<uint32_t>(texel.y),
                      (point.slice + texel.face) * image_.samples, level};
  add_texel_or_border(transfer, lane, at, false, weight);
}

/// Where three faces meet there is no fourth texel: the other three share its weight.
void SampleInstruction::add_cube_level(Transfer& transfer, unsigned lane, const SamplePoint& point, uint32_t level,
                                       bool linear, double weight) {
  const uint32_t size = size_of(0, level);
  const Axis x = axis_of(point, 0, size, linear), y = axis_of(point, 1, size, linear);
  std::array<std::array<double, 2>, 2> weights{};
  for (unsigned j = 0; j < 2; ++j) {
    for (unsigned i = 0; i < 2; ++i) weights[j][i] = x.weight[i] * y.weight[j];
  }
  const auto outside = [size](int64_t i) { return i < 0 || i >= int64_t{size}; };
  for (unsigned j = 0; j < y.count; ++j) {
    for (unsigned i = 0; i < x.count; ++i) {
      if (!outside(x.texel[i]) || !outside(y.texel[j])) continue;
      const double share = weights[j][i] / 3;
      for (auto& row : weights) {
        for (double& other : row) other += share;
      }
      weights[j][i] = 0;
    }
  }
  for (unsigned j = 0; j < y.count; ++j) {
    for (unsigned i = 0; i < x.count; ++i) {
      if (weights[j][i] == 0) continue;
      add_cube_texel(transfer, lane, point, level, x.texel[i], y.texel[j], weight * weights[j][i]);
    }
  }
}

SampleInstruction::LevelChoice SampleInstruction::choose(int32_t lod) const {
  using MipFilter = SamplerDescriptor::MipFilter;
  const bool filterable = !texel::is_integer(image_.layout.number);
  const bool linear_mip = filterable || sampler_.mip_filter != MipFilter::linear;
  LevelChoice choice;
  choice.linear = filterable && (lod <= 0 ? sampler_.magnifies_linear : sampler_.minifies_linear);
  choice.levels = levels_of(image_, linear_mip ? sampler_.mip_filter : MipFilter::nearest, lod);
  return choice;
}

void SampleInstruction::add_filter(Transfer& transfer, unsigned lane) {
  const PixelFootprint pixel = footprint(lane);
  if (!choice_holds_) {
    choice_ = choose(lod_of(lane, pixel));
    choice_holds_ = source_ == LodSource::zero || source_ == LodSource::quad || !normalized_;
  }
  const auto& [levels, linear] = choice_;
  const bool filterable = !texel::is_integer(image_.layout.number);
  const SamplePoint center = point_of(lane);
  const unsigned samples = filterable ? pixel.samples : 1;
  const double second = levels.second_weight / double{kFractionSteps};
  for (unsigned i = 1; i <= samples; ++i) {
    SamplePoint point = center;
    const double along = samples == 1 ? 0 : i / (samples + 1.0) - 0.5;
    for (unsigned axis = 0; axis < 3; ++axis) point.at[axis] += along * pixel.axis[axis];
    for (const auto& [level, weight] : {std::pair(levels.first, 1 - second), std::pair(levels.second, second)}) {
      if (weight == 0) continue;
      if (seamless_) {
        add_cube_level(transfer, lane, point, level, linear, weight);
      } else {
        add_level(transfer, lane, point, level, linear, weight);
      }
    }
  }
}

/// Counterclockwise from the lower left: (i0, j1), (i1, j1), (i1, j0), (i0, j0).
void SampleInstruction::add_gather(Transfer& transfer, unsigned lane) {
  const bool names_level = source_ != LodSource::zero && source_ != LodSource::quad;
  uint32_t level = image_.base_level;
  if (names_level) {
    level = levels_of(image_, SamplerDescriptor::MipFilter::nearest, lod_of(lane, footprint(lane))).first;
  }
  const SamplePoint point = point_of(lane);
  const Axis x = axis_of(point, 0, size_of(0, level), true);
  const Axis y = axis_of(point, 1, size_of(1, level), address_.dim.axes > 1);
  const Axis z = axis_of(point, 2, size_of(2, level), false);
  constexpr unsigned kColumn[] = {0, 1, 1, 0}, kRow[] = {1, 1, 0, 0};
  for (unsigned i = 0; i < 4; ++i) {
    const int64_t column = x.texel[kColumn[i]], row = y.texel[kRow[i]];
    if (seamless_) {
      add_cube_texel(transfer, lane, point, level, column, row, 1);
      continue;
    }
    const bool border = column == kBorder || row == kBorder || z.texel[0] == kBorder;
    const TexelPlace at{static_cast<uint32_t>(column), static_cast<uint32_t>(row), slice_of(point, z.texel[0]), level};
    add_texel_or_border(transfer, lane, at, border, 1);
  }
}

}  // namespace spalt::emu
