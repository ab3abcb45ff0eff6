// SPDX-License-Identifier: MIT
#include "icd/shader/used_bindings.h"

#include <algorithm>
#include <unordered_map>

namespace spalt::icd {
namespace {

constexpr size_t kHeaderWords = 5;

// Of the SPIR-V specification.
enum Opcode : uint32_t {
  kEntryPoint = 15,
  kFunctionCall = 57,
  kImageTexelPointer = 60,
  kLoad = 61,
  kAccessChain = 65,
  kInBoundsAccessChain = 66,
  kPtrAccessChain = 67,
  kDecorate = 71,
  kCopyObject = 83,
};
enum Decoration : uint32_t { kBinding = 33, kDescriptorSet = 34 };

struct Variable {
  UsedBinding place;
  bool used = false;
};
using Variables = std::unordered_map<uint32_t, Variable>;

void read_decoration(std::span<const uint32_t> instruction, Variables& variables) {
  if (instruction.size() < 4) return;
  if (instruction[2] == kBinding) variables[instruction[1]].place.binding = instruction[3];
  if (instruction[2] == kDescriptorSet) variables[instruction[1]].place.set = instruction[3];
}

/// Marks those of the operands from `first` on that are variables.
void mark(std::span<const uint32_t> operands, Variables& variables) {
  for (const uint32_t id : operands) {
    if (const auto found = variables.find(id); found != variables.end()) found->second.used = true;
  }
}

void read(std::span<const uint32_t> instruction, Variables& variables) {
  const size_t size = instruction.size();
  switch (instruction[0] & 0xffff) {
    case kDecorate:
      return read_decoration(instruction, variables);
    case kFunctionCall:
      return mark(instruction.subspan(std::min<size_t>(size, 4)), variables);
    case kImageTexelPointer:
    case kLoad:
    case kAccessChain:
    case kInBoundsAccessChain:
    case kPtrAccessChain:
    case kCopyObject:
      return mark(instruction.subspan(std::min<size_t>(size, 3), size > 3 ? 1 : 0), variables);
    default:
      return;
  }
}

}  // namespace

std::vector<UsedBinding> used_bindings(std::span<const uint32_t> words) {
  Variables variables;
  int entry_points = 0;
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t size = words[at] >> 16;
    if (size == 0 || size > words.size() - at) return {};
    if ((words[at] & 0xffff) == kEntryPoint && ++entry_points > 1) return {};
    read(words.subspan(at, size), variables);
    at += size;
  }
  std::vector<UsedBinding> used;
  for (const auto& [id, variable] : variables) {
    if (variable.used) used.push_back(variable.place);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

}  // namespace spalt::icd
