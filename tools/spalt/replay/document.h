// SPDX-License-Identifier: MIT
//
// What most payloads are: a JSON text and, in those of shader modules, a zero byte and binary data after it.
#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "replay/problem.h"

namespace spalt_tool::replay {

class Document {
 public:
  Document();
  ~Document();
  Document(Document&& other) noexcept;
  Document& operator=(Document&& other) noexcept;

  /// `payload` must outlive the document.
  bool parse(std::span<const uint8_t> payload, Problem& problem);
  const nlohmann::json& root() const { return *root_; }
  std::span<const uint8_t> data() const { return data_; }
  /// The member with that hash of the object `list`, for example of "computePipelines".
  const nlohmann::json* find(const char* list, uint64_t hash, Problem& problem) const;

 private:
  std::unique_ptr<nlohmann::json> root_;
  std::span<const uint8_t> data_;
};

/// Reads members of one JSON object. The first thing that is wrong becomes the problem, and all that is read after it
/// is zero or empty, so that a reader asks ok() once at its end.
class Fields {
 public:
  /// `what` names the object in messages.
  Fields(const nlohmann::json& object, std::string what, Problem& problem);

  bool ok() const { return problem_.cause == Cause::none; }
  bool has(const char* name) const;
  uint64_t number(const char* name, uint64_t limit = UINT32_MAX);
  uint64_t number_or(const char* name, uint64_t fallback, uint64_t limit = UINT32_MAX);
  double real(const char* name);
  uint64_t hash(const char* name);
  std::string text(const char* name);
  /// Calls use(element) for each element of an array; a member that is missing has none.
  template <class Use>
  void for_each(const char* name, Use use) {
    for (size_t i = 0, count = array_size(name); ok() && i < count; ++i) use(element(name, i));
  }
  /// The elements of an array of hashes or of numbers of 32 bits.
  std::vector<uint64_t> hashes(const char* name);
  std::vector<uint32_t> numbers(const char* name);
  /// A member that is an object, or an empty object.
  const nlohmann::json& object(const char* name);
  const std::string& what() const { return what_; }
  Problem& problem() { return problem_; }
  void wrong(const std::string& message);

 private:
  const nlohmann::json* member(const char* name);
  size_t array_size(const char* name);
  const nlohmann::json& element(const char* name, size_t index);
  uint64_t to_number(const nlohmann::json& value, const char* name, uint64_t limit);
  uint64_t to_hash(const nlohmann::json& value, const char* name);

  const nlohmann::json& object_;
  std::string what_;
  Problem& problem_;
};

}  // namespace spalt_tool::replay
