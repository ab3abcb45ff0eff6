// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace spalt::isa::test {

/// The outside judge of encodings: llvm-mc of LLVM 19. One run handles any number of instructions; each is followed by
/// an s_nop with a running number, so that rejected ones cannot shift the answers of the others.
class LlvmMc {
 public:
  LlvmMc(std::string cpu, unsigned wave_size, std::string attributes = "")
      : cpu_(std::move(cpu)), wave_size_(wave_size), attributes_(std::move(attributes)) {}

  static bool available();

  /// Text of each word sequence, empty where LLVM knows none (or splits it into several instructions).
  std::vector<std::string> disassemble(const std::vector<std::vector<uint32_t>>& code) const;
  /// Words of each line, empty where LLVM rejects it.
  std::vector<std::vector<uint32_t>> assemble(const std::vector<std::string>& lines) const;

 private:
  std::vector<std::string> run(const std::string& input, const std::string& mode) const;

  std::string cpu_;
  unsigned wave_size_;
  std::string attributes_;
};

/// One space between words, no comment.
std::string normalize(const std::string& text);

/// Halves of registers ("v1.h") as LLVM 19 writes them: it has op_sel alone, except in v_mov_b16.
std::string without_halves(const std::string& text);

}  // namespace spalt::isa::test
