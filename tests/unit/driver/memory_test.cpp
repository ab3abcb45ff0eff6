// SPDX-License-Identifier: MIT
// Temporary memory comes in chunks, of which a small shader needs one or two: failing each chunk in turn would try a
// few places only. Here one of the two arenas has so many bytes left and no more, from none to what the shader needs,
// so that memory ends wherever something asks for it.
#include <gtest/gtest.h>

#include "base/compile_context.h"
#include "driver/pipeline.h"
#include "scaling/shapes.h"

namespace spalt::driver {
namespace {

/// Hands out chunks until it is told not to.
struct Source {
  bool open = true;
  int chunks = 0;

  static void* allocate(void* user, size_t bytes, size_t alignment) {
    Source& self = *static_cast<Source*>(user);
    if (!self.open) return nullptr;
    ++self.chunks;
    return ::operator new(bytes, std::align_val_t(alignment));
  }
  static void release(void* user, void* memory, size_t) {
    --static_cast<Source*>(user)->chunks;
    ::operator delete(memory, std::align_val_t(Arena::kAlignment));
  }
  MemoryFunctions functions() { return {allocate, release, this}; }
};

struct Outcome {
  bool compiled = false;
  uint32_t code_bytes = 0;
};

/// Takes a chunk and all of it but `left` bytes.
void leave(Arena& arena, size_t left) {
  arena.allocate(1, 1);
  constexpr size_t kHeader = Arena::kAlignment;  // of a chunk
  arena.allocate(arena.reserved_bytes() - kHeader - arena.used_bytes() - left, 1);
}

Outcome compile_with(const std::vector<uint32_t>& words, Arena CompileContext::*shortage, size_t left) {
  Source source;
  Outcome outcome;
  {
    CompileContext context(source.functions());
    // The other one has enough: as much as any of these shaders needs.
    Arena& other = shortage == &CompileContext::arena ? context.scratch : context.arena;
    {
      const ArenaScope scope(other);
      other.allocate(size_t{8} << 20, 16);
    }
    leave(context.*shortage, left);
    source.open = false;
    Options options;
    options.target = isa::find_target("gfx1030");
    options.wave_size = 64;
    Diagnostics diagnostics;
    try {
      const Result<StageOutput> output = compile(words, options, diagnostics, context);
      outcome.compiled = output.ok();
      EXPECT_TRUE(output.ok()) << output.error().message;
      if (output.ok()) outcome.code_bytes = output->stage.code.size();
    } catch (const std::bad_alloc&) {
    }
  }
  EXPECT_EQ(source.chunks, 0);
  return outcome;
}

struct Case {
  const char* shape;
  uint32_t count;
  bool divergent;
};

/// What can be left of the first chunk: not its header, and not what is taken so that there is a chunk.
constexpr size_t kMostLeft = Arena::kFirstChunk - 2 * Arena::kAlignment;

class MemoryEnds : public testing::TestWithParam<Case> {};

TEST_P(MemoryEnds, AnywhereAndNothingIsLost) {
  const std::vector<uint32_t> words =
      scaling::find_shape(GetParam().shape)->make(GetParam().count, GetParam().divergent);
  for (Arena CompileContext::*arena : {&CompileContext::arena, &CompileContext::scratch}) {
    unsigned failed = 0;
    size_t left = 0;
    uint32_t code_bytes = 0;
    for (; left < kMostLeft; left += 16) {
      const Outcome outcome = compile_with(words, arena, left);
      if (outcome.compiled) {
        code_bytes = outcome.code_bytes;
        break;
      }
      ++failed;
    }
    EXPECT_GT(failed, 20u);
    // A shader that needs more than the first chunk has failed at every place of it.
    if (left < kMostLeft) {
      EXPECT_GT(code_bytes, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MemoryEnds,
                         testing::Values(Case{"block", 20, true}, Case{"cases", 5, true}, Case{"loops", 2, true},
                                         Case{"nested_loops", 3, false}, Case{"nest_with_else", 3, true},
                                         Case{"flags", 3, true}, Case{"phis", 4, true}),
                         [](const auto& tested) { return std::string(tested.param.shape); });

}  // namespace
}  // namespace spalt::driver
