// SPDX-License-Identifier: MIT
// Outputs that are decorated Invariant have the same value in every shader that computes them in the same way, whatever
// else the shader does (Vulkan, "Shader Invariance"). Some rewrites look at what else there is: a multiply-add is made
// of a product that nobody else uses, a product of matrices is taken apart where nothing else wants it. So all that
// such an output is made of is treated as if it were decorated NoContraction, and computed as it stands.
//
// What a value is made of: the operands of its instruction, what is stored to variables that it reads, and all
// conditions of branches. A module with function calls is marked as a whole: arguments and results are not followed.
// A literal that looks like an id marks one too many. Linear in the words of the functions; only modules with the
// decoration pay for it.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/reader_state.h"

namespace spalt::spirv {
namespace {

class Marker {
 public:
  explicit Marker(Reader& r)
      : r_(r),
        marked_(r.context.scratch, r.bound, uint8_t{0}),
        first_store_(r.context.scratch, r.bound, kNone),
        stores_(r.context.scratch),
        pending_(r.context.scratch) {}

  void run() {
    if (!collect()) return mark_everything();
    for (const Store& store : stores_) {
      if (is_invariant(store.variable)) mark(store.value);
    }
    while (!pending_.empty()) {
      const uint32_t id = pending_.back();
      pending_.pop_back();
      follow(id);
    }
  }

 private:
  struct Store {
    uint32_t variable, value;  ///< ids; of a copy, the value is the pointer to its source
    uint32_t next;             ///< to the same variable
  };

  /// False when a function is called.
  bool collect() {
    for (uint32_t word = r_.functions_word; word < r_.words.size();) {
      const Instruction in = r_.instruction_at(word);
      word += in.count;
      switch (in.opcode) {
        case spv::OpFunctionCall:
          return false;
        case spv::OpStore:
        case spv::OpCopyMemory:
          if (in.count >= 3) add_store(in[1], in[2]);
          break;
        case spv::OpBranchConditional:
        case spv::OpSwitch:
          if (in.count >= 2) mark(in[1]);
          break;
        default:
          break;
      }
    }
    return true;
  }

  void add_store(uint32_t pointer, uint32_t value) {
    const uint32_t variable = root(pointer);
    if (variable == 0) return;
    stores_.push_back({variable, value, first_store_[variable]});
    first_store_[variable] = static_cast<uint32_t>(stores_.size() - 1);
  }

  bool in_bound(uint32_t id) const { return id != 0 && id < r_.bound; }

  /// The variable that a pointer leads into; 0 where that is not plain.
  uint32_t root(uint32_t pointer) const {
    for (uint32_t before = kNone; in_bound(pointer);) {
      const uint32_t word = r_.ids[pointer].word;
      if (word == 0 || word >= before) return 0;  // definitions come before their uses
      before = word;
      const Instruction in = r_.instruction_at(word);
      if (in.opcode == spv::OpVariable) return pointer;
      const bool goes_on =
          in.opcode == spv::OpAccessChain || in.opcode == spv::OpInBoundsAccessChain || in.opcode == spv::OpCopyObject;
      if (!goes_on || in.count < 4) return 0;
      pointer = in[3];
    }
    return 0;
  }

  bool is_invariant(uint32_t variable) const {
    const IdInfo& info = r_.ids[variable];
    if (info.kind != IdKind::global) return false;
    const Variable& global = r_.variables[info.index];
    if (global.storage_class != spv::StorageClassOutput) return false;
    bool found = false;
    const auto look = [&found](const Decoration& decoration, uint32_t) {
      found |= decoration.kind == spv::DecorationInvariant;
    };
    r_.decorations.for_each(variable, look);
    r_.decorations.for_each(r_.types[global.type].id, look);
    return found;
  }

  void mark(uint32_t id) {
    if (!in_bound(id) || marked_[id] != 0) return;
    const IdKind kind = r_.ids[id].kind;
    if (kind != IdKind::value && kind != IdKind::global) return;
    marked_[id] = 1;
    r_.ids[id].flags |= kIdNoContraction;
    pending_.push_back(id);
  }

  void follow(uint32_t id) {
    for (uint32_t i = first_store_[id]; i != kNone; i = stores_[i].next) mark(stores_[i].value);
    const uint32_t word = r_.ids[id].word;
    if (word == 0) return;
    const Instruction in = r_.instruction_at(word);
    for (uint32_t i = 3; i < in.count; ++i) mark(in[i]);
  }

  void mark_everything() {
    for (uint32_t id = 1; id < r_.bound; ++id) {
      if (r_.ids[id].kind == IdKind::value) r_.ids[id].flags |= kIdNoContraction;
    }
  }

  Reader& r_;
  Vector<uint8_t> marked_;
  Vector<uint32_t> first_store_;  ///< by id of a variable, the last one in stores_
  Vector<Store> stores_;
  Vector<uint32_t> pending_;
};

}  // namespace

bool mark_invariant(Reader& r) {
  if (!r.has_invariant) return true;
  Marker(r).run();
  return true;
}

}  // namespace spalt::spirv
