// SPDX-License-Identifier: MIT
//
// The names that the SPIR-V registry knows, whether Spalt knows them or not.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace spalt_tool {

struct RegistryCapability {
  const char* name;
  uint32_t number;         ///< SpvCapability
  const char* extensions;  ///< those that bring it, with spaces between them; none: a version of SPIR-V does
};

/// In the order of their numbers; of several names for a number there is one.
std::span<const RegistryCapability> registry_capabilities();
std::vector<std::string> extensions_of(const RegistryCapability& capability);
/// In the order of their names.
std::span<const char* const> registry_extensions();

}  // namespace spalt_tool
