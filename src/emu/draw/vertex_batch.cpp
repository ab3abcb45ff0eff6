// SPDX-License-Identifier: MIT
#include "emu/draw/vertex_batch.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"

namespace spalt::emu {
namespace {

// What nobody exports is junk.
constexpr uint32_t kJunk = 0xbad0c0de;

uint64_t key_of(uint32_t id, uint32_t instance) {
  return uint64_t{instance} << 32 | id;
}

}  // namespace

bool VertexBatch::must_be_new(uint32_t id, uint32_t instance, bool provokes) const {
  if (!limits_.shares_vertices) return true;
  const auto at = known_.find(key_of(id, instance));
  return at == known_.end() || (limits_.provokes_once && provokes && vertices_[at->second].provokes);
}

unsigned VertexBatch::new_vertices(const Primitive& primitive, const std::array<uint32_t, 3>& ids,
                                   uint32_t instance) const {
  unsigned count = 0;
  for (unsigned i = 0; i < primitive.count; ++i) {
    count += must_be_new(ids[i], instance, i == primitive.provoking) ? 1 : 0;
  }
  return count;
}

void VertexBatch::begin_group() {
  if (limits_.groups_own_primitives) known_.clear();
  VertexGroup& group = groups_.emplace_back();
  group.first_vertex = static_cast<uint32_t>(vertices_.size());
  group.first_primitive = static_cast<uint32_t>(primitives_.size());
}

uint32_t VertexBatch::vertex_of(uint32_t id, uint32_t instance, uint32_t primitive, bool provokes) {
  if (!must_be_new(id, instance, provokes)) {
    const uint32_t known = known_.find(key_of(id, instance))->second;
    vertices_[known].provokes |= provokes;
    return known;
  }
  if (groups_.empty() || groups_.back().vertex_count == limits_.group_vertices) begin_group();
  const auto vertex = static_cast<uint32_t>(vertices_.size());
  vertices_.push_back({id, instance, primitive, provokes});
  ++groups_.back().vertex_count;
  if (limits_.shares_vertices) known_[key_of(id, instance)] = vertex;
  return vertex;
}

bool VertexBatch::add(const Primitive& primitive, const std::array<uint32_t, 3>& ids, uint32_t instance) {
  if (vertices_.size() + primitive.count > limits_.vertices || primitives_.size() >= limits_.primitives) return false;
  if (limits_.groups_own_primitives) {
    const bool full = !groups_.empty() &&
                      (groups_.back().primitive_count == limits_.group_primitives ||
                       groups_.back().vertex_count + new_vertices(primitive, ids, instance) > limits_.group_vertices);
    if (groups_.empty() || full) {
      if (groups_.size() >= limits_.groups) return false;
      begin_group();
    }
  }
  BatchPrimitive added;
  for (unsigned i = 0; i < primitive.count; ++i) {
    added.corners[i] = vertex_of(ids[i], instance, primitive.id, i == primitive.provoking);
  }
  added.count = primitive.count;
  added.provoking = primitive.provoking;
  added.continues_strip = primitive.continues_strip;
  added.id = primitive.id;
  primitives_.push_back(added);
  ++groups_.back().primitive_count;
  return true;
}

void VertexBatch::close() {
  positions_.assign(vertices_.size() * kPositionExports * 4, kJunk);
  parameters_.assign(vertices_.size() * slots_ * 4, kJunk);
}

void VertexBatch::clear() {
  vertices_.clear();
  groups_.clear();
  primitives_.clear();
  known_.clear();
}

ShadedVertex shaded_vertex(const VertexBatch& batch, uint32_t vertex, const abi::VertexOutputs& outputs) {
  ShadedVertex result;
  unsigned next = 0;
  const uint32_t* position = batch.position(vertex, next++);
  for (size_t c = 0; c < 4; ++c) result.position[c] = std::bit_cast<float>(position[c]);
  if (outputs.has_misc_vector()) {
    const uint32_t* misc = batch.position(vertex, next++);
    if (outputs.point_size) result.point_size = std::bit_cast<float>(misc[0]);
  }
  const unsigned distances = std::min<unsigned>(outputs.clip_distances + outputs.cull_distances, kMaxDistances);
  for (unsigned i = 0; i < distances && next + i / 4 < kPositionExports; ++i) {
    result.distances[i] = std::bit_cast<float>(batch.position(vertex, next + i / 4)[i % 4]);
  }
  return result;
}

PrimitivePlace primitive_place(const VertexBatch& batch, uint32_t vertex, const abi::VertexOutputs& outputs) {
  PrimitivePlace place;
  if (!outputs.has_misc_vector()) return place;
  const uint32_t packed = batch.position(vertex, 1)[2];
  if (outputs.layer) place.layer = static_cast<uint32_t>(bits_of(packed, 0, 11));
  if (outputs.viewport_index) place.viewport = static_cast<uint32_t>(bits_of(packed, 16, 4));
  return place;
}

}  // namespace spalt::emu
