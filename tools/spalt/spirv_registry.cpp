// SPDX-License-Identifier: MIT
#include "spirv_registry.h"

#include <sstream>

namespace spalt_tool {
namespace {

constexpr RegistryCapability kCapabilities[] = {
#define SPALT_REGISTRY_CAPABILITY(name, number, extensions) {#name, number, extensions},
#define SPALT_REGISTRY_EXTENSION(name)
#include "spirv_registry.def"
#undef SPALT_REGISTRY_EXTENSION
#undef SPALT_REGISTRY_CAPABILITY
};
constexpr const char* kExtensions[] = {
#define SPALT_REGISTRY_CAPABILITY(name, number, extensions)
#define SPALT_REGISTRY_EXTENSION(name) #name,
#include "spirv_registry.def"
#undef SPALT_REGISTRY_EXTENSION
#undef SPALT_REGISTRY_CAPABILITY
};

}  // namespace

std::span<const RegistryCapability> registry_capabilities() {
  return kCapabilities;
}

std::vector<std::string> extensions_of(const RegistryCapability& capability) {
  std::istringstream list(capability.extensions);
  std::vector<std::string> names;
  for (std::string name; list >> name;) names.push_back(name);
  return names;
}

std::span<const char* const> registry_extensions() {
  return kExtensions;
}

}  // namespace spalt_tool
