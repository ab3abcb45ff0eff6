// SPDX-License-Identifier: MIT
#include "emu/draw/fragment_stage.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace spalt::emu {
namespace {

/// Quads that are shaded together.
constexpr size_t kMaxQuads = 4096;

PixelRect intersection(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

bool reads_second_source(const BlendState& blend) {
  const auto is_second = [](const BlendEquation& equation) {
    return equation.source >= BlendFactor::src1_color || equation.destination >= BlendFactor::src1_color;
  };
  return blend.enabled && (is_second(blend.color) || is_second(blend.alpha));
}

/// Tests before shading where the shader says so, and where nobody can tell the difference.
bool tests_early(const GraphicsDraw& draw, const abi::PixelFacts* facts) {
  if (facts == nullptr || facts->early_tests) return true;
  const bool changes_samples = facts->kills || facts->writes_depth || facts->writes_stencil ||
                               facts->writes_sample_mask || draw.state.multisample.alpha_to_coverage;
  return !changes_samples && !facts->writes_memory;
}

std::vector<ColorTarget> color_targets(const GraphicsDraw& draw, const DrawMemory& memory) {
  std::vector<ColorTarget> targets;
  for (size_t i = 0; i < memory.targets.size(); ++i) {
    targets.emplace_back(memory.targets[i], draw.state.blends[i], draw.state.color);
  }
  return targets;
}

DepthClamp depth_clamp(const GraphicsDraw& draw, const Viewport& viewport) {
  return {draw.state.raster.depth_clamp, std::min(viewport.min_depth, viewport.max_depth),
          std::max(viewport.min_depth, viewport.max_depth)};
}

}  // namespace

FragmentStage::Port::Port(const GraphicsDraw& draw, const DrawMemory& memory, size_t index, bool early_tests,
                          std::span<const ColorTarget> targets)
    : rasterizer(
          draw.state.raster, draw.state.viewports[index],
          intersection(draw.state.render_area, reachable_pixels(draw.state.scissors[index], draw.state.viewports[index],
                                                                memory.width, memory.height))),
      tests(draw.state.depth_stencil, depth_clamp(draw, draw.state.viewports[index]), memory.depth, memory.stencil),
      merger({draw.state.multisample, draw.state.raster.samples, early_tests}, tests, targets) {}

FragmentStage::FragmentStage(const GraphicsDraw& draw, const DrawMemory& memory, const DrawUserData& user_data,
                             const DrawResources& resources, const VertexBatch& vertices, DrawOutcome& outcome)
    : draw_(draw),
      resources_(resources),
      vertices_(vertices),
      outcome_(outcome),
      outputs_(draw.program->outputs()),
      facts_(draw.program->pixel() != nullptr ? &draw.program->pixel_facts() : nullptr),
      early_tests_(tests_early(draw, facts_)),
      samples_{draw.state.raster.samples, draw.state.raster.sample_positions},
      targets_(color_targets(draw, memory)),
      batch_(vertices, {draw.program->object().sources.begin(), draw.program->object().sources.size()}) {
  for (size_t i = 0; i < draw.state.viewports.size(); ++i) {
    ports_.emplace_back(draw, memory, i, early_tests_, std::span<const ColorTarget>(targets_));
  }
  if (facts_ == nullptr) return;
  const GraphicsProgram& program = *draw.program;
  const GraphicsFacts& facts = graphics_facts(program.target());
  const GraphicsProgram::Stage& stage = *program.pixel();
  state_.emplace(stage.object(), facts, program.target(), stage.entry_step(), user_data);
  state_->scratch_ring = resources.scratch_ring;
  const bool dual_source = !draw.state.blends.empty() && reads_second_source(draw.state.blends[0]);
  exports_.emplace(*facts_, facts, dual_source);
  waves_.emplace(*state_, *facts_, *exports_, samples_);
}

void FragmentStage::draw(const BatchPrimitive& primitive, uint32_t layer_offset) {
  current_ = PixelPrimitive();
  current_.corners = primitive.corners;
  current_.count = primitive.count;
  current_.provoking = primitive.provoking;
  current_.place = primitive_place(vertices_, primitive.corners[primitive.provoking], outputs_);
  current_.place.layer += layer_offset;
  std::array<ShadedVertex, 3> corners;
  for (unsigned i = 0; i < primitive.count; ++i) corners[i] = shaded_vertex(vertices_, primitive.corners[i], outputs_);
  ++outcome_.counters.clip_invocations;
  if (current_.place.viewport >= ports_.size()) return;
  Rasterizer& rasterizer = ports_[current_.place.viewport].rasterizer;
  const bool is_left = rasterizer.draw({corners.data(), primitive.count}, primitive.continues_strip, *this);
  if (is_left) ++outcome_.counters.clip_primitives;
}

void FragmentStage::begin(const FragmentPlanes& planes) {
  current_.planes = planes;
  is_added_ = false;
}

void FragmentStage::quads(std::span<const RasterQuad> quads) {
  for (const RasterQuad& quad : quads) {
    if (stopped()) return;
    add_quad(quad);
  }
}

PixelSamples FragmentStage::samples_of(const PixelPrimitive& primitive, int32_t x, int32_t y, uint16_t coverage) const {
  PixelSamples pixel;
  pixel.x = x;
  pixel.y = y;
  pixel.layer = primitive.place.layer;
  pixel.coverage = coverage;
  pixel.front_facing = primitive.planes.front_facing;
  for (unsigned s = 0; s < samples_.count; ++s) {
    if ((coverage >> s & 1) != 0) pixel.z[s] = z_at(primitive.planes, sample_place(x, y, samples_.positions[s]));
  }
  return pixel;
}

void FragmentStage::add_quad(const RasterQuad& quad) {
  const OutputMerger& merger = ports_[current_.place.viewport].merger;
  PixelQuad added;
  added.x = quad.x;
  added.y = quad.y;
  bool is_left = false;
  for (int i = 0; i < 4; ++i) {
    const auto at = static_cast<size_t>(i);
    const int32_t x = quad.x + (i & 1), y = quad.y + (i >> 1);
    if (quad.coverage[at] == 0) continue;
    const PixelSamples pixel = samples_of(current_, x, y, quad.coverage[at]);
    added.coverage[at] = merger.before_shading(pixel, count_);
    const bool after_tests = facts_ != nullptr && facts_->post_depth_coverage;
    added.mask_in[at] = after_tests ? added.coverage[at]
                                    : static_cast<uint16_t>(quad.coverage[at] & draw_.state.multisample.sample_mask);
    is_left = is_left || added.coverage[at] != 0;
  }
  if (!is_left || facts_ == nullptr) return;
  if (!facts_->per_sample) return add_invocation(added);
  for (unsigned s = 0; s < samples_.count; ++s) {
    PixelQuad of_sample = added;
    of_sample.sample = static_cast<uint8_t>(s);
    for (uint16_t& coverage : of_sample.coverage) coverage = static_cast<uint16_t>(coverage & 1u << s);
    if (std::any_of(of_sample.coverage.begin(), of_sample.coverage.end(), [](uint16_t c) { return c != 0; })) {
      add_invocation(of_sample);
    }
  }
}

void FragmentStage::add_invocation(const PixelQuad& quad) {
  if (batch_.quads().size() >= kMaxQuads) flush();
  if (stopped()) return;
  if (!is_added_) {
    batch_.primitives().push_back(current_);
    is_added_ = true;
  }
  batch_.quads().push_back(quad);
  batch_.quads().back().primitive = static_cast<uint32_t>(batch_.primitives().size() - 1);
  for (const uint16_t coverage : quad.coverage) outcome_.counters.fragment_invocations += coverage != 0 ? 1 : 0;
}

void FragmentStage::flush() {
  if (!batch_.quads().empty() && !stopped()) {
    shade();
    if (!stopped()) retire();
  }
  batch_.quads().clear();
  batch_.primitives().clear();
  is_added_ = false;
  outcome_.counters.samples_passed += std::exchange(count_.passed, 0);
}

void FragmentStage::shade() {
  Launch launch = draw_.program->pixel()->launch();
  launch.initializer = &*waves_;
  launch.groups = waves_->begin(batch_, next_wave_);
  launch.stage = "pixel";
  launch.draw = draw_.draw_index;
  launch.step_limit = draw_.step_limit;
  launch.border_colors = draw_.border_colors;
  launch.observer = draw_.observer;
  Result<RunOutcome> outcome = resources_.run(launch);
  if (!outcome) {
    error_ = outcome.error();
    return;
  }
  next_wave_ += launch.groups;
  outcome_.statistics += outcome->statistics;
  outcome_.fault = std::move(outcome->fault);
}

void FragmentStage::retire() {
  const unsigned quads_per_wave = waves_->quads_per_wave();
  for (size_t q = 0; q < batch_.quads().size(); ++q) {
    const PixelLink& link = waves_->link(q / quads_per_wave);
    retire_quad(batch_.quads()[q], &link, static_cast<unsigned>(q % quads_per_wave) * 4);
  }
}

void FragmentStage::retire_quad(const PixelQuad& quad, const PixelLink* link, unsigned first_lane) {
  const PixelPrimitive& primitive = batch_.primitives()[quad.primitive];
  const OutputMerger& merger = ports_[primitive.place.viewport].merger;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned lane = first_lane + i;
    if (quad.coverage[i] == 0 || (link->survivors() >> lane & 1) == 0) continue;
    const int32_t x = quad.x + static_cast<int32_t>(i & 1), y = quad.y + static_cast<int32_t>(i >> 1);
    merger.after_shading(samples_of(primitive, x, y, quad.coverage[i]), link->outputs(lane), count_);
  }
}

}  // namespace spalt::emu
