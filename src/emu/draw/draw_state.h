// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "emu/draw/graphics_program.h"
#include "emu/memory/guest_memory.h"
#include "emu/raster/index_fetch.h"
#include "emu/raster/output_merger.h"
#include "emu/raster/state.h"

namespace spalt::emu {

class Observer;

/// An attachment in guest memory: spalt_attachment.
struct DrawAttachment {
  uint64_t address = 0;  ///< 0: there is none
  uint32_t format = 0, width = 0, height = 0, layers = 1, samples = 1;
  uint64_t row_bytes = 0, slice_bytes = 0;
};

constexpr unsigned kMaxViewports = 16, kMaxViews = 32;

/// Everything that fixed functions do in a draw.
struct DrawState {
  Topology topology = Topology::triangle_list;
  ProvokingVertex provoking = ProvokingVertex::first;
  bool primitive_restart = false, rasterizer_discard = false;
  std::vector<Viewport> viewports;  ///< as many as scissors
  std::vector<PixelRect> scissors;
  PixelRect render_area;
  RasterizationState raster;
  MultisampleState multisample;
  DepthStencilState depth_stencil;
  ColorState color;
  std::vector<BlendState> blends;  ///< as many as targets
  std::vector<DrawAttachment> targets;
  DrawAttachment depth, stencil;
  uint32_t view_mask = 0;
};

/// A draw of a graphics pipeline.
struct GraphicsDraw {
  std::shared_ptr<const GraphicsProgram> program;
  std::span<const uint32_t> user_data;
  uint32_t vertex_buffer_table = 0;
  DrawState state;

  bool indexed = false;
  uint64_t index_address = 0, index_bytes = 0;
  IndexSize index_size = IndexSize::four;
  uint32_t first = 0, count = 0;
  int32_t vertex_offset = 0;
  uint32_t first_instance = 0, instance_count = 1, draw_index = 0;

  uint64_t step_limit = Launch::kDefaultStepLimit;
  uint64_t border_colors = 0;
  Observer* observer = nullptr;
};

/// Attachments and indices of a draw in host memory.
struct DrawMemory {
  std::vector<RasterSurface> targets;
  RasterSurface depth, stencil;
  IndexBuffer indices;
  uint32_t width = 0, height = 0;  ///< of the framebuffer
};
/// Fails where they are not what the state says, or not in memory that the guest may use.
Result<DrawMemory> find_memory(const GraphicsDraw& draw, const Memory& memory);

}  // namespace spalt::emu
