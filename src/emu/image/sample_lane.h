// SPDX-License-Identifier: MIT
//
// One sample instruction: what its lanes share, and the texels that each of them reads (docs/texture-unit.md).
#pragma once
#include <optional>

#include "emu/image/coordinates.h"
#include "emu/image/image_access.h"
#include "emu/image/lod.h"
#include "emu/image/sampler_descriptor.h"

namespace spalt::emu {

/// What says the level of detail.
enum class LodSource : uint8_t {
  quad,          ///< how coordinates change in the quad
  quad_clamped,  ///< and a least level
  quad_biased,   ///< and a bias
  quad_biased_clamped,
  gradients,  ///< the instruction's own
  gradients_clamped,
  level,  ///< the instruction itself
  zero
};

/// Where a lane samples.
struct SamplePoint {
  std::array<double, 3> at{};  ///< in units of the whole image; of unnormalized samplers in texels
  std::array<int, 3> offset{};
  unsigned face = 0;
  uint32_t slice = 0;  ///< of images that are not 3D: absolute
};

class SampleInstruction {
 public:
  SampleInstruction(Wave& wave, const Step& step, LodSource source);

  bool ready() const { return wave_.state() != WaveState::faulted; }
  /// Adds the taps of a lane.
  void add_filter(Transfer& transfer, unsigned lane);
  void add_gather(Transfer& transfer, unsigned lane);
  /// The level that a sample would read, relative to the first one, and the level of detail before clamps.
  struct Query {
    float level, lod;
  };
  Query query(unsigned lane);

  const ImageDescriptor& image() const { return image_; }
  const SamplerDescriptor& sampler() const { return sampler_; }
  float reference(unsigned lane) const;

 private:
  /// Texels along one axis, after wrapping; of cubes not wrapped.
  struct Axis {
    std::array<int64_t, 2> texel{};
    std::array<double, 2> weight{1, 0};
    unsigned count = 1;
  };

  /// What follows from a level of detail.
  struct LevelChoice {
    Levels levels;
    bool linear = false;
  };
  LevelChoice choose(int32_t lod) const;

  SamplePoint point_of(unsigned lane) const;
  void set_slice(SamplePoint& point, unsigned lane) const;
  std::array<double, 3> coordinates_of(unsigned lane) const;
  unsigned face_of(unsigned lane) const;
  int64_t layer_number(unsigned lane) const;
  std::array<double, 3> coordinates_in_quad(unsigned lane, unsigned face) const;
  Gradients quad_gradients(unsigned base, unsigned face) const;
  Gradients own_gradients(unsigned lane) const;
  PixelFootprint footprint(unsigned lane);
  LodLimits limits(unsigned lane) const;
  int32_t lod_of(unsigned lane, const PixelFootprint& footprint) const;

  double texels(const SamplePoint& point, unsigned axis, uint32_t size) const;
  Axis axis_of(const SamplePoint& point, unsigned axis, uint32_t size, bool linear) const;
  void add_level(Transfer& transfer, unsigned lane, const SamplePoint& point, uint32_t level, bool linear,
                 double weight);
  void add_cube_level(Transfer& transfer, unsigned lane, const SamplePoint& point, uint32_t level, bool linear,
                      double weight);
  void add_texel_or_border(Transfer& transfer, unsigned lane, const TexelPlace& at, bool border, double weight);
  void add_cube_texel(Transfer& transfer, unsigned lane, const SamplePoint& point, uint32_t level, int64_t x, int64_t y,
                      double weight);
  uint32_t slice_of(const SamplePoint& point, int64_t z) const;
  uint32_t size_of(unsigned axis, uint32_t level) const;

  Wave& wave_;
  ImageDescriptor image_;
  AddressOperands address_;
  SamplerDescriptor sampler_;
  LodSource source_;
  bool normalized_, on_cube_, seamless_;
  bool truncates_nearest_, truncates_linear_, truncates_layers_;
  unsigned anisotropy_ = 1;
  unsigned quad_ = ~0u, quad_face_ = 0;  ///< that quad_footprint_ is of
  PixelFootprint quad_footprint_;
  LevelChoice choice_;
  bool choice_holds_ = false;  ///< for the lanes to come: until the next quad, or for all
  bool has_border_ = false;
};

}  // namespace spalt::emu
