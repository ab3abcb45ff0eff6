// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_user_data.h"

#include <algorithm>
#include <string>

#include "amdgpu/lower/lower_module.h"

namespace spalt::lower {

using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

/// Byte offset of a push-constant access whose address is known, or nothing.
bool constant_offset(const ir::Function& function, Value value, uint32_t& offset) {
  const ir::Inst& operand = function.inst(function.operand(value, 0));
  if (operand.op != Op::constant) return false;
  offset = function.access(value).offset + static_cast<uint32_t>(operand.imm);
  return true;
}

bool is_push_load(const ir::Function& function, Value value, const ir::Inst& inst) {
  return inst.op == Op::load && function.access(value).storage == StorageClass::push;
}

/// Keeps a sorted list without repetitions; it has at most as many elements as there are user-data entries.
template <class List>
void insert_sorted(List& list, uint32_t entry) {
  uint32_t* at = std::lower_bound(list.begin(), list.end(), entry);
  if (at != list.end() && *at == entry) return;
  const auto index = static_cast<size_t>(at - list.begin());
  list.push_back(entry);
  std::rotate(list.begin() + index, list.end() - 1, list.end());
}

}  // namespace

Result<const abi::BindingLocation*> find_location(const abi::UserDataLayout& layout, const ir::Binding& binding) {
  if (const auto* found = layout.find_binding(binding.set, binding.binding, abi::BindingKind::raw_buffer)) return found;
  const std::string place = "set " + std::to_string(binding.set) + " binding " + std::to_string(binding.binding);
  const abi::BindingLocation* other = layout.find_any(binding.set, binding.binding);
  if (other == nullptr) {
    return Error{Status::invalid_argument, "the user-data layout lacks " + place + ", which the shader uses"};
  }
  const std::string what = place + " is " + abi::kind_name(other->kind) + " in the layout";
  const bool holds_buffers =
      other->kind == abi::BindingKind::inline_data || other->kind == abi::BindingKind::user_data_buffer;
  if (holds_buffers) return Error{Status::unsupported, what + ", which is not supported yet"};
  return Error{Status::invalid_argument, what + ", but a buffer in the shader"};
}

Result<void> UserDataFinder::visit(Value value) {
  const ir::Inst& inst = function_.inst(value);
  if (inst.op == Op::resource) return visit_resource(value);
  if (is_push_load(function_, value, inst)) visit_push(value);
  return {};
}

Result<void> UserDataFinder::visit_resource(Value value) {
  const ir::Binding& binding = module_.bindings[function_.inst(value).imm];
  has_indexed_resources_ |= !function_.is_constant(function_.operand(value, 0));
  const Result<const abi::BindingLocation*> location = find_location(layout_, binding);
  if (!location) return location.error();
  insert_sorted(needs_.set_entries, (*location)->entry);
  return {};
}

void UserDataFinder::visit_push(Value value) {
  uint32_t offset = 0;
  if (!constant_offset(function_, value, offset)) {
    needs_.push_constants_indexed = true;
    return;
  }
  const uint32_t first = offset / 4;
  for (uint32_t i = first; i < first + function_.type(value).components && i < layout_.push_constant_dwords; ++i) {
    insert_sorted(needs_.push_entries, layout_.push_constant_entry + i);
  }
}

abi::UserDataNeeds UserDataFinder::needs() {
  return std::move(needs_);
}

Value UserDataRewriter::rewrite(Value value, const ir::Inst& inst) {
  if (inst.op == Op::resource) return rewrite_resource(value, inst);
  if (inst.op == Op::buffer_size) {
    // num_records of a raw buffer counts bytes.
    return insert_.op(Op::extract, ir::kI32, {insert_.current(function_.operand(value, 0))}, 2);
  }
  return is_push_load(function_, value, inst) ? rewrite_push(value, inst) : Value();
}

Value UserDataRewriter::rewrite_push(Value value, const ir::Inst& inst) {
  uint32_t offset = 0;
  if (!constant_offset(function_, value, offset)) {
    const MemoryAccess access = function_.access(value);
    const Value table = entry_.spill_table();
    const uint32_t start = layout_.push_constant_entry * 4 + access.offset;
    return entry_.constant_load(inst.type, table, insert_.current(function_.operand(value, 0)), start,
                                access.align_log2);
  }
  SmallVector<Value, 4> components;
  for (unsigned i = 0; i < inst.type.components; ++i) {
    const uint32_t dword = offset / 4 + i;
    const bool outside = dword >= layout_.push_constant_dwords;  // of the block: undefined in Vulkan
    components.push_back(outside ? insert_.function().constant(inst.type.element(), 0)
                                 : entry_.user_data(layout_.push_constant_entry + dword, inst.type.element()));
  }
  return components.size() == 1 ? components[0] : insert_.op(Op::vec, inst.type, components);
}

Value UserDataRewriter::rewrite_resource(Value value, const ir::Inst& inst) {
  const ir::Binding& binding = module_.bindings[inst.imm];
  const abi::BindingLocation& location = **find_location(layout_, binding);
  const Value pointer = entry_.user_data_at_entry(location.entry);
  const Value index = function_.operand(value, 0);
  Value element = insert_.current(index);
  // make_descriptors_uniform left only uniform ones. Where the analysis stops seeing that, because the loops that it
  // added exceed the budget, the first lane's index is still every lane's.
  const bool indexed = divergence_ != nullptr && !function_.is_constant(index);
  if (indexed && divergence_->divergent(index)) element = insert_.i(Op::read_first_lane, {element});
  const Value offset = insert_.i(Op::imul, {element, insert_.constant(location.stride)});
  return entry_.constant_load(ir::kI32.vector(4), pointer, offset, location.offset, 3);
}

}  // namespace spalt::lower
