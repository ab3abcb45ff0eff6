// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/device.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "base/ice.h"
#include "base/result.h"
#include "emu/device/pal_program.h"
#include "emu/launch/runner.h"

namespace spalt::emu {

constexpr spalt_result result_of(Status status) {
  switch (status) {
    case Status::ok:
      return SPALT_SUCCESS;
    case Status::invalid_argument:
      return SPALT_ERROR_INVALID_ARGUMENT;
    case Status::invalid_input:
      return SPALT_ERROR_INVALID_INPUT;
    case Status::unsupported:
      return SPALT_ERROR_UNSUPPORTED;
    case Status::limit_exceeded:
      return SPALT_ERROR_LIMIT_EXCEEDED;
    case Status::out_of_memory:
      return SPALT_ERROR_OUT_OF_MEMORY;
    case Status::cancelled:
      return SPALT_ERROR_CANCELLED;
    case Status::internal_error:
      break;
  }
  return SPALT_ERROR_INTERNAL;
}

/// Copies a size-tagged output struct: the caller may know fewer fields.
template <class T>
spalt_result write_struct(const T& value, T* out) {
  if (out == nullptr || out->struct_size < sizeof(size_t)) return SPALT_ERROR_INVALID_ARGUMENT;
  const size_t size = out->struct_size;
  std::memcpy(out, &value, std::min(size, sizeof(T)));
  out->struct_size = size;
  return SPALT_SUCCESS;
}

/// Reads a size-tagged input struct: fields beyond the caller's version are zero.
template <class T>
bool read_struct(const T* in, T& value) {
  if (in == nullptr || in->struct_size < sizeof(size_t)) return false;
  value = T{};
  std::memcpy(&value, in, std::min(in->struct_size, sizeof(T)));
  return true;
}

/// Zero-terminated, as much as fits. Allocates nothing, so that a failure can be told when there is no memory left.
template <size_t Size>
void copy_text(char (&to)[Size], std::string_view text) {
  const size_t count = std::min(text.size(), Size - 1);
  std::memcpy(to, text.data(), count);
  to[count] = 0;
}

/// Runs the body of an API function, which returns a Result<void> or a spalt_result; nothing escapes it. `text` gets
/// why it failed.
template <size_t Size, class Body>
spalt_result guarded(char (&text)[Size], Body body) {
  text[0] = 0;
  try {
    const Result<void> done = body();
    if (done.ok()) return SPALT_SUCCESS;
    copy_text(text, done.error().message);
    return result_of(done.error().status);
  } catch (const std::bad_alloc&) {
    copy_text(text, "there is not enough memory");
    return SPALT_ERROR_OUT_OF_MEMORY;
  } catch (const std::system_error& error) {
    // The host refuses a thread.
    copy_text(text, error.what());
    return SPALT_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    copy_text(text, error.what());
  } catch (...) {
    copy_text(text, "an unknown exception");
  }
  return SPALT_ERROR_INTERNAL;
}

/// The same for functions with an optional message.
template <class Body>
spalt_result guarded(spalt_message* message, Body body) {
  spalt_message local{};
  const spalt_result result = guarded(local.text, body);
  if (message != nullptr) write_struct(local, message);
  return result;
}

spalt_counters counters_of(const Statistics& statistics);
spalt_program_info program_info_of(const PalProgram& program);
/// Without the text of failures that are no fault.
spalt_fault fault_of(const Fault& fault);

}  // namespace spalt::emu
