// SPDX-License-Identifier: MIT
// The public C API's view of a module's sources.
#include <memory>
#include <vector>

#include "driver/api_support.h"
#include "spalt/source.h"
#include "spirv/source/source_map.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

struct spalt_source {
  std::vector<spirv::SourceFile> files;
  std::vector<spalt_source_line> lines;
};

spalt_result spalt_source_create(const uint32_t* words, size_t word_count, spalt_source** source) {
  if (source == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *source = nullptr;
  if (words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded([&] {
    Result<spirv::SourceMap> map = spirv::read_source_map({words, word_count});
    if (!map) return to_result(map.error().status);
    auto made = std::make_unique<spalt_source>();
    made->files = std::move(map->files);
    made->lines.reserve(map->lines.size());
    for (const spirv::SourceLine& line : map->lines) made->lines.push_back({line.word, line.file, line.line});
    *source = made.release();
    return SPALT_SUCCESS;
  });
}

void spalt_source_destroy(spalt_source* source) {
  delete source;
}

size_t spalt_source_file_count(const spalt_source* source) {
  return source == nullptr ? 0 : source->files.size();
}

spalt_result spalt_source_get_file(const spalt_source* source, size_t index, spalt_source_file* file) {
  if (source == nullptr || file == nullptr || index >= source->files.size()) return SPALT_ERROR_INVALID_ARGUMENT;
  const spirv::SourceFile& found = source->files[index];
  spalt_source_file value{};
  value.name = found.name.c_str();
  value.text = found.text.empty() ? nullptr : found.text.c_str();
  return write_struct(value, file);
}

const spalt_source_line* spalt_source_lines(const spalt_source* source, size_t* count) {
  const bool any = source != nullptr && !source->lines.empty();
  if (count != nullptr) *count = any ? source->lines.size() : 0;
  return any ? source->lines.data() : nullptr;
}
