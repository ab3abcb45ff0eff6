// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/descriptor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "image_file/image_file.h"

namespace spalt_tool {

/// An image where the target of the compiler has its texels: in files rows have no gaps, and levels contain slices; in
/// memory slices contain levels.
class ImageMemory {
 public:
  /// `where` begins sentences about it. Throws Failure.
  ImageMemory(const spalt_compiler* compiler, ImageData image, const std::string& where);

  const spalt_image_info& info() const { return info_; }
  uint64_t bytes() const { return layout_.bytes; }
  /// The memory, aligned to 8.
  void* host() { return words_.data(); }
  /// The image as its memory is now.
  ImageData contents() const;

 private:
  template <class Copy>
  void for_each_row(const ImageData& image, Copy copy) const;

  ImageData shape_;  ///< levels have no bytes
  spalt_image_info info_{};
  spalt_image_layout layout_{};
  std::vector<uint64_t> words_;
};

}  // namespace spalt_tool
