// SPDX-License-Identifier: MIT
// Each invocation takes room in the buffer by an addition to its first dword, which lowering makes one for the wave,
// and stores its record there. Bounds of the buffer cut off what has no room.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/memory/memory.h"
#include "spirv/module/preamble.h"
#include "spirv/printf/printf.h"
#include "spirv/reader_state.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

/// Beyond any buffer; offsets do not wrap around.
constexpr uint32_t kMostDwords = 1u << 28;

class Record {
 public:
  explicit Record(Reader& r) : r_(r), b_(r.b), words_(r.context.scratch) {}

  bool add(uint32_t id) {
    if (!r_.in_bound(id)) return false;
    if (r_.ids[id].kind == IdKind::string) {
      words_.push_back(b_.i32(ArgumentForm{ArgumentKind::string, 32, 1}.pack()));
      words_.push_back(b_.i32(id));
      return true;
    }
    Leaves value;
    if (!r_.vector_value(id, kAnyScalar, 0, value)) return false;
    for (uint32_t i = 0; i < value.count; ++i) add_component(r_.leaf(value, i), i == 0 ? value.count : 0);
    return true;
  }

  void write(uint32_t message) {
    const auto size = static_cast<uint32_t>(words_.size());
    const Value buffer = printf_buffer();
    const Value taken = access(Op::atomic_add, ir::kI32, buffer, b_.i32(0), b_.i32(size + 2), 0);
    const Value place = b_.binary(Op::umin, taken, b_.i32(kMostDwords));
    const Value offset = b_.ishl(place, b_.i32(2));
    access(Op::store, ir::kVoid, buffer, offset, b_.i32(message), 4);
    access(Op::store, ir::kVoid, buffer, offset, b_.i32(size), 8);
    for (uint32_t i = 0; i < size; ++i) access(Op::store, ir::kVoid, buffer, offset, words_[i], 12 + 4 * i);
  }

 private:
  /// `components`: of the argument that begins here, or 0.
  void add_component(Value value, uint32_t components) {
    const ir::Type type = b_.function().type(value);
    const bool wide = type.bits() == 64;
    ArgumentForm form;
    form.kind = type.is_bool()    ? ArgumentKind::boolean
                : type.is_float() ? ArgumentKind::floating
                                  : ArgumentKind::integer;
    form.bits = static_cast<uint8_t>(type.is_float() && !wide ? 32 : type.bits());
    form.components = static_cast<uint8_t>(components);
    if (components != 0) words_.push_back(b_.i32(form.pack()));
    if (!wide) return words_.push_back(word_of(value, type));
    const Value halves = b_.bitcast(ir::kI32.vector(2), value);
    words_.push_back(b_.extract(halves, 0));
    words_.push_back(b_.extract(halves, 1));
  }

  Value word_of(Value value, ir::Type type) {
    if (type.is_bool()) return b_.select(value, b_.i32(1), b_.i32(0));
    if (type == ir::kF16) value = b_.convert(Op::f_to_f, ir::kF32, value);
    if (type.is_float()) return b_.bitcast(ir::kI32, value);
    return type.bits() < 32 ? b_.convert(Op::zext, ir::kI32, value) : value;
  }

  Value printf_buffer() {
    if (r_.printf_binding == kNone) {
      r_.printf_binding = static_cast<uint32_t>(r_.bindings.size());
      ir::Binding binding;
      binding.set = r_.options.printf->set;
      binding.binding = r_.options.printf->binding;
      binding.count = 1;
      binding.kind = ir::BindingKind::storage_buffer;
      r_.bindings.push_back(binding);
      r_.binding_access.push_back(0);
      r_.constant_resources.push_back({});
    }
    return constant_resource(r_, r_.printf_binding, 0).resource;
  }

  Value access(Op op, ir::Type type, Value buffer, Value offset, Value data, uint32_t constant_offset) {
    ir::MemoryAccess access;
    access.storage = ir::StorageClass::storage;
    access.offset = constant_offset;
    if (op == Op::atomic_add) {
      access.scope = ir::Scope::device;
      access.order = ir::MemoryOrder::relaxed;
    }
    const Value operands[] = {buffer, offset, data};
    return b_.memory(op, type, operands, access);
  }

  Reader& r_;
  Builder& b_;
  Vector<Value> words_;
};

bool is_printf(const Reader& r, const Instruction& in) {
  if (in.opcode != spv::OpExtInst || in.count <= kPrintfFormatWord || in[3] >= r.bound) return false;
  const IdInfo& set = r.ids[in[3]];
  return set.kind == IdKind::ext_set && set.index == kExtPrintf && in[4] == kPrintfInstruction;
}

/// The place of the instruction among those of the module.
uint32_t number_of(Reader& r, const Instruction& in) {
  if (r.printf_words.empty()) {
    for (uint32_t at = r.functions_word; at < r.words.size();) {
      const uint32_t count = r.words[at] >> 16;
      const Instruction each{r.words.data() + at, r.words[at] & 0xffff, count, at};
      if (is_printf(r, each)) r.printf_words.push_back(at);
      at += std::max(count, 1u);
    }
  }
  const auto found = std::lower_bound(r.printf_words.begin(), r.printf_words.end(), in.offset);
  return static_cast<uint32_t>(found - r.printf_words.begin());
}

}  // namespace

bool translate_printf(Reader& r, const Instruction& in) {
  if (r.options.printf == nullptr || !is_printf(r, in)) return true;
  Record record(r);
  for (uint32_t i = kPrintfFormatWord + 1; i < in.count; ++i) {
    if (!record.add(in[i])) return false;
  }
  record.write(r.options.printf->first_message + number_of(r, in));
  return true;
}

}  // namespace spalt::spirv
