// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/device.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>

#include "api/results.h"
#include "api/structs.h"
#include "emu/device/pal_program.h"
#include "emu/draw/graphics_program.h"
#include "emu/launch/runner.h"

namespace spalt::api {

template <>
inline constexpr std::array<TextMember, 1> kTextMembers<spalt_message>{
    {{offsetof(spalt_message, text), sizeof(spalt_message::text)}}};
template <>
inline constexpr std::array<TextMember, 4> kTextMembers<spalt_fault>{
    {{offsetof(spalt_fault, mapping), sizeof(spalt_fault::mapping)},
     {offsetof(spalt_fault, instruction), sizeof(spalt_fault::instruction)},
     {offsetof(spalt_fault, message), sizeof(spalt_fault::message)},
     {offsetof(spalt_fault, stage), sizeof(spalt_fault::stage)}}};

}  // namespace spalt::api

namespace spalt::emu {

/// Zero-terminated, as much as fits. Allocates nothing, so that a failure can be told when there is no memory left.
template <size_t Size>
void copy_text(char (&to)[Size], std::string_view text) {
  const size_t count = std::min(text.size(), Size - 1);
  std::memcpy(to, text.data(), count);
  to[count] = 0;
}

/// Runs the body of an API function, which returns a Result<void>; nothing escapes it. `text` gets why it failed.
template <size_t Size, class Body>
spalt_result guarded(char (&text)[Size], Body body) {
  text[0] = 0;
  try {
    const Result<void> done = api::contain(body);
    if (done.ok()) return SPALT_SUCCESS;
    copy_text(text, done.error().message);
    return api::to_result(done.error().status);
  } catch (const std::bad_alloc&) {
    copy_text(text, "there is not enough memory");
    return SPALT_ERROR_OUT_OF_MEMORY;
  }
}

/// The same for functions with an optional message.
template <class Body>
spalt_result guarded(spalt_message* message, Body body) {
  spalt_message local{};
  const spalt_result result = guarded(local.text, body);
  if (message != nullptr) api::write_struct(local, message);
  return result;
}

spalt_counters counters_of(const Statistics& statistics);
spalt_program_info program_info_of(const PalProgram& program);
spalt_program_info program_info_of(const GraphicsProgram& program);
/// What a call comes to that has ended with a fault, or with none.
spalt_result result_of(FaultKind kind);
/// Without the text of failures that are no fault.
spalt_fault fault_of(const Fault& fault);

}  // namespace spalt::emu
