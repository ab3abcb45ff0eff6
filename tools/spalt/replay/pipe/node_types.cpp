// SPDX-License-Identifier: MIT
#include <iterator>

#include "replay/pipe/pipe_state.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay::pipe {
namespace {

/// In the order of NodeType.
constexpr const char* kNames[] = {"Unknown",
                                  "DescriptorResource",
                                  "DescriptorSampler",
                                  "DescriptorCombinedTexture",
                                  "DescriptorTexelBuffer",
                                  "DescriptorFmask",
                                  "DescriptorBuffer",
                                  "DescriptorTableVaPtr",
                                  "IndirectUserDataVaPtr",
                                  "PushConst",
                                  "DescriptorBufferCompact",
                                  "StreamOutTableVaPtr",
                                  "DescriptorYCbCrSampler",
                                  "DescriptorConstBuffer",
                                  "DescriptorConstBufferCompact",
                                  "DescriptorImage",
                                  "DescriptorConstTexelBuffer",
                                  "InlineBuffer",
                                  "DescriptorMutable",
                                  "DescriptorAtomicCounter"};

}  // namespace

const char* node_type_name(NodeType type) {
  return kNames[static_cast<size_t>(type)];
}

NodeType find_node_type(std::string_view name) {
  for (size_t i = 1; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<NodeType>(i);
  }
  return NodeType::none;
}

uint32_t stage_bit(uint32_t stage) {
  switch (stage) {
    case vulkan::kVertex:
      return kVertexBit;
    case vulkan::kFragment:
      return kFragmentBit;
    case vulkan::kCompute:
      return kComputeBit;
    default:
      return 0;
  }
}

}  // namespace spalt_tool::replay::pipe
