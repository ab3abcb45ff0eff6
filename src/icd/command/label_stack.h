// SPDX-License-Identifier: MIT
//
// The labels of VK_EXT_debug_utils that are open while a queue executes.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace spalt::icd {

class LabelStack {
 public:
  /// Labels, innermost last; shared with work that runs later. nullptr: none.
  using Snapshot = std::shared_ptr<const std::vector<std::string>>;

  void open(const char* name) { change(name, false); }
  void close();
  /// A label without a region: it is the innermost one until the next label is opened, closed or inserted.
  void insert(const char* name) { change(name, true); }

  Snapshot snapshot() const;

 private:
  void change(const char* name, bool inserted);
  void drop_inserted();

  std::vector<std::string> names_;
  bool inserted_ = false;      // the innermost one has no region
  mutable Snapshot snapshot_;  // of names_, made when it is asked for
};

}  // namespace spalt::icd
