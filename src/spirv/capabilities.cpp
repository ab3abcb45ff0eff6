// SPDX-License-Identifier: MIT
#include "spirv/capabilities.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

// One list for what the reader accepts and what the API reports; ascending by number.
#define SUPPORTED_CAPABILITIES(X)              \
  X(Matrix)                                    \
  X(Shader)                                    \
  X(ImageGatherExtended)                       \
  X(StorageImageMultisample)                   \
  X(UniformBufferArrayDynamicIndexing)         \
  X(SampledImageArrayDynamicIndexing)          \
  X(StorageBufferArrayDynamicIndexing)         \
  X(StorageImageArrayDynamicIndexing)          \
  X(ImageCubeArray)                            \
  X(SparseResidency)                           \
  X(MinLod)                                    \
  X(Sampled1D)                                 \
  X(Image1D)                                   \
  X(SampledCubeArray)                          \
  X(SampledBuffer)                             \
  X(ImageBuffer)                               \
  X(ImageMSArray)                              \
  X(StorageImageExtendedFormats)               \
  X(ImageQuery)                                \
  X(DerivativeControl)                         \
  X(StorageImageReadWithoutFormat)             \
  X(StorageImageWriteWithoutFormat)            \
  X(GroupNonUniform)                           \
  X(GroupNonUniformVote)                       \
  X(GroupNonUniformBallot)                     \
  X(SubgroupBallotKHR)                         \
  X(WorkgroupMemoryExplicitLayoutKHR)          \
  X(SubgroupVoteKHR)                           \
  X(DeviceGroup)                               \
  X(DenormPreserve)                            \
  X(DenormFlushToZero)                         \
  X(SignedZeroInfNanPreserve)                  \
  X(RoundingModeRTE)                           \
  X(RoundingModeRTZ)                           \
  X(ComputeDerivativeGroupQuadsNV)             \
  X(ShaderNonUniform)                          \
  X(RuntimeDescriptorArray)                    \
  X(UniformTexelBufferArrayDynamicIndexing)    \
  X(StorageTexelBufferArrayDynamicIndexing)    \
  X(UniformBufferArrayNonUniformIndexing)      \
  X(SampledImageArrayNonUniformIndexing)       \
  X(StorageBufferArrayNonUniformIndexing)      \
  X(StorageImageArrayNonUniformIndexing)       \
  X(UniformTexelBufferArrayNonUniformIndexing) \
  X(StorageTexelBufferArrayNonUniformIndexing) \
  X(VulkanMemoryModel)                         \
  X(VulkanMemoryModelDeviceScope)              \
  X(ComputeDerivativeGroupLinearNV)            \
  X(DemoteToHelperInvocation)                  \
  X(ExpectAssumeKHR)                           \
  X(DotProductInputAll)                        \
  X(DotProductInput4x8Bit)                     \
  X(DotProductInput4x8BitPacked)               \
  X(DotProduct)

constexpr uint32_t kNumbers[] = {
#define X(name) spv::Capability##name,
    SUPPORTED_CAPABILITIES(X)
#undef X
};
constexpr const char* kNames[] = {
#define X(name) #name,
    SUPPORTED_CAPABILITIES(X)
#undef X
};
static_assert(std::is_sorted(std::begin(kNumbers), std::end(kNumbers)));

}  // namespace

std::span<const uint32_t> supported_capabilities() {
  return kNumbers;
}

std::span<const char* const> supported_capability_names() {
  return kNames;
}

bool is_supported_capability(uint32_t capability) {
  return std::binary_search(std::begin(kNumbers), std::end(kNumbers), capability);
}

}  // namespace spalt::spirv
