// SPDX-License-Identifier: MIT
#pragma once
// MessagePack documents written down as nested values, so that a test can break one place.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spalt::metadata::test {

class Value {
 public:
  enum class Kind { nil, boolean, integer, negative, real, text, blob, array, map };
  using Entry = std::pair<Value, Value>;

  Value() = default;
  Value(bool value) : kind_(Kind::boolean), number_(value ? 1 : 0) {}
  Value(int value) : kind_(value < 0 ? Kind::negative : Kind::integer), number_(static_cast<uint64_t>(value)) {}
  Value(uint32_t value) : kind_(Kind::integer), number_(value) {}
  Value(uint64_t value) : kind_(Kind::integer), number_(value) {}
  Value(double value) : kind_(Kind::real), real_(value) {}
  Value(const char* value) : kind_(Kind::text), text_(value) {}
  Value(std::string value) : kind_(Kind::text), text_(std::move(value)) {}

  static Value array(std::vector<Value> elements);
  static Value map(std::vector<Entry> entries);
  static Value blob(std::string bytes);

  /// The value under a key of a map, made when it is not there.
  Value& operator[](const Value& key);
  Value& operator[](const char* key) { return (*this)[Value(key)]; }
  Value& at(size_t index) { return elements_[index]; }
  void erase(const char* key);
  void push(Value element) { elements_.push_back(std::move(element)); }
  /// A second entry with that key.
  void repeat(const char* key);

  std::vector<uint8_t> packed() const;

 private:
  bool same_key(const Value& other) const {
    return kind_ == other.kind_ && number_ == other.number_ && text_ == other.text_;
  }
  void pack(std::vector<uint8_t>& out) const;

  Kind kind_ = Kind::nil;
  uint64_t number_ = 0;
  double real_ = 0;
  std::string text_;
  std::vector<Value> elements_;  ///< of an array, or keys and values of a map in turn
};

}  // namespace spalt::metadata::test
