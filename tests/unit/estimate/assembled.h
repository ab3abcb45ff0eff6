// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <string_view>

#include "amdgpu/estimate/code.h"
#include "amdgpu/isa/text/assembler.h"

namespace spalt::estimate {

/// The code of a text that assembles, for gfx1030 and waves of 32 lanes unless the test says otherwise.
inline Result<Code> read_text(std::string_view text, const char* target_name = "gfx1030", unsigned wave_size = 32) {
  const isa::Target* target = isa::find_target(target_name);
  const auto assembled = isa::assemble(text, *target, wave_size);
  if (!assembled) {
    ADD_FAILURE() << isa::located_message(assembled.error());
    return assembled.error();
  }
  return read_code(assembled->words, *target, wave_size);
}

inline Code code_of(std::string_view text, const char* target_name = "gfx1030", unsigned wave_size = 32) {
  auto code = read_text(text, target_name, wave_size);
  EXPECT_TRUE(code) << (code ? "" : code.error().message);
  return code ? std::move(*code) : Code{};
}

}  // namespace spalt::estimate
