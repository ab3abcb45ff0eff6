// SPDX-License-Identifier: MIT
#include "interp/group.h"

#include <algorithm>

namespace spalt::interp {
namespace {

/// Steps of lanes after which the next subgroup gets a turn when they may wait for each other.
constexpr uint64_t kSlice = 100'000;

/// What workgroup memory holds that nobody has stored to: a program that relies on zeros must not get them.
constexpr uint8_t kUnsetByte = 0xa5;

uint32_t divide_up(uint32_t a, uint32_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace

uint64_t group_bytes(const ir::Module& module, const Program& program, uint32_t invocations, uint32_t subgroup_size) {
  const uint32_t width = std::min(invocations, subgroup_size);
  const uint64_t lane = uint64_t{program.frame_slots} * 8 + module.scratch_bytes;
  const uint32_t frames = program.may_wait ? divide_up(invocations, width) : 1;
  return lane * width * frames + uint64_t{program.largest_move} * 8 * width + module.shared_bytes +
         module.tables.size();
}

Group::Group(Context& context, uint32_t invocations)
    : context_(context),
      count_(divide_up(invocations, std::min(invocations, context.dispatch.subgroup_size))),
      width_(std::min(invocations, context.dispatch.subgroup_size)) {
  const Program& program = context.program;
  const size_t frames = program.may_wait ? count_ : 1, cells = size_t{width_} * program.frame_slots;
  const size_t scratch_bytes = size_t{width_} * context.module.scratch_bytes;
  group_.invocations = invocations;
  group_.push.assign(context.dispatch.push_constants.begin(), context.dispatch.push_constants.end());
  group_.tables.assign(context.module.tables.begin(), context.module.tables.end());
  group_.shared.assign(context.module.shared_bytes, 0);
  group_.moved.assign(size_t{program.largest_move} * width_, 0);
  scratch_.assign(frames * scratch_bytes, 0);
  frames_.assign(frames * cells, 0);
  subgroups_.reserve(frames);
  for (size_t i = 0; i < frames; ++i) {
    uint64_t* const frame = frames_.data() + i * cells;
    uint64_t* cell = frame;
    for (uint64_t value : program.initial) cell = std::fill_n(cell, width_, value);
    subgroups_.emplace_back(context, group_, width_, frame, scratch_.data() + i * scratch_bytes);
  }
}

Result<void> Group::run(const std::array<uint32_t, 3>& id) {
  group_.id = id;
  std::fill(group_.shared.begin(), group_.shared.end(), kUnsetByte);
  for (const ir::SharedRange& range : context_.module.zeroed_shared) {
    std::fill_n(group_.shared.begin() + range.begin, range.bytes, uint8_t{0});
  }
  if (context_.program.may_wait ? run_interleaved() : run_in_turn()) return {};
  return std::move(group_.error);
}

void Group::start(Subgroup& subgroup, uint32_t index) {
  const uint32_t first = index * width_;
  subgroup.start(first, std::min(width_, group_.invocations - first));
}

bool Group::run_in_turn() {
  for (uint32_t i = 0; i < count_; ++i) {
    start(subgroups_[0], i);
    if (subgroups_[0].run(~uint64_t{0}) == Subgroup::Outcome::failed) return false;
  }
  return true;
}

bool Group::run_interleaved() {
  for (uint32_t i = 0; i < count_; ++i) start(subgroups_[i], i);
  while (true) {
    bool paused = false, waiting = false;
    for (Subgroup& subgroup : subgroups_) {
      const Subgroup::Outcome outcome = subgroup.run(kSlice);
      if (outcome == Subgroup::Outcome::failed) return false;
      paused |= outcome == Subgroup::Outcome::paused;
      waiting |= outcome == Subgroup::Outcome::waiting;
    }
    if (paused) continue;
    if (!waiting) return true;
    if (!open_barrier()) return false;
  }
}

/// Everybody who has not ended waits: at the same barrier, or the shader is wrong.
bool Group::open_barrier() {
  const Code* barrier = nullptr;
  for (Subgroup& subgroup : subgroups_) {
    const Code* other = subgroup.barrier();
    if (other == nullptr) continue;
    if (barrier != nullptr && barrier != other) {
      return subgroup.fail_at_barrier("waits while other invocations wait at another barrier");
    }
    barrier = other;
  }
  for (Subgroup& subgroup : subgroups_) {
    if (subgroup.barrier() != nullptr) subgroup.release();
  }
  return true;
}

}  // namespace spalt::interp
