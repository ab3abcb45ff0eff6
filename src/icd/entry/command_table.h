// SPDX-License-Identifier: MIT
//
// All names that vkGet*ProcAddr knows, with what reveals them. Generated from the registry and from the commands.txt of
// each folder.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <string_view>

#include "icd/object/registry.h"

namespace spalt::icd {

enum class Level : uint8_t { global, instance, physical_device, device };

struct CommandRow {
  std::string_view name;
  Level level;
  uint32_t core_version;              // that has it; 0: none
  std::array<int16_t, 4> extensions;  // that have it; -1: no further one
  PFN_vkVoidFunction function;
};

/// nullptr: no such command.
const CommandRow* find_command(std::string_view name);

/// Whether a core version or one of the extensions has it.
bool is_revealed(const CommandRow& row, uint32_t version, const ExtensionSet& first, const ExtensionSet& second);

}  // namespace spalt::icd
