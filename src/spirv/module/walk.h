// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <spirv/unified1/spirv.hpp>

#include "base/result.h"
#include "spirv/module/words.h"

namespace spalt::spirv {

/// Calls visit(const Instruction&) for each instruction of a module in order, without a look at what they mean. The
/// words are untrusted and in the host's byte order: an Error tells of what is no module, where it stops being one.
template <class Visit>
Result<void> walk_module(std::span<const uint32_t> words, Visit&& visit) {
  constexpr uint32_t kHeaderWords = 5;
  if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) {
    return Error{Status::invalid_input, "expected a SPIR-V module", 0, {}, 0};
  }
  for (uint32_t at = kHeaderWords; at < words.size();) {
    const Instruction in{words.data() + at, words[at] & 0xffff, words[at] >> 16, at};
    if (in.count == 0 || in.count > words.size() - at) {
      return Error{Status::invalid_input, "an instruction that leaves the module", at, {}, 0};
    }
    visit(in);
    at += in.count;
  }
  return {};
}

}  // namespace spalt::spirv
