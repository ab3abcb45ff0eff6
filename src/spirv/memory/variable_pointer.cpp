// SPDX-License-Identifier: MIT
// Variable pointers: pointers into storage buffers and workgroup memory that are values, in modules that declare
// VariablePointers or VariablePointersStorageBuffer. Such a value has two leaves:
//   - the key says into which memory: of a storage buffer a `buffer_key` of the IR, 1 in workgroup memory;
//   - the offset is in bytes from the start of the buffer, or of the workgroup's memory.
// A null pointer is all zeros, and no key of a buffer is zero.
//
// Most keys are the same on all ways to an access, so that nothing of them is left: a phi or a selection of equal
// values is none, and the buffer is the one that the key was made of. Where it is not, an access goes through
// `buffer_of` the key. When the function is complete, finish_pointers follows phis and selections from each such key
// back to those that it can be. If all of them are of one binding, `buffer_of` becomes a plain `resource`, else it gets
// the list. Where the way leads to something else, a load from scratch memory for instance, any key that the shader
// uses may be meant. The work is linear: each search ends after kMaxSearch values, and takes all keys then.
#include <algorithm>
#include <bit>
#include <limits>
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/memory/memory.h"

namespace spalt::spirv {
namespace {

constexpr uint32_t kMaxSearch = 256;

/// The buffer of a key, as far as it is known already.
ir::Value buffer_of(Reader& r, ir::Value key) {
  key = r.ssa.resolve(key);
  const ir::Inst inst = r.function().inst(key);
  const ir::Value operands[] = {inst.op == ir::Op::buffer_key ? r.function().operand(key, 0) : key};
  if (inst.op == ir::Op::buffer_key && r.function().is_constant(operands[0])) {
    const auto element = static_cast<uint32_t>(r.function().inst(operands[0]).imm);
    return constant_resource(r, static_cast<uint32_t>(inst.imm), element).resource;
  }
  // Vulkan asks for no decoration where variable pointers differ between lanes.
  const bool is_known = inst.op == ir::Op::buffer_key;
  const ir::Value buffer = r.b.insert(is_known ? ir::Op::resource : ir::Op::buffer_of, ir::kResource, operands,
                                      is_known ? inst.imm : 0, ir::kNonUniform);
  (is_known ? r.resources : r.keyed).push_back(buffer);
  return buffer;
}

/// The key of what a pointer to a variable leads to.
ir::Value key_of(Reader& r, const Pointer& pointer) {
  if (pointer.root == PointerRoot::shared) return r.b.i32(1);
  const ir::Inst resource = r.function().inst(pointer.resource);
  const ir::Value element = r.function().operand(pointer.resource, 0);
  const ir::Value operands[] = {element};
  const auto make = [&] {
    const ir::Value key = r.b.insert(ir::Op::buffer_key, ir::kI32, operands, resource.imm, 0);
    r.resources.push_back(key);
    return key;
  };
  if (!r.function().is_constant(element)) return make();
  Reader::BufferElement& made =
      constant_resource(r, static_cast<uint32_t>(resource.imm), static_cast<uint32_t>(r.function().inst(element).imm));
  if (!made.key.valid()) {
    const ir::BlockId block = r.b.block();
    move_to_entry(r);
    made.key = make();
    r.b.set_end(block);
  }
  return made.key;
}

uint8_t alignment_log2(const Reader& r, uint32_t type, PointerRoot root) {
  const auto natural = static_cast<uint8_t>(std::countr_zero(uint32_t{r.types[type].dense_align}));
  return root == PointerRoot::storage ? std::min<uint8_t>(natural, 2) : natural;  // buffers begin at dwords
}

}  // namespace

void note_variable_pointers(Reader& r) {
  uint16_t flags = 0;
  for (uint32_t v = 0; v < r.global_count; ++v) {
    const Variable& variable = r.variables[v];
    if (variable.storage_class == spv::StorageClassStorageBuffer) flags |= r.ids[variable.id].flags;
    const bool is_block = variable.storage_class == spv::StorageClassWorkgroup && r.types[variable.type].block;
    r.explicit_shared = r.explicit_shared || is_block;
  }
  for (const Member& member : r.types.members()) {
    if (member.coherent) flags |= kIdCoherent;
    if (member.is_volatile) flags |= kIdVolatile;
  }
  if ((flags & kIdCoherent) != 0) r.pointer_access |= ir::kCoherent;
  if ((flags & kIdVolatile) != 0) r.pointer_access |= ir::kVolatile;
}

const Pointer* variable_pointer(Reader& r, uint32_t id) {
  if (is_known_pointer(r, id)) {
    if (!r.is_defined(id)) return nullptr;
    const Pointer& known = r.pointers[r.ids[id].binding];
    mark_non_uniform(r, id, known.resource);
    return &known;
  }
  Leaves value;
  if (!r.value(id, value)) return nullptr;
  const TypeInfo& type = r.types[value.type];
  Pointer pointer;
  pointer.type = type.element;
  const bool is_shared = type.storage_class == spv::StorageClassWorkgroup;
  pointer.root = is_shared ? PointerRoot::shared : PointerRoot::storage;
  pointer.is_explicit = !is_shared || r.explicit_shared;
  pointer.align_log2 = alignment_log2(r, pointer.type, pointer.root);
  pointer.dynamic = r.leaf(value, 1);
  pointer.key = r.leaf(value, 0);
  if (!known_matrix_layout(r, pointer)) return nullptr;
  if (!is_shared) {
    pointer.access = r.pointer_access;
    pointer.resource = buffer_of(r, pointer.key);
  }
  r.pointers.push_back(pointer);
  return &r.pointers.back();
}

void make_pointer_value(Reader& r, Pointer& pointer) {
  pointer.address = kNone;
  // Nothing in the value says how far the components of a row lie apart.
  if (pointer.whole_resource || pointer.component_stride != 0) return;
  if (!pointer.key.valid()) pointer.key = key_of(r, pointer);
  const ir::Value constant = r.b.i32(pointer.offset);
  const ir::Value offset = pointer.dynamic.valid() ? r.b.iadd(pointer.dynamic, constant) : constant;
  pointer.address = r.leaves.size();
  r.leaves.push_back(pointer.key);
  r.leaves.push_back(offset);
}

bool global_pointer_value(Reader& r, uint32_t id, Leaves& out) {
  const IdInfo& info = r.ids[id];
  if (info.binding == kNone && !bind_global(r, id)) return false;
  Pointer& pointer = r.pointers[info.binding];
  if (pointer.address == kNone) make_pointer_value(r, pointer);
  out = {info.type, pointer.address, r.types[info.type].leaves};
  return pointer.address != kNone || r.unsupported("a pointer to an array of buffers as a value");
}

bool step_variable(Reader& r, Pointer& pointer, uint32_t index_id, uint32_t stride) {
  ir::Value index;
  if (!r.index_value(index_id, index)) return false;
  ir::Builder& b = r.b;
  if (r.function().is_constant(index) && !pointer.dynamic.valid()) {
    const auto elements = static_cast<int32_t>(r.function().inst(index).imm);
    const int64_t offset = int64_t{pointer.offset} + int64_t{elements} * stride;
    if (offset >= 0 && offset <= std::numeric_limits<int32_t>::max()) {
      pointer.offset = static_cast<uint32_t>(offset);
      return true;
    }
  }
  // What is added to the constant part must not make it wrap, which a step back does: so that part is in the sum.
  const unsigned bits = static_cast<unsigned>(std::countr_zero(stride | pointer.offset));
  pointer.align_log2 = static_cast<uint8_t>(std::min<unsigned>(pointer.align_log2, bits));
  const ir::Value constant = b.i32(pointer.offset);
  const ir::Value start = pointer.dynamic.valid() ? b.iadd(pointer.dynamic, constant) : constant;
  const bool shifts = std::has_single_bit(stride);
  const ir::Value bytes =
      shifts ? b.ishl(index, b.i32(static_cast<uint32_t>(std::countr_zero(stride)))) : b.imul(index, b.i32(stride));
  pointer.dynamic = b.iadd(bytes, start);
  pointer.offset = 0;
  return true;
}

namespace {

/// Finds what keys can be, and writes it into `buffer_of`.
class KeyFinder {
 public:
  explicit KeyFinder(Reader& r) : r_(r), seen_(r.context.scratch, r.function().value_capacity(), 0) {}

  bool run();

 private:
  void find_used_keys();
  void search(ir::Value key);
  void follow(ir::Value value);
  void name_buffer(ir::Value keyed);
  bool check_stores();

  /// Marks the value; false if it was marked since the last search began.
  bool enter(ir::Value value) {
    if (value.index >= seen_.size()) seen_.resize(r_.function().value_capacity(), 0);
    if (seen_[value.index] == search_) return false;
    seen_[value.index] = search_;
    return true;
  }

  Reader& r_;
  Vector<uint32_t> seen_;  ///< by value: the last search that met it
  uint32_t search_ = 0;
  Vector<ir::Value> pending_{r_.context.scratch};
  Vector<uint32_t> all_{r_.context.scratch};       ///< bindings of all keys that are used
  Vector<uint32_t> bindings_{r_.context.scratch};  ///< of the key that is looked at
  ir::Value element_;                              ///< of all keys found
  bool one_element_ = false;
  Vector<ir::Value> operands_{r_.context.scratch};
};

/// Keys that nothing needs go at once.
void KeyFinder::find_used_keys() {
  ir::Function& function = r_.function();
  ++search_;
  for (const ir::BlockId block : function.layout()) {
    for (const ir::Value value : ir::insts(function, block)) {
      for (const ir::Value operand : function.operands(value)) {
        if (function.inst(operand).op == ir::Op::buffer_key && enter(operand)) {
          all_.push_back(static_cast<uint32_t>(function.inst(operand).imm));
        }
      }
    }
  }
  for (const ir::Value value : r_.resources) {
    if (function.inst(value).op == ir::Op::buffer_key && enter(value)) function.unlink(value);
  }
}

void KeyFinder::follow(ir::Value value) {
  const ir::Function& function = r_.function();
  const auto operands = function.operands(value);
  switch (function.inst(value).op) {
    case ir::Op::buffer_key: {
      bindings_.push_back(static_cast<uint32_t>(function.inst(value).imm));
      const bool same = !element_.valid() || element_ == operands[0];
      one_element_ = one_element_ && same && function.is_constant(operands[0]);
      element_ = operands[0];
      return;
    }
    case ir::Op::phi:
      pending_.append(operands);
      return;
    case ir::Op::select:
      pending_.append(operands.subspan(1));
      return;
    case ir::Op::constant:  // null
    case ir::Op::undef:
      return;
    default:
      bindings_.append(all_);
      one_element_ = false;
  }
}

/// The bindings that the key can be of, sorted.
void KeyFinder::search(ir::Value key) {
  ++search_;
  bindings_.clear();
  pending_.clear();
  element_ = ir::Value();
  one_element_ = true;
  pending_.push_back(key);
  for (uint32_t steps = 0; !pending_.empty(); ++steps) {
    const ir::Value value = pending_.back();
    pending_.pop_back();
    if (!enter(value)) continue;
    if (steps == kMaxSearch) {
      bindings_.append(all_);
      one_element_ = false;
      break;
    }
    follow(value);
  }
  std::sort(bindings_.begin(), bindings_.end());
  bindings_.resize(static_cast<size_t>(std::unique(bindings_.begin(), bindings_.end()) - bindings_.begin()));
}

void KeyFinder::name_buffer(ir::Value keyed) {
  ir::Function& function = r_.function();
  const ir::Value key = function.operand(keyed, 0);
  operands_.clear();
  if (bindings_.size() != 1) {
    operands_.push_back(key);
    for (const uint32_t binding : bindings_) operands_.push_back(r_.b.i32(binding));
  } else {
    r_.b.set_before(keyed);
    const bool is_single = r_.module.bindings[bindings_[0]].count == 1;
    const ir::Value element = is_single      ? r_.b.i32(0)
                              : one_element_ ? element_
                                             : r_.b.iand(key, r_.b.i32(ir::kKeyElementMask));
    operands_.push_back(element);
    const uint16_t flags = function.is_constant(element) ? uint16_t{0} : uint16_t{ir::kNonUniform};
    function.set_operation(keyed, ir::Op::resource, ir::kResource, bindings_[0], flags);
  }
  function.set_operands(keyed, operands_);
}

/// What is written through a pointer may turn out to be memory that is declared read-only.
bool KeyFinder::check_stores() {
  const ir::Function& function = r_.function();
  for (const ir::BlockId block : function.layout()) {
    for (const ir::Value value : ir::insts(function, block)) {
      const ir::Op op = function.inst(value).op;
      if (!ir::is_memory(op) || !ir::info(op).has(ir::kWrites)) continue;
      const ir::Inst& base = function.inst(function.operand(value, 0));
      if (base.op != ir::Op::resource || !r_.module.bindings[base.imm].read_only) continue;
      return r_.fail("a store to memory that is read only");
    }
  }
  return true;
}

bool KeyFinder::run() {
  find_used_keys();
  for (const ir::Value keyed : r_.keyed) {
    search(r_.function().operand(keyed, 0));
    name_buffer(keyed);
  }
  if (!all_.empty() && *std::max_element(all_.begin(), all_.end()) > ir::kMaxKeyBinding) {
    return r_.unsupported(concat("variable pointers into one of more than ", ir::kMaxKeyBinding + 1, " buffers"));
  }
  return r_.keyed.empty() || check_stores();
}

}  // namespace

bool finish_pointers(Reader& r) {
  return !r.has_variable_pointers || KeyFinder(r).run();
}

}  // namespace spalt::spirv
