// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace spalt {

/// Why an operation failed. The public API maps these one to one (include/spalt/spalt.h).
enum class Status : uint8_t {
  ok,
  invalid_argument,  ///< the caller's structs or options contradict themselves
  invalid_input,     ///< the SPIR-V, ELF or text is malformed
  unsupported,       ///< well-formed input that needs something not supported yet; the message names it
  limit_exceeded,    ///< well-formed input that exceeds a documented limit
  out_of_memory,
  cancelled,       ///< the caller asked for an end
  internal_error,  ///< a bug in Spalt
};

/// One diagnostic: what is wrong, where, and what would be right. Lower case, one sentence, no full stop.
struct Error {
  static constexpr uint32_t kNoOffset = 0xffffffffu;
  Status status = Status::internal_error;
  std::string message;
  uint32_t offset = kNoOffset;  ///< SPIR-V word offset, byte offset of an ELF or text line, as the reader says
  std::string source_file;      ///< from OpLine, empty when unknown
  uint32_t source_line = 0;     ///< 0 when unknown
};

/// A value or an Error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error& error() { return std::get<1>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}

  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  Error& error() { return error_; }
  const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace spalt
