// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstring>

#include "amdgpu/object/section_writer.h"

namespace spalt::object {

/// The end of a file while many small pieces are appended to it. There is room ahead, so that a piece of some bytes
/// costs a comparison and its stores.
class ByteStream {
 public:
  /// Room for `expected` bytes at first.
  ByteStream(Bytes& file, size_t expected) : file_(file) { make_room(file.size(), expected); }

  /// Called so often by the library of the metadata that a call of its own would cost most.
  [[gnu::always_inline]] void write(const char* data, size_t size) {
    if (size > static_cast<size_t>(end_ - at_)) make_room(position(), size);
    std::memcpy(at_, data, size);
    at_ += size;
  }
  /// Bytes of the file so far.
  uint32_t position() const { return static_cast<uint32_t>(at_ - file_.data()); }
  uint8_t& operator[](uint32_t position) { return file_[position]; }
  /// Moves what stands at `position` and after it.
  void insert(uint32_t position, const std::array<char, 2>& bytes) {
    write(bytes.data(), bytes.size());
    uint8_t* to = file_.data() + position;
    std::memmove(to + bytes.size(), to, static_cast<size_t>(at_ - to) - bytes.size());
    std::memcpy(to, bytes.data(), bytes.size());
  }
  /// The file ends here. Nothing may be written afterwards.
  void finish() { file_.resize(position()); }

 private:
  [[gnu::noinline]] void make_room(uint32_t position, size_t size) {
    file_.resize_for_overwrite(position + std::max<size_t>(size, position));
    at_ = file_.data() + position;
    end_ = file_.end();
  }

  Bytes& file_;
  uint8_t* at_ = nullptr;
  uint8_t* end_ = nullptr;
};

}  // namespace spalt::object
