// SPDX-License-Identifier: MIT
#include "llvm_mc.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace spalt::isa::test {
namespace {

constexpr size_t kBatch = 30000;  // marker numbers stay positive 16-bit values

std::string marker_text(size_t index) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, index <= 64 ? "s_nop %zu" : "s_nop 0x%zx", index);
  return buffer;
}

std::string byte_list(const std::vector<uint32_t>& words) {
  std::string out = "[";
  for (uint32_t word : words) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "%s0x%02x", out.size() > 1 ? " " : "", word >> shift & 0xff);
      out += buffer;
    }
  }
  return out + "]\n";
}

/// The words in "...; encoding: [0x00,0x01,...]".
std::vector<uint32_t> parse_encoding(const std::string& line) {
  std::vector<uint32_t> words;
  const size_t start = line.find("encoding: [");
  if (start == std::string::npos) return words;
  unsigned count = 0;
  for (size_t at = line.find("0x", start); at != std::string::npos; at = line.find("0x", at + 2)) {
    const auto byte = static_cast<uint32_t>(std::strtoul(line.c_str() + at, nullptr, 16));
    if (count % 4 == 0) words.push_back(0);
    words.back() |= byte << (count++ % 4 * 8);
  }
  return words;
}

}  // namespace

std::string normalize(const std::string& text) {
  std::istringstream words(text.substr(0, text.find(';')));
  std::string out, word;
  while (words >> word) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string without_halves(const std::string& text) {
  static const std::regex kHalf("\\b(v[0-9]+)\\.[lh]");
  return std::regex_replace(text, kHalf, "$1");
}

bool LlvmMc::available() {
  return std::system("llvm-mc-19 --version >/dev/null 2>&1") == 0;
}

std::vector<std::string> LlvmMc::run(const std::string& input, const std::string& mode) const {
  const std::string base = testing::TempDir() + "spalt_llvm_mc_" + std::to_string(getpid());
  std::ofstream(base + ".in") << input;
  const std::string command = "llvm-mc-19 -triple=amdgcn -mcpu=" + cpu_ + " -mattr=+wavefrontsize" +
                              std::to_string(wave_size_) + "," + attributes_ + " " + mode + " " + base + ".in >" +
                              base + ".out 2>" + base + ".err";
  // llvm-mc exits with an error when any line was rejected; the markers tell which.
  [[maybe_unused]] const int status = std::system(command.c_str());
  std::ifstream output(base + ".out");
  std::vector<std::string> lines;
  for (std::string line; std::getline(output, line);) {
    const size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] != '.') lines.push_back(line.substr(first));
  }
  for (const char* extension : {".in", ".out", ".err"}) std::remove((base + extension).c_str());
  return lines;
}

std::vector<std::string> LlvmMc::disassemble(const std::vector<std::vector<uint32_t>>& code) const {
  std::vector<std::string> result;
  for (size_t start = 0; start < code.size(); start += kBatch) {
    const size_t count = std::min(kBatch, code.size() - start);
    std::string input;
    for (size_t i = 0; i < count; ++i) {
      input += byte_list(code[start + i]) + byte_list({static_cast<uint32_t>(0xbf800000 | i)});
    }
    std::vector<std::string> pending;
    size_t marker = 0;
    for (const std::string& line : run(input, "--disassemble")) {
      const std::string text = normalize(line);
      if (marker < count && text == marker_text(marker)) {
        result.push_back(pending.size() == 1 ? pending[0] : "");
        pending.clear();
        ++marker;
      } else {
        pending.push_back(text);
      }
    }
    EXPECT_EQ(marker, count) << "llvm-mc-19 stopped early";
    result.resize(start + count);
  }
  return result;
}

std::vector<std::vector<uint32_t>> LlvmMc::assemble(const std::vector<std::string>& lines) const {
  std::vector<std::vector<uint32_t>> result;
  for (size_t start = 0; start < lines.size(); start += kBatch) {
    const size_t count = std::min(kBatch, lines.size() - start);
    std::string input;
    for (size_t i = 0; i < count; ++i) input += lines[start + i] + "\n" + marker_text(i) + "\n";
    std::vector<std::string> pending;
    size_t marker = 0;
    for (const std::string& line : run(input, "--show-encoding")) {
      if (marker < count && normalize(line) == marker_text(marker)) {
        result.push_back(pending.size() == 1 ? parse_encoding(pending[0]) : std::vector<uint32_t>{});
        pending.clear();
        ++marker;
      } else {
        pending.push_back(line);
      }
    }
    EXPECT_EQ(marker, count) << "llvm-mc-19 stopped early";
    result.resize(start + count);
  }
  return result;
}

}  // namespace spalt::isa::test
