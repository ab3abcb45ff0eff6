// SPDX-License-Identifier: MIT
// Where lanes go: edges, stops, barriers.
#include "interp/subgroup.h"

#include <algorithm>

#include "ir/printer.h"

namespace spalt::interp {

Subgroup::Subgroup(Context& context, Workgroup& group, uint32_t stride, uint64_t* frame, uint8_t* scratch)
    : context_(context), program_(context.program), group_(group), stride_(stride), frame_(frame), scratch_(scratch) {
  waiting_.reserve(stride);
}

void Subgroup::start(uint32_t first, uint32_t lanes) {
  first_ = first;
  width_ = lanes;
  running_ = 0;
  at_barrier_ = {};
  waiting_.clear();
  waiting_.push_back({0, LaneMask::first_lanes(lanes)});  // stop 0 is the entry block
  std::fill_n(scratch_, size_t{stride_} * context_.module.scratch_bytes, uint8_t{0});
  for (size_t i = 0; i < group_.arguments.size(); ++i) std::fill_n(row(program_.params[i]), lanes, group_.arguments[i]);
}

Subgroup::Outcome Subgroup::run(uint64_t slice) {
  slice_ = slice;
  while (true) {
    if (running_ == 0) {
      if (waiting_.empty()) return at_barrier_.any() ? Outcome::waiting : Outcome::ended;
      if (!next()) return Outcome::failed;
    }
    if (!execute_block()) return Outcome::failed;
    if (slice_ == 0) return Outcome::paused;
  }
}

void Subgroup::release() {
  run_lanes(at_barrier_);
  at_barrier_ = {};
  pc_ = barrier_pc_;
}

void Subgroup::run_lanes(const LaneMask& lanes) {
  running_ = 0;
  lanes.for_each([&](unsigned lane) { lanes_[running_++] = static_cast<uint8_t>(lane); });
}

/// Lets lanes wait at a stop. The earliest stop is last in the list, and most lanes go to an early one.
void Subgroup::park(uint32_t stop, const LaneMask& lanes) {
  auto at = waiting_.end();
  while (at != waiting_.begin() && std::prev(at)->stop < stop) --at;
  if (at != waiting_.begin() && std::prev(at)->stop == stop) {
    std::prev(at)->lanes |= lanes;
  } else {
    waiting_.insert(at, {stop, lanes});
  }
}

/// The lanes at the earliest stop run.
bool Subgroup::next() {
  const Waiting earliest = waiting_.back();
  waiting_.pop_back();
  run_lanes(earliest.lanes);
  return enter(earliest.stop);
}

/// The running lanes begin the block of a stop.
bool Subgroup::enter(uint32_t index) {
  const Stop& stop = program_.stops[index];
  pc_ = stop.code;
  const uint64_t steps = uint64_t{stop.steps} * running_;
  if (context_.steps_left < steps) {
    return fail(program_.code[pc_], first_running(),
                "is where the limit of " + std::to_string(context_.limits.steps) + " steps was reached",
                Status::limit_exceeded);
  }
  context_.steps_left -= steps;
  slice_ -= std::min(slice_, steps);
  if (Observer* observer = context_.dispatch.observer) {
    LaneMask lanes;
    for_running([&](unsigned lane) { lanes.set(lane); });
    observer->enter(group_.id, first_ / stride_, stop.block, lanes);
  }
  return true;
}

/// Phi moves of one edge; `each` calls a function for each lane that takes it.
template <class Each>
void Subgroup::move(const Edge& edge, Each each) {
  if (!edge.reads_phis) {
    for (uint32_t i = edge.move_begin; i < edge.move_end; ++i) {
      const Move& move = program_.moves[i];
      for (uint32_t k = 0; k < move.count; ++k) {
        const uint64_t* from = row(move.from + k);
        uint64_t* to = row(move.to + k);
        each([&](unsigned lane) { to[lane] = from[lane]; });
      }
    }
    return;
  }
  uint64_t* out = group_.moved.data();
  for (uint32_t i = edge.move_begin; i < edge.move_end; ++i) {
    const Move& move = program_.moves[i];
    for (uint32_t k = 0; k < move.count; ++k) {
      const uint64_t* from = row(move.from + k);
      each([&](unsigned lane) { *out++ = from[lane]; });
    }
  }
  const uint64_t* in = group_.moved.data();
  for (uint32_t i = edge.move_begin; i < edge.move_end; ++i) {
    const Move& move = program_.moves[i];
    for (uint32_t k = 0; k < move.count; ++k) {
      uint64_t* to = row(move.to + k);
      each([&](unsigned lane) { to[lane] = *in++; });
    }
  }
}

void Subgroup::take_edge(uint32_t index, const LaneMask& lanes) {
  const Edge& edge = program_.edges[index];
  move(edge, [&](auto&& f) { lanes.for_each(f); });
  park(edge.stop, lanes);
}

/// All running lanes take one edge. They go on at once unless others wait at or before its stop.
void Subgroup::take_edge(uint32_t index) {
  const Edge& edge = program_.edges[index];
  move(edge, [&](auto&& f) { for_running(f); });
  if (waiting_.empty() || edge.stop < waiting_.back().stop) {
    target_ = edge.stop;
    return;
  }
  LaneMask lanes;
  for_running([&](unsigned lane) { lanes.set(lane); });
  park(edge.stop, lanes);
  running_ = 0;
}

void Subgroup::branch(const Code& code) {
  const uint64_t* condition = row(code.a);
  LaneMask sides[2];
  for_running([&](unsigned lane) { sides[condition[lane] & 1].set(lane); });
  if (!sides[0].any()) return take_edge(code.b);
  if (!sides[1].any()) return take_edge(code.c);
  take_edge(code.b, sides[1]);
  take_edge(code.c, sides[0]);
  running_ = 0;
}

uint32_t Subgroup::find_case(const Switch& table, uint64_t selector) const {
  const auto found = std::lower_bound(table.cases.begin(), table.cases.end(), selector,
                                      [](const Switch::Case& entry, uint64_t value) { return entry.value < value; });
  return found != table.cases.end() && found->value == selector ? found->edge : table.default_edge;
}

/// Lanes with equal edges leave together, those of the lowest remaining lane first.
void Subgroup::choose(const Code& code) {
  const Switch& table = program_.switches[code.b];
  const uint64_t* selector = row(code.a);
  std::array<uint32_t, kMostLanes> edges;
  std::array<uint8_t, kMostLanes> rest;
  uint32_t count = 0;
  for_running([&](unsigned lane) {
    edges[lane] = find_case(table, selector[lane]);
    rest[count++] = static_cast<uint8_t>(lane);
  });
  const auto same = [&](uint8_t lane) { return edges[lane] == edges[rest[0]]; };
  if (std::all_of(rest.begin(), rest.begin() + count, same)) return take_edge(edges[rest[0]]);
  while (count != 0) {
    const uint32_t edge = edges[rest[0]];
    LaneMask lanes;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (edges[rest[i]] == edge) {
        lanes.set(rest[i]);
      } else {
        rest[left++] = rest[i];
      }
    }
    count = left;
    take_edge(edge, lanes);
  }
  running_ = 0;
}

/// The running lanes wait at a barrier. Others of the subgroup go on, in case they end without one.
bool Subgroup::wait(const Code& code) {
  if (at_barrier_.any() && barrier_pc_ != pc_) {
    return fail(code, first_running(), "waits while other invocations wait at another barrier");
  }
  for_running([&](unsigned lane) { at_barrier_.set(lane); });
  barrier_pc_ = pc_;
  running_ = 0;
  return true;
}

/// Runs to the end of the block, or to a barrier, and enters the next block if nobody else comes before.
bool Subgroup::execute_block() {
  while (true) {
    const Code& code = program_.code[pc_++];
    switch (code.kind) {
      case Kind::barrier:
        return wait(code);
      case Kind::jump:
        take_edge(code.a);
        break;
      case Kind::branch:
        branch(code);
        break;
      case Kind::choose:
        choose(code);
        break;
      case Kind::leave:
        if (code.count != 0) group_.returned = row(code.a)[first_running()];
        running_ = 0;
        break;
      default:
        if (!execute(code)) return false;
        continue;
    }
    return running_ == 0 || enter(target_);
  }
}

/// One instruction that does not move lanes.
bool Subgroup::execute(const Code& code) {
  switch (code.kind) {
    case Kind::evaluate:
      evaluate(code);
      return true;
    case Kind::copy:
      copy(code);
      return true;
    case Kind::first_lane:
      copy_first_lane(code);
      return true;
    case Kind::any_lane:
      any_lane(code);
      return true;
    case Kind::ballot:
      ballot(code);
      return true;
    case Kind::read_lane:
      return read_lane(code);
    case Kind::shuffle:
      return shuffle(code);
    case Kind::scan:
      scan(code);
      return true;
    case Kind::bits_below:
      bits_below(code);
      return true;
    case Kind::quad:
      permute_quads(code);
      return true;
    case Kind::repack:
      repack(code);
      return true;
    case Kind::builtin:
      builtin(code);
      return true;
    case Kind::key:
    case Kind::keyed:
    case Kind::resource:
      resource(code);
      return true;
    case Kind::clock:
      clock(code);
      return true;
    case Kind::size:
      return size(code);
    case Kind::load:
      return load(code);
    case Kind::store:
      return store(code);
    case Kind::atomic:
      return atomic(code);
    default:
      return fail(code, first_running(), "was reached");
  }
}

bool Subgroup::fail_at_barrier(const std::string& what) {
  return fail(*barrier(), at_barrier_.lowest(), what);
}

bool Subgroup::fail(const Code& code, unsigned lane, const std::string& what, Status status) {
  const auto triple = [](const auto& v) {
    return std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]);
  };
  const ir::Function& function = *program_.function;
  group_.error = Error{};
  group_.error.status = status;
  group_.error.message = "in @" + function.name + ", workgroup (" + triple(group_.id) + "), invocation " +
                         std::to_string(first_ + lane) + ": '" + ir::print(function, code.value) + "' " + what;
  return false;
}

}  // namespace spalt::interp
