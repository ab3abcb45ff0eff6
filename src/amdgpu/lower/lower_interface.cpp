// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_interface.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "amdgpu/lower/inserter.h"
#include "amdgpu/lower/make_descriptors_uniform.h"
#include "analysis/divergence.h"

namespace spalt::lower {

using abi::ComputeInterface;
using abi::ComputeNeeds;
using abi::UserDataLayout;
using ir::BuiltIn;
using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

Error bad_layout(std::string message) {
  return {Status::invalid_argument, std::move(message)};
}

constexpr BuiltIn builtin_of(uint64_t imm) {
  return static_cast<BuiltIn>(imm & 0xff);
}
constexpr unsigned component_of(uint64_t imm) {
  return static_cast<unsigned>(imm >> 8);
}

/// Byte offset of a push-constant access whose address is known, or nothing.
bool constant_offset(const ir::Function& function, Value value, uint32_t& offset) {
  const ir::Inst& operand = function.inst(function.operand(value, 0));
  if (operand.op != Op::constant) return false;
  offset = function.access(value).offset + static_cast<uint32_t>(operand.imm);
  return true;
}

// Phase 1 ------------------------------------------------------------------------------------------------------------

/// Collects what the program reads from its surroundings.
class NeedsFinder {
 public:
  NeedsFinder(const ir::Module& module, const UserDataLayout& layout)
      : module_(module), function_(module.functions[0]), layout_(layout) {}

  Result<ComputeNeeds> run() {
    for (ir::BlockId block : function_.layout()) {
      for (Value value : ir::insts(function_, block)) {
        if (Result<void> result = visit(value); !result) return result.error();
      }
    }
    sort_unique(needs_.push_entries);
    sort_unique(needs_.set_entries);
    return std::move(needs_);
  }

 private:
  static void sort_unique(std::vector<uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  Result<void> visit(Value value) {
    const ir::Inst& inst = function_.inst(value);
    if (inst.op == Op::builtin) return visit_builtin(inst.imm);
    if (inst.op == Op::resource) return visit_resource(value);
    if (inst.op == Op::load && function_.access(value).storage == StorageClass::push) visit_push(value);
    return {};
  }

  Result<void> visit_builtin(uint64_t imm) {
    const unsigned component = component_of(imm);
    if (component > 2) return Error{Status::invalid_input, "a built-in variable has at most three components"};
    switch (builtin_of(imm)) {
      case BuiltIn::num_workgroups:
        needs_.num_workgroups = true;
        break;
      case BuiltIn::workgroup_id:
        needs_.workgroup_id[component] = true;
        break;
      case BuiltIn::global_invocation_id:
        needs_.workgroup_id[component] = true;
        need_local_id(component);
        break;
      case BuiltIn::local_invocation_id:
        need_local_id(component);
        break;
      case BuiltIn::local_invocation_index:
      case BuiltIn::subgroup_id:
        for (unsigned i = 0; i < 3; ++i) need_local_id(i);
        break;
      case BuiltIn::subgroup_size:
      case BuiltIn::subgroup_invocation_id:
      case BuiltIn::num_subgroups:
        break;
    }
    return {};
  }

  void need_local_id(unsigned component) {
    if (module_.workgroup_size[component] == 1) return;
    needs_.local_id_components = std::max(needs_.local_id_components, static_cast<uint8_t>(component + 1));
  }

  Result<void> visit_resource(Value value) {
    const ir::Inst& inst = function_.inst(value);
    const ir::Binding& binding = module_.bindings[inst.imm];
    const abi::SetLocation* set = layout_.find_set(binding.set);
    if (set == nullptr || layout_.find_binding(binding.set, binding.binding) == nullptr) {
      return bad_layout("the user-data layout lacks set " + std::to_string(binding.set) + " binding " +
                        std::to_string(binding.binding) + ", which the shader uses");
    }
    needs_.set_entries.push_back(set->entry);
    return {};
  }

  void visit_push(Value value) {
    uint32_t offset = 0;
    if (!constant_offset(function_, value, offset)) {
      needs_.push_constants_indexed = true;
      return;
    }
    const uint32_t first = offset / 4;
    for (uint32_t i = first; i < first + function_.type(value).components && i < layout_.push_constant_dwords; ++i) {
      needs_.push_entries.push_back(layout_.push_constant_entry + i);
    }
  }

  const ir::Module& module_;
  const ir::Function& function_;
  const UserDataLayout& layout_;
  ComputeNeeds needs_;
};

// Phase 3 ------------------------------------------------------------------------------------------------------------

class Rewriter {
 public:
  Rewriter(ir::Module& module, const LowerConfig& config, const ComputeInterface& interface,
           const analysis::Divergence& divergence)
      : module_(module),
        function_(module.functions[0]),
        config_(config),
        layout_(*config.layout),
        interface_(interface),
        divergence_(divergence),
        insert_(function_) {}

  void run() {
    for (ir::BlockId block : function_.layout()) {
      for (Value value : ir::insts(function_, block)) {
        const Value by = rewrite(value);
        if (by.valid()) insert_.replace(value, by);
      }
    }
    insert_.finish();
    for (size_t i = at_entry_.size(); i > 0; --i) {
      function_.insert_before(function_.block(function_.entry()).first, at_entry_[i - 1]);
    }
  }

 private:
  Value rewrite(Value value);
  Value rewrite_builtin(const ir::Inst& inst);
  Value rewrite_push(Value value, const ir::Inst& inst);
  Value rewrite_resource(Value value, const ir::Inst& inst);

  Value argument(const std::string& name, isa::Reg reg, ir::Type type, uint32_t max = 0xffffffff);
  Value entry_field(const std::string& name, const abi::EntryField& field, uint32_t max);
  Value workgroup_id(unsigned component);
  Value local_id(unsigned component);
  Value local_index();
  Value set_pointer(uint32_t set);
  Value spilled(uint32_t entry, ir::Type type);
  static MemoryAccess constant_access(uint32_t offset, unsigned align_log2);
  Value constant_load(ir::Type type, Value base, Value offset, uint32_t constant, unsigned align_log2);

  ir::Module& module_;
  ir::Function& function_;
  const LowerConfig& config_;
  const UserDataLayout& layout_;
  const ComputeInterface& interface_;
  const analysis::Divergence& divergence_;
  Inserter insert_;
  /// Entry registers, and addresses of sets, each once: at the start of the entry block, where they are linked when all
  /// else is done. From a loop that lanes leave one by one they would come out divergent.
  std::vector<Value> at_entry_;
  struct SetPointer {
    uint32_t set;
    Value value;
  };
  std::vector<SetPointer> spilled_set_pointers_;
};

/// The value of an entry register.
Value Rewriter::argument(const std::string& name, isa::Reg reg, ir::Type type, uint32_t max) {
  const ir::EntryArg::File file = reg.is_vgpr() ? ir::EntryArg::File::vgpr : ir::EntryArg::File::sgpr;
  const uint16_t number = reg.is_vgpr() ? reg.vgpr_index() : reg.number;
  uint64_t index = 0;
  while (index < module_.args.size() && (module_.args[index].file != file || module_.args[index].reg != number))
    ++index;
  if (index == module_.args.size()) {
    module_.args.push_back({name, file, number, static_cast<uint8_t>(type.bits() / 32), max});
  }
  for (Value made : at_entry_) {
    const ir::Inst& inst = function_.inst(made);
    if (inst.op == Op::arg && inst.imm == index && inst.type == type) return made;
  }
  at_entry_.push_back(function_.create(Op::arg, type, {}, index));
  return at_entry_.back();
}

/// The value of an entry register or of some bits of one.
Value Rewriter::entry_field(const std::string& name, const abi::EntryField& field, uint32_t max) {
  if (field.bits == 32) return argument(name, field.reg, ir::kI32, max);
  const Value whole = argument("packed_" + name, field.reg, ir::kI32);
  const Value shifted = field.shift == 0 ? whole : insert_.i(Op::ushr, {whole, insert_.constant(field.shift)});
  // A narrower mask than the field tells those behind how large the value can be.
  const uint32_t bits = std::min<uint32_t>(field.bits, static_cast<uint32_t>(std::bit_width(max)));
  return insert_.i(Op::iand, {shifted, insert_.constant((1u << bits) - 1)});
}

MemoryAccess Rewriter::constant_access(uint32_t offset, unsigned align_log2) {
  MemoryAccess access;
  access.storage = StorageClass::constant;
  access.offset = offset;
  access.align_log2 = static_cast<uint8_t>(align_log2);
  access.flags = ir::kReadOnly;
  return access;
}

Value Rewriter::constant_load(ir::Type type, Value base, Value offset, uint32_t constant, unsigned align_log2) {
  return insert_.op(Op::load, type, {base, offset}, constant_access(constant, align_log2).pack());
}

Value Rewriter::spilled(uint32_t entry, ir::Type type) {
  const Value table = argument("spill_table", interface_.spill_table, ir::kI32);
  return constant_load(type, table, insert_.constant(0), entry * 4, 2);
}

Value Rewriter::local_id(unsigned component) {
  if (module_.workgroup_size[component] == 1) return insert_.constant(0);
  static const char* const kNames[] = {"local_id_x", "local_id_y", "local_id_z"};
  return entry_field(kNames[component], interface_.local_id[component], module_.workgroup_size[component] - 1);
}

Value Rewriter::workgroup_id(unsigned component) {
  static const char* const kNames[] = {"workgroup_id_x", "workgroup_id_y", "workgroup_id_z"};
  const uint32_t max = config_.max_workgroups[component] - 1;
  return entry_field(kNames[component], interface_.workgroup_id[component], max);
}

Value Rewriter::local_index() {
  const std::array<uint32_t, 3>& size = module_.workgroup_size;
  const Value x = local_id(0), y = local_id(1), z = local_id(2);
  const Value row = insert_.i(Op::imul, {z, insert_.constant(size[1])});
  const Value yz = insert_.i(Op::iadd, {row, y});
  const Value before = insert_.i(Op::imul, {yz, insert_.constant(size[0])});
  return insert_.i(Op::iadd, {before, x});
}

Value Rewriter::rewrite_builtin(const ir::Inst& inst) {
  const unsigned component = component_of(inst.imm);
  const std::array<uint32_t, 3>& size = module_.workgroup_size;
  const unsigned log_wave = static_cast<unsigned>(std::countr_zero(config_.wave_size));
  switch (builtin_of(inst.imm)) {
    case BuiltIn::workgroup_id:
      return workgroup_id(component);
    case BuiltIn::num_workgroups: {
      const Value pointer = argument("workgroup_pointer", interface_.workgroup_pointer, ir::kI64);
      return constant_load(ir::kI32, pointer, insert_.constant(0), component * 4, 2);
    }
    case BuiltIn::local_invocation_id:
      return local_id(component);
    case BuiltIn::local_invocation_index:
      return local_index();
    case BuiltIn::global_invocation_id: {
      const Value group = workgroup_id(component);
      const Value first = insert_.i(Op::imul, {group, insert_.constant(size[component])});
      const Value local = local_id(component);
      return insert_.i(Op::iadd, {first, local});
    }
    case BuiltIn::subgroup_size:
      return insert_.constant(config_.wave_size);
    case BuiltIn::subgroup_invocation_id:
      return Value();
    case BuiltIn::subgroup_id: {
      // Waves take the invocations of a workgroup in the order of their index.
      if (size[0] * size[1] * size[2] <= config_.wave_size) return insert_.constant(0);
      const Value index = local_index();
      const Value wave = insert_.i(Op::ushr, {index, insert_.constant(log_wave)});
      return insert_.i(Op::read_first_lane, {wave});
    }
    case BuiltIn::num_subgroups:
      return insert_.constant((size[0] * size[1] * size[2] + config_.wave_size - 1) / config_.wave_size);
  }
  return Value();
}

Value Rewriter::rewrite_push(Value value, const ir::Inst& inst) {
  uint32_t offset = 0;
  if (!constant_offset(function_, value, offset)) {
    const MemoryAccess access = function_.access(value);
    const Value table = argument("spill_table", interface_.spill_table, ir::kI32);
    const uint32_t start = layout_.push_constant_entry * 4 + access.offset;
    return constant_load(inst.type, table, insert_.current(function_.operand(value, 0)), start, access.align_log2);
  }
  SmallVector<Value, 4> components;
  for (unsigned i = 0; i < inst.type.components; ++i) {
    const uint32_t dword = offset / 4 + i;
    if (dword >= layout_.push_constant_dwords) {
      components.push_back(function_.constant(inst.type.element(), 0));  // outside the block: undefined in Vulkan
      continue;
    }
    const uint32_t entry = layout_.push_constant_entry + dword;
    const isa::Reg reg = interface_.user_register(entry);
    components.push_back(reg.valid() ? argument("user_data_" + std::to_string(entry), reg, inst.type.element())
                                     : spilled(entry, inst.type.element()));
  }
  return components.size() == 1 ? components[0] : insert_.op(Op::vec, inst.type, components);
}

Value Rewriter::set_pointer(uint32_t set) {
  const uint32_t entry = layout_.find_set(set)->entry;
  const isa::Reg reg = interface_.user_register(entry);
  if (reg.valid()) return argument("user_data_" + std::to_string(entry), reg, ir::kI32);
  for (const SetPointer& known : spilled_set_pointers_) {
    if (known.set == set) return known.value;
  }
  const Value operands[] = {argument("spill_table", interface_.spill_table, ir::kI32), insert_.constant(0)};
  at_entry_.push_back(function_.create(Op::load, ir::kI32, operands, constant_access(entry * 4, 2).pack()));
  spilled_set_pointers_.push_back({set, at_entry_.back()});
  return at_entry_.back();
}

Value Rewriter::rewrite_resource(Value value, const ir::Inst& inst) {
  const ir::Binding& binding = module_.bindings[inst.imm];
  const abi::BindingLocation& location = *layout_.find_binding(binding.set, binding.binding);
  const Value pointer = set_pointer(binding.set);
  const Value index = function_.operand(value, 0);
  Value element = insert_.current(index);
  // make_descriptors_uniform left only uniform ones. Where the analysis stops seeing that, because the loops that it
  // added exceed the budget, the first lane's index is still every lane's.
  if (!function_.is_constant(index) && divergence_.divergent(index))
    element = insert_.i(Op::read_first_lane, {element});
  const Value offset = insert_.i(Op::imul, {element, insert_.constant(location.stride)});
  return constant_load(ir::kI32.vector(4), pointer, offset, location.offset, 3);
}

Value Rewriter::rewrite(Value value) {
  const ir::Inst inst = function_.inst(value);
  insert_.before(value);
  switch (inst.op) {
    case Op::builtin:
      return rewrite_builtin(inst);
    case Op::resource:
      return rewrite_resource(value, inst);
    case Op::buffer_size:
      // num_records of a raw buffer counts bytes (docs/abi/pal.md#buffer-descriptors).
      return insert_.op(Op::extract, ir::kI32, {insert_.current(function_.operand(value, 0))}, 2);
    case Op::load:
      return function_.access(value).storage == StorageClass::push ? rewrite_push(value, inst) : Value();
    default:
      return Value();
  }
}

}  // namespace

Result<ComputeInterface> lower_interface(ir::Module& module, const LowerConfig& config) {
  if ((module.push_constant_bytes + 3) / 4 > config.layout->push_constant_dwords) {
    return bad_layout("the shader's push-constant block has " + std::to_string(module.push_constant_bytes) +
                      " bytes, more than the user-data layout holds");
  }
  Result<ComputeNeeds> needs = NeedsFinder(module, *config.layout).run();
  if (!needs) return needs.error();
  const ComputeInterface interface =
      abi::assign_compute_interface(*needs, *config.layout, *config.target, config.wave_size);
  // Only what indices of descriptors are asks for it.
  analysis::Divergence divergence;
  if (has_indexed_resources(module.functions[0])) {
    divergence = analysis::analyze_divergence(module.functions[0], module);
  }
  Rewriter(module, config, interface, divergence).run();
  return interface;
}

}  // namespace spalt::lower
