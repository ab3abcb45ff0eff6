// SPDX-License-Identifier: MIT
#include "spirv/reflect/float_modes.h"

#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {
namespace {

constexpr size_t kHeaderWords = 5;

bool is_float_mode(uint32_t mode) {
  return mode >= spv::ExecutionModeDenormPreserve && mode <= spv::ExecutionModeRoundingModeRTZ;
}

}  // namespace

bool declares_float_modes(std::span<const uint32_t> words) {
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint32_t opcode = words[at] & spv::OpCodeMask, length = words[at] >> spv::WordCountShift;
    if (length == 0 || length > words.size() - at || opcode == spv::OpFunction) return false;
    if (opcode == spv::OpExecutionMode && length > 2 && is_float_mode(words[at + 2])) return true;
    at += length;
  }
  return false;
}

}  // namespace spalt::spirv
