// SPDX-License-Identifier: MIT
// Result codes, and what keeps exceptions inside of the libraries.
#pragma once
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "base/ice.h"
#include "base/result.h"
#include "spalt/spalt.h"

namespace spalt::api {

constexpr spalt_result to_result(Status status) {
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

inline Error bad_argument(std::string message) {
  return {Status::invalid_argument, std::move(message)};
}

/// Runs `work`, which returns a Result<void>, and turns whatever it throws into an Error, apart from lack of memory,
/// which leaves as std::bad_alloc.
template <class Work>
Result<void> contain(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const InternalError& bug) {
    return Error{Status::internal_error, std::string("internal error: ") + bug.what() + " (" + bug.file() + ":" +
                                             std::to_string(bug.line()) + ")"};
  } catch (const std::system_error& refusal) {
    // The host has no thread or lock left.
    return Error{Status::out_of_memory, refusal.what()};
  } catch (const std::exception& other) {
    return Error{Status::internal_error, std::string("internal error: ") + other.what()};
  } catch (...) {
    return Error{Status::internal_error, "internal error: an unknown exception"};
  }
}

/// Runs `work`, which returns a result code, and lets nothing out that is thrown.
template <class Work>
spalt_result guarded(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SPALT_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return SPALT_ERROR_INTERNAL;
  }
}

}  // namespace spalt::api
