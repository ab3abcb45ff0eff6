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
  LocatedVariable place;
  Component components[4];

  void give_up() {
    for (Component& one : components) one.state = Component::State::other;
  }
};

/// What an id stands for in functions.
struct Meaning {
  enum class Kind : uint8_t {
    output,  ///< pointers: to a whole variable
    input,
    output_part,  ///< to a component
    input_part,
    input_value,  ///< an input that was loaded whole
    number,       ///< a constant
    composite
  };
  Kind kind = Kind::output;
  uint32_t variable = 0, component = 0;  ///< index of the output or the input
  uint32_t bits = 0;                     ///< of a number
  std::span<const uint32_t> operands{};  ///< of a composite
  bool is_output() const { return kind == Kind::output || kind == Kind::output_part; }
};

class Scan {
 public:
  Scan(const Declarations& in, std::span<const LocatedVariable> outputs, std::span<const KnownInput> inputs,
       Arena& arena)
      : in_(in), inputs_(inputs), meaning_of_(arena, in.words()[3], 0u), meanings_(arena), outputs_(arena) {
    for (const LocatedVariable& output : outputs) {
      name(output.id, {.kind = Kind::output, .variable = static_cast<uint32_t>(outputs_.size())});
      outputs_.push_back({output, {}});
    }
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].attribute.missing != 0) name(inputs[i].variable.id, {.kind = Kind::input, .variable = i});
    }
  }

  bool run() {
    return walk_code(in_.words(), [this](const Instruction& in) { visit(in); });
  }
  const Vector<Output>& outputs() const { return outputs_; }

 private:
  using Kind = Meaning::Kind;

  void visit(const Instruction& in);
  void visit_chain(const Instruction& in);
  void visit_load(const Instruction& in);
  void visit_extract(const Instruction& in);
  void name_input(uint32_t id, uint32_t input, uint32_t component);
  bool missing(uint32_t input, uint32_t component, uint32_t& bits) const;
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
  std::span<const KnownInput> inputs_;
  Vector<uint32_t> meaning_of_;  ///< by id: 0 none, else one more than the index
  Vector<Meaning> meanings_;
  Vector<Output> outputs_;
};

/// What the shader reads where the attribute has no such component.
bool Scan::missing(uint32_t input, uint32_t component, uint32_t& bits) const {
  constexpr uint32_t kLast = 3, kOne = 0x3f800000;
  const LocatedVariable& variable = inputs_[input].variable;
  const uint32_t channel = variable.component + component;
  bits = channel != kLast ? 0 : variable.is_integer ? 1 : kOne;
  return component < variable.count && (inputs_[input].attribute.missing >> channel & 1) != 0;
}

void Scan::name_input(uint32_t id, uint32_t input, uint32_t component) {
  uint32_t bits = 0;
  if (missing(input, component, bits)) name(id, {.kind = Kind::number, .bits = bits});
}

bool Scan::constant(uint32_t id, uint32_t& bits) const {
  const Meaning* known = meaning(id);
  if (known != nullptr && known->kind == Kind::number) {
    bits = known->bits;
    return true;
  }
  uint64_t value = 0;
  if (!in_.constant(id, value)) return false;
  bits = static_cast<uint32_t>(value);
  return true;
}

/// Parts of a composite may be vectors themselves: what is constant at its ends has a known place.
void Scan::store_vector(Output& output, uint32_t value) {
  const Meaning* known = meaning(value);
  const bool built = known != nullptr && known->kind == Kind::composite;
  const std::span<const uint32_t> parts = built ? known->operands : in_.constituents(value);
  bool stored[4] = {};
  const auto store = [&](uint32_t component, uint32_t bits) {
    output.components[component].meet(bits);
    return stored[component] = true;
  };
  const auto take = [&](uint32_t component, uint32_t part) {
    uint32_t bits = 0;
    return constant(part, bits) && store(component, bits);
  };
  if (known != nullptr && known->kind == Kind::input_value) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < output.place.count; ++i) {
      if (missing(known->variable, i, bits)) store(i, bits);
    }
  }
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
  if (place == nullptr || !place->is_output()) return;
  Output& output = outputs_[place->variable];
  if (place->kind == Kind::output && output.place.count > 1) return store_vector(output, value);
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
  if (base == nullptr) return;
  const uint32_t variable = base->variable;
  uint32_t index = 0;
  const bool component = in.count == 5 && constant(in[4], index);
  if (base->kind == Kind::input) {
    if (component) name(in[2], {.kind = Kind::input_part, .variable = variable, .component = index});
    return;
  }
  if (!base->is_output()) return;
  if (base->kind == Kind::output && component && index < outputs_[variable].place.count) {
    return name(in[2], {.kind = Kind::output_part, .variable = variable, .component = index});
  }
  outputs_[variable].give_up();
}

void Scan::visit_load(const Instruction& in) {
  const Meaning* from = in.count > 3 ? meaning(in[3]) : nullptr;
  if (from == nullptr) return;
  const uint32_t input = from->variable;
  if (from->kind == Kind::input_part) return name_input(in[2], input, from->component);
  if (from->kind != Kind::input) return;
  if (inputs_[input].variable.count == 1) return name_input(in[2], input, 0);
  name(in[2], {.kind = Kind::input_value, .variable = input});
}

void Scan::visit_extract(const Instruction& in) {
  const Meaning* from = in.count == 5 ? meaning(in[3]) : nullptr;
  if (from != nullptr && from->kind == Kind::input_value) name_input(in[2], from->variable, in[4]);
}

/// Whoever takes a pointer may store anything. A number that looks like one does no harm.
void Scan::visit_other(const Instruction& in) {
  for (uint32_t i = 1; i < in.count; ++i) {
    const Meaning* used = meaning(in[i]);
    if (used != nullptr && used->is_output()) outputs_[used->variable].give_up();
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
      if (in.count >= 3) name(in[2], {.kind = Kind::composite, .operands = {in.words + 3, in.count - 3}});
      return;
    case spv::OpLoad:
      return visit_load(in);
    case spv::OpCompositeExtract:
      return visit_extract(in);
    default:
      return visit_other(in);
  }
}

}  // namespace

Vector<InterfaceConstant> constant_outputs(const Declarations& in, std::span<const LocatedVariable> outputs,
                                           std::span<const KnownInput> inputs, Arena& arena) {
  Vector<InterfaceConstant> found(arena);
  Scan scan(in, outputs, inputs, arena);
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
