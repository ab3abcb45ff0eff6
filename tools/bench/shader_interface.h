// SPDX-License-Identifier: MIT
//
// What a pipeline layout must declare for a shader, read from its SPIR-V words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace spalt::bench {

enum class DescriptorKind : uint8_t {
  UniformBuffer,
  StorageBuffer,
  Sampler,
  SampledImage,
  CombinedImageSampler,
  StorageImage,
  UniformTexelBuffer,
  StorageTexelBuffer,
  InputAttachment,
};

struct Binding {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t count = 1;  // elements of an array of descriptors
  DescriptorKind kind = DescriptorKind::StorageBuffer;
};

struct ShaderInterface {
  std::string entry_point;
  std::vector<Binding> bindings;
  bool has_push_constants = false;
};

/// Elements given to an array of descriptors without a length.
constexpr uint32_t kUnsizedArrayCount = 64;

/// Knows all descriptors of compute, vertex and fragment shaders but acceleration structures; throws std::runtime_error
/// for words that it cannot follow.
ShaderInterface read_interface(std::span<const uint32_t> words);

/// Adds a declaration. Variables may share a binding, which has the most elements that one of them asks for; an image
/// and a sampler at one place are halves of a combined descriptor.
void add_binding(std::vector<Binding>& bindings, const Binding& binding);

}  // namespace spalt::bench
