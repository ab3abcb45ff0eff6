// SPDX-License-Identifier: MIT
// Function and private variables: scalars in SSA form, dynamically indexed parts in scratch memory.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "base/bits.h"
#include "spirv/memory/memory.h"

namespace spalt::spirv {
namespace {

/// Scratch memory from `bytes` on, as a dense object.
Pointer scratch_pointer(uint32_t type, uint32_t variable, uint32_t bytes) {
  Pointer pointer;
  pointer.type = type;
  pointer.variable = variable;
  pointer.root = PointerRoot::scratch;
  pointer.align_log2 = 4;
  pointer.offset = bytes;
  return pointer;
}

/// The first scratch range that ends after `leaf`.
uint32_t first_range(const Reader& r, const Variable& variable, uint32_t leaf) {
  const auto begin = r.memory_ranges.begin() + variable.ranges;
  const auto found = std::upper_bound(begin, begin + variable.range_count, leaf,
                                      [](uint32_t wanted, const LeafRange& range) { return wanted < range.end; });
  return static_cast<uint32_t>(found - begin);
}

/// Where a leaf that is in scratch memory lies.
uint32_t scratch_bytes(const Reader& r, const Variable& variable, uint32_t leaf) {
  uint32_t bytes = 0;
  scratch_offset(r, variable, leaf, bytes);
  return bytes;
}

/// Calls access(begin, end) for each part of the leaves [leaf, leaf + count) that is in scratch memory.
template <class Access>
void for_each_run(Reader& r, const Variable& variable, uint32_t leaf, uint32_t count, Access&& access) {
  for (uint32_t i = first_range(r, variable, leaf); i < variable.range_count; ++i) {
    const LeafRange range = r.memory_ranges[variable.ranges + i];
    if (range.begin >= leaf + count) return;
    access(std::max(range.begin, leaf), std::min(range.end, leaf + count));
  }
}

ir::Value load_scalar(Reader& r, uint32_t variable, uint32_t bytes, ir::Type leaf_type) {
  const ir::Value address[] = {r.b.i32(0)};
  const ir::MemoryAccess access = make_access(scratch_pointer(kNone, variable, bytes), 0, {});
  const ir::Value loaded = r.b.memory(ir::Op::load, leaf_type.is_bool() ? ir::kI32 : leaf_type, address, access);
  return leaf_type.is_bool() ? r.b.binary(ir::Op::ine, loaded, r.b.i32(0)) : loaded;
}

void store_scalar(Reader& r, uint32_t variable, uint32_t bytes, ir::Value value) {
  if (r.function().type(value).is_bool()) value = r.b.select(value, r.b.i32(1), r.b.i32(0));
  const ir::Value operands[] = {r.b.i32(0), value};
  r.b.memory(ir::Op::store, ir::kVoid, operands, make_access(scratch_pointer(kNone, variable, bytes), 0, {}));
}

ir::Value read_leaf(Reader& r, uint32_t variable_index, uint32_t leaf) {
  const Variable& variable = r.variables[variable_index];
  uint32_t bytes = 0;
  if (!scratch_offset(r, variable, leaf, bytes)) return r.ssa.read(variable.first_slot + leaf);
  return load_scalar(r, variable_index, bytes, r.types.leaf_type(variable.type, leaf));
}

void write_leaf(Reader& r, uint32_t variable_index, uint32_t leaf, ir::Value value) {
  const Variable& variable = r.variables[variable_index];
  uint32_t bytes = 0;
  if (scratch_offset(r, variable, leaf, bytes)) {
    store_scalar(r, variable_index, bytes, value);
  } else {
    r.ssa.write(variable.first_slot + leaf, value);
  }
}

ir::Value input_leaf(Reader& r, const Pointer& pointer, uint32_t leaf) {
  return input_value(r, r.variables[pointer.variable], leaf);
}

/// The leaves of a variable.
struct VariableLeaves final : LeafSource {
  VariableLeaves(Reader& reader, const Pointer& p) : r(reader), pointer(p) {}
  ir::Value read(uint32_t leaf) const override {
    return pointer.root == PointerRoot::input ? input_leaf(r, pointer, leaf) : read_leaf(r, pointer.variable, leaf);
  }
  Reader& r;
  const Pointer& pointer;
};

/// Walks the combinations of a pointer's dynamic indices, the last one fastest.
struct Candidates {
  explicit Candidates(const Pointer& p) : pointer(p) {
    for (uint32_t i = 0; i < p.select_count; ++i) total = std::min<uint64_t>(total * p.selects[i].count, kNone);
  }
  uint32_t leaf(uint32_t candidate) const {
    uint32_t result = pointer.offset;
    for (uint32_t i = pointer.select_count; i > 0; --i) {
      result += candidate % pointer.selects[i - 1].count * pointer.selects[i - 1].stride;
      candidate /= pointer.selects[i - 1].count;
    }
    return result;
  }
  const Pointer& pointer;
  uint64_t total = 1;  ///< saturates
};

/// equal[i][n]: dynamic index i is n. The comparisons of the last n are used by stores only.
using Comparisons = ir::Value[Pointer::kMaxSelects][16];

void compare_indices(Reader& r, const Pointer& pointer, bool with_last, Comparisons& equal) {
  for (uint32_t i = 0; i < pointer.select_count; ++i) {
    const SelectIndex& select = pointer.selects[i];
    for (uint32_t n = 0; n + (with_last ? 0 : 1) < select.count; ++n) {
      equal[i][n] = r.b.binary(ir::Op::ieq, select.index, r.b.i32(n));
    }
  }
}

bool check_candidates(Reader& r, const Candidates& candidates, uint32_t leaves) {
  r.leaf_work += candidates.total * leaves;
  return candidates.total <= 16 || r.unsupported("a dynamic index with so many candidates");
}

bool store_selected(Reader& r, const Pointer& pointer, const Leaves& value) {
  const Candidates candidates(pointer);
  if (!check_candidates(r, candidates, value.count)) return false;
  Comparisons equal;
  compare_indices(r, pointer, true, equal);
  for (uint32_t c = 0; c < candidates.total; ++c) {
    ir::Value condition = r.b.boolean(true);
    for (uint32_t i = pointer.select_count, rest = c; i > 0; --i) {
      const uint32_t count = pointer.selects[i - 1].count;
      condition = r.b.iand(condition, equal[i - 1][rest % count]);
      rest /= count;
    }
    for (uint32_t j = 0; j < value.count; ++j) {
      const uint32_t leaf = candidates.leaf(c) + j;
      const ir::Value old = read_leaf(r, pointer.variable, leaf);
      write_leaf(r, pointer.variable, leaf, r.b.select(condition, r.leaf(value, j), old));
    }
  }
  return true;
}

}  // namespace

bool scratch_offset(const Reader& r, const Variable& variable, uint32_t leaf, uint32_t& bytes) {
  return whole_in_scratch(r, variable, leaf, 1, bytes);
}

bool all_in_memory(const Reader& r, const Variable& variable) {
  if (variable.range_count != 1) return false;
  const LeafRange& range = r.memory_ranges[variable.ranges];
  return range.begin == 0 && range.end == r.types[variable.type].leaves;
}

/// Ranges never touch: leaves that are neighbours in memory are in one range.
bool whole_in_scratch(const Reader& r, const Variable& variable, uint32_t leaf, uint32_t count, uint32_t& bytes) {
  if (variable.range_count == 0) return false;
  const uint32_t index = first_range(r, variable, leaf);
  if (index == variable.range_count) return false;
  const LeafRange& range = r.memory_ranges[variable.ranges + index];
  if (leaf < range.begin || count > range.end - leaf) return false;
  const TypeTable& types = r.types;
  bytes = variable.memory_begin + range.bytes + types.leaf_offset(variable.type, leaf) -
          types.leaf_offset(variable.type, range.begin);
  return true;
}

bool load_selected(Reader& r, const Pointer& pointer, const Leaves& out, const LeafSource& source) {
  const Candidates candidates(pointer);
  if (!check_candidates(r, candidates, out.count)) return false;
  Comparisons equal;
  compare_indices(r, pointer, false, equal);
  for (uint32_t j = 0; j < out.count; ++j) {
    Vector<ir::Value>& values = r.scratch_values;
    values.clear();
    for (uint32_t c = 0; c < candidates.total; ++c) {
      const ir::Value value = source.read(candidates.leaf(c) + j);
      values.push_back(value);
    }
    uint64_t total = candidates.total;
    for (uint32_t i = pointer.select_count; i > 0; --i) {
      const uint32_t count = pointer.selects[i - 1].count;
      total /= count;
      for (uint32_t group = 0; group < total; ++group) {
        ir::Value chosen = values[group * count + count - 1];
        for (uint32_t n = count - 1; n > 0; --n) {
          chosen = r.b.select(equal[i - 1][n - 1], values[group * count + n - 1], chosen);
        }
        values[group] = chosen;
      }
    }
    r.set_leaf(out, j, values[0]);
  }
  return true;
}

bool load_copied(Reader& r, const Pointer& pointer, const Leaves& out, const LeafSource& source) {
  Variable copy = r.variables[pointer.variable];
  const uint32_t begin = copy.memory_begin;
  allocate_scratch(r, copy);
  const uint32_t leaves = r.types[copy.type].leaves;
  r.leaf_work += leaves;
  for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
    uint32_t bytes = 0;
    if (scratch_offset(r, copy, leaf, bytes)) store_scalar(r, pointer.variable, bytes, source.read(leaf));
  }
  Pointer moved = pointer;
  moved.offset += copy.memory_begin - begin;
  dense_offsets(r, pointer.type);
  load_leaves(r, moved, out, {});
  return r.check_limits();
}

bool load_local(Reader& r, const Pointer& pointer, const Leaves& out) {
  if (pointer.select_count != 0) return load_selected(r, pointer, out, VariableLeaves(r, pointer));
  if (pointer.root == PointerRoot::input) {
    for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, input_leaf(r, pointer, pointer.offset + i));
    return true;
  }
  const Variable& variable = r.variables[pointer.variable];
  uint32_t bytes = 0;
  if (whole_in_scratch(r, variable, pointer.offset, out.count, bytes)) {
    dense_offsets(r, pointer.type);
    load_leaves(r, scratch_pointer(pointer.type, pointer.variable, bytes), out, {});
    return true;
  }
  if (variable.range_count == 0) {
    for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.ssa.read(variable.first_slot + pointer.offset + i));
    return true;
  }
  uint32_t next = pointer.offset;
  const auto read_ssa = [&](uint32_t end) {
    for (; next < end; ++next) r.set_leaf(out, next - pointer.offset, r.ssa.read(variable.first_slot + next));
  };
  for_each_run(r, variable, pointer.offset, out.count, [&](uint32_t begin, uint32_t end) {
    read_ssa(begin);
    for (uint32_t leaf = begin; leaf < end; ++leaf) {
      const uint32_t j = leaf - pointer.offset;
      const ir::Type type = r.types.leaf_type(pointer.type, j);
      r.set_leaf(out, j, load_scalar(r, pointer.variable, scratch_bytes(r, variable, leaf), type));
    }
    next = end;
  });
  read_ssa(pointer.offset + out.count);
  return true;
}

bool store_local(Reader& r, const Pointer& pointer, const Leaves& value) {
  if (pointer.select_count != 0) return store_selected(r, pointer, value);
  const Variable& variable = r.variables[pointer.variable];
  uint32_t bytes = 0;
  if (whole_in_scratch(r, variable, pointer.offset, value.count, bytes)) {
    if (variable.constant_table) return true;
    dense_offsets(r, pointer.type);
    store_leaves(r, scratch_pointer(pointer.type, pointer.variable, bytes), value, {});
    return true;
  }
  if (variable.range_count == 0) {
    for (uint32_t i = 0; i < value.count; ++i) r.ssa.write(variable.first_slot + pointer.offset + i, r.leaf(value, i));
    return true;
  }
  uint32_t next = pointer.offset;
  const auto write_ssa = [&](uint32_t end) {
    for (; next < end; ++next) r.ssa.write(variable.first_slot + next, r.leaf(value, next - pointer.offset));
  };
  for_each_run(r, variable, pointer.offset, value.count, [&](uint32_t begin, uint32_t end) {
    write_ssa(begin);
    for (uint32_t leaf = begin; leaf < end && !variable.constant_table; ++leaf) {
      store_scalar(r, pointer.variable, scratch_bytes(r, variable, leaf), r.leaf(value, leaf - pointer.offset));
    }
    next = end;
  });
  write_ssa(pointer.offset + value.count);
  return true;
}

void allocate_scratch(Reader& r, Variable& variable) {
  if (variable.memory_bytes == 0 || variable.constant_table) return;
  const uint32_t alignment = std::max<uint32_t>(4, r.types[variable.type].dense_align);
  r.scratch_top = static_cast<uint32_t>(align_up(r.scratch_top, variable.memory_bytes >= 16 ? 16 : alignment));
  variable.memory_begin = r.scratch_top;
  r.scratch_top += variable.memory_bytes;
  r.module.scratch_bytes = std::max(r.module.scratch_bytes, r.scratch_top);
  r.module.scratch_variables.push_back({variable.memory_begin, variable.memory_bytes});
}

bool initialize_variable(Reader& r, const Variable& variable) {
  Pointer pointer;
  pointer.type = variable.type;
  pointer.variable = static_cast<uint32_t>(&variable - r.variables.data());
  if (variable.initializer != 0) {
    Leaves value;
    const bool is_pointer = r.ids[variable.initializer].kind == IdKind::global;
    const bool known = is_pointer ? global_pointer_value(r, variable.initializer, value)
                                  : r.constant_leaves(variable.initializer, value);
    return known && store_local(r, pointer, value);
  }
  if (variable.first_slot == kNone) return true;
  for (uint32_t i = 0; i < r.types[variable.type].leaves; ++i) {
    r.ssa.write(variable.first_slot + i, r.ssa.undef(r.types.leaf_type(variable.type, i)));
  }
  return true;
}

bool fill_constant_tables(Reader& r) {
  Vector<uint32_t> filled(r.context.scratch);  // by id of the constant: variable whose scratch memory holds it, plus 1
  for (uint32_t i = 0; i < r.variables.size(); ++i) {
    Variable& variable = r.variables[i];
    if (!variable.constant_table) continue;
    if (filled.empty()) filled.resize(r.bound, 0);
    const bool whole = all_in_memory(r, variable);
    uint32_t& shared = filled[variable.only_stored];
    if (whole && shared != 0) {
      variable.memory_begin = r.variables[shared - 1].memory_begin;
      continue;
    }
    variable.constant_table = false;
    allocate_scratch(r, variable);
    Leaves value;
    if (!r.constant_leaves(variable.only_stored, value)) return false;
    if (whole) {
      shared = i + 1;
      Pointer pointer;
      pointer.type = variable.type;
      pointer.variable = i;
      if (!store_local(r, pointer, value)) return false;
    } else {
      for (uint32_t leaf = 0; leaf < value.count; ++leaf) {
        uint32_t bytes = 0;
        if (scratch_offset(r, variable, leaf, bytes)) store_scalar(r, i, bytes, r.leaf(value, leaf));
      }
    }
    variable.constant_table = true;
    if (!r.check_limits()) return false;
  }
  return true;
}

bool translate_variable(Reader& r, const Instruction& in) {
  const IdInfo& info = r.ids[in[2]];
  if (info.binding == kNone) return r.unsupported("a variable of this type");
  return initialize_variable(r, r.variables[r.pointers[info.binding].variable]);
}

}  // namespace spalt::spirv
