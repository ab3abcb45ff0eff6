// SPDX-License-Identifier: MIT
#pragma once
#include <deque>

#include "emu/draw/draw.h"
#include "emu/draw/pixel_waves.h"
#include "emu/raster/rasterizer.h"

namespace spalt::emu {

/// Everything from a shaded primitive on: rasterizes, shades, tests and writes, in the order of the primitives.
class FragmentStage final : public FragmentSink {
 public:
  FragmentStage(const GraphicsDraw& draw, const DrawMemory& memory, const DrawUserData& user_data,
                const DrawResources& resources, const VertexBatch& vertices, DrawOutcome& outcome);

  /// `layer_offset`: what is added to its layer.
  void draw(const BatchPrimitive& primitive, uint32_t layer_offset);
  /// Shades and writes what is left.
  void flush();
  /// Something went wrong: a fault of the outcome, or an error.
  bool stopped() const { return error_ || outcome_.fault.kind != FaultKind::none; }
  const std::optional<Error>& error() const { return error_; }

  void begin(const FragmentPlanes& planes) override;
  void quads(std::span<const RasterQuad> quads) override;

 private:
  /// What depends on the viewport.
  struct Port {
    Port(const GraphicsDraw& draw, const DrawMemory& memory, size_t index, bool early_tests,
         std::span<const ColorTarget> targets);
    Rasterizer rasterizer;
    DepthStencilUnit tests;
    OutputMerger merger;
  };

  void add_quad(const RasterQuad& quad);
  void add_invocation(const PixelQuad& quad);
  PixelSamples samples_of(const PixelPrimitive& primitive, int32_t x, int32_t y, uint16_t coverage) const;
  void shade();
  void retire();
  void retire_quad(const PixelQuad& quad, const PixelLink* link, unsigned first_lane);

  const GraphicsDraw& draw_;
  const DrawResources& resources_;
  const VertexBatch& vertices_;
  DrawOutcome& outcome_;
  const abi::VertexOutputs& outputs_;
  const abi::PixelFacts* facts_;  ///< nullptr: there is no pixel stage
  bool early_tests_;
  SampleGrid samples_;
  std::vector<ColorTarget> targets_;
  std::deque<Port> ports_;  ///< by viewport; they do not move
  PixelBatch batch_;
  std::optional<StageState> state_;
  std::optional<PixelExports> exports_;
  std::optional<PixelWaves> waves_;
  SampleCount count_;
  uint64_t next_wave_ = 0;
  PixelPrimitive current_;
  bool is_added_ = false;  ///< the current primitive is in the batch
  std::optional<Error> error_;
};

}  // namespace spalt::emu
