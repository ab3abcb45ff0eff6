// SPDX-License-Identifier: MIT
#include "emu/draw/graphics_program.h"

#include <algorithm>
#include <new>

#include "emu/launch/runner.h"
#include "emu/wave/graphics_link.h"

namespace spalt::emu {
namespace {

constexpr uint64_t kCodeAlignment = 256;
constexpr unsigned kMaxDistanceVectors = 2;

Error bad(Status status, std::string message) {
  return {status, std::move(message)};
}

/// Everything that the rest relies on; metadata is not trusted.
Result<void> check_stage(const object::StageObject& stage, const isa::Target& target, size_t code_bytes) {
  if (stage.wave_size != 32 && stage.wave_size != 64) {
    return bad(Status::invalid_input, "the wave size is neither 32 nor 64");
  }
  if (stage.wave_size == 32 && !target.has_wave32) {
    return bad(Status::invalid_input, std::string(target.name) + " has no waves of 32 lanes");
  }
  if (stage.vgpr_count > target.vgpr_limit) return bad(Status::invalid_input, "too many vector registers");
  if (stage.lds_bytes > target.lds_bytes_per_workgroup) return bad(Status::invalid_input, "too much LDS");
  if (stage.user_sgprs > object::kUserDataRegisters) return bad(Status::invalid_input, "too many user SGPRs");
  if (stage.entry_offset >= code_bytes) return bad(Status::invalid_input, "an entry point leaves the code");
  return {};
}

Result<void> check_vertex(const object::StageObject& stage, const GraphicsFacts& facts) {
  const auto* outputs = std::get_if<abi::VertexOutputs>(&stage.facts);
  if (outputs == nullptr) return bad(Status::invalid_input, "the vertex stage has no outputs");
  const bool is_primitive_shader = stage.hardware_stage == abi::HardwareStage::gs;
  if (!is_primitive_shader && facts.parameters_in_ring) {
    return bad(Status::invalid_input, "the processor has no hardware vertex stage");
  }
  if (outputs->parameters.size() > kParameterExports || outputs->distance_vectors() > kMaxDistanceVectors) {
    return bad(Status::invalid_input, "the vertex stage has too many outputs");
  }
  return {};
}

Result<void> check_pixel(const object::PipelineObject& pipeline, const object::StageObject& stage) {
  const auto* facts = std::get_if<abi::PixelFacts>(&stage.facts);
  if (facts == nullptr) return bad(Status::invalid_input, "the pixel stage has no facts");
  if (facts->parameters.size() != pipeline.sources.size()) {
    return bad(Status::invalid_input, "the pixel stage has parameters without a source");
  }
  return {};
}

}  // namespace

Launch GraphicsProgram::Stage::launch() const {
  Launch launch;
  launch.program = program;
  launch.wave_size = object->wave_size;
  launch.vgpr_count = std::max(object->vgpr_count, 1u);
  launch.lds_bytes = object->lds_bytes;
  launch.wgp_mode = object->wgp_mode;
  launch.scratch_bytes_per_wave = scratch_bytes_per_wave(object->scratch_bytes_per_lane, object->wave_size);
  return launch;
}

Result<std::shared_ptr<const GraphicsProgram>> GraphicsProgram::load(std::shared_ptr<AddressSpace> space,
                                                                     object::PipelineObject pipeline, uint64_t address,
                                                                     std::string name) {
  if (address % kCodeAlignment != 0) return bad(Status::invalid_argument, "code lies at multiples of 256 bytes");
  const std::shared_ptr<GraphicsProgram> program(new GraphicsProgram);
  program->object_ = std::make_shared<const object::PipelineObject>(std::move(pipeline));
  const object::PipelineObject& object = program->object();
  const object::StageObject* vertex = object.find(abi::HardwareStage::vs);
  if (vertex == nullptr) vertex = object.find(abi::HardwareStage::gs);
  const object::StageObject* pixel = object.find(abi::HardwareStage::ps);
  if (vertex == nullptr) return bad(Status::invalid_input, "the pipeline has no vertex stage");
  program->target_ = isa::find_target(vertex->target_name);
  if (program->target_ == nullptr || !program->target_->executes) {
    return bad(Status::unsupported, "the target \"" + vertex->target_name + "\" is not executed");
  }
  const isa::Target& target = *program->target_;
  if (Result<void> done = check_stage(*vertex, target, object.code.size()); !done) return done.error();
  if (Result<void> done = check_vertex(*vertex, graphics_facts(target)); !done) return done.error();
  if (pixel != nullptr) {
    if (Result<void> done = check_stage(*pixel, target, object.code.size()); !done) return done.error();
    if (Result<void> done = check_pixel(object, *pixel); !done) return done.error();
  }
  if (Result<void> done = program->map(std::move(space), address, std::move(name)); !done) return done.error();
  Result<Stage> made = program->make_stage(*vertex);
  if (!made) return made.error();
  program->vertex_ = std::move(*made);
  if (pixel != nullptr) {
    made = program->make_stage(*pixel);
    if (!made) return made.error();
    program->pixel_ = std::move(*made);
  }
  return std::shared_ptr<const GraphicsProgram>(program);
}

Result<GraphicsProgram::Stage> GraphicsProgram::make_stage(const object::StageObject& stage) const {
  Stage made;
  made.object = &stage;
  made.program = std::make_shared<const Program>(std::span<const uint8_t>(object_->code.data(), object_->code.size()),
                                                 address_, *target_, stage.wave_size, std::max(stage.vgpr_count, 1u));
  made.entry_step = made.program->step_at(stage.entry_offset);
  if (made.entry_step == Program::kNoStep) return bad(Status::invalid_input, "no instruction starts at an entry point");
  return made;
}

Result<void> GraphicsProgram::map(std::shared_ptr<AddressSpace> space, uint64_t address, std::string name) {
  // Stores to the mapping are refused.
  auto* code = const_cast<uint8_t*>(object_->code.data());
  Mapping mapping{address, object_->code.size(), code, false, std::move(name), object_};
  if (address != 0) {
    if (Result<void> done = space->map(std::move(mapping)); !done) return done;
    address_ = address;
  } else {
    const Result<uint64_t> at = space->map_anywhere(Area::programs, kCodeAlignment, std::move(mapping));
    if (!at) return at.error();
    address_ = *at;
  }
  space_ = std::move(space);
  return {};
}

GraphicsProgram::~GraphicsProgram() {
  if (space_ == nullptr) return;
  try {
    space_->unmap(address_);
  } catch (const std::bad_alloc&) {
    // Something runs, and there is no memory for a table without this mapping. It stays, and keeps the code.
  }
}

uint32_t GraphicsProgram::user_data_limit() const {
  return std::max(vertex_.object->user_data_limit, pixel_ ? pixel_->object->user_data_limit : 0);
}

}  // namespace spalt::emu
