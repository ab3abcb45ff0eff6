// SPDX-License-Identifier: MIT
//
// Vertices and primitives of a part of a draw that are shaded together: what the input assembler collects, and what the
// waves make of it.
//
// Vertices lie in groups, each one hardware vertex wave or one subgroup of a primitive shader. A vertex is named by its
// number in the batch.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "amdgpu/abi/graphics_interface.h"
#include "emu/raster/clip.h"
#include "emu/raster/primitive_assembler.h"
#include "emu/wave/graphics_link.h"

namespace spalt::emu {

/// What a vertex wave starts with for a lane.
struct VertexInput {
  uint32_t id = 0, instance = 0, primitive = 0;
  bool provokes = false;  ///< flat values of a primitive come from it
};

struct BatchPrimitive {
  std::array<uint32_t, 3> corners{};  ///< vertices
  uint8_t count = 0, provoking = 0;
  bool continues_strip = false;
  uint32_t id = 0;
};

struct VertexGroup {
  uint32_t first_vertex = 0, vertex_count = 0;
  uint32_t first_primitive = 0, primitive_count = 0;  ///< of a subgroup
  uint32_t ring_offset = 0;                           ///< bytes, of a subgroup
};

/// Sizes that bound a batch.
struct BatchLimits {
  unsigned group_vertices = 64, group_primitives = UINT32_MAX;
  bool groups_own_primitives = false;  ///< a primitive has all its vertices in its group
  bool shares_vertices = true;
  bool provokes_once = false;  ///< a vertex is that of the flat values of one primitive at most
  unsigned groups = UINT32_MAX, vertices = 4096, primitives = 8192;
};

class VertexBatch {
 public:
  /// `slots`: parameters of each vertex.
  VertexBatch(const BatchLimits& limits, unsigned slots) : limits_(limits), slots_(slots) {}

  /// False: the batch must be shaded first.
  bool add(const Primitive& primitive, const std::array<uint32_t, 3>& ids, uint32_t instance);
  /// No more vertices: makes room for the results.
  void close();
  void clear();
  bool empty() const { return primitives_.empty(); }

  const std::vector<VertexInput>& vertices() const { return vertices_; }
  const std::vector<VertexGroup>& groups() const { return groups_; }
  std::vector<VertexGroup>& groups() { return groups_; }
  std::vector<BatchPrimitive>& primitives() { return primitives_; }
  const std::vector<BatchPrimitive>& primitives() const { return primitives_; }

  /// Exports of one vertex: four dwords.
  uint32_t* position(uint32_t vertex, unsigned which) {
    return positions_.data() + (size_t{vertex} * kPositionExports + which) * 4;
  }
  const uint32_t* position(uint32_t vertex, unsigned which) const {
    return positions_.data() + (size_t{vertex} * kPositionExports + which) * 4;
  }
  uint32_t* parameter(uint32_t vertex, unsigned slot) {
    return parameters_.data() + (size_t{vertex} * slots_ + slot) * 4;
  }
  const uint32_t* parameter(uint32_t vertex, unsigned slot) const {
    return parameters_.data() + (size_t{vertex} * slots_ + slot) * 4;
  }
  unsigned slots() const { return slots_; }

 private:
  uint32_t vertex_of(uint32_t id, uint32_t instance, uint32_t primitive, bool provokes);
  bool must_be_new(uint32_t id, uint32_t instance, bool provokes) const;
  unsigned new_vertices(const Primitive& primitive, const std::array<uint32_t, 3>& ids, uint32_t instance) const;
  void begin_group();

  BatchLimits limits_;
  unsigned slots_;
  std::vector<VertexInput> vertices_;
  std::vector<VertexGroup> groups_;
  std::vector<BatchPrimitive> primitives_;
  std::unordered_map<uint64_t, uint32_t> known_;  ///< vertices by instance and id, of the group that owns primitives
  std::vector<uint32_t> positions_, parameters_;
};

/// The position exports of a vertex.
ShadedVertex shaded_vertex(const VertexBatch& batch, uint32_t vertex, const abi::VertexOutputs& outputs);
/// What else the last vertex stage says of a primitive.
struct PrimitivePlace {
  uint32_t layer = 0, viewport = 0;
};
PrimitivePlace primitive_place(const VertexBatch& batch, uint32_t vertex, const abi::VertexOutputs& outputs);

}  // namespace spalt::emu
