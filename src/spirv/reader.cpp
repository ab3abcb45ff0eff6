// SPDX-License-Identifier: MIT
#include "spirv/reader.h"

#include <utility>

#include "spirv/reader_state.h"

namespace spalt::spirv {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr uint32_t kSwappedMagic = 0x03022307;

bool run(Reader& r) {
  return read_header(r) && read_preamble(r) && scan_functions(r) && order_calls(r) && mark_invariant(r) &&
         analyze_control_flow(r) && assign_interface(r) && classify_variables(r) && translate_entry(r) &&
         finish_module(r);
}

Vector<uint32_t> swap_bytes(std::span<const uint32_t> words, Arena& arena) {
  Vector<uint32_t> swapped(words, &arena);
  for (uint32_t& word : swapped) word = __builtin_bswap32(word);
  return swapped;
}

}  // namespace

Result<ir::Module> read(std::span<const uint32_t> words, const ReadOptions& options, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Vector<uint32_t> swapped(context.scratch);
  if (!words.empty() && words[0] == kSwappedMagic) {
    swapped = swap_bytes(words, context.scratch);
    words = swapped;
  }
  if (words.empty() || words[0] != kMagic) {
    return Error{Status::invalid_input, "expected the SPIR-V magic number", 0, {}, 0};
  }
  Reader reader(words, options, context);
  if (!run(reader)) return std::move(reader.error);
  return std::move(reader.module);
}

}  // namespace spalt::spirv
