// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace spalt::icd {

/// Debug labels of a queue or command buffer: regions that are open, and the label inserted last, which any later call
/// replaces. The application keeps threads apart.
class Labels {
 public:
  void begin(const char* name) {
    inserted_.clear();
    open_.emplace_back(name == nullptr ? "" : name);
  }
  void end() {
    inserted_.clear();
    if (!open_.empty()) open_.pop_back();
  }
  void insert(const char* name) { inserted_ = name == nullptr ? "" : name; }

  /// Innermost first.
  std::vector<std::string> current() const {
    std::vector<std::string> names(open_.rbegin(), open_.rend());
    if (!inserted_.empty()) names.insert(names.begin(), inserted_);
    return names;
  }

 private:
  std::vector<std::string> open_;
  std::string inserted_;
};

}  // namespace spalt::icd
