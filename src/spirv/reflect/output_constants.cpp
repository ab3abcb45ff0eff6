// SPDX-License-Identifier: MIT
#include "spirv/reflect/output_constants.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

/// What is known of a component: nothing was stored, one constant, or anything else.
struct Component {
  enum class State : uint8_t { none, constant, other };
  State state = State::none;
  uint32_t bits = 0;

  void meet(uint32_t value) {
    if (state == State::constant && bits != value) state = State::other;
    if (state != State::none) return;
    state = State::constant;
    bits = value;
  }
};

struct Output {
  LocatedOutput place;
  Component components[4];

  void give_up() {
    for (Component& one : components) one.state = Component::State::other;
  }
};

/// What an id stands for in functions.
struct Meaning {
  enum class Kind : uint8_t { output, part, composite };
  Kind kind = Kind::output;
  uint32_t output = 0, component = 0;    ///< of a pointer
  std::span<const uint32_t> operands{};  ///< of a composite
};

class Scan {
 public:
  Scan(const Declarations& in, std::span<const LocatedOutput> outputs, Arena& arena)
      : in_(in), meaning_of_(arena, in.words()[3], 0u), meanings_(arena), outputs_(arena) {
    for (const LocatedOutput& output : outputs) {
      name(output.id, {Meaning::Kind::output, static_cast<uint32_t>(outputs_.size()), 0, {}});
      outputs_.push_back({output, {}});
    }
  }

  bool run() {
    return walk_code(in_.words(), [this](const Instruction& in) { visit(in); });
  }
  const Vector<Output>& outputs() const { return outputs_; }

 private:
  void visit(const Instruction& in);
  void visit_chain(const Instruction& in);
  void visit_store(uint32_t pointer, uint32_t value);
  void visit_other(const Instruction& in);
  void store_vector(Output& output, uint32_t value);
  bool constant(uint32_t id, uint32_t& bits) const;
  void name(uint32_t id, const Meaning& meaning) {
    if (id >= meaning_of_.size()) return;
    meanings_.push_back(meaning);
    meaning_of_[id] = static_cast<uint32_t>(meanings_.size());
  }
  /// Null: nothing of interest.
  const Meaning* meaning(uint32_t id) const {
    const uint32_t index = id < meaning_of_.size() ? meaning_of_[id] : 0;
    return index != 0 ? &meanings_[index - 1] : nullptr;
  }

  const Declarations& in_;
  Vector<uint32_t> meaning_of_;  ///< by id: 0 none, else one more than the index
  Vector<Meaning> meanings_;
  Vector<Output> outputs_;
};

bool Scan::constant(uint32_t id, uint32_t& bits) const {
  uint64_t value = 0;
  if (!in_.constant(id, value)) return false;
  bits = static_cast<uint32_t>(value);
  return true;
}

/// Parts of a composite may be vectors themselves: what is constant at its ends has a known place.
void Scan::store_vector(Output& output, uint32_t value) {
  const Meaning* known = meaning(value);
  const bool built = known != nullptr && known->kind == Meaning::Kind::composite;
  const std::span<const uint32_t> parts = built ? known->operands : in_.constituents(value);
  bool stored[4] = {};
  const auto take = [&](uint32_t component, uint32_t part) {
    uint32_t bits = 0;
    if (!constant(part, bits)) return false;
    output.components[component].meet(bits);
    return stored[component] = true;
  };
  const auto count = static_cast<uint32_t>(parts.size());
  if (count == output.place.count) {
    for (uint32_t i = 0; i < count; ++i) take(i, parts[i]);
  } else if (count < output.place.count) {
    for (uint32_t i = 0; i < count && take(i, parts[i]); ++i) {
    }
    for (uint32_t i = 0; i < count && take(output.place.count - 1 - i, parts[count - 1 - i]); ++i) {
    }
  }
  for (uint32_t i = 0; i < output.place.count; ++i) {
    if (!stored[i]) output.components[i].state = Component::State::other;
  }
}

void Scan::visit_store(uint32_t pointer, uint32_t value) {
  const Meaning* place = meaning(pointer);
  if (place == nullptr || place->kind == Meaning::Kind::composite) return;
  Output& output = outputs_[place->output];
  if (place->kind == Meaning::Kind::output && output.place.count > 1) return store_vector(output, value);
  Component& component = output.components[place->component];
  uint32_t bits = 0;
  if (constant(value, bits)) {
    component.meet(bits);
  } else {
    component.state = Component::State::other;
  }
}

/// A component that a constant names.
void Scan::visit_chain(const Instruction& in) {
  const Meaning* base = in.count > 3 ? meaning(in[3]) : nullptr;
  if (base == nullptr || base->kind == Meaning::Kind::composite) return;
  const uint32_t output = base->output;
  uint32_t index = 0;
  if (base->kind == Meaning::Kind::output && in.count == 5 && constant(in[4], index) &&
      index < outputs_[output].place.count) {
    return name(in[2], {Meaning::Kind::part, output, index, {}});
  }
  outputs_[output].give_up();
}

/// Whoever takes a pointer may store anything. A number that looks like one does no harm.
void Scan::visit_other(const Instruction& in) {
  for (uint32_t i = 1; i < in.count; ++i) {
    const Meaning* used = meaning(in[i]);
    if (used != nullptr && used->kind != Meaning::Kind::composite) outputs_[used->output].give_up();
  }
}

void Scan::visit(const Instruction& in) {
  switch (in.opcode) {
    case spv::OpStore:
      if (in.count >= 3) visit_store(in[1], in[2]);
      return;
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
      return visit_chain(in);
    case spv::OpCompositeConstruct:
      if (in.count >= 3) name(in[2], {Meaning::Kind::composite, 0, 0, {in.words + 3, in.count - 3}});
      return;
    case spv::OpLoad:
      return;
    default:
      return visit_other(in);
  }
}

}  // namespace

Vector<InterfaceConstant> constant_outputs(const Declarations& in, std::span<const LocatedOutput> outputs,
                                           Arena& arena) {
  Vector<InterfaceConstant> found(arena);
  Scan scan(in, outputs, arena);
  if (!scan.run()) return found;
  for (const Output& output : scan.outputs()) {
    for (uint32_t i = 0; i < output.place.count; ++i) {
      const Component& component = output.components[i];
      if (component.state != Component::State::constant) continue;
      found.push_back({static_cast<uint8_t>(output.place.location), static_cast<uint8_t>(output.place.component + i),
                       component.bits});
    }
  }
  return found;
}

}  // namespace spalt::spirv
