// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "amdgpu/isa/generation_set.h"

namespace spalt::metadata {

/// How often a code may be mapped.
enum class Once : uint8_t { no, per_stage, per_pipeline };

/// A value of a user-data register that is no plain entry (docs/abi/pal.md#user-data-codes).
struct UserDataCode {
  uint32_t first, last;  ///< of a range of equal codes
  std::string_view name;
  uint8_t registers;  ///< that its content takes
  Once once;
  isa::GenerationSet generations;  ///< whose loaders fill it
};

constexpr uint32_t kPerShaderTable = 0x10000001;
constexpr uint32_t kBaseVertex = 0x10000003;
constexpr uint32_t kBaseInstance = 0x10000004;

/// nullptr for plain entries, abi::kNotMapped and numbers that mean nothing.
const UserDataCode* find_user_data_code(uint32_t value);
/// "GlobalTable", "entry 5", "not mapped" or "unknown".
std::string user_data_name(uint32_t value);

}  // namespace spalt::metadata
