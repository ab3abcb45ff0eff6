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

/// Of an id: what it holds, or what a pointer leads to, differs between vertices.
constexpr uint8_t kVarying = 0x10;

class Walk {
 public:
  Walk(const Declarations& in, std::span<const LocatedVariable> outputs, std::span<const KnownInput> inputs,
       Arena& arena)
      : in_(in),
        outputs_(outputs),
        inputs_(inputs),
        variables_(arena, in.words()[3], 0u),
        composites_(arena, in.words()[3], 0u),
        states_(arena, in.words()[3], kAllComponents),
        varying_components_(arena, outputs.size(), uint8_t{0}) {
    for (const DeclaredVariable& variable : in.variables) declare(variable);
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
  static constexpr uint32_t kNoOutput = ~0u;

  bool is_known(uint32_t id) const { return id < states_.size(); }
  /// What a pointer leads into; 0: it is none, or leads anywhere.
  uint32_t variable(uint32_t id) const { return is_known(id) ? variables_[id] : 0; }
  bool is_varying(uint32_t id) const { return !is_known(id) || (states_[id] & kVarying) != 0; }
  void set_varying(uint32_t id) {
    if (is_varying(id)) return;
    states_[id] |= kVarying;
    changed_ = true;
  }
  /// Of a pointer into an output.
  uint8_t components(uint32_t id) const { return states_[id] & kAllComponents; }
  /// Index of the output that a variable is; there are few.
  uint32_t output_of(uint32_t id) const {
    for (uint32_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i].id == id) return i;
    }
    return kNoOutput;
  }

  void declare(const DeclaredVariable& declared) {
    if (!is_known(declared.id)) return;
    variables_[declared.id] = declared.id;
    if (holds_varying(declared)) set_varying(declared.id);
  }

  bool is_of_instances(uint32_t id) const {
    return std::any_of(inputs_.begin(), inputs_.end(),
                       [=](const KnownInput& one) { return one.variable.id == id && one.attribute.per_instance; });
  }

  bool holds_varying(const DeclaredVariable& declared) const {
    switch (declared.storage_class) {
      case spv::StorageClassInput:
        return !is_of_instances(declared.id) &&
               !tells_no_vertices_apart(in_.argument(declared.id, spv::DecorationBuiltIn));
      case spv::StorageClassUniform: {
        const DeclaredType& pointer = in_.type(declared.type);
        const DeclaredType& block = in_.type(pointer.element);
        const uint32_t id = block.kind == DeclaredType::Kind::structure ? pointer.element : block.base;
        return in_.has(id, spv::DecorationBufferBlock);
      }
      case spv::StorageClassUniformConstant:
      case spv::StorageClassPushConstant:
      case spv::StorageClassOutput:
      case spv::StorageClassPrivate:
        return false;
      default:
        return true;
    }
  }

  /// Something that varies goes where the pointer leads.
  void store_varying(uint32_t pointer, uint8_t which = kAllComponents) {
    const uint32_t place = variable(pointer);
    if (place == 0) return;
    set_varying(place);
    const uint32_t output = output_of(place);
    if (output == kNoOutput) return;
    uint8_t& varying = varying_components_[output];
    const auto all = static_cast<uint8_t>(varying | (components(pointer) & which));
    changed_ |= all != varying;
    varying = all;
  }

  void visit_store(const Instruction& in) {
    if (!is_known(in[1]) || !is_known(in[2])) return;
    const uint32_t place = variable(in[1]);
    // Which element is written may differ.
    if (is_varying(in[1]) && place != in[1]) return store_varying(in[1]);
    if (is_varying(in[2]))
      store_varying(in[1], place == in[1] ? varying_parts(in[2], output_of(place)) : kAllComponents);
  }

  /// Components of a vector that vary, if it was made from as many scalars as the output has.
  uint8_t varying_parts(uint32_t value, uint32_t output) const {
    const uint32_t construct = composites_[value];
    const uint32_t parts = construct != 0 ? (in_.words()[construct] >> 16) - 3 : 0;
    if (output == kNoOutput || parts != outputs_[output].count) return kAllComponents;
    uint8_t varying = 0;
    for (uint32_t i = 0; i < parts; ++i) {
      if (is_varying(in_.words()[construct + 3 + i])) varying = static_cast<uint8_t>(varying | 1u << i);
    }
    return varying;
  }

  /// A pointer varies if an index does.
  void visit_chain(const Instruction& in) {
    if (!is_known(in[2]) || !is_known(in[3])) return;
    const uint32_t place = variables_[in[2]] = variables_[in[3]];
    const bool is_variable = place == in[3];
    bool varies = place == 0 || (!is_variable && is_varying(in[3]));
    for (uint32_t i = 4; i < in.count; ++i) varies |= is_varying(in[i]);
    if (varies) set_varying(in[2]);
    uint64_t index = 0;
    const bool is_component = is_variable && in.count == 5 && in_.constant(in[4], index) && index < 4;
    const uint8_t which = is_component ? static_cast<uint8_t>(1u << index) : components(in[3]);
    states_[in[2]] = static_cast<uint8_t>((states_[in[2]] & kVarying) | which);
  }

  void visit_load(const Instruction& in) {
    const uint32_t place = variable(in[3]);
    if (place == 0 || is_varying(in[3]) || is_varying(place)) set_varying(in[2]);
  }

  /// Whoever takes a pointer may store anything.
  void visit_other(const Instruction& in) {
    for (uint32_t i = 1; i < in.count; ++i) store_varying(in[i]);
    if (in.count > 2) set_varying(in[2]);
  }

  void visit_pure(const Instruction& in, uint32_t first) {
    bool varies = false;
    for (uint32_t i = first; i < end_of_ids(in); ++i) {
      if (variable(in[i]) != 0) return visit_other(in);
      varies |= is_varying(in[i]);
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
        if (in.count < 4 || !is_known(in[2])) return;
        variables_[in[2]] = in[2];
        if (in.count > 4 && is_varying(in[4])) store_varying(in[2]);
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
    if (in.opcode == spv::OpCompositeConstruct && is_known(in[2])) {
      composites_[in[2]] = static_cast<uint32_t>(in.words - in_.words().data());
    }
    visit_pure(in, 3);
  }

  const Declarations& in_;
  std::span<const LocatedVariable> outputs_;
  std::span<const KnownInput> inputs_;
  Vector<uint32_t> variables_;          ///< by id
  Vector<uint32_t> composites_;         ///< by id: word offset of the OpCompositeConstruct that made it, or 0
  Vector<uint8_t> states_;              ///< by id: kVarying, and components
  Vector<uint8_t> varying_components_;  ///< by output: bits
  bool changed_ = false, branches_apart_ = false;
};

}  // namespace

Vector<InterfaceComponent> equal_outputs(const Declarations& in, std::span<const LocatedVariable> outputs,
                                         std::span<const KnownInput> inputs, Arena& arena) {
  Vector<InterfaceComponent> found(arena);
  Walk walk(in, outputs, inputs, arena);
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
