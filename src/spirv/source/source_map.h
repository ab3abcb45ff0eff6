// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace spalt::spirv {

struct SourceFile {
  std::string name;
  std::string text;  ///< as the module has it; empty where it has none
};

/// Instructions from this word up to that of the next one come from this line.
struct SourceLine {
  uint32_t word = 0;
  uint32_t file = 0;  ///< index of SourceMap::files
  uint32_t line = 0;  ///< from 1; 0: not known
};

/// What a module tells of the source that it was made from.
struct SourceMap {
  std::vector<SourceFile> files;  ///< in the order in which they are first named
  std::vector<SourceLine> lines;  ///< by word
};

/// Lines come from OpLine and DebugLine, texts from OpSource and DebugSource and what continues them. Linear in the
/// words, which are untrusted and in the host's byte order, and in texts that are named.
Result<SourceMap> read_source_map(std::span<const uint32_t> words);

}  // namespace spalt::spirv
