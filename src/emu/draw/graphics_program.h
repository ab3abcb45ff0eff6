// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "amdgpu/object/pipeline_object.h"
#include "emu/draw/graphics_facts.h"
#include "emu/launch/launch.h"
#include "emu/memory/mapped_code.h"

namespace spalt::emu {

/// A graphics pipeline of a PAL code object in an address space: checked and mapped, and decoded when it is launched
/// for the first time, which many pipelines never are. It does not change afterwards, and any number of devices may run
/// it at the same time.
class GraphicsProgram {
 public:
  class Stage {
   public:
    Stage(const object::StageObject& stage, const GraphicsProgram& pipeline) : object_(stage), pipeline_(pipeline) {}

    const object::StageObject& object() const { return object_; }
    /// What is the same for all its launches.
    Launch launch() const;
    uint32_t entry_step() const;

   private:
    void decode() const;

    const object::StageObject& object_;
    const GraphicsProgram& pipeline_;
    mutable std::once_flag decoded_;
    mutable std::shared_ptr<const Program> program_;
    mutable uint32_t entry_step_ = 0;
  };

  /// As PalProgram::load.
  static Result<std::shared_ptr<const GraphicsProgram>> load(std::shared_ptr<AddressSpace> space,
                                                             object::PipelineObject pipeline, uint64_t address,
                                                             std::string name);
  GraphicsProgram(const GraphicsProgram&) = delete;
  GraphicsProgram& operator=(const GraphicsProgram&) = delete;

  const object::PipelineObject& object() const { return *object_; }
  const isa::Target& target() const { return *target_; }
  uint64_t address() const { return code_.address(); }
  bool in_space(const AddressSpace* space) const { return code_.space() == space; }

  const Stage& vertex() const { return *vertex_; }
  bool has_primitive_shader() const { return vertex_->object().hardware_stage == abi::HardwareStage::gs; }
  const abi::VertexOutputs& outputs() const { return *std::get_if<abi::VertexOutputs>(&vertex_->object().facts); }
  /// nullptr: fragments have no shader.
  const Stage* pixel() const { return pixel_ ? &*pixel_ : nullptr; }
  /// Of pipelines with a pixel stage.
  const abi::PixelFacts& pixel_facts() const { return *std::get_if<abi::PixelFacts>(&pixel_->object().facts); }

  /// The highest user-data entry that a stage reads, plus 1.
  uint32_t user_data_limit() const;

 private:
  GraphicsProgram() = default;

  std::shared_ptr<const object::PipelineObject> object_;
  const isa::Target* target_ = nullptr;
  MappedCode code_;
  std::optional<Stage> vertex_, pixel_;
};

}  // namespace spalt::emu
