// SPDX-License-Identifier: MIT
#include "spirv/reflect/equal_outputs.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

/// Rounds until it is settled what varies: values go through few variables that are read before they are written.
constexpr unsigned kMaxRounds = 8;

/// First and last opcode of operations whose results depend on their operands alone.
struct OpcodeRange {
  uint32_t first, last;
};
constexpr OpcodeRange kPure[] = {
    {spv::OpVectorExtractDynamic, spv::OpTranspose}, {spv::OpConvertFToU, spv::OpBitcast},
    {spv::OpSNegate, spv::OpSMulExtended},           {spv::OpAny, spv::OpFUnordGreaterThanEqual},
    {spv::OpShiftRightLogical, spv::OpBitCount},     {spv::OpPhi, spv::OpPhi},
    {spv::OpCopyLogical, spv::OpCopyLogical}};

bool is_pure(uint32_t opcode) {
  return std::any_of(std::begin(kPure), std::end(kPure),
                     [=](const OpcodeRange& range) { return opcode >= range.first && opcode <= range.last; });
}

/// Those that tell where code goes, what it is called, or nothing: they put no value anywhere.
bool is_frame(uint32_t opcode) {
  switch (opcode) {
    case spv::OpNop:
    case spv::OpLine:
    case spv::OpNoLine:
    case spv::OpFunction:
    case spv::OpFunctionEnd:
    case spv::OpLabel:
    case spv::OpBranch:
    case spv::OpLoopMerge:
    case spv::OpSelectionMerge:
    case spv::OpReturn:
    case spv::OpUnreachable:
    case spv::OpUndef:
      return true;
    default:
      return false;
  }
}

/// Index of the word after the operands that are ids; literals follow.
uint32_t end_of_ids(const Instruction& in) {
  switch (in.opcode) {
    case spv::OpCompositeExtract:
      return std::min(in.count, 4u);
    case spv::OpCompositeInsert:
    case spv::OpVectorShuffle:
      return std::min(in.count, 5u);
    default:
      return in.count;
  }
}

bool tells_no_vertices_apart(uint32_t builtin) {
  switch (builtin) {
    case spv::BuiltInInstanceId:
    case spv::BuiltInInstanceIndex:
    case spv::BuiltInBaseInstance:
    case spv::BuiltInBaseVertex:
    case spv::BuiltInDrawIndex:
    case spv::BuiltInViewIndex:
    case spv::BuiltInDeviceIndex:
      return true;
    default:
      return false;
  }
}

constexpr uint8_t kAllComponents = 0xf;

class Walk {
 public:
  Walk(const Declarations& in, std::span<const LocatedOutput> outputs, Arena& arena)
      : in_(in),
        outputs_(outputs),
        states_(arena, in.words()[3], State()),
        varying_components_(arena, outputs.size(), uint8_t{0}) {
    for (const DeclaredVariable& variable : in.variables) declare(variable);
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      if (State* state = find(outputs[i].id)) state->output = i + 1;
    }
  }

  /// False: nothing is known.
  bool run() {
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      changed_ = false;
      if (!walk_code(in_.words(), [this](const Instruction& in) { visit(in); }) || branches_apart_) return false;
      if (!changed_) return true;
    }
    return false;
  }

  bool varies(uint32_t output, uint32_t component) const { return (varying_components_[output] >> component & 1) != 0; }

 private:
  struct State {
    uint32_t variable = 0;   ///< of a pointer: the id of what it leads into; 0: no pointer, or one to anywhere
    uint32_t composite = 0;  ///< word offset of the OpCompositeConstruct that made it
    uint32_t output = 0;     ///< of a variable: one more than the index
    uint8_t component = kAllComponents;  ///< of a pointer into an output: which
    bool varying = false;                ///< of a variable: what is in it
  };

  State* find(uint32_t id) { return id < states_.size() ? &states_[id] : nullptr; }

  void declare(const DeclaredVariable& variable) {
    State* state = find(variable.id);
    if (state == nullptr) return;
    state->variable = variable.id;
    switch (variable.storage_class) {
      case spv::StorageClassInput:
        state->varying = !tells_no_vertices_apart(in_.argument(variable.id, spv::DecorationBuiltIn));
        return;
      case spv::StorageClassUniform: {
        const DeclaredType& type = in_.type(variable.type);
        const DeclaredType& block = in_.type(type.element);
        const uint32_t id = block.kind == DeclaredType::Kind::structure ? type.element : block.base;
        state->varying = in_.has(id, spv::DecorationBufferBlock);
        return;
      }
      case spv::StorageClassUniformConstant:
      case spv::StorageClassPushConstant:
      case spv::StorageClassOutput:
      case spv::StorageClassPrivate:
        return;
      default:
        state->varying = true;
    }
  }

  bool is_varying(uint32_t id) {
    const State* state = find(id);
    return state == nullptr || state->varying;
  }
  void set_varying(uint32_t id) {
    State* state = find(id);
    if (state == nullptr || state->varying) return;
    state->varying = changed_ = true;
  }

  /// What a pointer leads to, if `varies`.
  void store(uint32_t pointer, bool varies, uint8_t components = kAllComponents) {
    const State* place = find(pointer);
    if (place == nullptr || place->variable == 0 || !varies) return;
    set_varying(place->variable);
    const uint32_t output = states_[place->variable].output;
    if (output == 0) return;
    uint8_t& varying = varying_components_[output - 1];
    const auto all = static_cast<uint8_t>(varying | (place->component & components));
    changed_ |= all != varying;
    varying = all;
  }

  void visit_store(const Instruction& in) {
    const State* place = find(in[1]);
    const State* value = find(in[2]);
    if (place == nullptr || value == nullptr) return;
    // Which element is written may differ.
    if (place->varying && place->variable != in[1]) return store(in[1], true);
    if (!value->varying) return;
    const uint32_t construct = value->composite;
    const uint32_t output = place->variable != 0 ? states_[place->variable].output : 0;
    const uint32_t parts = construct != 0 ? (in_.words()[construct] >> 16) - 3 : 0;
    if (output == 0 || place->component != kAllComponents || parts != outputs_[output - 1].count) {
      return store(in[1], true);
    }
    uint8_t components = 0;
    for (uint32_t i = 0; i < parts; ++i) {
      if (is_varying(in_.words()[construct + 3 + i])) components = static_cast<uint8_t>(components | 1u << i);
    }
    store(in[1], true, components);
  }

  /// A pointer varies if an index does.
  void visit_chain(const Instruction& in) {
    State* result = find(in[2]);
    const State* base = find(in[3]);
    if (result == nullptr || base == nullptr) return;
    result->variable = base->variable;
    const bool is_variable = base->variable == in[3];
    bool varies = !is_variable && base->varying;
    for (uint32_t i = 4; i < in.count; ++i) varies |= is_varying(in[i]);
    if (varies || base->variable == 0) set_varying(in[2]);
    uint64_t index = 0;
    const bool is_component = is_variable && in.count == 5 && in_.constant(in[4], index) && index < 4;
    result->component = is_component ? static_cast<uint8_t>(1u << index) : base->component;
  }

  void visit_load(const Instruction& in) {
    const State* pointer = find(in[3]);
    const bool from_anywhere = pointer == nullptr || pointer->variable == 0;
    if (from_anywhere || pointer->varying || is_varying(pointer->variable)) set_varying(in[2]);
  }

  /// Whoever takes a pointer may store anything.
  void visit_other(const Instruction& in) {
    for (uint32_t i = 1; i < in.count; ++i) store(in[i], true);
    if (in.count > 2) set_varying(in[2]);
  }

  /// A number that is no id is taken for one, which may make more vary.
  void visit_pure(const Instruction& in, uint32_t first) {
    bool varies = false;
    for (uint32_t i = first; i < end_of_ids(in); ++i) {
      const State* operand = find(in[i]);
      if (operand != nullptr && operand->variable != 0) return visit_other(in);
      varies |= operand != nullptr && operand->varying;
    }
    if (varies) set_varying(in[2]);
  }

  void visit(const Instruction& in) {
    if (is_frame(in.opcode)) return;
    switch (in.opcode) {
      case spv::OpBranchConditional:
      case spv::OpSwitch:
        branches_apart_ |= in.count < 2 || is_varying(in[1]);
        return;
      case spv::OpVariable:
        if (in.count < 4) return;
        if (State* state = find(in[2])) state->variable = in[2];
        if (in.count > 4) store(in[2], is_varying(in[4]));
        return;
      case spv::OpStore:
        if (in.count >= 3) visit_store(in);
        return;
      case spv::OpLoad:
        if (in.count >= 4) visit_load(in);
        return;
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        if (in.count >= 4) visit_chain(in);
        return;
      case spv::OpExtInst:
        if (in.count >= 5) visit_pure(in, 5);
        return;
      default:
        break;
    }
    if (!is_pure(in.opcode) || in.count < 4) return visit_other(in);
    State* result = find(in[2]);
    if (in.opcode == spv::OpCompositeConstruct && result != nullptr) {
      result->composite = static_cast<uint32_t>(in.words - in_.words().data());
    }
    visit_pure(in, 3);
  }

  const Declarations& in_;
  std::span<const LocatedOutput> outputs_;
  Vector<State> states_;                ///< by id
  Vector<uint8_t> varying_components_;  ///< by output: bits
  bool changed_ = false, branches_apart_ = false;
};

}  // namespace

Vector<InterfaceComponent> equal_outputs(const Declarations& in, std::span<const LocatedOutput> outputs, Arena& arena) {
  Vector<InterfaceComponent> found(arena);
  Walk walk(in, outputs, arena);
  if (!walk.run()) return found;
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    for (uint32_t component = 0; component < outputs[i].count; ++component) {
      if (walk.varies(i, component)) continue;
      found.push_back(
          {static_cast<uint8_t>(outputs[i].location), static_cast<uint8_t>(outputs[i].component + component)});
    }
  }
  return found;
}

}  // namespace spalt::spirv
