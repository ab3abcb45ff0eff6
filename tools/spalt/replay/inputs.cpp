// SPDX-License-Identifier: MIT
#include "replay/inputs.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace spalt_tool::replay {
namespace {

namespace fs = std::filesystem;

bool list_folder(const std::string& folder, std::vector<std::string>& files, std::string& error) {
  std::vector<std::string> found;
  std::error_code failed;
  for (auto at = fs::recursive_directory_iterator(folder, failed); at != fs::recursive_directory_iterator();) {
    const std::string path = at->path().string();
    if (is_pipe_name(path) || path.ends_with(".foz")) found.push_back(path);
    at.increment(failed);
    if (failed) break;
  }
  if (failed) {
    error = folder + ": " + failed.message();
    return false;
  }
  if (found.empty()) {
    error = folder + ": has no .foz or .pipe files";
    return false;
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  return true;
}

}  // namespace

bool is_pipe_name(const std::string& path) {
  return path.ends_with(".pipe");
}

bool list_inputs(const std::vector<std::string>& paths, std::vector<std::string>& files, std::string& error) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      files.push_back(path);
    } else if (!list_folder(path, files, error)) {
      return false;
    }
  }
  return true;
}

}  // namespace spalt_tool::replay
