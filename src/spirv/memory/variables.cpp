// SPDX-License-Identifier: MIT
// Decides which scalars of function, private and stage variables become SSA values and which live in scratch memory.
//
// A dynamic index needs memory: the smallest array that contains it moves to scratch, the rest of the variable stays in
// SSA form. Dynamic indices with few candidates (vector components, matrix columns, arrays of up to four elements, of
// inputs up to sixteen, which may be interpolated anew at each access) are resolved by selects instead. A pointer
// parameter is indexed on behalf of its callers, so functions are scanned callees first and each parameter remembers
// the hull of what is indexed through it.
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "base/bits.h"
#include "spirv/io/io.h"
#include "spirv/memory/memory.h"
#include "spirv/module/preamble.h"
#include "spirv/reader_state.h"

namespace spalt::spirv {
namespace {

constexpr uint32_t kMaxSelectArray = 4;        ///< elements of an array that is indexed by selects; not of inputs
constexpr uint32_t kMaxSelectCandidates = 16;  ///< scalars among which one access may choose

/// Where a pointer inside a function leads.
struct Root {
  bool is_parameter = false;
  uint32_t index = kNone;  ///< variable or parameter
  uint32_t type = kNone;   ///< pointee
  uint32_t leaf = 0;
  LeafRange outer;  ///< the outermost part that is indexed dynamically on the way; empty: none
  bool outer_is_array = false;
  uint32_t candidates = 1;
};

struct Mark {
  uint32_t variable;
  LeafRange range;
};

class Classifier {
 public:
  explicit Classifier(Reader& r) : r_(r) {}

  bool run() {
    for (uint32_t v = 0; v < r_.global_count; ++v) {
      const Variable& variable = r_.variables[v];
      if (variable.storage_class == spv::StorageClassPrivate || is_stage_variable(variable)) add_variable(v);
    }
    for (const uint32_t function : r_.reachable) scan_function(function);
    return assign();
  }

 private:
  void add_variable(uint32_t index);
  void scan_function(uint32_t function);
  void scan(const Instruction& in);
  void scan_access_chain(const Instruction& in);
  void scan_store(const Instruction& in);
  void scan_call(const Instruction& in);
  bool step(Root& root, uint32_t index_id);
  bool is_input(const Root& root) const {
    return !root.is_parameter && r_.variables[root.index].storage_class == spv::StorageClassInput;
  }
  void note_other_store(uint32_t pointer_id);
  void mark_memory(const Root& root, LeafRange range);
  const Root* root_of(uint32_t id) const {
    return id < root_of_.size() && root_of_[id] != kNone ? &roots_[root_of_[id]] : nullptr;
  }
  void set_root(uint32_t id, const Root& root) {
    if (id >= r_.bound) return;
    if (root_of_.empty()) root_of_.resize(r_.bound, kNone);
    root_of_[id] = roots_.size();
    roots_.push_back(root);
  }
  bool assign();
  bool assign_variable(uint32_t index);
  void collect_ranges(Variable& variable, uint32_t index);

  Reader& r_;
  Vector<uint32_t> root_of_{r_.context.scratch};
  Vector<Root> roots_{r_.context.scratch};
  Vector<uint32_t> local_{r_.context.scratch};  ///< all function and private variables that are reached
  Vector<Mark> memory_{r_.context.scratch};
  size_t next_memory_ = 0;
  Vector<uint8_t> in_memory_{r_.context.scratch};
  uint64_t total_leaves_ = 0;
};

void Classifier::add_variable(uint32_t index) {
  const Variable& variable = r_.variables[index];
  if (!r_.types[variable.type].is_value()) return;
  Root root;
  root.index = index;
  root.type = variable.type;
  set_root(variable.id, root);
  local_.push_back(index);
}

void Classifier::scan_function(uint32_t index) {
  const FunctionInfo& function = r_.functions[index];
  for (uint32_t v = 0; v < function.variable_count; ++v) add_variable(function.first_variable + v);
  for (uint32_t p = 0; p < function.parameter_count; ++p) {
    const Parameter& parameter = r_.parameters[function.first_parameter + p];
    const TypeInfo& type = r_.types[parameter.type];
    if (type.kind != TypeKind::pointer || type.is_pointer_value() || !r_.types[type.element].is_value()) continue;
    Root root;
    root.is_parameter = true;
    root.index = function.first_parameter + p;
    root.type = type.element;
    set_root(parameter.id, root);
  }
  if (roots_.empty()) return;
  for (uint32_t i = 0; i < function.order_count; ++i) {
    const Block& block = r_.blocks[r_.order[function.first_order + i]];
    for (uint32_t use = block.first_pointer_use; use < block.end_pointer_use; ++use) {
      scan(r_.instruction_at(r_.pointer_uses[use]));
    }
  }
}

void Classifier::scan(const Instruction& in) {
  switch (in.opcode) {
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
      if (in.count >= 4) scan_access_chain(in);
      return;
    case spv::OpCopyObject:
      if (in.count == 4 && root_of(in[3]) != nullptr) set_root(in[2], Root(*root_of(in[3])));
      return;
    case spv::OpStore:
      if (in.count >= 3) scan_store(in);
      return;
    case spv::OpCopyMemory:
    case spv::OpCopyMemorySized:
      if (in.count >= 3) note_other_store(in[1]);
      return;
    case spv::OpFunctionCall:
      if (in.count >= 4) scan_call(in);
      return;
    case spv::OpExtInst:  // Modf and Frexp store through their last operand
      if (in.count >= 7) note_other_store(in[6]);
      return;
    default:
      return;
  }
}

/// One index of an access chain; false when it leads nowhere (the translation reports it).
bool Classifier::step(Root& root, uint32_t index_id) {
  const TypeInfo& type = r_.types[root.type];
  if (index_id >= r_.bound || type.count == 0) return false;
  uint32_t constant = 0;
  const IdInfo& index = r_.ids[index_id];
  const bool is_constant = index.kind == IdKind::constant && r_.find_constant_u32(index_id, constant);
  if (type.kind == TypeKind::structure) {
    if (!is_constant || constant >= type.count) return false;
    const Member& member = r_.types.member(type, constant);
    root.leaf += member.leaf;
    root.type = member.type;
    return true;
  }
  if (type.kind < TypeKind::vector || type.kind > TypeKind::array) return false;
  constant = std::min(constant, type.count - 1);  // as step_pointer does
  if (!is_constant && type.count > 1 && type.leaves != 0) {
    if (root.candidates == 1) {
      root.outer = {root.leaf, root.leaf + type.leaves};
      root.outer_is_array = type.kind == TypeKind::array;
    }
    const bool too_many = type.kind == TypeKind::array && type.count > kMaxSelectArray && !is_input(root);
    root.candidates = too_many ? kNone : root.candidates;
    if (root.candidates != kNone) root.candidates *= type.count;
    if (root.candidates > kMaxSelectCandidates) root.candidates = kNone;
  }
  root.leaf += constant * r_.types[type.element].leaves;
  root.type = type.element;
  return true;
}

void Classifier::scan_access_chain(const Instruction& in) {
  if (root_of(in[3]) == nullptr) return;
  Root root = *root_of(in[3]);
  for (uint32_t i = 4; i < in.count; ++i) {
    if (!step(root, in[i])) return;
  }
  if (root.candidates == kNone) {
    mark_memory(root, root.outer);
  }
  set_root(in[2], root);
}

void Classifier::mark_memory(const Root& root, LeafRange range) {
  if (!root.is_parameter) {
    memory_.push_back({root.index, range});
    return;
  }
  LeafRange& hull = r_.parameters[root.index].dynamic;
  if (hull.begin == hull.end) {
    hull = range;
  } else {
    hull = {std::min(hull.begin, range.begin), std::max(hull.end, range.end)};
  }
}

void Classifier::note_other_store(uint32_t pointer_id) {
  const Root* root = root_of(pointer_id);
  if (root != nullptr && !root->is_parameter) r_.variables[root->index].other_stores = true;
}

/// A variable to which only one constant is ever stored, always as a whole, needs to be filled only once.
void Classifier::scan_store(const Instruction& in) {
  const Root* root = root_of(in[1]);
  if (root == nullptr || root->is_parameter) return;
  Variable& variable = r_.variables[root->index];
  const bool whole = in[1] == variable.id && in[2] < r_.bound && r_.ids[in[2]].kind == IdKind::constant;
  if (whole && (variable.only_stored == 0 || variable.only_stored == in[2])) {
    variable.only_stored = in[2];
  } else {
    variable.other_stores = true;
  }
}

void Classifier::scan_call(const Instruction& in) {
  if (in[3] >= r_.bound || r_.ids[in[3]].kind != IdKind::function) return;
  const FunctionInfo& callee = r_.functions[r_.ids[in[3]].index];
  for (uint32_t i = 4; i < in.count && i - 4 < callee.parameter_count; ++i) {
    if (root_of(in[i]) == nullptr) continue;
    note_other_store(in[i]);
    const Root root = *root_of(in[i]);
    const LeafRange dynamic = r_.parameters[callee.first_parameter + i - 4].dynamic;
    // An argument that is itself chosen dynamically could need more selects than a pointer can hold.
    if (root.outer_is_array && root.candidates != kNone) mark_memory(root, root.outer);
    if (dynamic.begin != dynamic.end && root.candidates == 1) {
      mark_memory(root, {root.leaf + dynamic.begin, root.leaf + dynamic.end});
    }
  }
}

bool Classifier::assign() {
  const auto by_place = [](const Mark& a, const Mark& b) {
    if (a.variable != b.variable) return a.variable < b.variable;
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
  };
  std::sort(memory_.begin(), memory_.end(), by_place);
  std::sort(local_.begin(), local_.end());
  for (const uint32_t index : local_) {
    if (!assign_variable(index)) return false;
  }
  return true;
}

/// Turns the marks of one variable into sorted, disjoint ranges.
void Classifier::collect_ranges(Variable& variable, uint32_t index) {
  const uint32_t leaves = r_.types[variable.type].leaves;
  in_memory_.assign(leaves, 0);
  LeafRange covered;
  for (; next_memory_ < memory_.size() && memory_[next_memory_].variable == index; ++next_memory_) {
    LeafRange range = memory_[next_memory_].range;
    range.end = std::min(range.end, leaves);
    if (range.begin >= range.end || range.end <= covered.end) continue;  // sorted by begin: nothing new
    std::fill(in_memory_.begin() + range.begin, in_memory_.begin() + range.end, 1);
    covered = range;
    r_.leaf_work += range.end - range.begin;
  }
  variable.ranges = static_cast<uint32_t>(r_.memory_ranges.size());
  for (uint32_t i = 0; i < leaves;) {
    if (!in_memory_[i]) {
      ++i;
      continue;
    }
    const uint32_t begin = i;
    while (i < leaves && in_memory_[i]) ++i;
    // Where the range begins, its first leaf has the alignment that it has in the whole.
    const TypeInfo& type = r_.types[variable.type];
    const uint32_t first = r_.types.leaf_offset(variable.type, begin);
    const uint32_t bytes = static_cast<uint32_t>(align_up(variable.memory_bytes, type.dense_align));
    const uint32_t end = i == leaves ? type.dense_bytes : r_.types.leaf_offset(variable.type, i);
    r_.memory_ranges.push_back({begin, i, bytes + first % type.dense_align});
    variable.memory_bytes = static_cast<uint32_t>(align_up(bytes + first % type.dense_align + (end - first), 4));
    ++variable.range_count;
  }
}

bool Classifier::assign_variable(uint32_t index) {
  Variable& variable = r_.variables[index];
  const Limits& limits = r_.options.limits;
  const uint32_t leaves = r_.types[variable.type].leaves;
  total_leaves_ += leaves;
  if (leaves > limits.composite_scalars || total_leaves_ > limits.variable_scalars) {
    r_.current = r_.instruction_at(variable.word);
    return r_.fail(Status::limit_exceeded, "function and private variables have too many scalars");
  }
  collect_ranges(variable, index);
  if (variable.initializer != 0 && r_.ids[variable.initializer].kind == IdKind::global) variable.other_stores = true;
  if (variable.initializer != 0) {
    if (variable.only_stored == 0) variable.only_stored = variable.initializer;
    variable.other_stores = variable.other_stores || variable.only_stored != variable.initializer;
  }
  variable.constant_table = variable.range_count != 0 && variable.only_stored != 0 && !variable.other_stores &&
                            r_.ids[variable.only_stored].type == variable.type;
  if (all_in_memory(r_, variable)) return true;
  variable.first_slot = r_.ssa.slot_count();
  for (uint32_t i = 0; i < leaves; ++i) r_.ssa.add_slot(r_.types.leaf_type(variable.type, i));
  return r_.check_limits();
}

}  // namespace

bool classify_variables(Reader& r) {
  return Classifier(r).run();
}

}  // namespace spalt::spirv
