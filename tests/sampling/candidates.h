// SPDX-License-Identifier: MIT
//
// What Vulkan allows as the result of an access: intervals of texels, one of which the result must be in.
//
// Coordinates and levels of detail are moved by what a device may be off, in all directions, and each time the
// specification says what would be right. Where nothing is filtered the result must be one of these; where something
// is, it must lie between the least and the most of them. Away from edges and ties all of them are the same texel.
#pragma once

#include <vector>

#include "sampling_case.h"

namespace spalt::sampling {

/// How far a device may move what it computes with.
struct Allowance {
  double texel = 0x1p-8;    // of coordinates: subTexelPrecisionBits
  double lod = 0x1p-8;      // of levels of detail that the shader gives: mipmapPrecisionBits
  double footprint = 0.05;  // of those from gradients: the logarithm
};

struct Interval {
  Vec4 least, most;
};

/// Whether the coordinates are numbers.
bool is_finite(const Access& access);

class Candidates {
 public:
  Candidates(const Case& test, const View& view, const SamplerDesc& sampler, const Allowance& allowance);

  const std::vector<Interval>& of(const Access& access);
  /// Whether results are between texels, so that they have rounding of their own.
  bool is_filtered() const { return filtered_; }
  /// A result is linear between texel centers only: where the moves of the last access pass one, the extreme lies
  /// between them, by up to half of what they change along each axis.
  double kink() const { return kink_ * view_.axes; }

 private:
  void add_access(const Access& access);
  void add_undefined();
  void add_footprints(const Access& access);
  void add_anisotropic(const Access& access, const Gradients& gradients);
  void add_scheme(const Access& access, const Footprint& footprint, unsigned samples, double ratio);
  void add_lods(const Access& access, double least, double most);
  void add_lod(const Access& access, double lod, std::vector<double>& done);
  void add_moved(const Access& access);
  void add_moved(const Access& access, size_t axis);
  void add(const Access& access);
  void add_intervals();
  void add_queries();
  std::vector<Gradients> gradients_of(const Access& access) const;
  double float_error(const Access& access, size_t axis) const;

  const Case& test_;
  const View& view_;
  const SamplerDesc& sampler_;
  Allowance allowance_;
  const OperationFacts& facts_;
  bool filtered_;
  bool two_levels_ = false;  // of the access that is moved
  double kink_ = 0.0, range_ = 0.0;
  Interval everything_{};  // the least and the most of all texels and the border
  std::vector<Vec4> values_;
  std::vector<Interval> intervals_;
};

}  // namespace spalt::sampling
