// SPDX-License-Identifier: MIT
#include "emu/launch/workgroup_pool.h"

namespace spalt::emu {

std::unique_ptr<Workgroup> WorkgroupPool::take(const Launch& launch) {
  for (size_t i = idle_.size(); i-- > 0;) {
    if (!idle_[i]->fits(launch)) continue;
    std::unique_ptr<Workgroup> found = std::move(idle_[i]);
    idle_.erase(idle_.begin() + static_cast<ptrdiff_t>(i));
    return found;
  }
  return std::make_unique<Workgroup>(launch);
}

void WorkgroupPool::give_back(std::unique_ptr<Workgroup> workgroup) {
  if (idle_.size() >= capacity_) idle_.erase(idle_.begin());
  idle_.push_back(std::move(workgroup));
}

}  // namespace spalt::emu
