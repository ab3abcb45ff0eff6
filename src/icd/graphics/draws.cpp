// SPDX-License-Identifier: MIT
//
// Draws as commands: their numbers are recorded, or read when they execute.
#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/command/execution.h"
#include "icd/graphics/graphics_recording.h"

namespace spalt::icd {
namespace {

struct DrawNumbers {
  uint32_t first = 0, count = 0;
  int32_t vertex_offset = 0;
  uint32_t first_instance = 0, instance_count = 0;
  uint32_t draw_index = 0;
};

DrawNumbers numbers_of(const VkDrawIndirectCommand& command) {
  return {command.firstVertex, command.vertexCount, 0, command.firstInstance, command.instanceCount, 0};
}

DrawNumbers numbers_of(const VkDrawIndexedIndirectCommand& command) {
  return {command.firstIndex,    command.indexCount,    command.vertexOffset,
          command.firstInstance, command.instanceCount, 0};
}

/// The fixed-function state of a draw with what is rendered to now. Pointers are to this and to the recorded state.
class BoundRasterState {
 public:
  BoundRasterState(const GraphicsState& recorded, const RenderTargets& targets) : raster_(recorded.raster) {
    raster_.struct_size = sizeof raster_;
    raster_.viewports = recorded.viewports.data();
    raster_.scissors = recorded.scissors.data();
    raster_.viewport_count = std::min(recorded.viewport_count, recorded.scissor_count);
    raster_.render_area = rect_of(targets.area);
    raster_.view_mask = targets.view_mask;
    set_colors(recorded, targets);
    raster_.depth = describe_layers(targets.depth, targets);
    raster_.stencil = describe_layers(targets.stencil, targets);
  }
  BoundRasterState(const BoundRasterState&) = delete;
  BoundRasterState& operator=(const BoundRasterState&) = delete;
  const spalt_raster_state& get() const { return raster_; }

 private:
  /// Rendering may be to fewer layers than the view has.
  static spalt_attachment describe_layers(const Attachment& attachment, const RenderTargets& targets) {
    spalt_attachment described = describe(attachment);
    if (targets.view_mask == 0) described.layers = std::min(described.layers, targets.layers);
    return described;
  }

  void set_colors(const GraphicsState& recorded, const RenderTargets& targets) {
    raster_.color_target_count = targets.color_count;
    raster_.color_targets = colors_.data();
    raster_.blends = blends_.data();
    for (uint32_t i = 0; i < targets.color_count; ++i) {
      colors_[i] = describe_layers(targets.colors[i], targets);
      blends_[i] = recorded.blends[i];
      if (!recorded.writes_color[i]) blends_[i].write_mask = 0;
    }
  }

  spalt_raster_state raster_;
  std::array<spalt_attachment, SPALT_MAX_COLOR_TARGETS> colors_{};
  std::array<spalt_color_blend, SPALT_MAX_COLOR_TARGETS> blends_{};
};

bool draw(Execution& execution, const DrawState& state, const DrawNumbers& numbers, bool indexed) {
  const RenderTargets* targets = execution.render_targets();
  if (targets == nullptr) return true;
  const BoundRasterState raster(state.state, *targets);
  auto info = spalt_api::sized<spalt_draw_info>();
  info.user_data = state.user_data.entries;
  info.user_data_count = state.user_data.count;
  info.vertex_buffer_table = state.vertex_buffer_table;
  info.state = &raster.get();
  info.first = numbers.first;
  info.count = numbers.count;
  info.first_instance = numbers.first_instance;
  info.instance_count = numbers.instance_count;
  info.draw_index = numbers.draw_index;
  if (indexed) {
    info.indexed = 1;
    info.index_address = state.indices.range.address;
    info.index_bytes = state.indices.range.size;
    info.index_size = std::max(state.indices.index_bytes, 1u);
    info.vertex_offset = numbers.vertex_offset;
  }
  return execution.draw(*state.pipeline, info);
}

struct DirectDraw {
  const DrawState* state;
  DrawNumbers numbers;
  bool indexed;
  bool execute(Execution& execution) const { return draw(execution, *state, numbers, indexed); }
};

/// The numbers of each draw are read when it executes, and before that their count, if it is in a buffer.
template <typename Numbers>
struct IndirectDraws {
  const DrawState* state;
  MemoryRange numbers;
  uint32_t count;  // the greatest one, where it is in a buffer
  uint32_t stride;
  MemoryRange counter;  // empty: none
  bool counted;

  bool execute(Execution& execution) const {
    if (!execution.settle_memory()) return false;
    if (!execution.can_touch(numbers, SPALT_ACCESS_LOAD) || !execution.can_touch(counter, SPALT_ACCESS_LOAD)) {
      return execution.goes_on();
    }
    const uint32_t draws = read_count();
    for (uint32_t i = 0; i < draws; ++i) {
      const uint64_t offset = uint64_t{i} * stride;
      if (offset > numbers.size || numbers.size - offset < sizeof(Numbers)) return true;
      Numbers command;
      std::memcpy(&command, numbers.host + offset, sizeof command);
      DrawNumbers now = numbers_of(command);
      now.draw_index = i;
      if (!draw(execution, *state, now, std::is_same_v<Numbers, VkDrawIndexedIndirectCommand>)) return false;
    }
    return true;
  }

 private:
  uint32_t read_count() const {
    if (!counted) return count;
    uint32_t value = 0;
    if (counter.size == sizeof value) std::memcpy(&value, counter.host, sizeof value);
    return std::min(value, count);
  }
};

void record_draw(VkCommandBuffer handle, const DrawNumbers& numbers, bool indexed) {
  record(handle, [&](CommandBuffer& commands) {
    const DrawState* state = graphics_of(commands).draws.snapshot(commands);
    if (state != nullptr) commands.append(DirectDraw{state, numbers, indexed});
  });
}

/// A buffer from an offset on.
struct BufferPlace {
  VkBuffer buffer;
  VkDeviceSize offset;
};

template <typename Numbers>
void record_draws(VkCommandBuffer handle, const BufferPlace& numbers, uint32_t count, uint32_t stride,
                  const BufferPlace* counter) {
  record(handle, [&](CommandBuffer& commands) {
    const DrawState* state = graphics_of(commands).draws.snapshot(commands);
    if (state == nullptr) return;
    IndirectDraws<Numbers> draws{state, {}, count, stride, {}, counter != nullptr};
    draws.numbers = buffer_range(from_nullable<Buffer>(numbers.buffer), numbers.offset, VK_WHOLE_SIZE);
    if (counter != nullptr) {
      draws.counter = buffer_range(from_nullable<Buffer>(counter->buffer), counter->offset, sizeof(uint32_t));
    }
    commands.append(draws);
  });
}

/// The structs of VK_EXT_multi_draw follow each other with a stride.
template <typename Info>
const Info& info_at(const Info* infos, uint32_t index, uint32_t stride) {
  return *reinterpret_cast<const Info*>(reinterpret_cast<const std::byte*>(infos) + size_t{index} * stride);
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdDraw(VkCommandBuffer commandBuffer, uint32_t vertexCount, uint32_t instanceCount,
                                          uint32_t firstVertex, uint32_t firstInstance) {
  record_draw(commandBuffer, {firstVertex, vertexCount, 0, firstInstance, instanceCount, 0}, false);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndexed(VkCommandBuffer commandBuffer, uint32_t indexCount,
                                                 uint32_t instanceCount, uint32_t firstIndex, int32_t vertexOffset,
                                                 uint32_t firstInstance) {
  record_draw(commandBuffer, {firstIndex, indexCount, vertexOffset, firstInstance, instanceCount, 0}, true);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawMultiEXT(VkCommandBuffer commandBuffer, uint32_t drawCount,
                                                  const VkMultiDrawInfoEXT* pVertexInfo, uint32_t instanceCount,
                                                  uint32_t firstInstance, uint32_t stride) {
  for (uint32_t i = 0; i < drawCount; ++i) {
    const VkMultiDrawInfoEXT& info = info_at(pVertexInfo, i, stride);
    record_draw(commandBuffer, {info.firstVertex, info.vertexCount, 0, firstInstance, instanceCount, i}, false);
  }
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawMultiIndexedEXT(VkCommandBuffer commandBuffer, uint32_t drawCount,
                                                         const VkMultiDrawIndexedInfoEXT* pIndexInfo,
                                                         uint32_t instanceCount, uint32_t firstInstance,
                                                         uint32_t stride, const int32_t* pVertexOffset) {
  for (uint32_t i = 0; i < drawCount; ++i) {
    const VkMultiDrawIndexedInfoEXT& info = info_at(pIndexInfo, i, stride);
    const int32_t offset = pVertexOffset != nullptr ? *pVertexOffset : info.vertexOffset;
    record_draw(commandBuffer, {info.firstIndex, info.indexCount, offset, firstInstance, instanceCount, i}, true);
  }
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                                  uint32_t drawCount, uint32_t stride) {
  record_draws<VkDrawIndirectCommand>(commandBuffer, {buffer, offset}, drawCount, stride, nullptr);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndexedIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                         VkDeviceSize offset, uint32_t drawCount, uint32_t stride) {
  record_draws<VkDrawIndexedIndirectCommand>(commandBuffer, {buffer, offset}, drawCount, stride, nullptr);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndirectCount(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                       VkDeviceSize offset, VkBuffer countBuffer,
                                                       VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                                       uint32_t stride) {
  const BufferPlace counter{countBuffer, countBufferOffset};
  record_draws<VkDrawIndirectCommand>(commandBuffer, {buffer, offset}, maxDrawCount, stride, &counter);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDrawIndexedIndirectCount(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                              VkDeviceSize offset, VkBuffer countBuffer,
                                                              VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                                              uint32_t stride) {
  const BufferPlace counter{countBuffer, countBufferOffset};
  record_draws<VkDrawIndexedIndirectCommand>(commandBuffer, {buffer, offset}, maxDrawCount, stride, &counter);
}

}  // namespace spalt::icd
