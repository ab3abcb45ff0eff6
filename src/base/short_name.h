// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

namespace spalt {

/// A name of at most 31 characters, kept in place: it takes no memory of its own.
class ShortName {
 public:
  static constexpr size_t kMaxSize = 31;

  ShortName() = default;
  /// Longer text is cut.
  ShortName(std::string_view text) : size_(static_cast<uint8_t>(std::min(text.size(), kMaxSize))) {
    std::copy_n(text.data(), size_, text_);
  }
  ShortName(const char* text) : ShortName(std::string_view(text)) {}

  std::string_view view() const { return {text_, size_}; }
  /// Adds what there is room for.
  void append(std::string_view text) {
    const size_t added = std::min(text.size(), kMaxSize - size_);
    std::copy_n(text.data(), added, text_ + size_);
    size_ = static_cast<uint8_t>(size_ + added);
  }

 private:
  uint8_t size_ = 0;
  char text_[kMaxSize] = {};
};

}  // namespace spalt
