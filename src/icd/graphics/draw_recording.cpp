// SPDX-License-Identifier: MIT
#include "icd/graphics/draw_recording.h"

#include <cstring>

namespace spalt::icd {
namespace {

constexpr size_t kDescriptorBytes = 16;

}  // namespace

void DrawRecording::bind_vertex_buffer(uint32_t binding, const MemoryRange& range) {
  if (binding >= vertex_buffers_.size()) return;
  vertex_buffers_[binding] = range;
  snapshot_ = nullptr;
}

void DrawRecording::bind_index_buffer(const IndexBuffer& indices) {
  indices_ = indices;
  snapshot_ = nullptr;
}

const DrawState* DrawRecording::snapshot(CommandBuffer& commands) {
  BindingState& bindings = commands.graphics_bindings();
  if (bindings.pipeline() == nullptr) return nullptr;
  const UserData user_data = bindings.snapshot(commands.arena(), commands.device().printf_log());
  const bool same = snapshot_ != nullptr && snapshot_->pipeline == bindings.pipeline() &&
                    snapshot_->user_data.entries == user_data.entries;
  if (same) return snapshot_;
  auto* made = new (commands.arena().allocate(sizeof(DrawState))) DrawState;
  made->pipeline = bindings.pipeline();
  made->user_data = user_data;
  made->indices = indices_;
  const GraphicsContents& pipeline = *made->pipeline->graphics;
  made->state = pipeline.state;
  copy_groups(pipeline.dynamic, state_, made->state);
  made->vertex_buffer_table = write_vertex_buffers(commands, pipeline, made->state);
  snapshot_ = made;
  return made;
}

/// The table of the bindings that the pipeline reads; 0 where it reads none.
uint32_t DrawRecording::write_vertex_buffers(CommandBuffer& commands, const GraphicsContents& pipeline,
                                             const GraphicsState& state) const {
  if (pipeline.binding_count == 0) return 0;
  const TableMemory table = commands.tables().allocate(pipeline.binding_count * kDescriptorBytes);
  for (uint32_t i = 0; i < pipeline.binding_count; ++i) {
    auto info = spalt_api::sized<spalt_vertex_buffer_descriptor_info>();
    info.address = vertex_buffers_[i].address;
    info.size = vertex_buffers_[i].size;
    info.stride = state.strides[i];
    info.element_size = pipeline.element_bytes[i];
    uint32_t words[4]{};
    spalt_write_vertex_buffer_descriptor(commands.device().compiler().handle(), &info, words);
    std::memcpy(table.host + i * kDescriptorBytes, words, sizeof words);
  }
  return static_cast<uint32_t>(table.address);
}

}  // namespace spalt::icd
