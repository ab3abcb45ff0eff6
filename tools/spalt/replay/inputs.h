// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace spalt_tool::replay {

/// True for a file of LLPC's; every other is an archive.
bool is_pipe_name(const std::string& path);

/// Replaces folders by the archives and .pipe files that they and their folders have, sorted by path.
bool list_inputs(const std::vector<std::string>& paths, std::vector<std::string>& files, std::string& error);

}  // namespace spalt_tool::replay
