// SPDX-License-Identifier: MIT
#include "icd/shader/compile_request.h"

#include <bit>
#include <cstring>
#include <new>

#include "icd/memory/device_space.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

StageModule from_words(std::span<const uint32_t> words) {
  return {words, identify_module(words), true};
}

StageModule from_identifier(const VkPipelineShaderStageModuleIdentifierCreateInfoEXT& info) {
  StageModule module;
  module.known = info.identifierSize == sizeof(ModuleIdentifier);
  if (module.known) std::memcpy(module.identifier.data(), info.pIdentifier, sizeof(ModuleIdentifier));
  return module;
}

/// What buffers do outside of their bounds unless the pipeline says otherwise.
uint32_t default_robustness(const Device& device) {
  if (device.has(Feature::robustBufferAccess2)) return SPALT_ROBUSTNESS_2;
  return device.has(Feature::robustBufferAccess) ? SPALT_ROBUSTNESS_1 : SPALT_ROBUSTNESS_OFF;
}

uint32_t buffer_robustness(VkPipelineRobustnessBufferBehaviorEXT behavior, uint32_t device_default) {
  switch (behavior) {
    case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT:
      return SPALT_ROBUSTNESS_OFF;
    case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT:
      return SPALT_ROBUSTNESS_1;
    case VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT:
      return SPALT_ROBUSTNESS_2;
    default:
      return device_default;
  }
}

uint32_t default_image_robustness(const Device& device) {
  if (device.has(Feature::robustImageAccess2)) return SPALT_ROBUSTNESS_2;
  return device.has(Feature::robustImageAccess) ? SPALT_ROBUSTNESS_1 : SPALT_ROBUSTNESS_OFF;
}

uint32_t image_robustness(VkPipelineRobustnessImageBehaviorEXT behavior, uint32_t device_default) {
  switch (behavior) {
    case VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED_EXT:
      return SPALT_ROBUSTNESS_OFF;
    case VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_EXT:
      return SPALT_ROBUSTNESS_1;
    case VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT:
      return SPALT_ROBUSTNESS_2;
    default:
      return device_default;
  }
}

uint32_t stage_number(VkShaderStageFlagBits stage) {
  if (stage == VK_SHADER_STAGE_VERTEX_BIT) return SPALT_STAGE_VERTEX;
  return stage == VK_SHADER_STAGE_FRAGMENT_BIT ? SPALT_STAGE_FRAGMENT : SPALT_STAGE_COMPUTE;
}

}  // namespace

const VkPipelineRobustnessCreateInfoEXT* find_robustness(const void* stage_chain, const void* pipeline_chain) {
  constexpr VkStructureType kType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
  if (auto* own = find_in_chain<VkPipelineRobustnessCreateInfoEXT>(stage_chain, kType)) return own;
  return find_in_chain<VkPipelineRobustnessCreateInfoEXT>(pipeline_chain, kType);
}

/// Capabilities come first, after a header of five words (SPIR-V specification, 2.3 and 2.4).
bool StageModule::declares(spv::Capability capability) const {
  constexpr size_t kHeaderWords = 5;
  constexpr uint32_t kOpCapability = 2u << spv::WordCountShift | spv::OpCapability;
  for (size_t i = kHeaderWords; i + 1 < words.size() && words[i] == kOpCapability; i += 2) {
    if (words[i + 1] == capability) return true;
  }
  return false;
}

StageModule resolve_module(const VkPipelineShaderStageCreateInfo& stage) {
  if (stage.module != VK_NULL_HANDLE) {
    const auto& module = from_handle<ShaderModule>(stage.module);
    return {module.words(), module.identifier(), true};
  }
  if (auto* inline_module =
          find_in_chain<VkShaderModuleCreateInfo>(stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)) {
    return from_words(module_words(*inline_module));
  }
  if (auto* identifier = find_in_chain<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
          stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT)) {
    return from_identifier(*identifier);
  }
  return {};
}

CompileRequest::CompileRequest(const Device& device, const VkPipelineShaderStageCreateInfo& stage,
                               const StageModule& module, const void* pipeline_chain,
                               const PipelineLayoutContents& layout)
    : module_handle_(stage.module),
      module_(module),
      layout_(layout.user_data()),
      info_(spalt_api::sized<spalt_compile_info>()) {
  info_.words = module_.words.data();
  info_.word_count = module_.words.size();
  info_.entry_point = stage.pName;
  info_.stage = stage_number(stage.stage);
  info_.has_stage = 1;
  info_.layout = &layout_;
  info_.has_address_high = 1;
  info_.address_high = kTablesAddressHigh;
  set_printf(device);
  set_specialization(stage.pSpecializationInfo);
  set_waves(device, stage);
  set_robustness(device, find_robustness(stage.pNext, pipeline_chain));
}

/// Where the module is known by its words.
void CompileRequest::set_printf(const Device& device) {
  PrintfLog* log = device.printf_log();
  if (log == nullptr || module_.words.empty()) return;
  printf_ = {PrintfLog::kSet, PrintfLog::kBinding, log->add_module(module_.words)};
  info_.printf = &printf_;
}

/// A size that no constant has belongs to an id that the module does not have, which Vulkan allows.
void CompileRequest::set_specialization(const VkSpecializationInfo* constants) {
  if (constants == nullptr) return;
  for (uint32_t i = 0; i < constants->mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = constants->pMapEntries[i];
    if (!std::has_single_bit(entry.size) || entry.size > sizeof(uint64_t)) continue;
    constants_.push_back({entry.constantID, entry.offset, entry.size});
  }
  info_.specialization_entries = constants_.data();
  info_.specialization_entry_count = constants_.size();
  info_.specialization_entry_size = sizeof(spalt_specialization_entry);
  info_.specialization_data = constants->pData;
  info_.specialization_data_size = constants->dataSize;
}

void CompileRequest::set_waves(const Device& device, const VkPipelineShaderStageCreateInfo& stage) {
  auto* required = find_in_chain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  info_.wave_size = required != nullptr ? required->requiredSubgroupSize : device.physical().wave_size();
  // Waves are full by themselves where the application keeps the rule of REQUIRE_FULL_SUBGROUPS about the workgroup's
  // width; conformance tests set the flag without keeping it.
  const VkPhysicalDeviceLimits& limits = device.physical().properties().core.limits;
  for (unsigned i = 0; i < 3; ++i) info_.max_workgroup_count[i] = limits.maxComputeWorkGroupCount[i];
}

void CompileRequest::set_robustness(const Device& device, const VkPipelineRobustnessCreateInfoEXT* own) {
  const uint32_t device_default = default_robustness(device);
  info_.uniform_buffer_robustness = device_default;
  info_.storage_buffer_robustness = device_default;
  const uint32_t image_default = default_image_robustness(device);
  info_.image_robustness = image_default;
  info_.null_descriptors = device.has(Feature::nullDescriptor);
  if (own == nullptr) return;
  info_.uniform_buffer_robustness = buffer_robustness(own->uniformBuffers, device_default);
  info_.storage_buffer_robustness = buffer_robustness(own->storageBuffers, device_default);
  info_.image_robustness = image_robustness(own->images, image_default);
}

void CompileRequest::set_flags(VkPipelineCreateFlags flags) {
  const bool soon = (flags & VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT) != 0;
  info_.optimization = soon ? SPALT_OPTIMIZATION_FAST : SPALT_OPTIMIZATION_FULL;
}

void CompileRequest::set_graphics(const spalt_graphics_state& state, const spalt_stage_object* next_stage) {
  info_.graphics = &state;
  info_.next_stage = next_stage;
}

/// A module that is known by its identifier alone tells nothing.
void CompileRequest::set_previous(const CompileRequest& previous) {
  previous_ = &previous;
  if (!previous.module_.words.empty()) info_.previous_stage = &previous.info_;
}

std::optional<spalt_key> CompileRequest::key(const spalt_api::Compiler& compiler) const {
  spalt_compile_info info = info_;
  info.words = module_.identifier.data();
  info.word_count = module_.identifier.size();
  spalt_compile_info previous = spalt_api::sized<spalt_compile_info>();
  if (previous_ != nullptr) {
    previous = previous_->info_;
    previous.words = previous_->module_.identifier.data();
    previous.word_count = previous_->module_.identifier.size();
    info.previous_stage = &previous;
  }
  spalt_key key{};
  const spalt_result result = spalt_compile_key(compiler.handle(), &info, &key);
  if (result == SPALT_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  const bool known = module_.known && (previous_ == nullptr || previous_->module_.known);
  return known && result == SPALT_SUCCESS ? std::optional(key) : std::nullopt;
}

}  // namespace spalt::icd
