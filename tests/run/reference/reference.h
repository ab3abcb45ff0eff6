// SPDX-License-Identifier: MIT
//
// Plain C++ references: what a program must compute, written without looking at a GPU or a compiler for one. A
// reference replaces the checked buffers by their final contents; buffers are addressed by their place in the manifest.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "vkrun/manifest.h"

namespace spalt::run {

using ReferenceFunction = void (*)(const vkrun::Manifest& manifest, vkrun::BufferContents& buffers);

struct Reference {
  const char* name;
  ReferenceFunction compute;
};

/// Null when there is none of that name.
ReferenceFunction find_reference(std::string_view name);

// One table for each file.
std::span<const Reference> address_references();
std::span<const Reference> small_float_references();
std::span<const Reference> algorithm_references();
std::span<const Reference> declared_references();
std::span<const Reference> grid_references();
std::span<const Reference> numeric_references();
std::span<const Reference> half_pair_references();
std::span<const Reference> narrow_references();
std::span<const Reference> function_references();
std::span<const Reference> memory_references();
std::span<const Reference> control_flow_references();
std::span<const Reference> assembly_references();
std::span<const Reference> reconvergence_references();
std::span<const Reference> robustness_references();
std::span<const Reference> float_atomic_references();
std::span<const Reference> float_mode_references();
std::span<const Reference> vulkan13_references();
std::span<const Reference> wide_integer_references();
std::span<const Reference> double_references();
std::span<const Reference> double_conversion_references();
std::span<const Reference> image_filter_references();
std::span<const Reference> image_sampling_references();
std::span<const Reference> image_storage_references();
std::span<const Reference> image_volume_references();

template <typename T>
std::span<T> view(vkrun::BufferContents& buffers, size_t index) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  std::vector<uint8_t>& bytes = buffers.at(index);
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

inline std::span<uint32_t> u32(vkrun::BufferContents& buffers, size_t index) {
  return view<uint32_t>(buffers, index);
}
inline std::span<int32_t> i32(vkrun::BufferContents& buffers, size_t index) {
  return view<int32_t>(buffers, index);
}
inline std::span<uint64_t> u64(vkrun::BufferContents& buffers, size_t index) {
  return view<uint64_t>(buffers, index);
}
inline std::span<float> f32(vkrun::BufferContents& buffers, size_t index) {
  return view<float>(buffers, index);
}

}  // namespace spalt::run
