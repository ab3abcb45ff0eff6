// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "ir/module.h"

namespace spalt::spirv {

/// The newest version of SPIR-V that is read, as in the header of a module.
constexpr uint32_t kNewestVersion = 0x00010600;

/// Capabilities that modules may declare (SpvCapability), ascending. Those that merely allow a module to do what the
/// reader handles anyway are in; the rest asks for operations or types that do not exist here yet.
std::span<const uint32_t> supported_capabilities();
/// Their names, in the same order.
std::span<const char* const> supported_capability_names();
bool is_supported_capability(uint32_t capability, ir::ShaderStage stage);

/// Extensions of SPIR-V that are read whole, in the order of their names.
std::span<const char* const> supported_extension_names();

}  // namespace spalt::spirv
