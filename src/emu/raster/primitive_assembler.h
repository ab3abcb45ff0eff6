// SPDX-License-Identifier: MIT
//
// Vertices in the order of a draw to points, lines and triangles (Vulkan, "Primitive Topologies").
//
// The assembler sees one vertex after the other and keeps the last few of them, at most ten. A vertex completes at most
// one primitive; only triangles of strips with adjacency wait for vertices of the next one.
#pragma once
#include <array>
#include <cstdint>

#include "emu/raster/state.h"

namespace spalt::emu {

struct Primitive {
  std::array<uint32_t, 3> corners{};  ///< vertices; as many as `count`
  /// Only of topologies with adjacency. Triangles: beyond the edge from corner i to the next one. Lines: before the
  /// first corner, and after the second one.
  std::array<uint32_t, 3> adjacent{};
  uint8_t count = 0;  ///< 1 to 3
  bool has_adjacency = false;
  bool continues_strip = false;  ///< a line whose first corner is the second one of the line before it
  uint8_t provoking = 0;         ///< index of the corner that flat attributes come from: the first, or the last one
  uint32_t id = 0;               ///< PrimitiveId
};

class PrimitiveAssembler {
 public:
  PrimitiveAssembler(Topology topology, ProvokingVertex provoking) : topology_(topology), provoking_(provoking) {}

  /// The next vertex, by a number of the caller's. What it completes, or nullptr; good until the next call.
  const Primitive* add(uint32_t vertex);
  /// Ends the strip or the unfinished primitive: primitive restart, or the end of an instance. It may complete the last
  /// triangle of a strip with adjacency. Ids go on.
  const Primitive* end_strip();
  /// Ids begin at 0 again. After end_strip.
  void begin_instance() { next_id_ = 0; }

 private:
  const Primitive* point();
  const Primitive* line(unsigned first, unsigned keep);
  const Primitive* triangle_of_list(unsigned stride);
  const Primitive* triangle_of_strip();
  const Primitive* triangle_of_fan();
  const Primitive* adjacency_strip(bool is_last);
  /// Puts the provoking vertex where its mode wants it, without a change of the winding.
  const Primitive* finish(uint8_t count);
  /// Forgets the oldest vertices.
  void drop(unsigned count);

  Topology topology_;
  ProvokingVertex provoking_;
  std::array<uint32_t, 10> window_{};  ///< the vertices that may still be needed, oldest first
  uint8_t size_ = 0;
  uint32_t in_strip_ = 0;  ///< primitives of this strip so far
  uint32_t next_id_ = 0;
  Primitive primitive_;
};

}  // namespace spalt::emu
