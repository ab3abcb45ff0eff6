// SPDX-License-Identifier: MIT
#include "emu/draw/graphics_program.h"

#include <algorithm>

#include "emu/launch/runner.h"
#include "emu/wave/graphics_link.h"

namespace spalt::emu {
namespace {

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
  Result<void> mapped = program->code_.map(std::move(space), address, object.code, program->object_, std::move(name));
  if (!mapped) return mapped.error();
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
                                                 address(), *target_, stage.wave_size, std::max(stage.vgpr_count, 1u));
  made.entry_step = made.program->step_at(stage.entry_offset);
  if (made.entry_step == Program::kNoStep) return bad(Status::invalid_input, "no instruction starts at an entry point");
  return made;
}

uint32_t GraphicsProgram::user_data_limit() const {
  return std::max(vertex_.object->user_data_limit, pixel_ ? pixel_->object->user_data_limit : 0);
}

}  // namespace spalt::emu
