// SPDX-License-Identifier: MIT
#include "emu/draw/vertex_waves.h"

#include <algorithm>
#include <cstring>

#include "base/bits.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

constexpr uint8_t kFullVector = 0xf;
// Exec of merged stages holds whatever it held.
constexpr uint64_t kJunkExec = 0x6db6db6db6db6db6;
constexpr unsigned kRingUnit = 512;

uint64_t lanes_of_wave(unsigned count, unsigned index, unsigned wave_size) {
  const unsigned before = index * wave_size;
  return count <= before ? 0 : first_lanes(std::min(count - before, wave_size));
}

/// Indices and edge flags, which no edge needs here.
uint32_t primitive_word(const BatchPrimitive& primitive, uint32_t first_vertex, unsigned index_bits) {
  uint32_t word = 0;
  for (unsigned i = 0; i < primitive.count; ++i) {
    word |= (primitive.corners[i] - first_vertex) << (i * (index_bits + 1));
  }
  return word;
}

bool is_null(uint32_t word) {
  return word >> 31 != 0;
}
uint32_t corner_of(uint32_t word, unsigned corner, unsigned index_bits) {
  return static_cast<uint32_t>(bits_of(word, corner * (index_bits + 1), index_bits));
}

}  // namespace

// ---- What waves send ----

void VertexLink::begin(VertexWaves& waves, uint32_t group, unsigned index) {
  *this = VertexLink();
  waves_ = &waves;
  group_ = group;
  index_ = index;
  const VertexGroup& members = waves.batch_->groups()[group];
  vertices_ = lanes_of_wave(members.vertex_count, index, waves.state_.wave_size);
  if (waves.is_primitive_shader_) {
    primitives_ = lanes_of_wave(members.primitive_count, index, waves.state_.wave_size);
  }
}

uint32_t VertexLink::first_vertex() const {
  return waves_->batch_->groups()[group_].first_vertex + index_ * waves_->state_.wave_size;
}

std::string VertexLink::take(const Wave& wave, const WaveExport& data) {
  const GraphicsFacts& facts = waves_->state_.facts;
  if (data.compressed) return "exports halves from a vertex wave";
  const bool must_allocate = waves_->is_primitive_shader_ && facts.must_allocate && index_ == 0;
  if (must_allocate && waves_->allocated_[group_] == 0) return "exports before GS_ALLOC_REQ";
  exported_ = true;
  if (is_position_export(data.target)) return take_position(wave, data);
  if (data.target >= kExportParameter) return take_parameter(data);
  if (data.target == kExportPrimitive && waves_->is_primitive_shader_) return take_primitives(data);
  return "exports to a target that the stage does not have";
}

/// Lanes without a vertex may not export one.
std::string VertexLink::check_vertices(const WaveExport& data) const {
  return (data.lanes & ~vertices_) == 0 ? std::string() : "exports a vertex that the wave does not have";
}

std::string VertexLink::take_position(const Wave& wave, const WaveExport& data) {
  const unsigned which = data.target - kExportPosition, count = waves_->outputs_.position_vectors();
  const GraphicsFacts& facts = waves_->state_.facts;
  if (which >= count) return "exports a position vector that the metadata does not have";
  if (done_) return "exports a position after the one that was done";
  if (which == 0 && data.enable != kFullVector) return "exports a part of the position";
  if (facts.hangs_on_empty_position && which == 0 && data.lanes == 0 && !data.done && !data.valid_mask) {
    return "exports the position of no lane without done and vm, which can hang";
  }
  if (std::string violation = check_vertices(data); !violation.empty()) return violation;
  positions_[which] |= data.lanes;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((data.lanes >> lane & 1) == 0) continue;
    uint32_t* to = waves_->batch_->position(first_vertex() + lane, which);
    for (unsigned c = 0; c < 4; ++c) {
      if ((data.enable >> c & 1) != 0 && data.data[c] != nullptr) to[c] = data.data[c][lane];
    }
  }
  if (!data.done) return {};
  done_ = true;
  const AttributeRing& ring = waves_->ring_;
  if (facts.ring_before_position && wave.waits.stores_to(ring.bytes, ring.bytes + ring.size)) {
    return "is done with positions while a store of attributes is in flight";
  }
  for (unsigned i = 0; i < count; ++i) {
    if (positions_[i] != vertices_) return "is done with positions before all vertices have them all";
  }
  return {};
}

std::string VertexLink::take_parameter(const WaveExport& data) {
  const unsigned slot = data.target - kExportParameter;
  if (waves_->state_.facts.parameters_in_ring) return "exports a parameter, which lies in memory here";
  if (data.done) return "is done with a parameter, not with a position";
  // A vertex wave without parameters may have to export one.
  if (slot >= waves_->batch_->slots()) {
    return slot == 0 ? std::string() : "exports a parameter that the metadata does not have";
  }
  if (std::string violation = check_vertices(data); !violation.empty()) return violation;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((data.lanes >> lane & 1) == 0) continue;
    uint32_t* to = waves_->batch_->parameter(first_vertex() + lane, slot);
    for (unsigned c = 0; c < 4; ++c) {
      if ((data.enable >> c & 1) != 0 && data.data[c] != nullptr) to[c] = data.data[c][lane];
    }
  }
  return {};
}

std::string VertexLink::take_primitives(const WaveExport& data) {
  if (data.enable != 1 || data.data[0] == nullptr) return "exports a primitive of more than one dword";
  if (!data.done) return "exports a primitive without done";
  if ((data.lanes & ~primitives_) != 0) return "exports a primitive that the wave does not have";
  if ((data.lanes & exported_primitives_) != 0) return "exports a primitive twice";
  exported_primitives_ |= data.lanes;
  const uint32_t first = waves_->batch_->groups()[group_].first_primitive + index_ * waves_->state_.wave_size;
  const uint32_t vertices = waves_->batch_->groups()[group_].vertex_count;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((data.lanes >> lane & 1) == 0) continue;
    const uint32_t word = data.data[0][lane];
    waves_->exported_[first + lane] = {word, true};
    if (is_null(word)) continue;
    for (unsigned i = 0; i < waves_->batch_->primitives()[first + lane].count; ++i) {
      if (corner_of(word, i, waves_->state_.facts.index_bits) >= vertices) {
        return "exports a primitive with a vertex that the subgroup does not have";
      }
    }
  }
  return {};
}

std::string VertexLink::allocate(const Wave& wave) {
  if (!waves_->is_primitive_shader_) return "sends GS_ALLOC_REQ from a stage that has none";
  if (index_ != 0) return "sends GS_ALLOC_REQ from a wave that is not the first one";
  if (exported_) return "sends GS_ALLOC_REQ after an export";
  if (waves_->allocated_[group_]++ != 0) return "sends GS_ALLOC_REQ twice";
  const VertexGroup& group = waves_->batch_->groups()[group_];
  if (bits_of(wave.m0(), 0, 11) != group.vertex_count || bits_of(wave.m0(), 12, 11) != group.primitive_count) {
    return "sends GS_ALLOC_REQ for other numbers of vertices and primitives than the subgroup has";
  }
  return {};
}

std::string VertexLink::check_attribute(const Wave&, unsigned) const {
  return "reads an attribute in a wave that has none";
}

std::string VertexLink::end(const Wave&) {
  if (vertices_ != 0 && !done_) return "ends a wave that owes the positions of its vertices";
  if (exported_primitives_ != primitives_) return "ends a wave that owes primitives";
  const bool allocates = waves_->is_primitive_shader_ && waves_->state_.facts.must_allocate && index_ == 0;
  if (allocates && waves_->allocated_[group_] == 0) return "ends the first wave without GS_ALLOC_REQ";
  return {};
}

// ---- What waves start with ----

VertexWaves::VertexWaves(const StageState& state, const object::StageObject& stage)
    : state_(state),
      outputs_(*std::get_if<abi::VertexOutputs>(&stage.facts)),
      is_primitive_shader_(stage.hardware_stage == abi::HardwareStage::gs) {
  const VertexVgprs& vgprs = is_primitive_shader_ ? state.facts.primitive : state.facts.vertex;
  last_vertex_vgpr_ = vgprs.vertex_id + stage.vertex_vgpr_comp_cnt;
  last_primitive_vgpr_ = stage.primitive_vgpr_comp_cnt;
}

unsigned VertexWaves::slots() const {
  return std::max<unsigned>(static_cast<unsigned>(outputs_.parameters.size()), 1);
}

uint32_t VertexWaves::ring_bytes(unsigned vertices) const {
  return (vertices + 31) / 32 * kRingUnit * slots();
}

void VertexWaves::begin(VertexBatch& batch, uint64_t first_group, unsigned waves_per_group, const AttributeRing& ring) {
  batch_ = &batch;
  ring_ = ring;
  first_group_ = first_group;
  waves_per_group_ = waves_per_group;
  links_.resize(batch.groups().size() * waves_per_group);
  exported_.assign(batch.primitives().size(), {});
  allocated_.assign(batch.groups().size(), 0);
}

std::array<uint32_t, 3> VertexWaves::group_id(uint64_t group) const {
  return {static_cast<uint32_t>(first_group_ + group), 0, 0};
}

bool VertexWaves::initialize(Wave& wave, uint64_t group, unsigned index) const {
  const VertexGroup& members = batch_->groups()[group];
  if (index * state_.wave_size >= std::max(members.vertex_count, is_primitive_shader_ ? members.primitive_count : 0)) {
    return false;
  }
  const unsigned next = state_.start(wave);
  is_primitive_shader_ ? start_subgroup(wave, members, index) : start_vertices(wave, members, index);
  if (!is_primitive_shader_) state_.set_scratch_offset(wave, next);
  VertexLink& link = links_[group * waves_per_group_ + index];
  link.begin(*const_cast<VertexWaves*>(this), static_cast<uint32_t>(group), index);
  wave.graphics = &link;
  return true;
}

/// Registers that the metadata does not ask for, or that the program does not have, are not written.
void VertexWaves::set_vertex_vgpr(Wave& wave, unsigned vgpr, unsigned lane, uint32_t value) const {
  if (vgpr <= last_vertex_vgpr_ && vgpr < wave.vgpr_count()) wave.vgpr(vgpr)[lane] = value;
}
void VertexWaves::set_primitive_vgpr(Wave& wave, unsigned vgpr, unsigned lane, uint32_t value) const {
  if (vgpr <= last_primitive_vgpr_ && vgpr < wave.vgpr_count()) wave.vgpr(vgpr)[lane] = value;
}

void VertexWaves::start_vertices(Wave& wave, const VertexGroup& group, unsigned index) const {
  const VertexVgprs& vgprs = state_.facts.vertex;
  const unsigned first = index * state_.wave_size;
  const unsigned count = std::min(group.vertex_count - first, state_.wave_size);
  for (unsigned lane = 0; lane < count; ++lane) {
    const VertexInput& vertex = batch_->vertices()[group.first_vertex + first + lane];
    set_vertex_vgpr(wave, vgprs.vertex_id, lane, vertex.id);
    set_vertex_vgpr(wave, vgprs.instance_id, lane, vertex.instance);
    set_vertex_vgpr(wave, vgprs.instance_id_too, lane, vertex.instance);
    set_vertex_vgpr(wave, vgprs.primitive_id, lane, vertex.primitive);
  }
  wave.set_exec(first_lanes(count));
}

void VertexWaves::start_subgroup(Wave& wave, const VertexGroup& group, unsigned index) const {
  const GraphicsFacts& facts = state_.facts;
  const unsigned first = index * state_.wave_size, size = state_.wave_size;
  const auto in_wave = [&](unsigned count) { return count > first ? std::min(count - first, size) : 0; };
  const unsigned vertices = in_wave(group.vertex_count), primitives = in_wave(group.primitive_count);
  const unsigned waves = (std::max(group.vertex_count, group.primitive_count) + size - 1) / size;
  constexpr unsigned kGroupInfo = 2, kWaveInfo = 3, kRingOffset = 5;
  wave.write_s32(kGroupInfo, group.vertex_count << 12 | group.primitive_count << 22);
  wave.write_s32(kWaveInfo, vertices | primitives << 8 | index << 24 | waves << 28);
  if (facts.parameters_in_ring) {
    wave.write_s32(kRingOffset, group.ring_offset / kRingUnit);
  } else {
    state_.set_scratch_offset(wave, kRingOffset);
  }
  for (unsigned lane = 0; lane < vertices; ++lane) {
    const VertexInput& vertex = batch_->vertices()[group.first_vertex + first + lane];
    set_vertex_vgpr(wave, facts.primitive.vertex_id, lane, vertex.id);
    set_vertex_vgpr(wave, facts.primitive.instance_id, lane, vertex.instance);
  }
  for (unsigned lane = 0; lane < primitives; ++lane) {
    const BatchPrimitive& primitive = batch_->primitives()[group.first_primitive + first + lane];
    set_primitive_vgpr(wave, 0, lane, primitive_word(primitive, group.first_vertex, facts.index_bits));
    set_primitive_vgpr(wave, facts.primitive.primitive_id, lane, primitive.id);
  }
  wave.set_exec(size == 32 ? kJunkExec & 0xffffffffu : kJunkExec);
}

void VertexWaves::take_corners(const VertexGroup& group, uint32_t primitive) const {
  BatchPrimitive& taken = batch_->primitives()[primitive];
  const uint32_t word = exported_[primitive].word;
  if (is_null(word)) {
    taken.count = 0;
    return;
  }
  for (unsigned i = 0; i < taken.count; ++i) {
    taken.corners[i] = group.first_vertex + corner_of(word, i, state_.facts.index_bits);
  }
}

void VertexWaves::read_ring(const VertexGroup& group) const {
  constexpr unsigned kLine = 32, kVectorBytes = 16;
  const unsigned stride = slots() * kVectorBytes;
  for (unsigned t = 0; t < group.vertex_count; ++t) {
    for (unsigned slot = 0; slot < batch_->slots(); ++slot) {
      const size_t at =
          size_t{group.ring_offset} + size_t{t / kLine} * stride * kLine + slot * kRingUnit + t % kLine * kVectorBytes;
      std::memcpy(batch_->parameter(group.first_vertex + t, slot), ring_.bytes + at, kVectorBytes);
    }
  }
}

}  // namespace spalt::emu
