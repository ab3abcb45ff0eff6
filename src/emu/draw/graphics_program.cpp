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
  std::call_once(decoded_, [this] { decode(); });
  Launch launch;
  launch.program = program_;
  launch.wave_size = object_.wave_size;
  launch.vgpr_count = std::max(object_.vgpr_count, 1u);
  launch.lds_bytes = object_.lds_bytes;
  launch.wgp_mode = object_.wgp_mode;
  launch.scratch_bytes_per_wave = scratch_bytes_per_wave(object_.scratch_bytes_per_lane, object_.wave_size);
  return launch;
}

uint32_t GraphicsProgram::Stage::entry_step() const {
  std::call_once(decoded_, [this] { decode(); });
  return entry_step_;
}

/// All code of the pipeline, since stages may share some. The step of the entry point is what a wave starts with
/// whatever lies before it: where instructions before it run over it, only the code from there on is known.
void GraphicsProgram::Stage::decode() const {
  const std::span<const uint8_t> code(pipeline_.object().code.data(), pipeline_.object().code.size());
  const auto from = [&](uint32_t offset) {
    return std::make_shared<const Program>(code.subspan(offset), pipeline_.address() + offset, pipeline_.target(),
                                           object_.wave_size, std::max(object_.vgpr_count, 1u));
  };
  program_ = from(0);
  entry_step_ = program_->step_at(object_.entry_offset);
  if (entry_step_ != Program::kNoStep) return;
  program_ = from(object_.entry_offset);
  entry_step_ = 0;
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
  program->vertex_.emplace(*vertex, *program);
  if (pixel != nullptr) program->pixel_.emplace(*pixel, *program);
  return std::shared_ptr<const GraphicsProgram>(program);
}

uint32_t GraphicsProgram::user_data_limit() const {
  return std::max(vertex_->object().user_data_limit, pixel_ ? pixel_->object().user_data_limit : 0);
}

}  // namespace spalt::emu
