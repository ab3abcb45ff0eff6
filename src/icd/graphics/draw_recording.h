// SPDX-License-Identifier: MIT
//
// What draws see of a command buffer while it is recorded: state that commands have set, vertex and index buffers. A
// draw takes a snapshot, which draws after it share as long as nothing changes.
#pragma once

#include "icd/command/command_buffer.h"
#include "icd/graphics/graphics_contents.h"

namespace spalt::icd {

struct IndexBuffer {
  MemoryRange range;
  uint32_t index_bytes = 0;  // 1, 2, 4; 0: none is bound
};

/// All that a draw needs besides its numbers and what it renders to; lies in the arena.
struct DrawState {
  const BoundPipeline* pipeline = nullptr;
  UserData user_data;
  uint32_t vertex_buffer_table = 0;
  IndexBuffer indices;
  GraphicsState state;
};

class DrawRecording {
 public:
  /// For commands that set state.
  GraphicsState& change() {
    snapshot_ = nullptr;
    return state_;
  }
  void bind_vertex_buffer(uint32_t binding, const MemoryRange& range);
  void bind_index_buffer(const IndexBuffer& indices);

  /// nullptr: no pipeline is bound, nothing can be drawn.
  const DrawState* snapshot(CommandBuffer& commands);
  void clear() { *this = DrawRecording(); }

 private:
  uint32_t write_vertex_buffers(CommandBuffer& commands, const GraphicsContents& pipeline,
                                const GraphicsState& state) const;

  GraphicsState state_;
  std::array<MemoryRange, SPALT_MAX_VERTEX_BINDINGS> vertex_buffers_{};
  IndexBuffer indices_;
  const DrawState* snapshot_ = nullptr;
};

}  // namespace spalt::icd
