// SPDX-License-Identifier: MIT
#include "emu/draw/draw.h"

#include <algorithm>
#include <cstring>

#include "emu/draw/fragment_stage.h"

namespace spalt::emu {
namespace {

// What nobody stores is junk.
constexpr uint8_t kJunkByte = 0xcd;
/// Vertices between two looks at whether the draw is cancelled.
constexpr uint32_t kVerticesBetweenPolls = 1u << 16;
constexpr unsigned kMaxGroups = 64;

/// Sizes of a subgroup that the hardware can have, and that a primitive fits into.
unsigned usable_subgroup(uint32_t size, unsigned least) {
  constexpr unsigned kMost = 256;
  return std::clamp<unsigned>(size, least, kMost);
}

unsigned slots_of(const GraphicsProgram& program) {
  return static_cast<unsigned>(program.outputs().parameters.size());
}

uint64_t ring_bytes_of_group(const GraphicsProgram& program) {
  constexpr unsigned kLine = 32, kLineBytes = 512;
  const unsigned vertices = usable_subgroup(program.vertex().object().subgroup_vertices, 3);
  return uint64_t{(vertices + kLine - 1) / kLine} * kLineBytes * std::max(slots_of(program), 1u);
}

BatchLimits batch_limits(const GraphicsProgram& program) {
  BatchLimits limits;
  limits.provokes_once = program.has_primitive_shader() && program.outputs().primitive_id;
  limits.shares_vertices = program.has_primitive_shader() || !program.outputs().primitive_id;
  limits.group_vertices = program.vertex().object().wave_size;
  if (!program.has_primitive_shader()) return limits;
  limits.groups_own_primitives = true;
  limits.group_vertices = usable_subgroup(program.vertex().object().subgroup_vertices, 3);
  limits.group_primitives = usable_subgroup(program.vertex().object().subgroup_primitives, 1);
  limits.groups = static_cast<unsigned>(std::min<uint64_t>(kMaxGroups, kMaxRingBytes / ring_bytes_of_group(program)));
  return limits;
}

/// A draw for one view.
class ViewDraw {
 public:
  ViewDraw(const GraphicsDraw& draw, const DrawMemory& memory, const DrawResources& resources, uint32_t view,
           DrawOutcome& outcome)
      : draw_(draw),
        memory_(memory),
        resources_(resources),
        outcome_(outcome),
        view_(view),
        user_data_(make_user_data()),
        limits_(batch_limits(*draw.program)),
        batch_(limits_, slots_of(*draw.program)),
        state_(draw.program->vertex().object(), graphics_facts(draw.program->target()), draw.program->target(),
               draw.program->vertex().entry_step(), user_data_),
        waves_(state_, draw.program->vertex().object()),
        fragments_(draw, memory, user_data_, resources, batch_, outcome) {
    state_.scratch_ring = resources.scratch_ring;
  }

  std::optional<Error> run() {
    PrimitiveAssembler assembler(draw_.state.topology, draw_.state.provoking);
    for (uint32_t i = 0; i < draw_.instance_count && draw_.count != 0 && !stopped(); ++i) run_instance(assembler, i);
    flush();
    return error_ ? error_ : fragments_.error();
  }

 private:
  DrawUserData make_user_data() const {
    DrawUserData data;
    data.entries = draw_.user_data;
    data.global_table = resources_.global_table;
    data.spill_table = resources_.spill_table;
    data.vertex_buffer_table = draw_.vertex_buffer_table;
    data.base_vertex = draw_.indexed ? static_cast<uint32_t>(draw_.vertex_offset) : draw_.first;
    data.base_instance = draw_.first_instance;
    data.draw_index = draw_.draw_index;
    data.view = view_;
    return data;
  }

  bool stopped() const { return error_ || fragments_.stopped(); }

  /// The vertex id that the hardware makes, without the base.
  uint32_t id_at(uint32_t place) const {
    return draw_.indexed ? memory_.indices.at(uint64_t{draw_.first} + place) : place;
  }

  void poll() {
    if (resources_.cancel != nullptr && resources_.cancel->load(std::memory_order_relaxed)) {
      outcome_.fault = cancelled_fault();
    }
  }

  void run_instance(PrimitiveAssembler& assembler, uint32_t instance) {
    poll();
    assembler.begin_instance();
    const bool restarts = draw_.indexed && draw_.state.primitive_restart;
    for (uint32_t place = 0; place < draw_.count && !stopped(); ++place) {
      if (place % kVerticesBetweenPolls == 0) poll();
      const bool restart = restarts && id_at(place) == memory_.indices.restart_index();
      if (!restart) ++outcome_.counters.input_vertices;
      const Primitive* primitive = restart ? assembler.end_strip() : assembler.add(place);
      if (primitive != nullptr) add(*primitive, instance);
    }
    if (const Primitive* primitive = assembler.end_strip(); primitive != nullptr) add(*primitive, instance);
  }

  void add(const Primitive& primitive, uint32_t instance) {
    ++outcome_.counters.input_primitives;
    std::array<uint32_t, 3> ids{};
    for (unsigned i = 0; i < primitive.count; ++i) ids[i] = id_at(primitive.corners[i]);
    if (batch_.add(primitive, ids, instance)) return;
    flush();
    if (!stopped()) batch_.add(primitive, ids, instance);
  }

  void flush() {
    if (!batch_.empty() && !stopped()) {
      batch_.close();
      shade();
      if (!stopped() && !draw_.state.rasterizer_discard) rasterize();
    }
    batch_.clear();
  }

  void shade() {
    const bool is_primitive_shader = draw_.program->has_primitive_shader();
    Launch launch = draw_.program->vertex().launch();
    if (is_primitive_shader) {
      const unsigned threads = std::max(limits_.group_vertices, limits_.group_primitives);
      launch.waves_per_group = (threads + launch.wave_size - 1) / launch.wave_size;
      place_in_ring();
    }
    waves_.begin(batch_, next_group_, launch.waves_per_group, resources_.ring);
    launch.initializer = &waves_;
    launch.groups = batch_.groups().size();
    launch.stage = is_primitive_shader ? "primitive" : "vertex";
    launch.draw = draw_.draw_index;
    launch.step_limit = draw_.step_limit;
    launch.border_colors = draw_.border_colors;
    launch.observer = draw_.observer;
    Result<RunOutcome> outcome = resources_.run(launch);
    if (!outcome) {
      error_ = outcome.error();
      return;
    }
    next_group_ += launch.groups;
    outcome_.statistics += outcome->statistics;
    outcome_.counters.vertex_invocations += batch_.vertices().size();
    outcome_.fault = std::move(outcome->fault);
    if (is_primitive_shader && !stopped()) take_subgroups();
  }

  void place_in_ring() {
    uint32_t next = 0;
    for (VertexGroup& group : batch_.groups()) {
      group.ring_offset = next;
      next += waves_.ring_bytes(group.vertex_count);
    }
    if (resources_.ring.bytes != nullptr) std::memset(resources_.ring.bytes, kJunkByte, next);
  }

  void take_subgroups() {
    for (const VertexGroup& group : batch_.groups()) {
      if (resources_.ring.bytes != nullptr) waves_.read_ring(group);
      for (uint32_t i = 0; i < group.primitive_count; ++i) waves_.take_corners(group, group.first_primitive + i);
    }
  }

  void rasterize() {
    const uint32_t layer = draw_.state.view_mask != 0 ? view_ : 0;
    for (const BatchPrimitive& primitive : batch_.primitives()) {
      if (primitive.count != 0) fragments_.draw(primitive, layer);
      if (stopped()) return;
    }
    fragments_.flush();
  }

  const GraphicsDraw& draw_;
  const DrawMemory& memory_;
  const DrawResources& resources_;
  DrawOutcome& outcome_;
  uint32_t view_;
  DrawUserData user_data_;
  BatchLimits limits_;
  VertexBatch batch_;
  StageState state_;
  VertexWaves waves_;
  FragmentStage fragments_;
  uint64_t next_group_ = 0;
  std::optional<Error> error_;
};

}  // namespace

uint64_t attribute_ring_bytes(const GraphicsProgram& program) {
  const bool has_ring = graphics_facts(program.target()).parameters_in_ring;
  return has_ring ? ring_bytes_of_group(program) * batch_limits(program).groups : 0;
}

Result<DrawOutcome> run_draw(const GraphicsDraw& draw, const DrawResources& resources, const Memory& memory) {
  const Result<DrawMemory> found = find_memory(draw, memory);
  if (!found) return found.error();
  DrawOutcome outcome;
  const uint32_t views = draw.state.view_mask != 0 ? draw.state.view_mask : 1;
  for (uint32_t view = 0; view < kMaxViews; ++view) {
    if ((views >> view & 1) == 0 || outcome.fault.kind != FaultKind::none) continue;
    if (std::optional<Error> error = ViewDraw(draw, *found, resources, view, outcome).run()) return *error;
  }
  return outcome;
}

}  // namespace spalt::emu
