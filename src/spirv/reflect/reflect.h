// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "spirv/reader.h"

namespace spalt::spirv {

/// Stands for "none" in numbers below.
constexpr uint32_t kNotGiven = 0xffffffffu;

enum class ResourceType : uint8_t {
  uniform_buffer,
  storage_buffer,
  uniform_texel_buffer,
  storage_texel_buffer,
  sampled_image,
  storage_image,
  input_attachment,
  sampler,
  combined_image_sampler,
  acceleration_structure
};
enum class ScalarType : uint8_t { boolean, signed_integer, unsigned_integer, floating, structure };

struct ReflectedEntryPoint {
  std::string name;
  uint32_t model = 0;  ///< SpvExecutionModel
};
/// What a shader declares of an image or a texel buffer.
struct ReflectedTexels {
  uint32_t dimension = 0;  ///< SpvDim
  bool arrayed = false, multisampled = false;
  ScalarType component = ScalarType::floating;
  uint32_t format = 0;  ///< SpvImageFormat
};
struct ReflectedBinding {
  uint32_t set = 0, binding = 0;
  ResourceType type = ResourceType::uniform_buffer;
  uint32_t count = 1;  ///< array elements; 0: a runtime array
  uint32_t bytes = 0;  ///< buffers: the block without a runtime array at its end
  std::string name;
  std::optional<ReflectedTexels> texels;
};
struct ReflectedVariable {
  uint32_t location = kNotGiven, component = 0, built_in = kNotGiven;
  ScalarType type = ScalarType::structure;
  uint32_t bits = 0, components = 1, columns = 1, count = 1;
  std::string name;
};
struct ReflectedConstant {
  uint32_t id = 0;  ///< SpecId
  ScalarType type = ScalarType::boolean;
  uint32_t bits = 0;
  uint64_t value = 0;  ///< the module's own
  std::string name;
};

/// What a module declares, and what one of its entry points has as interface.
struct Reflection {
  std::vector<ReflectedEntryPoint> entry_points;
  uint32_t entry_point = 0;  ///< the one that the rest is about
  std::array<uint32_t, 3> workgroup_size{};
  uint32_t push_constant_offset = 0, push_constant_bytes = 0;
  std::vector<ReflectedBinding> bindings;
  std::vector<ReflectedVariable> inputs, outputs;
  std::vector<ReflectedConstant> constants;
  std::vector<uint32_t> capabilities;
};

struct ReflectOptions {
  std::string_view entry_point;   ///< empty: the first one
  std::optional<uint32_t> model;  ///< SpvExecutionModel; none: any
  std::span<const Specialization> specialization;
};

/// Reads the declarations of a module and nothing of its functions, so that it works for whatever is valid, whether the
/// compiler can do it or not. The words are untrusted. Linear in the number of words, apart from sorting. What it needs
/// while it runs is in `scratch`.
Result<Reflection> reflect(std::span<const uint32_t> words, const ReflectOptions& options, Arena& scratch);

}  // namespace spalt::spirv
