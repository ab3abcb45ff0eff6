// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include "emu/launch/workgroup.h"

namespace spalt::emu {

/// Workgroups that nothing runs on, kept for the next launch of the same shape: their registers are what costs time.
class WorkgroupPool {
 public:
  /// One that fits the launch.
  std::unique_ptr<Workgroup> take(const Launch& launch);
  void give_back(std::unique_ptr<Workgroup> workgroup);
  /// Keeps at least so many.
  void set_capacity(size_t count) { capacity_ = std::max(capacity_, count); }

 private:
  size_t capacity_ = 16;
  std::vector<std::unique_ptr<Workgroup>> idle_;  ///< the one that was used last is the last one
};

}  // namespace spalt::emu
