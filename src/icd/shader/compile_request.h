// SPDX-License-Identifier: MIT
//
// What a stage of a pipeline asks of the compiler.
#pragma once

#include <optional>
#include <span>
#include <spirv/unified1/spirv.hpp>
#include <vector>

#include "icd/layout/pipeline_layout.h"
#include "icd/shader/shader_module.h"
#include "spalt/graphics.h"

namespace spalt::icd {

/// A stage with its module resolved: a VkShaderModule, or a VkShaderModuleCreateInfo or an identifier in its chain.
/// Points into these, and so lives as long as the call.
struct StageModule {
  std::span<const uint32_t> words;  // none: only the identifier is known
  ModuleIdentifier identifier{};
  bool known = false;  // false: an identifier that is not one of this driver, which no cache has

  /// Whether the words ask for it; false where they are not known.
  bool declares(spv::Capability capability) const;
};

StageModule resolve_module(const VkPipelineShaderStageCreateInfo& stage);
/// What the stage's chain says of robustness, or else the pipeline's; nullptr: nothing.
const VkPipelineRobustnessCreateInfoEXT* find_robustness(const void* stage_chain, const void* pipeline_chain);

/// The compiler's request. Points into the application's structs, the module and the layout.
class CompileRequest {
 public:
  /// `pipeline_chain` is the pNext of the pipeline's create info.
  CompileRequest(const Device& device, const VkPipelineShaderStageCreateInfo& stage, const void* pipeline_chain,
                 const PipelineLayoutContents& layout)
      : CompileRequest(device, stage, resolve_module(stage), pipeline_chain, layout) {}
  /// Of a module that was resolved before.
  CompileRequest(const Device& device, const VkPipelineShaderStageCreateInfo& stage, const StageModule& module,
                 const void* pipeline_chain, const PipelineLayoutContents& layout);
  CompileRequest(const CompileRequest&) = delete;
  CompileRequest& operator=(const CompileRequest&) = delete;

  const StageModule& module() const { return module_; }
  /// VK_NULL_HANDLE: the module is in the stage's chain.
  VkShaderModule module_handle() const { return module_handle_; }
  const char* entry_point() const { return info_.entry_point; }
  const spalt_compile_info& info() const { return info_; }

  /// Of the pipeline that is made.
  void set_flags(VkPipelineCreateFlags flags);

  /// Of a graphics pipeline: its state, and the stage after this one, if it is compiled already. Both must outlive the
  /// request.
  void set_graphics(const spalt_graphics_state& state, const spalt_stage_object* next_stage);
  /// The stage before this one, which will be in the same pipeline. Must outlive the request.
  void set_previous(const CompileRequest& previous);

  /// The stage is compiled without what its pieces bring (spalt_compile_info::body_only).
  void leave_open() { info_.body_only = 1; }

  /// The key of the result in caches: the compiler's, with the module's identifier as its words. None: the compiler
  /// refuses the request whatever the words are, or the module is not known.
  std::optional<spalt_key> key(const spalt_api::Compiler& compiler) const;

 private:
  void set_printf(const Device& device);
  void set_specialization(const VkSpecializationInfo* constants);
  void set_waves(const Device& device, const VkPipelineShaderStageCreateInfo& stage);
  void set_robustness(const Device& device, const VkPipelineRobustnessCreateInfoEXT* own);

  VkShaderModule module_handle_;
  StageModule module_;
  const CompileRequest* previous_ = nullptr;
  spalt_user_data_layout layout_;
  spalt_printf_place printf_{};
  std::vector<spalt_specialization_entry> constants_;
  spalt_compile_info info_;
};

}  // namespace spalt::icd
