// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as an image file. What is read has all its bytes, and is the same after it was written as KTX2 and
// read again; as PNG it is written or refused with a message.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "image_file/image_file.h"

namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace spalt_tool;
  ImageData image, again;
  std::string error;
  if (!read_image({data, data + size}, image, error)) {
    if (error.empty()) fail("a file is refused without a message");
    return 0;
  }
  for (uint32_t level = 0; level < image.levels.size(); ++level) {
    if (image.levels[level].size() != level_bytes(image, level)) fail("a level lacks bytes");
  }
  if (!read_ktx2(write_ktx2(image), again, error)) fail("what was written cannot be read");
  if (!(image == again)) fail("what was written is another image");
  std::vector<uint8_t> png;
  if (!write_png(image, png, error) && error.empty()) fail("PNG is refused without a message");
  return 0;
}
