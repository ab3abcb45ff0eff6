// SPDX-License-Identifier: MIT
//
// A draw from its indices to its attachments:
//
//   input assembly -> batches of vertices -> vertex waves -> clipping and rasterization -> batches of quads
//     -> pixel waves -> output merger
//
// Both kinds of waves run on all threads of the device; what lies between is in the order of the primitives, on the
// thread that draws, so that results do not depend on the number of threads. Memory is bounded: what is shaded together
// has a limit, and a primitive larger than that is shaded in parts.
#pragma once
#include <functional>

#include "emu/draw/draw_state.h"
#include "emu/draw/vertex_waves.h"
#include "emu/launch/runner.h"

namespace spalt::emu {

struct DrawCounters {
  uint64_t input_vertices = 0, input_primitives = 0;
  uint64_t vertex_invocations = 0, clip_invocations = 0, clip_primitives = 0, fragment_invocations = 0;
  uint64_t samples_passed = 0;
};

struct DrawOutcome {
  Statistics statistics;
  DrawCounters counters;
  Fault fault;  ///< of kind `none` when the draw is complete
};

/// What the device gives to a draw.
struct DrawResources {
  uint32_t global_table = 0, spill_table = 0;
  uint64_t scratch_ring = 0;
  AttributeRing ring;
  /// Runs the waves of a launch, which has everything but memory, scratch ring and cancellation.
  std::function<Result<RunOutcome>(const Launch&)> run;
  const std::atomic<bool>* cancel = nullptr;
};

/// The attribute ring is never larger.
constexpr uint64_t kMaxRingBytes = uint64_t{1} << 24;
/// Bytes of the attribute ring that draws of the program want.
uint64_t attribute_ring_bytes(const GraphicsProgram& program);

/// Fails where the state is wrong. `memory` is what shaders see, without tables.
Result<DrawOutcome> run_draw(const GraphicsDraw& draw, const DrawResources& resources, const Memory& memory);

}  // namespace spalt::emu
