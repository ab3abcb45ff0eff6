// SPDX-License-Identifier: MIT
#pragma once
#include "emu/wave/handlers.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

// Scalar operands and results: one register or a pair.

template <class T>
T scalar_source(const Wave& wave, const Step& step, unsigned index) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(wave.scalar64(step.src[index]));
  } else {
    return static_cast<T>(wave.scalar32(step.src[index]));
  }
}

template <class T>
void scalar_write(Wave& wave, const Step& step, T value) {
  if constexpr (sizeof(T) == 8) {
    wave.write_s64(step.dst, static_cast<uint64_t>(value));
  } else {
    wave.write_s32(step.dst, static_cast<uint32_t>(value));
  }
}

/// One row of an opcode group.
struct HandlerRow {
  isa::Opcode opcode;
  Handler handler;
};

template <size_t N>
void add_rows(HandlerTable& table, const HandlerRow (&rows)[N]) {
  for (const HandlerRow& row : rows) table.set(row.opcode, row.handler);
}

}  // namespace spalt::emu
