// SPDX-License-Identifier: MIT
//
// SPIR-V words -> reader -> verifier. Whatever the words, the reader answers with a module or an error, and a module
// that it accepts is well formed. Seeds: any compiled shaders, such as tests/run/programs through glslangValidator.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "ir/verifier.h"
#include "spirv/reader.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

/// Offsets of the instructions, as far as the words can be followed.
std::vector<size_t> find_instructions(const std::vector<uint32_t>& words) {
  std::vector<size_t> starts;
  for (size_t at = 5; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) break;
    starts.push_back(at);
    at += length;
  }
  return starts;
}

/// One change that keeps the stream of instructions intact: another operand, or an instruction left out, repeated or
/// moved. Byte mutations alone rarely get past the header checks.
void mutate_instruction(std::vector<uint32_t>& words, std::mt19937& random) {
  const std::vector<size_t> starts = find_instructions(words);
  if (starts.empty()) return;
  const size_t at = starts[random() % starts.size()];
  const size_t other = starts[random() % starts.size()];
  const size_t length = words[at] >> 16;
  const std::vector<uint32_t> copy(words.begin() + static_cast<ptrdiff_t>(at),
                                   words.begin() + static_cast<ptrdiff_t>(at + length));
  const uint32_t bound = words[3] == 0 ? 1 : words[3];
  switch (random() % 8) {
    case 0:
      words.erase(words.begin() + static_cast<ptrdiff_t>(at), words.begin() + static_cast<ptrdiff_t>(at + length));
      break;
    case 1:
      words.insert(words.begin() + static_cast<ptrdiff_t>(other), copy.begin(), copy.end());
      break;
    case 2:
      words[at] = (words[at] & 0xffff0000u) | (words[other] & 0xffffu);
      break;
    case 3:
      if (length > 1) words[at + 1 + random() % (length - 1)] = random() % 8;
      break;
    case 4:
      if (length > 1) words[at + 1 + random() % (length - 1)] ^= 1u << (random() % 32);
      break;
    default:
      if (length > 1) words[at + 1 + random() % (length - 1)] = random() % bound;
      break;
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> words(size / 4);
  if (words.size() < 6 || random() % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(words.data(), data, words.size() * 4);
  for (unsigned i = 0; i <= random() % 3; ++i) mutate_instruction(words, random);
  const size_t bytes = words.size() * 4 < max_size ? words.size() * 4 : max_size / 4 * 4;
  std::memcpy(data, words.data(), bytes);
  return bytes;
}

namespace {

void try_stage(const std::vector<uint32_t>& words, const spalt::spirv::ReadOptions& options) {
  spalt::CompileContext context;
  const spalt::Result<spalt::ir::Module> module = spalt::spirv::read(words, options, context);
  if (!module) {
    if (module.error().status != spalt::Status::internal_error && !module.error().message.empty()) return;
    std::fprintf(stderr, "an error without a cause\n");
    std::abort();
  }
  const spalt::Result<void> verdict = spalt::ir::verify(*module);
  if (verdict) return;
  std::fprintf(stderr, "the verifier rejects the reader's module: %s\n", verdict.error().message.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using spalt::ir::ShaderStage;
  std::vector<uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  spalt::spirv::ReadOptions options;
  // Small limits keep single inputs fast; they are checked in the same places as the large ones.
  options.limits.id_bound = 65'536;
  options.limits.composite_scalars = 1'024;
  options.limits.variable_scalars = 16'384;
  options.limits.instructions = 65'536;
  options.limits.work = 2'000'000;
  options.widths.int64 = true;
  for (const ShaderStage stage : {ShaderStage::compute, ShaderStage::vertex, ShaderStage::fragment}) {
    options.stage = stage;
    try_stage(words, options);
  }
  return 0;
}
