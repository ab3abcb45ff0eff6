// SPDX-License-Identifier: MIT
#include "interp/group.h"

#include <algorithm>
#include <cstring>

#include "ir/printer.h"

namespace spalt::interp {
namespace {

/// Steps after which the next invocation gets a turn when they may wait for each other.
constexpr uint64_t kSlice = 100'000;

}  // namespace

Group::Group(Context& context, uint32_t invocations)
    : context_(context),
      program_(context.program),
      invocations_(invocations),
      separate_frames_(context.program.may_wait),
      push_(context.dispatch.push_constants.begin(), context.dispatch.push_constants.end()) {
  const size_t live = separate_frames_ ? invocations : 1;
  frames_.assign(live * program_.frame_slots, 0);
  scratch_.assign(live * context.module.scratch_bytes, 0);
  shared_.assign(context.module.shared_bytes, 0);
  moved_.assign(program_.largest_move, 0);
  lanes_.resize(invocations);
}

Result<void> Group::run(const std::array<uint32_t, 3>& group_id) {
  group_id_ = group_id;
  std::fill(shared_.begin(), shared_.end(), uint8_t{0});
  for (Lane& lane : lanes_) lane = {};
  if (separate_frames_) {
    std::fill(scratch_.begin(), scratch_.end(), uint8_t{0});
    for (uint32_t i = 0; i < invocations_; ++i) {
      if (!start(i)) return std::move(error_);
    }
  }
  while (true) {
    bool ready = false, waiting = false;
    for (uint32_t i = 0; i < invocations_; ++i) {
      if (lanes_[i].state == State::ready) {
        if (!separate_frames_ && !start(i)) return std::move(error_);
        if (!run_lane(i)) return std::move(error_);
      }
      ready |= lanes_[i].state == State::ready;
      waiting |= lanes_[i].state == State::waiting;
    }
    if (ready) continue;
    if (!waiting) return {};
    if (!release_barrier()) return std::move(error_);
  }
}

bool Group::start(uint32_t index) {
  lane_ = index;
  frame_ = frames_.data() + (separate_frames_ ? size_t{index} * program_.frame_slots : 0);
  std::copy(program_.initial.begin(), program_.initial.end(), frame_);
  for (size_t i = 0; i < arguments_.size(); ++i) frame_[program_.params[i]] = arguments_[i];
  if (!separate_frames_) std::fill(scratch_.begin(), scratch_.end(), uint8_t{0});
  lanes_[index].pc = 0;
  uint64_t slice = ~uint64_t{0};
  return charge(program_.entry_steps, slice);
}

bool Group::run_lane(uint32_t index) {
  lane_ = index;
  frame_ = frames_.data() + (separate_frames_ ? size_t{index} * program_.frame_slots : 0);
  uint64_t slice = separate_frames_ ? kSlice : ~uint64_t{0};
  return execute(index, slice);
}

/// Everybody who has not ended waits: at the same barrier, or the shader is wrong.
bool Group::release_barrier() {
  const Code* barrier = nullptr;
  for (uint32_t i = 0; i < invocations_; ++i) {
    if (lanes_[i].state != State::waiting) continue;
    lane_ = i;
    const Code& code = program_.code[lanes_[i].pc - 1];
    if (barrier != nullptr && barrier != &code)
      return fail(code, "waits while other invocations wait at another barrier");
    barrier = &code;
  }
  for (Lane& lane : lanes_) {
    if (lane.state == State::waiting) lane.state = State::ready;
  }
  return true;
}

bool Group::charge(uint32_t steps, uint64_t& slice) {
  if (context_.steps_left < steps) {
    return fail(program_.code[lanes_[lane_].pc],
                "is where the limit of " + std::to_string(context_.limits.steps) + " steps was reached",
                Status::limit_exceeded);
  }
  context_.steps_left -= steps;
  slice -= std::min<uint64_t>(slice, steps);
  return true;
}

bool Group::take_edge(const Edge& edge, uint64_t& slice) {
  uint64_t* out = moved_.data();
  for (uint32_t i = edge.move_begin; i < edge.move_end; ++i) {
    const Move& move = program_.moves[i];
    for (uint32_t k = 0; k < move.count; ++k) *out++ = frame_[move.from + k];
  }
  const uint64_t* in = moved_.data();
  for (uint32_t i = edge.move_begin; i < edge.move_end; ++i) {
    const Move& move = program_.moves[i];
    for (uint32_t k = 0; k < move.count; ++k) frame_[move.to + k] = *in++;
  }
  lanes_[lane_].pc = edge.target;
  return charge(edge.steps, slice);
}

uint32_t Group::choose_edge(const Code& code) const {
  const Switch& table = program_.switches[code.b];
  const uint64_t selector = frame_[code.a];
  const auto found = std::lower_bound(table.cases.begin(), table.cases.end(), selector,
                                      [](const Switch::Case& entry, uint64_t value) { return entry.value < value; });
  return found != table.cases.end() && found->value == selector ? found->edge : table.default_edge;
}

bool Group::wait(const Code&) {
  lanes_[lane_].state = State::waiting;
  return true;
}

/// Runs the current invocation until it ends, waits, fails or has used its slice.
bool Group::execute(uint32_t index, uint64_t& slice) {
  Lane& lane = lanes_[index];
  while (true) {
    const Code& code = program_.code[lane.pc++];
    bool valid = true;
    switch (code.kind) {
      case Kind::evaluate: {
        const uint64_t operands[] = {frame_[code.a], frame_[code.b], frame_[code.c], frame_[code.d]};
        frame_[code.dest] = code.evaluator(operands);
        break;
      }
      case Kind::copy:
        std::copy_n(frame_ + code.a, code.count, frame_ + code.dest);
        break;
      case Kind::repack:
        repack(code);
        break;
      case Kind::builtin:
        frame_[code.dest] = builtin(code.imm);
        break;
      case Kind::resource:
        valid = resource(code);
        break;
      case Kind::size:
        valid = size(code);
        break;
      case Kind::load:
        valid = load(code);
        break;
      case Kind::store:
        valid = store(code);
        break;
      case Kind::atomic:
        valid = atomic(code);
        break;
      case Kind::barrier:
        return wait(code);
      case Kind::jump:
        valid = take_edge(program_.edges[code.a], slice);
        break;
      case Kind::branch:
        valid = take_edge(program_.edges[(frame_[code.a] & 1) != 0 ? code.b : code.c], slice);
        break;
      case Kind::choose:
        valid = take_edge(program_.edges[choose_edge(code)], slice);
        break;
      case Kind::leave:
        if (code.count != 0) returned_ = frame_[code.a];
        lane.state = State::done;
        return true;
      case Kind::trap:
        return fail(code, "was reached");
    }
    if (!valid) return false;
    if (slice == 0) return true;
  }
}

uint32_t Group::builtin(uint64_t imm) const {
  const auto& size = context_.module.workgroup_size;
  const uint32_t local[] = {lane_ % size[0], lane_ / size[0] % size[1], lane_ / size[0] / size[1]};
  const uint32_t subgroup = context_.dispatch.subgroup_size;
  const size_t component = std::min<size_t>(imm >> 8, 2);
  switch (static_cast<ir::BuiltIn>(imm & 0xff)) {
    case ir::BuiltIn::workgroup_id:
      return group_id_[component];
    case ir::BuiltIn::num_workgroups:
      return context_.dispatch.groups[component];
    case ir::BuiltIn::local_invocation_id:
      return local[component];
    case ir::BuiltIn::local_invocation_index:
      return lane_;
    case ir::BuiltIn::global_invocation_id:
      return group_id_[component] * size[component] + local[component];
    case ir::BuiltIn::subgroup_size:
      return subgroup;
    case ir::BuiltIn::subgroup_invocation_id:
      return lane_ % subgroup;
    case ir::BuiltIn::subgroup_id:
      return lane_ / subgroup;
    case ir::BuiltIn::num_subgroups:
      return (invocations_ + subgroup - 1) / subgroup;
  }
  return 0;
}

bool Group::fail(const Code& code, const std::string& what, Status status) {
  const auto triple = [](const auto& v) {
    return std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]);
  };
  const ir::Function& function = *program_.function;
  error_ = Error{};
  error_.status = status;
  error_.message = "in @" + function.name + ", workgroup (" + triple(group_id_) + "), invocation " +
                   std::to_string(lane_) + ": '" + ir::print(function, code.value) + "' " + what;
  lanes_[lane_].state = State::failed;
  return false;
}

}  // namespace spalt::interp
