// SPDX-License-Identifier: MIT
#include "spirv/reflect/known_outputs.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "ir/interface.h"
#include "spirv/reflect/equal_outputs.h"
#include "spirv/reflect/located_outputs.h"
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

}  // namespace

Vector<LocatedOutput> located_outputs(const Declarations& in, const DeclaredEntryPoint& entry, Arena& arena) {
  Vector<LocatedOutput> outputs(arena);
  for (const DeclaredVariable& variable : in.variables) {
    const auto& listed = entry.interface;
    if (variable.storage_class != spv::StorageClassOutput ||
        std::find(listed.begin(), listed.end(), variable.id) == listed.end()) {
      continue;
    }
    const DeclaredType& type = in.type(in.type(variable.type).element);
    const DeclaredType& scalar = type.kind == Kind::vector ? in.type(type.element) : type;
    if ((scalar.kind != Kind::integer && scalar.kind != Kind::floating) || scalar.bits != 32) continue;
    LocatedOutput output;
    output.id = variable.id;
    output.location = in.argument(variable.id, spv::DecorationLocation);
    const uint32_t component = in.argument(variable.id, spv::DecorationComponent);
    output.component = component == kNotGiven ? 0 : component;
    output.count = type.kind == Kind::vector ? type.count : 1;
    if (output.location >= ir::kMaxLocations || output.component > 3 || output.component + output.count > 4) continue;
    outputs.push_back(output);
  }
  return outputs;
}

KnownOutputs known_outputs(std::span<const uint32_t> words, std::string_view entry_point,
                           std::span<const Specialization> specialization, Arena& arena) {
  KnownOutputs known(arena);
  Declarations in(words, specialization, arena);
  if (!in.read(Declarations::Names::unwanted)) return known;
  const DeclaredEntryPoint* entry = find_entry_point(in, entry_point);
  if (entry == nullptr) return known;
  const Vector<LocatedOutput> outputs = located_outputs(in, *entry, arena);
  if (outputs.empty()) return known;
  known.constants = constant_outputs(in, outputs, arena);
  known.equal = equal_outputs(in, outputs, arena);
  return known;
}

}  // namespace spalt::spirv
