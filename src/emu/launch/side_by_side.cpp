// SPDX-License-Identifier: MIT
#include "emu/launch/side_by_side.h"

#include <algorithm>
#include <numeric>

namespace spalt::emu {
namespace {

constexpr unsigned kMaxResidents[] = {1, 2, kMaxResidentGroups}, kBeginPercents[] = {100, 20, 1},
                   kWeights[] = {1, 1, 16, 256}, kMaxPieces[] = {4, 64, 1024};

template <size_t N>
unsigned pick(Random& random, const unsigned (&values)[N]) {
  return values[random.below(N)];
}

}  // namespace

SideOrder SideOrder::even(size_t tasks) {
  SideOrder order;
  order.weights.assign(tasks, 1);
  return order;
}

SideOrder SideOrder::any(size_t tasks, Random& random) {
  SideOrder order;
  order.max_resident = pick(random, kMaxResidents);
  order.begin_percent = pick(random, kBeginPercents);
  order.max_piece = pick(random, kMaxPieces);
  for (size_t i = 0; i < tasks; ++i) order.weights.push_back(pick(random, kWeights));
  return order;
}

SideBySide::SideBySide(std::span<SideTask> tasks, SideOrder order, Random& random, MemoryHierarchy* hierarchy,
                       uint64_t scratch_bytes, WorkgroupPool& pool, const std::atomic<bool>& cancel)
    : tasks_(tasks),
      order_(std::move(order)),
      random_(random),
      hierarchy_(hierarchy),
      scratch_bytes_(scratch_bytes),
      pool_(pool),
      cancel_(cancel),
      next_(tasks.size(), 0) {
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (groups_of(i) != 0) waiting_.push_back(i);
  }
  for (unsigned slot = order_.max_resident; slot > 0; --slot) free_slots_.push_back(slot - 1);
}

std::optional<size_t> SideBySide::run() {
  while (begin_groups() && !residents_.empty()) {
    if (hierarchy_ != nullptr) hierarchy_->advance();
    const size_t at = choose_resident();
    Workgroup& workgroup = *residents_[at].workgroup;
    const uint64_t spent = workgroup.spent();
    const bool goes_on = workgroup.advance(random_, order_.max_piece);
    since_end_ += workgroup.spent() - spent;
    if (goes_on) {
      const uint64_t limit = tasks_[residents_[at].task].launch->group_step_limit;
      if (since_end_ <= limit) continue;
      workgroup.give_up(limit, " in the workgroups that run side by side");
    }
    if (workgroup.failed()) {
      fail(at);
      break;
    }
    end_group(at);
  }
  finish();
  return failed_;
}

/// False after a failure.
bool SideBySide::begin_groups() {
  while (!waiting_.empty() && residents_.size() < order_.max_resident) {
    const bool willing = residents_.empty() || order_.begin_percent == 100 || random_.chance(order_.begin_percent);
    if (!willing) break;
    if (!begin_group(residents_.size())) return false;
  }
  return !failed_;
}

bool SideBySide::begin_group(size_t position) {
  const size_t task = choose_task();
  if (tasks_[task].host != nullptr) return run_host(task);
  place_group(task, position);
  return true;
}

bool SideBySide::run_host(size_t task) {
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), task));
  if (cancel_.load(std::memory_order_relaxed)) {
    tasks_[task].outcome.fault = cancelled_fault();
    failed_ = task;
    return false;
  }
  tasks_[task].host(tasks_[task].user);
  return true;
}

void SideBySide::place_group(size_t task, size_t position) {
  const Launch& launch = *tasks_[task].launch;
  Resident resident{task, free_slots_.back(), pool_.take(launch)};
  resident.workgroup->begin(launch, resident.slot * scratch_bytes_);
  resident.workgroup->start(next_[task]);
  residents_.insert(residents_.begin() + static_cast<ptrdiff_t>(position), std::move(resident));
  resident_weight_ += order_.weights[task];
  free_slots_.pop_back();
  if (++next_[task] == launch.groups) waiting_.erase(std::find(waiting_.begin(), waiting_.end(), task));
}

/// Another one takes its place where all tasks are alike.
void SideBySide::end_group(size_t position) {
  since_end_ = 0;
  Resident& resident = residents_[position];
  resident_weight_ -= order_.weights[resident.task];
  tasks_[resident.task].outcome.add(*resident.workgroup);
  free_slots_.push_back(resident.slot);
  pool_.give_back(std::move(resident.workgroup));
  residents_.erase(residents_.begin() + static_cast<ptrdiff_t>(position));
  if (order_.begin_percent == 100 && !waiting_.empty()) begin_group(position);
}

size_t SideBySide::choose_task() {
  if (waiting_.size() == 1) return waiting_.front();
  const auto weight = [this](unsigned sum, size_t task) { return sum + order_.weights[task]; };
  unsigned left = random_.below(std::accumulate(waiting_.begin(), waiting_.end(), 0u, weight));
  for (const size_t task : waiting_) {
    if (left < order_.weights[task]) return task;
    left -= order_.weights[task];
  }
  return waiting_.back();
}

size_t SideBySide::choose_resident() {
  unsigned left = random_.below(resident_weight_);
  for (size_t i = 0; i < residents_.size(); ++i) {
    const unsigned own = order_.weights[residents_[i].task];
    if (left < own) return i;
    left -= own;
  }
  return residents_.size() - 1;
}

void SideBySide::fail(size_t position) {
  failed_ = residents_[position].task;
  tasks_[*failed_].outcome.fault = residents_[position].workgroup->fault();
}

void SideBySide::finish() {
  for (Resident& resident : residents_) {
    tasks_[resident.task].outcome.add(*resident.workgroup);
    pool_.give_back(std::move(resident.workgroup));
  }
  residents_.clear();
}

}  // namespace spalt::emu
