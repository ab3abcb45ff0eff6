// SPDX-License-Identifier: MIT
#pragma once
#include <exception>
#include <string>
#include <utility>

namespace spalt {

/// A broken invariant inside Spalt. Thrown by SPALT_ICE, caught at the public API boundary only, where it becomes
/// an internal-error result; nothing a user can write may cause one.
class InternalError : public std::exception {
 public:
  InternalError(const char* file, int line, std::string what) : file_(file), line_(line), what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }
  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  const char* file_;
  int line_;
  std::string what_;
};

[[noreturn]] void raise_internal_error(const char* file, int line, std::string what);

}  // namespace spalt

/// Reports a compiler bug.
#define SPALT_ICE(message) ::spalt::raise_internal_error(__FILE__, __LINE__, message)
/// Checks an invariant in every build.
#define SPALT_ASSERT(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : SPALT_ICE("assertion failed: " #condition))
