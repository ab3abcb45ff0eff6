// SPDX-License-Identifier: MIT
//
// VK_AMD_shader_info: the same facts as VK_KHR_pipeline_executable_properties, for tools that speak only this.
#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/object/result.h"
#include "icd/shader/disassembly.h"
#include "icd/shader/pipeline.h"

namespace spalt::icd {
namespace {

/// Vulkan's two-call idiom for bytes.
VkResult write_bytes(const void* bytes, size_t size, size_t* count, void* output) {
  if (output == nullptr) {
    *count = size;
    return VK_SUCCESS;
  }
  *count = std::min(*count, size);
  std::memcpy(output, bytes, *count);
  return *count < size ? VK_INCOMPLETE : VK_SUCCESS;
}

/// Registers are those of one wave: what it may have is all that the compiler uses.
VkShaderStatisticsInfoAMD make_statistics(const Device& device, const PipelineStage& stage) {
  const spalt_statistics& statistics = stage.statistics;
  const spalt_target_info& target = device.physical().target();
  VkShaderStatisticsInfoAMD info{};
  info.shaderStageMask = stage.stage;
  info.resourceUsage.numUsedVgprs = statistics.vgprs;
  info.resourceUsage.numUsedSgprs = statistics.sgprs;
  info.resourceUsage.ldsSizePerLocalWorkGroup = target.max_shared_bytes;
  info.resourceUsage.ldsUsageSizeInBytes = statistics.lds_bytes;
  info.resourceUsage.scratchMemUsageInBytes = statistics.scratch_bytes;
  info.numPhysicalVgprs = info.numAvailableVgprs = target.max_vgprs;
  info.numPhysicalSgprs = info.numAvailableSgprs = target.max_sgprs;
  std::copy(std::begin(statistics.workgroup_size), std::end(statistics.workgroup_size), info.computeWorkGroupSize);
  return info;
}

/// Binary and disassembly are those of the whole pipeline.
VkResult write_info(const Device& device, const Program& program, const PipelineStage& stage, VkShaderInfoTypeAMD type,
                    size_t* size, void* output) {
  switch (type) {
    case VK_SHADER_INFO_TYPE_STATISTICS_AMD: {
      const VkShaderStatisticsInfoAMD statistics = make_statistics(device, stage);
      return write_bytes(&statistics, sizeof(statistics), size, output);
    }
    case VK_SHADER_INFO_TYPE_BINARY_AMD:
      return write_bytes(program.elf().data(), program.elf().size(), size, output);
    case VK_SHADER_INFO_TYPE_DISASSEMBLY_AMD: {
      const std::string text = disassemble(program);
      return write_bytes(text.c_str(), text.size() + 1, size, output);
    }
    default:
      return VK_ERROR_FEATURE_NOT_PRESENT;
  }
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::GetShaderInfoAMD(VkDevice device, VkPipeline pipeline,
                                                       VkShaderStageFlagBits shaderStage, VkShaderInfoTypeAMD infoType,
                                                       size_t* pInfoSize, void* pInfo) {
  return guarded([&] {
    const auto& object = from_handle<Pipeline>(pipeline);
    const auto stage = std::find_if(object.stages.begin(), object.stages.end(),
                                    [&](const PipelineStage& one) { return one.stage == shaderStage; });
    if (stage == object.stages.end()) return VK_ERROR_FEATURE_NOT_PRESENT;
    return write_info(from_handle<Device>(device), *object.program, *stage, infoType, pInfoSize, pInfo);
  });
}

}  // namespace spalt::icd
