// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "amdgpu/object/pipeline_object.h"
#include "emu/draw/graphics_facts.h"
#include "emu/launch/launch.h"
#include "emu/memory/mapped_code.h"

namespace spalt::emu {

/// A graphics pipeline of a PAL code object in an address space: checked, mapped and decoded once. It does not change
/// afterwards, and any number of devices may run it at the same time.
class GraphicsProgram {
 public:
  struct Stage {
    const object::StageObject* object = nullptr;
    std::shared_ptr<const Program> program;
    uint32_t entry_step = 0;

    /// What is the same for all its launches.
    Launch launch() const;
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

  const Stage& vertex() const { return vertex_; }
  bool has_primitive_shader() const { return vertex_.object->hardware_stage == abi::HardwareStage::gs; }
  const abi::VertexOutputs& outputs() const { return *std::get_if<abi::VertexOutputs>(&vertex_.object->facts); }
  /// nullptr: fragments have no shader.
  const Stage* pixel() const { return pixel_ ? &*pixel_ : nullptr; }
  /// Of pipelines with a pixel stage.
  const abi::PixelFacts& pixel_facts() const { return *std::get_if<abi::PixelFacts>(&pixel_->object->facts); }

  /// The highest user-data entry that a stage reads, plus 1.
  uint32_t user_data_limit() const;

 private:
  GraphicsProgram() = default;
  Result<Stage> make_stage(const object::StageObject& stage) const;

  std::shared_ptr<const object::PipelineObject> object_;
  const isa::Target* target_ = nullptr;
  MappedCode code_;
  Stage vertex_;
  std::optional<Stage> pixel_;
};

}  // namespace spalt::emu
