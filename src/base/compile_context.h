// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/cancellation.h"

namespace spalt {

/// What one compilation at a time needs of its caller: memory, and whether it shall go on. Whoever compiles repeatedly
/// keeps it, so that chunks serve again; two compilations that run at once have two. It is passed to whatever takes
/// memory: nothing about it is global.
class CompileContext {
 public:
  explicit CompileContext(MemoryFunctions memory = heap_memory()) : arena(memory), scratch(memory) {}

  Arena arena;    ///< what lives until the compilation ends: programs, and what passes hand on
  Arena scratch;  ///< what one pass needs; a pass opens an ArenaScope on it first
  Cancellation cancellation;

  /// Between two compilations. A large shader's memory is not kept for all small ones that follow.
  void reset() {
    cancellation = Cancellation();
    constexpr size_t kKeep = size_t{16} << 20;
    arena.reset(kKeep);
    scratch.reset(kKeep);
  }
};

}  // namespace spalt
