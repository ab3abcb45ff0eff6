// SPDX-License-Identifier: MIT
#include "spirv/reflect/known_outputs.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "ir/interface.h"
#include "spirv/reflect/equal_outputs.h"
#include "spirv/reflect/located_variables.h"
#include "spirv/reflect/output_constants.h"

namespace spalt::spirv {
namespace {

using Kind = DeclaredType::Kind;

const DeclaredEntryPoint* find_entry_point(const Declarations& in, std::string_view name) {
  for (const DeclaredEntryPoint& entry : in.entry_points) {
    if (entry.model == spv::ExecutionModelVertex && (name.empty() || entry.name == name)) return &entry;
  }
  return nullptr;
}

/// Few attributes, few inputs.
Vector<KnownInput> known_inputs(const Declarations& in, const DeclaredEntryPoint& entry,
                                std::span<const KnownAttribute> attributes, Arena& arena) {
  Vector<KnownInput> known(arena);
  if (attributes.empty()) return known;
  for (const LocatedVariable& variable : located_variables(in, entry, spv::StorageClassInput, arena)) {
    for (const KnownAttribute& attribute : attributes) {
      if (attribute.location == variable.location) known.push_back({variable, attribute});
    }
  }
  return known;
}

}  // namespace

Vector<LocatedVariable> located_variables(const Declarations& in, const DeclaredEntryPoint& entry,
                                          spv::StorageClass storage, Arena& arena) {
  Vector<LocatedVariable> found(arena);
  for (const DeclaredVariable& variable : in.variables) {
    const auto& listed = entry.interface;
    if (variable.storage_class != storage || std::find(listed.begin(), listed.end(), variable.id) == listed.end()) {
      continue;
    }
    const DeclaredType& type = in.type(in.type(variable.type).element);
    const DeclaredType& scalar = type.kind == Kind::vector ? in.type(type.element) : type;
    if ((scalar.kind != Kind::integer && scalar.kind != Kind::floating) || scalar.bits != 32) continue;
    LocatedVariable one;
    one.id = variable.id;
    one.is_integer = scalar.kind == Kind::integer;
    one.location = in.argument(variable.id, spv::DecorationLocation);
    const uint32_t component = in.argument(variable.id, spv::DecorationComponent);
    one.component = component == kNotGiven ? 0 : component;
    one.count = type.kind == Kind::vector ? type.count : 1;
    if (one.location >= ir::kMaxLocations || one.component > 3 || one.component + one.count > 4) continue;
    found.push_back(one);
  }
  return found;
}

KnownOutputs known_outputs(std::span<const uint32_t> words, std::string_view entry_point,
                           std::span<const Specialization> specialization, std::span<const KnownAttribute> attributes,
                           Arena& arena) {
  KnownOutputs known(arena);
  Declarations in(words, specialization, arena);
  if (!in.read(Declarations::Names::unwanted)) return known;
  const DeclaredEntryPoint* entry = find_entry_point(in, entry_point);
  if (entry == nullptr) return known;
  const Vector<LocatedVariable> outputs = located_variables(in, *entry, spv::StorageClassOutput, arena);
  if (outputs.empty()) return known;
  const Vector<KnownInput> inputs = known_inputs(in, *entry, attributes, arena);
  known.constants = constant_outputs(in, outputs, inputs, arena);
  known.equal = equal_outputs(in, outputs, inputs, arena);
  return known;
}

}  // namespace spalt::spirv
