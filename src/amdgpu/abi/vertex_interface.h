// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/isa/target.h"

namespace spalt::abi {

/// User SGPRs of the vertex and the primitive stage.
constexpr unsigned kMaxVertexUserSgprs = 32;
/// Registers that a primitive shader has before its user SGPRs.
constexpr unsigned kMergedSgprs = 8;
/// Byte offset of the descriptor of the attribute ring in the global table: slot 11.
constexpr uint32_t kAttributeRingSlotOffset = 11 * kGlobalTableSlotBytes;
/// Units of the offset in the attribute ring that a primitive shader gets.
constexpr uint32_t kAttributeRingUnitBytes = 512;
/// Bytes of one parameter of one vertex in the ring.
constexpr uint32_t kAttributeRingElementBytes = 16;

/// Vertices of a group of waves of a primitive shader, at most.
constexpr uint32_t kSubgroupVertices = 128;

/// What of the vertex pipeline differs between generations.
struct VertexHardware {
  bool has_vertex_stage;        ///< the hardware stage vs exists; else vertices are work of primitive shaders
  bool has_primitive_shader;    ///< those that we make
  bool allocates_by_message;    ///< a primitive shader asks for the space of its exports
  bool has_attribute_ring;      ///< parameters are stored to memory, not exported
  bool stores_before_position;  ///< and must have arrived before the last position export
  bool marks_position;          ///< an export of the position for no lane hangs unless it has the valid-mask bit
  uint8_t instance_id;          ///< VGPR of vertex waves
  uint8_t merged_vertex_id, merged_instance_id, merged_primitive_id;  ///< VGPRs of primitive shaders
  uint8_t primitive_index_bits;  ///< of a vertex in the primitive word; the edge flag in front of the next one is a bit
};
const VertexHardware& vertex_hardware(const isa::Target& target);

/// What a vertex program reads from its surroundings besides user data.
struct VertexNeeds {
  bool vertex_id = false, instance_id = false, primitive_id = false;
  bool base_vertex = false, base_instance = false;
  bool draw_index = false, view_id = false;
  bool vertex_buffers = false;
  bool vertex_table_in_pair = false;  ///< the address of their table is completed by a constant; not of bodies
};

/// The interface of a vertex program on the vertex stage:
///
/// | registers | content |
/// |---|---|
/// | s0 | low half of the global table's address |
/// | the next ones, as far as they are read | low half of the address of the vertex buffers' descriptors; base vertex
/// and base instance, two registers if one of them is read; draw index; view id | | the other user SGPRs | entries of
/// the user data; the spill table's address, low half | | the SGPR after them, where scratch has a descriptor | scratch
/// wave offset, if scratch gets enabled | | v0 | vertex id, without the base | | v1 (GFX9), v3 (GFX10) | instance id,
/// without the base | | v2 | primitive id |
///
/// In a primitive shader, where the same user SGPRs begin at s8:
///
/// | registers | content |
/// |---|---|
/// | s2, s3 | facts of the group of waves and of this wave, bit fields |
/// | s5 | offset in the attribute ring; scratch wave offset where there is no ring |
/// | v0 | what the primitive export takes |
/// | v5 (GFX10, GFX11), v3 (GFX12) | vertex id |
/// | v8 (GFX10, GFX11), v4 (GFX12) | instance id |
/// | v2 (GFX10, GFX11), v1 (GFX12) | primitive id, of the lane's primitive |
StageInterface assign_vertex_interface(const VertexNeeds& needs, const UserDataNeeds& user_data,
                                       const UserDataLayout& layout, const isa::Target& target, bool primitive_shader);

}  // namespace spalt::abi
