// SPDX-License-Identifier: MIT
// Internal to src/spirv/reflect: what the walks over the outputs of a vertex shader share.
#pragma once
#include <cstdint>
#include <spirv/unified1/spirv.hpp>

#include "spirv/reflect/declarations.h"
#include "spirv/reflect/known_outputs.h"

namespace spalt::spirv {

/// An input or output of an entry point: a scalar or a vector of 32 bits with a location.
struct LocatedVariable {
  uint32_t id = 0;
  uint32_t location = 0, component = 0, count = 1;
  bool is_integer = false;
};

Vector<LocatedVariable> located_variables(const Declarations& in, const DeclaredEntryPoint& entry,
                                          spv::StorageClass storage, Arena& arena);

/// An input of which the state of the pipeline says something.
struct KnownInput {
  LocatedVariable variable;
  KnownAttribute attribute;
};

/// Calls visit for variables that have an initializer and for each instruction of functions. False where an instruction
/// is longer than the words.
template <class Visit>
bool walk_code(std::span<const uint32_t> words, Visit visit) {
  constexpr size_t kHeaderWords = 5;
  bool in_functions = false;
  for (size_t at = kHeaderWords; at < words.size();) {
    Instruction in;
    in.words = &words[at];
    in.opcode = words[at] & 0xffff;
    in.count = words[at] >> 16;
    if (in.count == 0 || in.count > words.size() - at) return false;
    in_functions |= in.opcode == spv::OpFunction;
    const bool initialized = in.opcode == spv::OpVariable && in.count > 4;
    if (in_functions || initialized) visit(in);
    at += in.count;
  }
  return true;
}

}  // namespace spalt::spirv
