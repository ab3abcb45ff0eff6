// SPDX-License-Identifier: MIT
//
// Waves that shade vertices: hardware vertex waves, and the subgroups of primitive shaders (NGG). One class for both:
// a group of a batch is one wave of the former, or a workgroup of the latter, in which thread t does vertex t and
// primitive t.
#pragma once
#include <vector>

#include "emu/draw/stage_state.h"
#include "emu/draw/vertex_batch.h"
#include "emu/launch/wave_initializer.h"

namespace spalt::emu {

class VertexWaves;

/// What primitive shaders export for a primitive, if they have done so.
struct ExportedPrimitive {
  uint32_t word = 0;
  bool exported = false;
};

/// Host memory where primitive shaders leave attributes, as the shaders know it.
struct AttributeRing {
  uint8_t* bytes = nullptr;
  uint64_t address = 0;
  uint64_t size = 0;
};

/// The fixed functions that one vertex wave talks to.
class VertexLink final : public GraphicsLink {
 public:
  void begin(VertexWaves& waves, uint32_t group, unsigned index);

  std::string take(const Wave& wave, const WaveExport& data) override;
  std::string allocate(const Wave& wave) override;
  std::string check_attribute(const Wave& wave, unsigned attribute) const override;
  ParameterPoints parameter(unsigned, unsigned, unsigned) const override { return {}; }
  std::string end(const Wave& wave) override;

 private:
  std::string take_position(const Wave& wave, const WaveExport& data);
  std::string take_parameter(const WaveExport& data);
  std::string take_primitives(const WaveExport& data);
  std::string check_vertices(const WaveExport& data) const;
  uint32_t first_vertex() const;

  VertexWaves* waves_ = nullptr;
  uint32_t group_ = 0;
  unsigned index_ = 0;                                  ///< of the wave in its group
  uint64_t vertices_ = 0, primitives_ = 0;              ///< lanes that have one
  std::array<uint64_t, kPositionExports> positions_{};  ///< lanes that have exported
  uint64_t exported_primitives_ = 0;
  bool done_ = false, exported_ = false;
};

/// Starts the waves of a closed batch and collects what they export.
class VertexWaves final : public WaveInitializer {
 public:
  VertexWaves(const StageState& state, const object::StageObject& stage);

  /// `first_group`: number in the draw of the batch's first group.
  void begin(VertexBatch& batch, uint64_t first_group, unsigned waves_per_group, const AttributeRing& ring);

  std::array<uint32_t, 3> group_id(uint64_t group) const override;
  bool initialize(Wave& wave, uint64_t group, unsigned index) const override;

  /// Of primitive shaders, by number in the batch.
  const ExportedPrimitive& exported(uint32_t primitive) const { return exported_[primitive]; }
  /// Bytes of the ring from one vertex group's slot to the next, for `vertices` of them.
  uint32_t ring_bytes(unsigned vertices) const;
  /// Copies the attributes of a subgroup from the ring into the batch.
  void read_ring(const VertexGroup& group) const;
  /// The corners that an exported word names; none of a null primitive.
  void take_corners(const VertexGroup& group, uint32_t primitive) const;

 private:
  friend class VertexLink;
  void start_vertices(Wave& wave, const VertexGroup& group, unsigned index) const;
  void start_subgroup(Wave& wave, const VertexGroup& group, unsigned index) const;
  void set_vertex_vgpr(Wave& wave, unsigned vgpr, unsigned lane, uint32_t value) const;
  void set_primitive_vgpr(Wave& wave, unsigned vgpr, unsigned lane, uint32_t value) const;
  unsigned slots() const;

  const StageState& state_;
  const abi::VertexOutputs& outputs_;
  bool is_primitive_shader_;
  unsigned last_vertex_vgpr_ = 0, last_primitive_vgpr_ = 0;  ///< that the hardware loads
  VertexBatch* batch_ = nullptr;
  AttributeRing ring_;
  uint64_t first_group_ = 0;
  unsigned waves_per_group_ = 1;
  mutable std::vector<VertexLink> links_;  ///< of all waves
  std::vector<ExportedPrimitive> exported_;
  std::vector<uint8_t> allocated_;  ///< of each group: messages
};

}  // namespace spalt::emu
