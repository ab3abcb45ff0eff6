// SPDX-License-Identifier: MIT
//
// What a command buffer has recorded. Submissions and the command buffers that execute it share it, so that executing
// it needs no command buffer: the application may free that one before the device has looked at all of it, which Vulkan
// forbids, and still gets its messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icd/command/chunks.h"
#include "icd/command/command_list.h"

namespace spalt::icd {

struct Recording {
  explicit Recording(const std::shared_ptr<ChunkCache>& cache) : chunks(cache), arena(*cache), tables(*cache) {}

  void clear() noexcept {
    list.clear();
    arena.clear();
    tables.clear();
    kept.clear();
    ended = false;
  }

  std::shared_ptr<ChunkCache> chunks;  // outlives the arenas
  HostArena arena;
  TableArena tables;
  CommandList list;
  std::vector<std::shared_ptr<const void>> kept;  // as long as the commands may run
  bool ended = false;                             // only these are kept by others, so that none keeps itself
};
using RecordingRef = std::shared_ptr<const Recording>;

/// A command buffer as it was submitted.
struct SubmittedCommands {
  RecordingRef recording;  // nullptr: nothing was recorded
  VkCommandBuffer handle;  // for messages, as the name
  std::string name;
};

}  // namespace spalt::icd
