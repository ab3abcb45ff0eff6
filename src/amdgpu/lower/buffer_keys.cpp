// SPDX-License-Identifier: MIT
#include "amdgpu/lower/buffer_keys.h"

#include <algorithm>

#include "amdgpu/lower/lower_module.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

constexpr unsigned kWords = abi::kBufferDescriptorBytes / 4;

bool is_in_user_data(const abi::BindingLocation& location) {
  return location.kind == abi::BindingKind::user_data_buffer;
}

}  // namespace

Value buffer_key(Inserter& insert, const ir::Inst& inst, Value element) {
  const auto first = static_cast<uint32_t>(inst.imm + 1) << ir::kKeyElementBits;
  return insert.i(Op::ior, {element, insert.constant(first)});
}

const abi::BindingLocation& KeyChoice::location(uint32_t binding) const {
  return **find_location(layout_, module_.bindings[binding]);
}

/// Whether the key names an element of the binding.
Value KeyChoice::names(uint32_t binding) const {
  const Value number = insert_.i(Op::ushr, {key_, insert_.constant(ir::kKeyElementBits)});
  return insert_.compare(Op::ieq, number, insert_.constant(binding + 1));
}

/// Where the descriptor is in its table. An element that is not of this binding may be past the end of it: the offset
/// of element 0 stands for such, unless it is not used anyway.
Value KeyChoice::byte_offset(uint32_t binding, Value chosen) const {
  const abi::BindingLocation& place = location(binding);
  if (module_.bindings[binding].count == 1) return insert_.constant(place.offset);
  Value element = insert_.i(Op::iand, {key_, insert_.constant(ir::kKeyElementMask)});
  if (chosen.valid()) element = insert_.i(Op::select, {chosen, element, insert_.constant(0)});
  const Value bytes = insert_.i(Op::imul, {element, insert_.constant(place.stride)});
  return insert_.i(Op::iadd, {bytes, insert_.constant(place.offset)});
}

/// The key names one of the bindings, or nothing may be accessed: the last one needs no comparison.
Value KeyChoice::descriptor_in_table(std::span<const uint32_t> bindings) const {
  Value table = entry_.user_data_at_entry(location(bindings.back()).entry);
  Value offset = byte_offset(bindings.back(), Value());
  for (size_t i = bindings.size() - 1; i-- > 0;) {
    const Value chosen = names(bindings[i]);
    const Value other_table = entry_.user_data_at_entry(location(bindings[i]).entry);
    const Value other_offset = byte_offset(bindings[i], Value());
    if (other_table != table) table = insert_.i(Op::select, {chosen, other_table, table});
    offset = insert_.i(Op::select, {chosen, other_offset, offset});
  }
  return entry_.constant_load(ir::kI32.vector(kWords), table, offset, 0, 3);
}

Value KeyChoice::words_of(uint32_t binding, Value (&words)[kWords]) const {
  const Value chosen = names(binding);
  const abi::BindingLocation& place = location(binding);
  if (is_in_user_data(place)) {
    for (unsigned i = 0; i < kWords; ++i) words[i] = entry_.user_data_at_entry(place.entry + i);
    return chosen;
  }
  const Value table = entry_.user_data_at_entry(place.entry);
  const Value offset = byte_offset(binding, chosen);
  const Value loaded = entry_.constant_load(ir::kI32.vector(kWords), table, offset, 0, 3);
  for (unsigned i = 0; i < kWords; ++i) words[i] = insert_.op(Op::extract, ir::kI32, {loaded}, i);
  return chosen;
}

/// Where all are in tables, their places are chosen among and one descriptor is loaded, else each word of a descriptor.
Value KeyChoice::descriptor(std::span<const uint32_t> bindings) const {
  const bool in_tables =
      std::none_of(bindings.begin(), bindings.end(), [this](uint32_t b) { return is_in_user_data(location(b)); });
  if (!bindings.empty() && in_tables) return descriptor_in_table(bindings);
  Value chosen_words[kWords];
  std::fill(std::begin(chosen_words), std::end(chosen_words), insert_.constant(0));
  for (size_t i = bindings.size(); i-- > 0;) {
    Value words[kWords];
    const Value chosen = words_of(bindings[i], words);
    for (unsigned w = 0; w < kWords; ++w) {
      chosen_words[w] =
          i + 1 == bindings.size() ? words[w] : insert_.i(Op::select, {chosen, words[w], chosen_words[w]});
    }
  }
  return insert_.op(Op::vec, ir::kI32.vector(kWords), chosen_words);
}

}  // namespace spalt::lower
