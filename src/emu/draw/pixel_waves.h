// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "emu/draw/pixel_batch.h"
#include "emu/draw/stage_state.h"
#include "emu/launch/wave_initializer.h"
#include "emu/raster/output_merger.h"
#include "emu/wave/lanes.h"

namespace spalt::emu {

class PixelWaves;

/// What the exports of a pixel stage mean.
struct PixelExports {
  PixelExports(const abi::PixelFacts& facts, const GraphicsFacts& graphics, bool dual_source);

  struct Color {
    uint8_t location = 0;
    abi::ExportFormat format = abi::ExportFormat::none;
    bool is_second_source = false;
    bool is_dropped = false;  ///< exported for the sake of exec alone
  };
  SmallVector<Color, 8> colors;  ///< by export target
  abi::ExportFormat depth_format = abi::ExportFormat::none;
  bool writes_depth = false, writes_stencil = false, writes_sample_mask = false;
  bool dual_source_in_pairs = false;  ///< two targets with the sources of pairs of lanes
  bool owes_export = false;           ///< each wave
  bool has_memory = false;            ///< else exec at the last export means nothing

  /// Dwords that a lane may export.
  unsigned dwords() const { return static_cast<unsigned>(4 * (colors.size() + 1)); }
};

/// The fixed functions that one pixel wave talks to.
class PixelLink final : public GraphicsLink {
 public:
  void begin(const PixelWaves& waves, uint64_t wave);

  std::string take(const Wave& wave, const WaveExport& data) override;
  std::string allocate(const Wave& wave) override;
  std::string check_attribute(const Wave& wave, unsigned attribute) const override;
  ParameterPoints parameter(unsigned quad, unsigned attribute, unsigned channel) const override;
  std::string end(const Wave& wave) override;

  /// Lanes whose fragments are left.
  uint64_t survivors() const { return survivors_; }
  /// What a lane has exported.
  FragmentOutputs outputs(unsigned lane) const;

 private:
  std::string take_color(const WaveExport& data, unsigned target);
  std::string take_depth(const WaveExport& data);
  void keep(const WaveExport& data, unsigned first);
  std::string finish(const WaveExport& data);
  texel::Texel color(unsigned target, unsigned lane) const;
  void add_dual_source(FragmentOutputs& outputs, unsigned lane) const;
  void add_depth(FragmentOutputs& outputs, unsigned lane) const;

  const PixelWaves* waves_ = nullptr;
  uint64_t wave_ = 0;
  uint64_t covered_ = 0, survivors_ = 0;
  uint32_t primitive_mask_ = 0;
  uint32_t exported_ = 0;  ///< bit for each colour target, and above them for depth
  bool done_ = false;
  std::vector<LaneBuffer> dwords_;
};

/// Starts the waves of a batch and collects what they export.
class PixelWaves final : public WaveInitializer {
 public:
  PixelWaves(const StageState& state, const abi::PixelFacts& facts, const PixelExports& exports,
             const SampleGrid& samples)
      : state_(state), facts_(facts), exports_(exports), samples_(samples) {}

  /// Returns how many waves there are.
  uint64_t begin(const PixelBatch& batch, uint64_t first_wave);
  std::array<uint32_t, 3> group_id(uint64_t group) const override;
  bool initialize(Wave& wave, uint64_t group, unsigned index) const override;

  const PixelLink& link(uint64_t wave) const { return links_[wave]; }
  unsigned quads_per_wave() const { return state_.wave_size / 4; }

 private:
  friend class PixelLink;
  std::span<const PixelQuad> quads_of(uint64_t wave) const;
  uint64_t covered_lanes(uint64_t wave) const;
  uint32_t primitive_mask(uint64_t wave) const;
  void set_lane(Wave& wave, const PixelQuad& quad, unsigned lane) const;

  const StageState& state_;
  const abi::PixelFacts& facts_;
  const PixelExports& exports_;
  const SampleGrid& samples_;
  const PixelBatch* batch_ = nullptr;
  uint64_t first_wave_ = 0;
  mutable std::vector<PixelLink> links_;
};

}  // namespace spalt::emu
