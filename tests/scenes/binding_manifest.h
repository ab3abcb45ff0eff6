// SPDX-License-Identifier: MIT
//
// The "bind" of a pass or a draw: its descriptors.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pass_manifest.h"

namespace spalt::scenes {

/// Adds descriptors; one replaces another at the same place. Throws Error.
void add_bindings(const nlohmann::json& list, const Scene& scene, const ResourceNames& names,
                  std::vector<Binding>& bindings);

}  // namespace spalt::scenes
