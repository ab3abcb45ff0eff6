// SPDX-License-Identifier: MIT
#include "draw_judge.h"

#include <algorithm>
#include <utility>

#include "serial_shader.h"

namespace spalt::random_programs {
namespace {

bool is_attachment(const scenes::Scene& scene, size_t image) {
  const scenes::Pass& pass = scene.passes[0];
  return (pass.depth && pass.depth->image == image) ||
         std::any_of(pass.colors.begin(), pass.colors.end(), [&](const std::optional<scenes::Attachment>& color) {
           return color && (color->image == image || color->resolve == image);
         });
}

bool is_atomic(const scenes::Scene& scene, const scenes::Comparison& comparison) {
  return comparison.buffer && scene.buffers[*comparison.buffer].name == "atomics";
}

/// Puts what was drawn in one pixel to what was drawn in the ones before: its texels, words that have changed, and all
/// atomic words.
void merge(const scenes::Scene& scene, uint32_t pixel, const scenes::Pictures& one, scenes::Pictures& all) {
  if (all.empty()) all = one;
  for (size_t i = 0; i < one.size(); ++i) {
    const scenes::Comparison& comparison = scene.comparisons[i];
    if (is_atomic(scene, comparison)) {
      all[i] = one[i];
    } else if (comparison.buffer) {
      const std::vector<uint8_t>& initial = scene.buffers[*comparison.buffer].bytes;
      for (size_t at = 0; at < initial.size(); ++at) {
        if (one[i][at] != initial[at]) all[i][at] = one[i][at];
      }
    } else if (is_attachment(scene, comparison.image)) {
      const vkrun::ImageDesc& desc = scene.images[comparison.image].desc;
      const size_t pixels = size_t{desc.width} * desc.height, bytes = one[i].size() / (pixels * desc.layers);
      for (size_t layer = 0; layer < desc.layers; ++layer) {
        const auto at = static_cast<ptrdiff_t>((layer * pixels + pixel) * bytes);
        std::copy_n(one[i].begin() + at, bytes, all[i].begin() + at);
      }
    } else {
      // An image for stores, which begins as zeros.
      for (size_t at = 0; at < one[i].size(); ++at) {
        if (one[i][at] != 0) all[i][at] = one[i][at];
      }
    }
  }
}

}  // namespace

DrawJudge::DrawJudge(const scenes::Scene& scene, const DrawProgram& program, Draw draw)
    : scene_(scene), draw_(std::move(draw)) {
  shaders_[kVertexFile] = one_lane_at_a_time(program.vertex).value_or(program.vertex);
  const auto fragment = one_lane_at_a_time(program.fragment);
  has_serial_fragments_ = fragment.has_value();
  shaders_[kFragmentFile] = fragment.value_or(program.fragment);
}

std::optional<std::string> DrawJudge::excuse(const Agrees& agrees) const {
  if (agrees(draw_(scene_, shaders_))) return has_serial_fragments_ ? "lanes" : "lanes of vertices";
  // Pixels that are alone in their draw cannot be more alone.
  if (has_serial_fragments_ || !agrees(draw_pixels())) return std::nullopt;
  return "pixels";
}

scenes::Pictures DrawJudge::draw_pixels() const {
  scenes::Scene alone = scene_;
  const VkExtent2D extent = scene_.passes[0].area.extent;
  scenes::Pictures merged;
  for (uint32_t pixel = 0; pixel < extent.width * extent.height; ++pixel) {
    alone.passes[0].draws[0].pipeline.spec[kPixelConstant] = {pixel};
    const scenes::Pictures one = draw_(alone, shaders_);
    merge(scene_, pixel, one, merged);
    for (size_t i = 0; i < one.size(); ++i) {
      const scenes::Comparison& comparison = scene_.comparisons[i];
      if (is_atomic(scene_, comparison)) alone.buffers[*comparison.buffer].bytes = one[i];
    }
  }
  return merged;
}

}  // namespace spalt::random_programs
