// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_user_data.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "amdgpu/lower/buffer_keys.h"
#include "amdgpu/lower/image_query.h"
#include "ir/names.h"

namespace spalt::lower {

using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

/// Byte offset of an access whose address, operand `at`, is known.
bool constant_offset(const ir::Function& function, Value value, unsigned at, uint32_t& offset) {
  const ir::Inst& operand = function.inst(function.operand(value, at));
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

constexpr uint32_t kSamplerWords = abi::kSamplerDescriptorBytes / 4;
/// User-data entries that one descriptor takes.
constexpr uint32_t kDescriptorEntries = abi::kBufferDescriptorBytes / 4;

/// The first entry of the descriptor of an element; none beyond the array. An index that is not known can only be 0:
/// the array has one element.
std::optional<uint32_t> user_data_entry(const ir::Function& function, Value element_index,
                                        const abi::BindingLocation& location) {
  const ir::Inst& index = function.inst(element_index);
  const uint64_t element = index.op == Op::constant ? index.imm : 0;
  if (element >= std::max(location.count, 1u)) return std::nullopt;
  return location.entry + static_cast<uint32_t>(element) * kDescriptorEntries;
}

std::string place_name(const ir::Binding& binding) {
  return "set " + std::to_string(binding.set) + " binding " + std::to_string(binding.binding);
}

/// Kinds of the layout that may serve a binding of the shader.
std::span<const abi::BindingKind> serving_kinds(ir::BindingKind kind) {
  using abi::BindingKind;
  static constexpr BindingKind kUniform[] = {BindingKind::raw_buffer, BindingKind::inline_data,
                                             BindingKind::user_data_buffer};
  static constexpr BindingKind kStorage[] = {BindingKind::raw_buffer, BindingKind::user_data_buffer};
  static constexpr BindingKind kTexels[] = {BindingKind::typed_buffer};
  static constexpr BindingKind kImage[] = {BindingKind::image, BindingKind::combined_image_sampler};
  static constexpr BindingKind kSampler[] = {BindingKind::sampler, BindingKind::combined_image_sampler};
  static constexpr BindingKind kCombined[] = {BindingKind::combined_image_sampler};
  switch (kind) {
    case ir::BindingKind::uniform_buffer:
      return kUniform;
    case ir::BindingKind::storage_buffer:
      return kStorage;
    case ir::BindingKind::texel_buffer:
      return kTexels;
    case ir::BindingKind::image:
      return kImage;
    case ir::BindingKind::sampler:
      return kSampler;
    case ir::BindingKind::combined:
      return kCombined;
  }
  return {};
}

bool names_descriptor(Op op) {
  return op == Op::resource || op == Op::sampler;
}

}  // namespace

Result<const abi::BindingLocation*> find_location(const abi::UserDataLayout& layout, const ir::Binding& binding) {
  using abi::BindingKind;
  for (BindingKind kind : serving_kinds(binding.kind)) {
    const abi::BindingLocation* found = layout.find_binding(binding.set, binding.binding, kind);
    if (found == nullptr) continue;
    if (kind != BindingKind::inline_data || binding.count == 1) return found;
    return Error{Status::invalid_argument,
                 place_name(binding) + " is inline data in the layout, but an array of " + "buffers in the shader"};
  }
  const abi::BindingLocation* other = layout.find_any(binding.set, binding.binding);
  if (other == nullptr) {
    return Error{Status::invalid_argument,
                 "the user-data layout lacks " + place_name(binding) + ", which the shader uses"};
  }
  return Error{Status::invalid_argument, place_name(binding) + " is " + abi::kind_name(other->kind) +
                                             " in the layout, but " + std::string(ir::binding_kind_text(binding.kind)) +
                                             " in the shader"};
}

Result<void> UserDataFinder::visit(Value value) {
  const ir::Inst& inst = function_.inst(value);
  if (names_descriptor(inst.op)) return visit_resource(value);
  if (inst.op == Op::buffer_of) return visit_buffer_of(value);
  if (is_push_load(function_, value, inst)) visit_push(value);
  if (inst.op == Op::pack64) visit_pair(value);
  return {};
}

Result<void> UserDataFinder::visit_resource(Value value) {
  return visit_binding(module_.bindings[function_.inst(value).imm], function_.operand(value, 0));
}

Result<void> UserDataFinder::visit_buffer_of(Value value) {
  for (Value binding : function_.operands(value).subspan(1)) {
    Result<void> found = visit_binding(module_.bindings[function_.inst(binding).imm], function_.operand(value, 0));
    if (!found) return found;
  }
  return {};
}

Result<void> UserDataFinder::visit_binding(const ir::Binding& binding, Value index) {
  const bool indexed = !function_.is_constant(index);
  may_be_divergent_ |= indexed && function_.inst(index).op != Op::read_first_lane;
  const Result<const abi::BindingLocation*> location = find_location(layout_, binding);
  if (!location) return location.error();
  if ((*location)->kind != abi::BindingKind::user_data_buffer) {
    insert_sorted(needs_.set_entries, (*location)->entry);
    if (needs_.tables_in_pairs) insert_sorted(needs_.tables, (*location)->entry);
    return {};
  }
  if (indexed && (*location)->count > 1) {
    return Error{Status::unsupported, place_name(binding) + " is an array of buffers in user data, and its index is " +
                                          "known at run time only, which is not supported"};
  }
  const std::optional<uint32_t> first = user_data_entry(function_, index, **location);
  for (uint32_t i = 0; first && i < kDescriptorEntries; ++i) insert_sorted(needs_.set_entries, *first + i);
  return {};
}

void UserDataFinder::visit_push(Value value) {
  uint32_t offset = 0;
  if (!constant_offset(function_, value, 0, offset)) {
    needs_.push_constants_indexed |= layout_.push_constant_dwords != 0;
    return;
  }
  const uint32_t first = offset / 4, end = (offset + function_.type(value).bytes() + 3) / 4;
  for (uint32_t i = first; i < end && i < layout_.push_constant_dwords; ++i) {
    insert_sorted(needs_.push_entries, layout_.push_constant_entry + i);
  }
}

/// Two words that make one value, after the loads of both.
void UserDataFinder::visit_pair(Value value) {
  uint32_t offsets[2];
  for (unsigned i = 0; i < 2; ++i) {
    const Value word = function_.operand(value, i);
    if (!is_push_load(function_, word, function_.inst(word)) || !constant_offset(function_, word, 0, offsets[i]))
      return;
  }
  if (offsets[0] % 4 != 0 || offsets[1] != offsets[0] + 4) return;
  insert_sorted(needs_.push_pairs, layout_.push_constant_entry + offsets[0] / 4);
}

abi::UserDataNeeds UserDataFinder::needs() {
  return std::move(needs_);
}

Value UserDataRewriter::rewrite(Value value, const ir::Inst& inst) {
  if (names_descriptor(inst.op)) return rewrite_resource(value, inst);
  if (inst.op == Op::buffer_of) return rewrite_buffer_of(value);
  if (inst.op == Op::buffer_key) return buffer_key(insert_, inst, insert_.current(function_.operand(value, 0)));
  if (ir::is_image_query(inst.op)) return rewrite_query(value, inst);
  if (inst.op == Op::buffer_size) {
    // num_records of a raw buffer counts bytes.
    return insert_.op(Op::extract, ir::kI32, {insert_.current(function_.operand(value, 0))}, 2);
  }
  if (inst.op != Op::load) return Value();
  return is_push_load(function_, value, inst) ? rewrite_push(value, inst) : rewrite_uniform(value, inst);
}

Value UserDataRewriter::rewrite_query(Value value, const ir::Inst& inst) {
  const ir::ImageAccess access = function_.image_access(value);
  const Value descriptor = insert_.current(function_.operand(value, 0));
  const Value level = access.has(ir::kImageLod) ? insert_.current(function_.operand(value, 1)) : Value();
  return ImageQuery(insert_, target_, descriptor, access).answer(inst.op, level);
}

/// A load from inline data whose place is known, and is inside, needs no descriptor.
Value UserDataRewriter::rewrite_uniform(Value value, const ir::Inst& inst) {
  const ir::Inst& resource = function_.inst(function_.operand(value, 0));
  uint32_t offset = 0;
  if (resource.op != Op::resource || !constant_offset(function_, value, 1, offset)) return Value();
  const abi::BindingLocation& location = **find_location(layout_, module_.bindings[resource.imm]);
  const uint64_t end = uint64_t{offset} + inst.type.bits() / 8;
  if (location.kind != abi::BindingKind::inline_data || end > location.count) return Value();
  const Value table = entry_.user_data_at_entry(location.entry);
  const uint32_t start = location.offset + offset;
  const unsigned align = start == 0 ? 2u : static_cast<unsigned>(std::min(2, std::countr_zero(start)));
  return entry_.constant_load(inst.type, table, insert_.constant(0), start, align);
}

Value UserDataRewriter::rewrite_push(Value value, const ir::Inst& inst) {
  uint32_t offset = 0;
  if (!constant_offset(function_, value, 0, offset)) {
    const MemoryAccess access = function_.access(value);
    const Value index = insert_.current(function_.operand(value, 0));
    if (layout_.push_constant_dwords * 4 < module_.push_constant_bytes) return rewrite_short_push(inst, access, index);
    const Value table = entry_.spill_table();
    const uint32_t start = layout_.push_constant_entry * 4 + access.offset;
    return entry_.constant_load(inst.type, table, index, start, access.align_log2);
  }
  const ir::Type element = inst.type.element();
  SmallVector<Value, 4> components;
  for (unsigned i = 0; i < inst.type.components; ++i) {
    components.push_back(element.bits() == 32 ? push_dword(offset / 4 + i, element)
                                              : push_part(offset + i * element.bytes(), element));
  }
  return components.size() == 1 ? components[0] : insert_.op(Op::vec, inst.type, components);
}

/// What is outside of the block is undefined in Vulkan.
Value UserDataRewriter::push_dword(uint32_t dword, ir::Type type) {
  if (dword >= layout_.push_constant_dwords) return insert_.function().constant(type, 0);
  return entry_.user_data(layout_.push_constant_entry + dword, type);
}

/// A number that is narrower than a dword.
Value UserDataRewriter::push_part(uint32_t offset, ir::Type type) {
  const ir::Type bits = type.bits() == 8 ? ir::kI8 : ir::kI16;
  Value word = push_dword(offset / 4, ir::kI32);
  if (offset % 4 != 0) word = insert_.i(Op::ushr, {word, insert_.constant(offset % 4 * 8)});
  const Value cut = insert_.op(Op::trunc, bits, {word});
  return type == bits ? cut : insert_.op(Op::bitcast, type, {cut});
}

/// The layout has less than the block of the shader: what it lacks is zero or some other push constant.
Value UserDataRewriter::rewrite_short_push(const ir::Inst& inst, const MemoryAccess& access, Value index) {
  const uint32_t bytes = inst.type.bits() / 8, present = layout_.push_constant_dwords * 4;
  if (bytes > present) {
    SmallVector<Value, 4> zeros;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      zeros.push_back(insert_.function().constant(inst.type.element(), 0));
    }
    return zeros.size() == 1 ? zeros[0] : insert_.op(Op::vec, inst.type, zeros);
  }
  const Value offset = insert_.i(Op::iadd, {index, insert_.constant(access.offset)});
  const Value inside = insert_.i(Op::umin, {offset, insert_.constant(present - bytes)});
  const Value table = entry_.spill_table();
  const unsigned narrow_align = std::min<unsigned>(access.align_log2, static_cast<unsigned>(std::countr_zero(bytes)));
  const unsigned align = inst.type.scalar_bits() < 32 ? std::min(narrow_align, 2u) : 2u;
  return entry_.constant_load(inst.type, table, inside, layout_.push_constant_entry * 4, align);
}

Value UserDataRewriter::rewrite_resource(Value value, const ir::Inst& inst) {
  const abi::BindingLocation& location = **find_location(layout_, module_.bindings[inst.imm]);
  if (inst.op == Op::sampler && location.immutable_samplers != nullptr) {
    const ir::Inst& index = function_.inst(insert_.current(function_.operand(value, 0)));
    if (index.op == Op::constant && index.imm < location.count) {
      return immutable_sampler(location.immutable_samplers + kSamplerWords * index.imm);
    }
  }
  switch (location.kind) {
    case abi::BindingKind::inline_data:
      return inline_descriptor(location);
    case abi::BindingKind::user_data_buffer:
      return user_data_descriptor(value, location);
    default:
      return table_descriptor(value, location);
  }
}

/// The index or key of a descriptor. make_descriptors_uniform left only uniform ones. Where the analysis stops seeing
/// that, because the loops that it added exceed the budget, the first lane's index is still every lane's.
Value UserDataRewriter::uniform_index(Value value) {
  const Value index = function_.operand(value, 0), current = insert_.current(index);
  const bool indexed = divergence_ != nullptr && !function_.is_constant(index);
  return indexed && divergence_->divergent(index) ? insert_.i(Op::read_first_lane, {current}) : current;
}

/// A choice among the bindings that the key may name.
Value UserDataRewriter::rewrite_buffer_of(Value value) {
  const Value key = uniform_index(value);
  const KeyChoice choice(module_, layout_, entry_, insert_, key);
  SmallVector<uint32_t, 4> bindings;
  for (Value binding : function_.operands(value).subspan(1)) {
    bindings.push_back(static_cast<uint32_t>(function_.inst(binding).imm));
  }
  return choice.descriptor({bindings.data(), bindings.size()});
}

Value UserDataRewriter::table_descriptor(Value value, const abi::BindingLocation& location) {
  const Value pointer = entry_.user_data_at_entry(location.entry);
  const Value element = uniform_index(value);
  const Value offset = insert_.i(Op::imul, {element, insert_.constant(location.stride)});
  const ir::Inst& inst = function_.inst(value);
  const ir::BindingKind kind = module_.bindings[inst.imm].kind;
  const bool image = inst.op == Op::resource && (kind == ir::BindingKind::image || kind == ir::BindingKind::combined);
  const bool second = inst.op == Op::sampler && location.kind == abi::BindingKind::combined_image_sampler;
  return entry_.constant_load(ir::kI32.vector(image ? 8 : 4), pointer, offset,
                              location.offset + (second ? abi::kImageDescriptorBytes : 0), 3);
}

/// A raw buffer of the bytes in the table, so that the hardware checks bounds as for any other buffer. The table does
/// not pass the end of the window, so that the sum does not wrap. Word 1 has 16 bits of the address, and a stride of 0.
Value UserDataRewriter::inline_descriptor(const abi::BindingLocation& location) {
  const Value table = entry_.user_data_at_entry(location.entry);
  const Value low = insert_.i(Op::iadd, {table, insert_.constant(location.offset)});
  const Value high = address_high_ ? insert_.constant(*address_high_)
                                   : insert_.op(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::address_high));
  const Value high_bits = insert_.i(Op::iand, {high, insert_.constant(0xffff)});
  const Value bytes = insert_.constant(location.count);
  const Value format = insert_.constant(target_.buffer_resource_word3);
  return insert_.op(Op::vec, ir::kI32.vector(4), {low, high_bits, bytes, format});
}

/// Words that the layout fixes need not be loaded.
Value UserDataRewriter::immutable_sampler(const uint32_t* given) {
  SmallVector<Value, kSamplerWords> words;
  for (uint32_t i = 0; i < kSamplerWords; ++i) words.push_back(insert_.constant(given[i]));
  return insert_.op(Op::vec, ir::kI32.vector(kSamplerWords), words);
}

/// Beyond the array is a null descriptor.
Value UserDataRewriter::user_data_descriptor(Value value, const abi::BindingLocation& location) {
  const std::optional<uint32_t> first = user_data_entry(function_, function_.operand(value, 0), location);
  SmallVector<Value, kDescriptorEntries> words;
  for (uint32_t i = 0; i < kDescriptorEntries; ++i) {
    words.push_back(first ? entry_.user_data_at_entry(*first + i) : insert_.constant(0));
  }
  return insert_.op(Op::vec, ir::kI32.vector(4), words);
}

}  // namespace spalt::lower
