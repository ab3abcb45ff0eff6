// SPDX-License-Identifier: MIT
#include "emu/draw/draw_state.h"

#include <algorithm>
#include <string>

#include "emu/raster/viewport.h"
#include "texel/format.h"

namespace spalt::emu {
namespace {

Error bad(std::string message) {
  return {Status::invalid_argument, std::move(message)};
}

constexpr uint32_t kMaxLayers = 1u << 16;
// Beyond this nothing is mapped; products of what is below do not overflow.
constexpr uint64_t kMaxBytes = uint64_t{1} << 47;

/// Bytes from the first texel to the end of the last one, or nothing where the numbers cannot be.
std::optional<uint64_t> bytes_of(const DrawAttachment& attachment, uint32_t texel_bytes) {
  if (attachment.width == 0 || attachment.height == 0 || attachment.layers == 0) return std::nullopt;
  constexpr auto kExtent = static_cast<uint32_t>(kMaxExtent);
  if (attachment.width > kExtent || attachment.height > kExtent || attachment.layers > kMaxLayers) return std::nullopt;
  if (attachment.row_bytes > kMaxBytes || attachment.slice_bytes > kMaxBytes) return std::nullopt;
  const uint64_t slices = uint64_t{attachment.layers} * attachment.samples;
  const uint64_t row = uint64_t{attachment.width} * texel_bytes;
  if (attachment.height > 1 && attachment.row_bytes < row) return std::nullopt;
  // Neither factor is large enough for a product beyond 128 bits; each is checked before it is added.
  if (slices > 1 && attachment.slice_bytes > kMaxBytes / (slices - 1)) return std::nullopt;
  if (attachment.height > 1 && attachment.row_bytes > kMaxBytes / (attachment.height - 1)) return std::nullopt;
  return (slices - 1) * attachment.slice_bytes + (attachment.height - 1) * attachment.row_bytes + row;
}

Result<RasterSurface> find_surface(const DrawAttachment& attachment, texel::Aspect aspect, unsigned samples,
                                   const std::string& what, const Memory& memory) {
  RasterSurface surface;
  if (attachment.address == 0) return surface;
  const texel::Format* format = texel::find_format(attachment.format);
  if (format == nullptr || format->aspects != aspect || format->shape().is_compressed()) {
    return bad(what + " has a format that nothing is drawn into");
  }
  if (attachment.samples != samples) return bad(what + " has another number of samples than the state");
  const std::optional<uint64_t> bytes = bytes_of(attachment, format->shape().bytes);
  if (!bytes) return bad(what + " has an impossible size");
  const Mapping* hint = nullptr;
  const Mapping* mapping = memory.find(attachment.address, *bytes, hint);
  if (mapping == nullptr || !mapping->is_resident() || !mapping->writable) {
    return bad(what + " does not lie in one mapping that may be written");
  }
  surface.bytes = reinterpret_cast<std::byte*>(mapping->host + (attachment.address - mapping->base));
  surface.format = attachment.format;
  surface.width = attachment.width;
  surface.height = attachment.height;
  surface.layers = attachment.layers;
  surface.samples = attachment.samples;
  surface.row_bytes = attachment.row_bytes;
  surface.slice_bytes = attachment.slice_bytes;
  return surface;
}

Result<IndexBuffer> find_indices(const GraphicsDraw& draw, const Memory& memory) {
  IndexBuffer indices;
  indices.size = draw.index_size;
  if (!draw.indexed || draw.index_bytes == 0) return indices;
  const Mapping* hint = nullptr;
  const Mapping* mapping = memory.find(draw.index_address, draw.index_bytes, hint);
  if (mapping == nullptr || !mapping->is_resident()) return bad("the indices do not lie in one mapping");
  indices.bytes = {reinterpret_cast<const std::byte*>(mapping->host + (draw.index_address - mapping->base)),
                   draw.index_bytes};
  return indices;
}

/// The framebuffer is as large as its smallest attachment, or as the area that is drawn to.
void set_extent(const GraphicsDraw& draw, DrawMemory& found) {
  found.width = found.height = static_cast<uint32_t>(kMaxExtent);
  const auto limit = [&found](const RasterSurface& surface) {
    if (!surface.exists()) return;
    found.width = std::min(found.width, surface.width);
    found.height = std::min(found.height, surface.height);
  };
  for (const RasterSurface& surface : found.targets) limit(surface);
  limit(found.depth);
  limit(found.stencil);
  const PixelRect& area = draw.state.render_area;
  found.width = std::min(found.width, static_cast<uint32_t>(std::max(area.x1, 0)));
  found.height = std::min(found.height, static_cast<uint32_t>(std::max(area.y1, 0)));
}

}  // namespace

Result<DrawMemory> find_memory(const GraphicsDraw& draw, const Memory& memory) {
  DrawMemory found;
  const DrawState& state = draw.state;
  const unsigned samples = state.raster.samples;
  for (size_t i = 0; i < state.targets.size(); ++i) {
    Result<RasterSurface> surface =
        find_surface(state.targets[i], texel::kColor, samples, "colour target " + std::to_string(i), memory);
    if (!surface) return surface.error();
    found.targets.push_back(*surface);
  }
  Result<RasterSurface> depth = find_surface(state.depth, texel::kDepth, samples, "the depth attachment", memory);
  if (!depth) return depth.error();
  found.depth = *depth;
  Result<RasterSurface> stencil =
      find_surface(state.stencil, texel::kStencil, samples, "the stencil attachment", memory);
  if (!stencil) return stencil.error();
  found.stencil = *stencil;
  Result<IndexBuffer> indices = find_indices(draw, memory);
  if (!indices) return indices.error();
  found.indices = *indices;
  set_extent(draw, found);
  return found;
}

}  // namespace spalt::emu
